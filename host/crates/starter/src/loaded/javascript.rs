//! Any action in JavaScript, with the values that QuickJS's and SpiderMonkey's tools take for types.

use super::types_of_action;
use crate::template::File;
use arena_rules::loaded::{BotContract, Definition, Part, Plain};
use heck::{ToLowerCamelCase, ToUpperCamelCase};

const HEAD: &str = r#"// Any action, legal or not, drawn at random: a beginning for a bot, made from the types of the game. This file needs no edit, and can go
// when `bot.js` chooses its actions itself.

const below = (bound) => Math.floor(Math.random() * bound);
const coin = () => below(2) === 0;
const choice = (values) => values[below(values.length)];
const times = (make) => Array.from({ length: below(4) }, make);
const letter = () => String.fromCharCode(97 + below(26));

/** A number that is small most of the time, as rows and columns are. */
const natural = (bits) => below(choice([10, 10, 10, 100, 2 ** bits]));

/** The same with negative numbers. */
const whole = (bits) => choice([1, 1, -1]) * natural(bits - 1);
"#;

/// The interface that a bot imports for its random numbers, and its package. Its version is that of the template's other imports.
const RANDOM: [&str; 2] = [
    "  import wasi:random/random@0.2.12;\n",
    "\npackage wasi:random@0.2.12 {\n  interface random {\n    get-random-u64: func() -> u64;\n  }\n}\n",
];

/// The module with any action, and the world of a bot in JavaScript.
pub fn files(contract: &BotContract) -> Vec<File> {
    let functions = types_of_action(contract).into_iter().map(|index| function(contract, index));
    let text: String = std::iter::once(HEAD.to_owned()).chain(functions).collect();
    let world = include_str!("../../templates/javascript-common/wit/console.wit")
        .replace("arena:first-game@0.1.0", &contract.package_name())
        .replace("  include first-game-bot;\n", &format!("{}  include player;\n", RANDOM[0]));
    vec![File::text("anything.js", text), File::text("wit/console.wit", world + RANDOM[1])]
}

fn function(contract: &BotContract, index: usize) -> String {
    let it = &contract.types[index];
    let body = match &it.definition {
        Definition::Record(fields) => {
            let field = |(name, of): &(String, Part)| format!("    {}: {},\n", key(name), part(contract, of));
            format!("  return {{\n{}  }};\n", fields.iter().map(field).collect::<String>())
        }
        Definition::Variant(cases) => {
            let case = |(name, of): &(String, Option<Part>)| {
                let content =
                    of.as_ref().map_or_else(String::new, |of| format!(", val: {}", part(contract, of)));
                format!("    () => ({{ tag: \"{name}\"{content} }}),\n")
            };
            format!("  return choice([\n{}  ])();\n", cases.iter().map(case).collect::<String>())
        }
        Definition::Enum(names) => {
            let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
            format!("  return choice([{}]);\n", names.join(", "))
        }
        Definition::Flags(names) => {
            let flags: Vec<String> = names.iter().map(|name| format!("{}: coin()", key(name))).collect();
            format!("  return {{ {} }};\n", flags.join(", "))
        }
        Definition::Alias(of) => format!("  return {};\n", part(contract, of)),
    };
    format!("\nexport function any{}() {{\n{body}}}\n", it.name.to_upper_camel_case())
}

/// The name of a field. Any word of JavaScript can be one.
fn key(name: &str) -> String {
    name.to_lower_camel_case()
}

fn part(contract: &BotContract, of: &Part) -> String {
    let inner = |of: &Part| part(contract, of);
    match of {
        Part::Plain(plain) => match plain {
            Plain::Bool => "coin()".to_owned(),
            Plain::U8 | Plain::U16 | Plain::U32 => format!("natural({})", &plain.name()[1..]),
            Plain::S8 | Plain::S16 | Plain::S32 => format!("whole({})", &plain.name()[1..]),
            Plain::U64 => "integer64(natural(53))".to_owned(),
            Plain::S64 => "integer64(whole(53))".to_owned(),
            Plain::F32 | Plain::F64 => "whole(16)".to_owned(),
            Plain::Char => "letter()".to_owned(),
            Plain::String => "times(letter).join(\"\")".to_owned(),
        },
        Part::List(element) => match array(element) {
            Some(array) => format!("{array}.from(times(() => {}))", inner(element)),
            None => format!("times(() => ({}))", inner(element)),
        },
        Part::FixedList(element, length) => {
            format!("Array.from({{ length: {length} }}, () => ({}))", inner(element))
        }
        // An option in an option is marked, because `undefined` could be either.
        Part::Option(some) if matches!(**some, Part::Option(_)) => {
            format!("coin() ? {{ tag: \"some\", val: {} }} : {{ tag: \"none\" }}", inner(some))
        }
        Part::Option(some) => format!("coin() ? {} : undefined", inner(some)),
        Part::Tuple(parts) => {
            format!("[{}]", parts.iter().map(inner).collect::<Vec<_>>().join(", "))
        }
        Part::Result(ok, err) => {
            let content =
                |of: &Option<Box<Part>>| of.as_ref().map_or_else(|| "undefined".to_owned(), |of| inner(of));
            format!(
                "coin() ? {{ tag: \"ok\", val: {} }} : {{ tag: \"err\", val: {} }}",
                content(ok),
                content(err)
            )
        }
        Part::Named(index) => format!("any{}()", contract.types[*index].name.to_upper_camel_case()),
    }
}

/// The typed array of a list of numbers.
fn array(element: &Part) -> Option<&'static str> {
    let Part::Plain(plain) = element else { return None };
    Some(match plain {
        Plain::U8 => "Uint8Array",
        Plain::S8 => "Int8Array",
        Plain::U16 => "Uint16Array",
        Plain::S16 => "Int16Array",
        Plain::U32 => "Uint32Array",
        Plain::S32 => "Int32Array",
        Plain::F32 => "Float32Array",
        Plain::F64 => "Float64Array",
        // What an engine has for a number of 64 bits is not known here.
        Plain::U64 | Plain::S64 | Plain::Bool | Plain::Char | Plain::String => return None,
    })
}
