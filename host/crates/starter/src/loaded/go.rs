//! The types of a game in Go, any action, and the code between a bot and the arena: the canonical ABI of the contract.
//!
//! wit-bindgen-go is not used: the code that it writes needs its package from the network, allocates arguments in the heap of the garbage
//! collector, and has variants as a number with an `any`.

use crate::template::File;
use arena_rules::loaded::{BotContract, Definition, Part, Plain};
use heck::ToUpperCamelCase;
use layout::Layout;
use std::collections::BTreeSet;

mod adapter;
mod anything;
mod layout;

/// The reason why no code is written for a contract, if there is one.
pub fn unsuited(contract: &BotContract) -> Option<&'static str> {
    let mut waiting: Vec<&Part> = contract.types.iter().flat_map(|it| it.definition.parts()).collect();
    while let Some(part) = waiting.pop() {
        if matches!(part, Part::FixedList(..)) {
            return Some("bots in Go have no list of a fixed length");
        }
        waiting.extend(part.parts());
    }
    None
}

/// The types, any action, and the component's exports.
pub fn files(contract: &BotContract) -> Vec<File> {
    let go = Go::new(contract);
    vec![
        File::text("game/game.go", go.types()),
        File::text("anything/anything.go", anything::text(&go)),
        File::text("adapter/adapter.go", go.exports()),
    ]
}

/// The names of the two types that every game has.
pub fn names(contract: &BotContract) -> Vec<(&'static str, String)> {
    let go = Go::new(contract);
    vec![
        ("FirstObservation", go.names[contract.observation].clone()),
        ("FirstAction", go.names[contract.action].clone()),
    ]
}

/// A contract with its names in Go, and its layout in memory.
struct Go<'a> {
    contract: &'a BotContract,
    /// The name of each type.
    names: Vec<String>,
    /// The names of each type's fields, cases or flags.
    members: Vec<Vec<String>>,
    /// The layout of each type.
    layouts: Vec<Layout>,
    /// The lengths of the tuples.
    tuples: BTreeSet<usize>,
    has_result: bool,
}

/// Returns a name that is not taken, and takes it.
fn unique(taken: &mut BTreeSet<String>, mut name: String) -> String {
    while !taken.insert(name.clone()) {
        name.push('_');
    }
    name
}

/// Lines in a block, one tab deeper.
fn indented(lines: &str) -> String {
    lines.lines().map(|line| format!("\t{line}\n")).collect()
}

impl<'a> Go<'a> {
    fn new(contract: &'a BotContract) -> Self {
        let (mut tuples, mut has_result) = (BTreeSet::new(), false);
        let mut waiting: Vec<&Part> = contract.types.iter().flat_map(|it| it.definition.parts()).collect();
        while let Some(part) = waiting.pop() {
            match part {
                Part::Tuple(parts) => drop(tuples.insert(parts.len())),
                Part::Result(..) => has_result = true,
                _ => {}
            }
            waiting.extend(part.parts());
        }
        let mut taken: BTreeSet<String> = tuples.iter().map(|length| format!("Tuple{length}")).collect();
        taken.insert("Result".to_owned());
        let names: Vec<String> =
            contract.types.iter().map(|it| unique(&mut taken, it.name.to_upper_camel_case())).collect();
        let members = contract.types.iter().zip(&names).map(|(it, name)| match &it.definition {
            Definition::Record(fields) => {
                let mut taken = BTreeSet::new();
                fields.iter().map(|(field, _)| unique(&mut taken, field.to_upper_camel_case())).collect()
            }
            // Constants and types of cases have the name of the type in front, because they are in one package.
            Definition::Variant(cases) => {
                let case = |(case, _): &(String, _)| {
                    unique(&mut taken, format!("{name}{}", case.to_upper_camel_case()))
                };
                cases.iter().map(case).collect()
            }
            Definition::Enum(all) | Definition::Flags(all) => all
                .iter()
                .map(|it| unique(&mut taken, format!("{name}{}", it.to_upper_camel_case())))
                .collect(),
            Definition::Alias(_) => Vec::new(),
        });
        let members = members.collect();
        Self { contract, names, members, layouts: layout::of_types(contract), tuples, has_result }
    }

