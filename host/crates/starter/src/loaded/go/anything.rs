//! Any action in Go.

use super::{Go, aligned, indented};
use crate::loaded::types_of_action;
use arena_rules::loaded::{Definition, Part, Plain};

const HEAD: &str = r#"// Package anything draws any action, legal or not, at random: a beginning for a bot, made from the types of the game. This file needs no
// edit, and can go when bot.go chooses its actions itself.
//
// Random numbers are from the seed of this side in the arena: the same in every run of a game.
package anything

import (
	"bot/game"
	"math/rand/v2"
)

func coin() bool {
	return rand.IntN(2) == 0
}

// natural is small most of the time, as rows and columns are.
func natural() uint64 {
	switch rand.IntN(8) {
	case 0:
		return rand.Uint64()
	case 1, 2:
		return rand.Uint64N(100)
	default:
		return rand.Uint64N(10)
	}
}

// whole is the same with negative numbers.
func whole() int64 {
	return int64(natural() - natural())
}

func letter() rune {
	return 'a' + rune(rand.IntN(26))
}

func text() string {
	return string(list(letter))
}

func list[T any](element func() T) []T {
	all := make([]T, rand.IntN(4))
	for i := range all {
		all[i] = element()
	}
	return all
}

func option[T any](some func() T) *T {
	if coin() {
		return nil
	}
	value := some()
	return &value
}
"#;

const RESULT: &str = r#"
func result[T, E any](ok func() T, err func() E) (it game.Result[T, E]) {
	if it.IsErr = coin(); it.IsErr {
		it.Err = err()
	} else {
		it.Ok = ok()
	}
	return it
}
"#;

/// The package with any action.
pub fn text(go: &Go<'_>) -> String {
    let functions = types_of_action(go.contract).into_iter().map(|index| function(go, index));
    let result = if go.has_result { RESULT } else { "" };
    [HEAD, result].into_iter().map(str::to_owned).chain(functions).collect()
}

fn function(go: &Go<'_>, index: usize) -> String {
    let (name, members) = (&go.names[index], &go.members[index]);
    let body = match go.definition(index) {
        Definition::Record(fields) => {
            let fields = members.iter().zip(fields);
            let fields = fields.map(|(name, (_, of))| (format!("{name}:"), format!("{},", value(go, of))));
            format!("return game.{name}{{\n{}}}\n", aligned(fields))
        }
        Definition::Variant(cases) => {
            let count = cases.len();
            let case = |(number, (case, (_, of))): (usize, (&String, &(String, Option<Part>)))| {
                let content = of.as_ref().map(|of| format!("Value: {}", value(go, of))).unwrap_or_default();
                let label = if number + 1 == count { "default".to_owned() } else { format!("case {number}") };
                format!("{label}:\n\treturn game.{case}{{{content}}}\n")
            };
            let cases: String = members.iter().zip(cases).enumerate().map(case).collect();
            format!("switch rand.IntN({count}) {{\n{cases}}}\n")
        }
        Definition::Enum(names) => format!("return game.{name}(rand.IntN({}))\n", names.len()),
        Definition::Flags(names) => format!("return game.{name}(rand.Uint64N(1 << {}))\n", names.len()),
        Definition::Alias(of) => format!("return {}\n", value(go, of)),
    };
    format!(
        "\n// {name} returns any value of the type.\nfunc {name}() game.{name} {{\n{}}}\n",
        indented(&body)
    )
}

/// An expression for any value.
fn value(go: &Go<'_>, of: &Part) -> String {
    let ty = go.ty(of, "game.");
    match of {
        Part::Plain(plain) => match plain {
            Plain::Bool => "coin()".to_owned(),
            Plain::U8 | Plain::U16 | Plain::U32 => format!("{ty}(natural())"),
            Plain::U64 => "natural()".to_owned(),
            Plain::S8 | Plain::S16 | Plain::S32 | Plain::F32 | Plain::F64 => format!("{ty}(whole())"),
            Plain::S64 => "whole()".to_owned(),
            Plain::Char => "letter()".to_owned(),
            Plain::String => "text()".to_owned(),
        },
        Part::List(element) => format!("list({})", function_of(go, Some(element))),
        Part::FixedList(..) => unreachable!("`unsuited` is asked before"),
        Part::Option(some) => format!("option({})", function_of(go, Some(some))),
        Part::Tuple(parts) => {
            let values = parts.iter().enumerate().map(|(index, of)| format!("F{index}: {}", value(go, of)));
            let values: Vec<String> = values.collect();
            format!("{ty}{{{}}}", values.join(", "))
        }
        Part::Result(ok, err) => {
            let [ok, err] = [ok, err].map(|of| function_of(go, of.as_deref()));
            format!("result({ok}, {err})")
        }
        Part::Named(index) => format!("{}()", go.names[*index]),
    }
}

/// A function that returns any value of a part.
fn function_of(go: &Go<'_>, of: Option<&Part>) -> String {
    match of {
        Some(Part::Named(index)) => go.names[*index].clone(),
        _ => {
            let value = of.map_or_else(|| "struct{}{}".to_owned(), |of| value(go, of));
            format!("func() {} {{ return {value} }}", go.ty_or_unit(of, "game."))
        }
    }
}
