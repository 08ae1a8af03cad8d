//! The component's exports in Go.

use super::layout::{self, Core, Form, Layout, VALUES_MAX};
use super::{Go, aligned, indented};
use crate::loaded::{types_of, types_of_action};
use arena_rules::loaded::{BotContract, Definition, Part, Plain};

/// The values of `game.Result`, a type that only some games have.
const RESULT: &str = r"
func result[T, E any](isErr bool, ok func() T, err func() E) (it game.Result[T, E]) {
	if it.IsErr = isErr; isErr {
		it.Err = err()
	} else {
		it.Ok = ok()
	}
	return it
}

func putResult[T, E any](
	at unsafe.Pointer, offset uintptr, it game.Result[T, E], payload uintptr,
	ok func(at unsafe.Pointer, it T), err func(at unsafe.Pointer, it E),
) {
	store(at, offset, it.IsErr)
	if it.IsErr {
		err(unsafe.Add(at, payload), it.Err)
	} else {
		ok(unsafe.Add(at, payload), it.Ok)
	}
}
";

/// The name of the interface that a bot exports: `games:nim/bot@1.0.0`.
fn instance(BotContract { package, version, .. }: &BotContract) -> String {
    let version = if version.is_empty() { String::new() } else { format!("@{version}") };
    format!("{package}/bot{version}")
}

