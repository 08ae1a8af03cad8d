//! The interfaces of a component.

use super::value::Value;
use super::value_type::{Reader, ValueType};
use std::error::Error as _;
use wasmtime::Engine;
use wasmtime::component::types::{ComponentInstance, ComponentItem, Type};
use wasmtime::component::wasm_wave::{self, parser::ParserError, wasm::WasmValueError};
use wasmtime::component::{Component, ComponentExportIndex, ResourceType};

/// The longest part of a text that is wrong, in characters. Chosen: it is found with less.
const PART_CHARS_MAX: usize = 40;

/// An interface of a component.
#[derive(Clone, Debug)]
pub struct Interface {
    /// Its name: `games:nim/types@0.1.0`.
    pub name: String,
    /// True if the component exports it; false if it imports types from it.
    pub is_exported: bool,
    /// Its types with a name, in the order of the component. Resources are left out.
    pub types: Vec<(String, ValueType)>,
    /// Its functions, if it is exported.
    pub functions: Vec<Function>,
}

/// A function that a component exports.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name: `observation`, `[method]state.picture`.
    pub name: String,
    /// The types of its parameters.
    pub params: Vec<ValueType>,
    /// The type of its result; `None` when it has no result.
    pub result: Option<ValueType>,
    /// True if it is async.
    pub is_async: bool,
    pub(crate) index: ComponentExportIndex,
    param_types: Vec<Type>,
}

impl Function {
    /// A value for a parameter, by its index, from its text in the notation WAVE.
    ///
    /// # Errors
    /// The text is not one of a value of that type: the part that is wrong, and why.
    pub fn parse(&self, param: usize, text: &str) -> Result<Value, String> {
        let ty = self.param_types.get(param).ok_or("there is no such parameter")?;
        wasm_wave::from_str(ty, text).map(Value).map_err(|error| problem(&error, text))
    }
}

/// What is wrong with a text, and with which part of it: `left: unknown case "left"`.
fn problem(error: &ParserError, text: &str) -> String {
    let what = match (error.source(), error.detail()) {
        // Its text repeats the type.
        (Some(source), _) if matches!(source.downcast_ref(), Some(WasmValueError::WrongValueType { .. })) => {
            "no such value".into()
        }
        (Some(source), _) => source.to_string(),
        (None, Some(detail)) => format!("{}: {detail}", error.kind()),
        (None, None) => error.kind().to_string(),
    };
    match text.get(error.span()).map(str::trim) {
        None | Some("") => what,
        Some(part) => format!("{}: {what}", part.chars().take(PART_CHARS_MAX).collect::<String>()),
    }
}

/// Reads all interfaces that are exported or have types only; `None` when the types have too many parts.
pub(crate) fn read(component: &Component, engine: &Engine) -> Option<Vec<Interface>> {
    let ty = component.component_type();
    let exported = ty.exports(engine).filter_map(|(name, item)| match item.ty {
        ComponentItem::ComponentInstance(instance) => Some((name.to_owned(), true, instance)),
        _ => None,
    });
    let imported = ty.imports(engine).filter_map(|(name, item)| match item.ty {
        ComponentItem::ComponentInstance(instance) if crate::imports::interface(name).is_none() => {
            Some((name.to_owned(), false, instance))
        }
        _ => None,
    });
    let instances: Vec<(String, bool, ComponentInstance)> = imported.chain(exported).collect();
    let resources: Vec<(String, ResourceType)> = instances
        .iter()
        .flat_map(|(_, _, instance)| instance.exports(engine))
        .filter_map(|(name, item)| match item.ty {
            ComponentItem::Resource(resource) => Some((name.to_owned(), resource)),
            _ => None,
        })
        .collect();
    let mut reader = Reader::new(&resources);
    instances
        .into_iter()
        .map(|(name, is_exported, instance)| {
            let at = component.get_export_index(None, &name);
            let (mut types, mut functions) = (Vec::new(), Vec::new());
            for (item_name, item) in instance.exports(engine) {
                match item.ty {
                    ComponentItem::Type(ty) => types.push((item_name.to_owned(), reader.read(&ty)?)),
                    ComponentItem::ComponentFunc(function) if is_exported => {
                        let param_types: Vec<Type> = function.params().map(|(_, ty)| ty).collect();
                        let result = function.results().next().map(|ty| reader.read(&ty));
                        functions.push(Function {
                            name: item_name.to_owned(),
                            params: param_types.iter().map(|ty| reader.read(ty)).collect::<Option<_>>()?,
                            result: match result {
                                None => None,
                                Some(read) => Some(read?),
                            },
                            is_async: function.async_(),
                            index: component.get_export_index(at.as_ref(), item_name)?,
                            param_types,
                        });
                    }
                    _ => {}
                }
            }
            Some(Interface { name, is_exported, types, functions })
        })
        .collect()
}