    fn definition(&self, index: usize) -> &'a Definition {
        &self.contract.types[index].definition
    }

    /// The type of a part, with a package in front of the types of the game.
    fn ty(&self, part: &Part, package: &str) -> String {
        let inner = |part: &Part| self.ty(part, package);
        match part {
            Part::Plain(plain) => match plain {
                Plain::Bool => "bool".to_owned(),
                Plain::U8 | Plain::U16 | Plain::U32 | Plain::U64 => format!("uint{}", &plain.name()[1..]),
                Plain::S8 | Plain::S16 | Plain::S32 | Plain::S64 => format!("int{}", &plain.name()[1..]),
                Plain::F32 | Plain::F64 => format!("float{}", &plain.name()[1..]),
                Plain::Char => "rune".to_owned(),
                Plain::String => "string".to_owned(),
            },
            Part::List(element) => format!("[]{}", inner(element)),
            Part::FixedList(..) => unreachable!("`unsuited` is asked before"),
            Part::Option(some) => format!("*{}", inner(some)),
            Part::Tuple(parts) => {
                let types: Vec<String> = parts.iter().map(inner).collect();
                format!("{package}Tuple{}[{}]", parts.len(), types.join(", "))
            }
            Part::Result(ok, err) => {
                let [ok, err] = [ok, err].map(|of| self.ty_or_unit(of.as_deref(), package));
                format!("{package}Result[{ok}, {err}]")
            }
            Part::Named(index) => format!("{package}{}", self.names[*index]),
        }
    }

    fn ty_or_unit(&self, part: Option<&Part>, package: &str) -> String {
        part.map_or_else(|| "struct{}".to_owned(), |part| self.ty(part, package))
    }

    /// The package with the types.
    fn types(&self) -> String {
        let mut text = "// Package game has the types of the game, made by `arena new` from the contract in wit/bot.wit. This file needs no edit.\n\
                        package game\n"
            .to_owned();
        for length in &self.tuples {
            let letters: Vec<String> = (0..*length).map(|index| format!("T{index}")).collect();
            let fields = letters.iter().enumerate().map(|(index, ty)| (format!("F{index}"), ty.clone()));
            text += &format!(
                "\n// Tuple{length} is a tuple of length {length}.\ntype Tuple{length}[{} any] struct {{\n{}}}\n",
                letters.join(", "),
                aligned(fields)
            );
        }
        if self.has_result {
            text += "\n// Result is a value, or what failed: Err is used if IsErr is true, and Ok otherwise.\n\
                     type Result[T, E any] struct {\n\tIsErr bool\n\tOk    T\n\tErr   E\n}\n";
        }
        (0..self.names.len()).for_each(|index| text += &self.declaration(index));
        text
    }

    fn declaration(&self, index: usize) -> String {
        let (name, members) = (&self.names[index], &self.members[index]);
        let what = &self.contract.types[index].name;
        match self.definition(index) {
            Definition::Record(fields) => {
                let fields =
                    members.iter().zip(fields).map(|(name, (_, of))| (name.clone(), self.ty(of, "")));
                format!("\n// {name} is the record `{what}`.\ntype {name} struct {{\n{}}}\n", aligned(fields))
            }
            Definition::Variant(cases) => {
                let head = format!(
                    "\n// {name} is the variant `{what}`: one of the types {}.\ntype {name} interface {{\n\tis{name}()\n}}\n",
                    members.join(", ")
                );
                let case = |(case, (label, of)): (&String, &(String, Option<Part>))| {
                    let content = of.as_ref().map_or_else(
                        || "{}".to_owned(),
                        |of| format!(" {{\n\tValue {}\n}}", self.ty(of, "")),
                    );
                    let gap = if content == "{}" { "" } else { " " };
                    format!(
                        "\n// {case} is the case `{label}`.\ntype {case} struct{gap}{}\n\nfunc ({case}) is{name}() {{}}\n",
                        content.trim_start()
                    )
                };
                head + &members.iter().zip(cases).map(case).collect::<String>()
            }
            Definition::Enum(_) => self.constants(index, "is the enum", "iota"),
            Definition::Flags(_) => self.constants(index, "has the flags", "1 << iota"),
            Definition::Alias(of) => {
                format!("\n// {name} is the type `{what}`.\ntype {name} = {}\n", self.ty(of, ""))
            }
        }
    }

    /// A type that is a number, and its constants.
    fn constants(&self, index: usize, is: &str, value: &str) -> String {
        let (name, members) = (&self.names[index], &self.members[index]);
        let rest: String = members[1..].iter().map(|it| format!("\t{it}\n")).collect();
        format!(
            "\n// {name} {is} `{}`.\ntype {name} uint{}\n\nconst (\n\t{} {name} = {value}\n{rest})\n",
            self.contract.types[index].name,
            8 * self.layouts[index].size,
            members[0],
        )
    }
}

/// Fields with their types or values, in columns as gofmt has them.
fn aligned(fields: impl Iterator<Item = (String, String)>) -> String {
    let fields: Vec<_> = fields.collect();
    let width = fields.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    fields.iter().map(|(name, ty)| format!("\t{name:width$} {ty}\n")).collect()
}