impl Go<'_> {
    fn layout(&self, part: &Part) -> Layout {
        Layout::of(part, &self.layouts)
    }

    /// The file with the component's exports.
    pub fn exports(&self) -> String {
        let BotContract { observation, action, .. } = self.contract;
        let [given, answer] = [*observation, *action].map(|index| &self.layouts[index]);
        let [from, to] = [*observation, *action].map(Part::Named);
        let instance = instance(self.contract);
        let (parameters, read) = if given.flat.len() > VALUES_MAX {
            let read = format!(
                "\tat := memoryAt(pointer)\n\tobservation := {}\n",
                self.load(&from, 0, Form::Memory)
            );
            ("pointer uint32".to_owned(), read)
        } else {
            let parameters: Vec<String> =
                given.flat.iter().enumerate().map(|(i, core)| format!("p{i} {}", core.ty())).collect();
            let values: Vec<String> =
                given.flat.iter().enumerate().map(|(i, core)| core.bits(&format!("p{i}"))).collect();
            let read = format!(
                "\tvalues := [...]uint64{{{}}}\n\tat := unsafe.Pointer(&values)\n\tobservation := {}\n",
                values.join(", "),
                self.load(&from, 0, Form::Values)
            );
            (parameters.join(", "), read)
        };
        // A number is returned as such, and all else in memory.
        let (returned, result) = match answer.flat[..] {
            [Core::I32] => (Core::I32, format!("uint32(load[uint{}](at, 0))", 8 * answer.size)),
            [core] => (core, format!("load[{}](at, 0)", core.ty())),
            _ => (Core::I32, "address(at)".to_owned()),
        };
        let mut text = format!(
            "var (\n\tbotName string\n\tbotPlay func(game.{observation}) game.{action}\n)\n\n\
             // Serve sets the bot. It is called once, when all variables have their initial values.\n\
             func Serve(name string, play func(game.{observation}) game.{action}) {{\n\
             \tbotName, botPlay, kept = name, play, used\n}}\n\n\
             //go:wasmexport {instance}#name\nfunc exportName() uint32 {{\n\tat := room(8, 4)\n\
             \tputText(at, 0, botName)\n\tused = kept\n\treturn address(at)\n}}\n\n\
             //go:wasmexport {instance}#play\nfunc exportPlay({parameters}) {} {{\n{read}\tused = kept\n\
             \taction := botPlay(observation)\n\tat = room({}, {})\n{}\tcollect()\n\tused = kept\n\treturn {result}\n}}\n",
            returned.ty(),
            answer.size,
            answer.align,
            indented(&self.store(&to, 0, "action")),
            observation = self.names[*observation],
            action = self.names[*action],
        );
        let forms: &[Form] =
            if given.flat.len() > VALUES_MAX { &[Form::Memory] } else { &[Form::Values, Form::Memory] };
        for index in types_of(self.contract, *observation) {
            forms.iter().for_each(|&form| text += &self.loader(index, form));
        }
        types_of_action(self.contract).into_iter().for_each(|index| text += &self.storer(index));
        if self.has_result {
            text += RESULT;
        }
        // An import that is not used is an error in Go.
        let import = |package: &str| {
            if text.contains(&format!("{package}.")) { format!("\t\"{package}\"\n") } else { String::new() }
        };
        format!(
            "//go:build wasip1\n\npackage adapter\n\n\
             // The component's exports: they pass the calls of the arena to bot.go. This file needs no edit. It is the canonical ABI of the\n\
             // contract in wit/bot.wit, written by `arena new`.\n\n\
             import (\n\t\"bot/game\"\n{}{})\n\n{text}",
            import("math"),
            import("unsafe")
        )
    }

    /// The function that reads a record or a variant.
    fn loader(&self, index: usize, form: Form) -> String {
        let name = &self.names[index];
        let body = match self.definition(index) {
            Definition::Record(fields) => {
                let parts = fields.iter().map(|(_, of)| of);
                let offsets = form.offsets(parts.clone().map(|of| self.layout(of)));
                let fields = self.members[index].iter().zip(parts).zip(offsets);
                let fields = fields
                    .map(|((name, of), at)| (format!("{name}:"), format!("{},", self.load(of, at, form))));
                format!("return game.{name}{{\n{}}}\n", aligned(fields))
            }
            Definition::Variant(cases) => {
                let parts = cases.iter().filter_map(|(_, of)| of.as_ref());
                let payload = form.payload(cases.len(), parts.map(|of| self.layout(of)));
                let members = self.members[index].iter().zip(cases).enumerate();
                let case = |(number, (case, (_, of))): (usize, (&String, &(String, Option<Part>)))| {
                    let content = of.as_ref().map(|of| format!("Value: {}", self.load(of, payload, form)));
                    let content = content.unwrap_or_default();
                    format!("case {number}:\n\treturn game.{case}{{{content}}}\n")
                };
                format!(
                    "switch load[uint{}](at, 0) {{\n{}}}\npanic(\"a {name} of an unknown case\")\n",
                    8 * layout::discriminant(cases.len()),
                    members.map(case).collect::<String>()
                )
            }
            _ => return String::new(),
        };
        format!("\nfunc {}{name}(at unsafe.Pointer) game.{name} {{\n{}}}\n", form.verb(), indented(&body))
    }

    /// An expression for a value in the memory of arguments, at an offset from `at`.
    fn load(&self, part: &Part, offset: u64, form: Form) -> String {
        let ty = self.ty(part, "game.");
        let scalar = |ty: &str| format!("load[{ty}](at, {offset})");
        let place = || {
            let length = offset + form.width();
            format!("load[uint32](at, {offset}), load[uint32](at, {length})")
        };
        let function = |part: Option<&Part>, offset: u64| {
            let value = part.map_or_else(|| "struct{}{}".to_owned(), |part| self.load(part, offset, form));
            format!("func() {} {{ return {value} }}", self.ty_or_unit(part, "game."))
        };
        match part {
            Part::Plain(Plain::String) => format!("text({})", place()),
            Part::Plain(_) => scalar(&ty),
            Part::List(element) if self.is_scalar(element) => {
                format!("numbers[{}]({})", self.ty(element, "game."), place())
            }
            Part::List(element) => format!(
                "list({}, {}, func(at unsafe.Pointer) {} {{ return {} }})",
                place(),
                self.layout(element).size,
                self.ty(element, "game."),
                self.load(element, 0, Form::Memory)
            ),
            Part::FixedList(..) => unreachable!("`unsuited` is asked before"),
            Part::Option(some) => {
                let at = offset + form.payload(2, std::iter::once(self.layout(some)));
                format!("option({}, {})", scalar("bool"), function(Some(some), at))
            }
            Part::Tuple(parts) => {
                let offsets = form.offsets(parts.iter().map(|of| self.layout(of)));
                let value = |(index, (of, at)): (usize, (&Part, u64))| {
                    format!("F{index}: {}", self.load(of, offset + at, form))
                };
                let values: Vec<String> = parts.iter().zip(offsets).enumerate().map(value).collect();
                format!("{ty}{{{}}}", values.join(", "))
            }
            Part::Result(ok, err) => {
                let parts = [ok, err].into_iter().flatten().map(|of| self.layout(of));
                let at = offset + form.payload(2, parts);
                let [ok, err] = [ok, err].map(|of| function(of.as_deref(), at));
                format!("result({}, {ok}, {err})", scalar("bool"))
            }
            Part::Named(index) => match self.definition(*index) {
                Definition::Record(_) | Definition::Variant(_) => {
                    format!("{}{}(unsafe.Add(at, {offset}))", form.verb(), self.names[*index])
                }
                Definition::Enum(_) | Definition::Flags(_) => scalar(&ty),
                Definition::Alias(of) => self.load(of, offset, form),
            },
        }
    }

    /// The function that writes a record or a variant.
    fn storer(&self, index: usize) -> String {
        let name = &self.names[index];
        let body = match self.definition(index) {
            Definition::Record(fields) => {
                let parts = fields.iter().map(|(_, of)| of);
                let offsets = Form::Memory.offsets(parts.clone().map(|of| self.layout(of)));
                let fields = self.members[index].iter().zip(parts).zip(offsets);
                fields.map(|((name, of), at)| self.store(of, at, &format!("it.{name}"))).collect()
            }
            Definition::Variant(cases) => {
                let parts = cases.iter().filter_map(|(_, of)| of.as_ref());
                let payload = Form::Memory.payload(cases.len(), parts.clone().map(|of| self.layout(of)));
                let tag = 8 * layout::discriminant(cases.len());
                let members = self.members[index].iter().zip(cases).enumerate();
                let case = |(number, (case, (_, of))): (usize, (&String, &(String, Option<Part>)))| {
                    let content =
                        of.as_ref().map(|of| self.store(of, payload, "it.Value")).unwrap_or_default();
                    format!("case game.{case}:\n\tstore(at, 0, uint{tag}({number}))\n{}", indented(&content))
                };
                // A name that no case uses is an error in Go.
                let named = if parts.count() > 0 { "it := " } else { "" };
                format!(
                    "switch {named}it.(type) {{\n{}default:\n\tpanic(\"a game.{name} is nil or a pointer: return a value, such as game.{}{{}}\")\n}}\n",
                    members.map(case).collect::<String>(),
                    self.members[index][0]
                )
            }
            _ => return String::new(),
        };
        format!("\nfunc store{name}(at unsafe.Pointer, it game.{name}) {{\n{}}}\n", indented(&body))
    }

    /// Statements that write a value to an offset from `at`.
    fn store(&self, part: &Part, offset: u64, value: &str) -> String {
        let scalar = format!("store(at, {offset}, {value})\n");
        let function = |part: Option<&Part>| {
            let body = part.map(|part| indented(&self.store(part, 0, "it"))).unwrap_or_default();
            let body = if body.is_empty() { "{}".to_owned() } else { format!("{{\n{body}}}") };
            format!("func(at unsafe.Pointer, it {}) {body}", self.ty_or_unit(part, "game."))
        };
        match part {
            Part::Plain(Plain::String) => format!("putText(at, {offset}, {value})\n"),
            Part::Plain(_) => scalar,
            Part::List(element) if self.is_scalar(element) => {
                format!("putNumbers(at, {offset}, {value})\n")
            }
            Part::List(element) => {
                let Layout { size, align, .. } = self.layout(element);
                format!("putList(at, {offset}, {value}, {size}, {align}, {})\n", function(Some(element)))
            }
            Part::FixedList(..) => unreachable!("`unsuited` is asked before"),
            Part::Option(some) => {
                let payload = offset + Form::Memory.payload(2, std::iter::once(self.layout(some)));
                format!("putOption(at, {offset}, {value}, {payload}, {})\n", function(Some(some)))
            }
            Part::Tuple(parts) => {
                let offsets = Form::Memory.offsets(parts.iter().map(|of| self.layout(of)));
                let parts = parts.iter().zip(offsets).enumerate();
                parts.map(|(i, (of, at))| self.store(of, offset + at, &format!("{value}.F{i}"))).collect()
            }
            Part::Result(ok, err) => {
                let parts = [ok, err].into_iter().flatten().map(|of| self.layout(of));
                let payload = offset + Form::Memory.payload(2, parts);
                let [ok, err] = [ok, err].map(|of| function(of.as_deref()));
                format!("putResult(at, {offset}, {value}, {payload}, {ok}, {err})\n")
            }
            Part::Named(index) => match self.definition(*index) {
                Definition::Record(_) | Definition::Variant(_) => {
                    format!("store{}(unsafe.Add(at, {offset}), {value})\n", self.names[*index])
                }
                Definition::Enum(_) | Definition::Flags(_) => scalar,
                Definition::Alias(of) => self.store(of, offset, value),
            },
        }
    }

    /// True for a number, a letter, an enum or flags: they are the same in Go's memory as in the arena's.
    fn is_scalar(&self, part: &Part) -> bool {
        match part {
            Part::Plain(plain) => *plain != Plain::String,
            Part::Named(index) => match self.definition(*index) {
                Definition::Enum(_) | Definition::Flags(_) => true,
                Definition::Alias(of) => self.is_scalar(of),
                Definition::Record(_) | Definition::Variant(_) => false,
            },
            _ => false,
        }
    }
}
