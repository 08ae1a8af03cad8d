//! Random values of a type, as text in the notation WAVE: what a bot may answer, legal or not.

use crate::fault::{Error, FaultKind, GameFault};
use crate::game::Game;
use arena_rules::Seat;
use arena_rules::random::{SeededRng, seeded};
use arena_sandbox::ValueType;
use rand::{Rng, RngExt};

/// The length of the longest random list and string. Chosen: a game that copies a list without a look at its length is found with any
/// length above the board's, and the text stays short.
const LENGTH_MAX: usize = 20;

/// The random answers for a game, of this number, that cannot be read as an action of its type, with the reason: a mistake of this module.
///
/// # Errors
/// The game cannot be started.
#[doc(hidden)]
pub fn unreadable_answers(game: &Game, count: usize) -> Result<Vec<String>, Error> {
    let mut rng = seeded(1);
    let action = game.bot_types().action;
    let state = game.start(&game.about().defaults(), 1, Seat::First)?;
    let state = state.map_err(|why| GameFault::new(FaultKind::Contradiction, "new-initial-state", why))?;
    let unreadable = |_| {
        let text = random_text(&action, &mut rng);
        state.parse_action(&text).err().map(|why| format!("{text}: {why}"))
    };
    Ok((0..count).filter_map(unreadable).collect())
}

/// The text of a random value of a type that has no resource in it.
pub fn random_text(ty: &ValueType, rng: &mut SeededRng) -> String {
    let length = |rng: &mut SeededRng| rng.random_range(0..=LENGTH_MAX);
    match ty {
        ValueType::Plain(name) => plain(name, rng),
        ValueType::List(element) => {
            let elements: Vec<String> = (0..length(rng)).map(|_| random_text(element, rng)).collect();
            format!("[{}]", elements.join(", "))
        }
        ValueType::FixedList(element, length) => {
            let elements: Vec<String> = (0..*length).map(|_| random_text(element, rng)).collect();
            format!("[{}]", elements.join(", "))
        }
        ValueType::Record(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, ty)| format!("{name}: {}", random_text(ty, rng))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        ValueType::Tuple(types) => {
            let parts: Vec<String> = types.iter().map(|ty| random_text(ty, rng)).collect();
            format!("({})", parts.join(", "))
        }
        ValueType::Variant(cases) => {
            let (name, content) = &cases[rng.random_range(0..cases.len())];
            let content = content.as_ref().map(|ty| format!("({})", random_text(ty, rng)));
            format!("{}{}", escaped(name), content.unwrap_or_default())
        }
        ValueType::Enum(names) => escaped(&names[rng.random_range(0..names.len())]),
        ValueType::Flags(names) => {
            let set: Vec<&str> = names.iter().filter(|_| rng.random()).map(String::as_str).collect();
            format!("{{{}}}", set.join(", "))
        }
        ValueType::Option(some) => match rng.random() {
            true => format!("some({})", random_text(some, rng)),
            false => "none".to_owned(),
        },
        ValueType::Result(ok, err) => {
            let (word, content) = if rng.random() { ("ok", ok) } else { ("err", err) };
            let content = content.as_ref().map(|ty| format!("({})", random_text(ty, rng)));
            format!("{word}{}", content.unwrap_or_default())
        }
        ValueType::Own(_) | ValueType::Borrow(_) | ValueType::Unsuited(_) => String::new(),
    }
}

/// The name of a case, which the notation marks if it is one of its own words.
fn escaped(name: &str) -> String {
    let is_word = ["true", "false", "some", "none", "ok", "err", "inf", "nan"].contains(&name);
    if is_word { format!("%{name}") } else { name.to_owned() }
}

/// A number is small, extreme or any one, so that cells of a board and the ends of a type both come up.
fn plain(name: &str, rng: &mut SeededRng) -> String {
    let (bits, is_signed) = match name {
        "bool" => return rng.random::<bool>().to_string(),
        "f32" | "f64" => {
            let special = ["nan", "inf", "-inf", "0", "-1", "1e30"];
            return special[rng.random_range(0..special.len())].to_owned();
        }
        "char" => return ["'a'", "'\\u{0}'", "'\\u{10ffff}'"][rng.random_range(0..3)].to_owned(),
        "string" => {
            let some = ["", "a", "\\u{1b}[31m", "\\u{202e}", "é"];
            let count = rng.random_range(0..=LENGTH_MAX);
            let parts: String = (0..count).map(|_| some[rng.random_range(0..some.len())]).collect();
            return format!("\"{parts}\"");
        }
        number => (number[1..].parse().unwrap_or(64_u32), number.starts_with('s')),
    };
    let any = rng.next_u64();
    let value = match rng.random_range(0..4_u8) {
        0 => any,
        1 => u64::MAX,
        _ => any % 10,
    } & (u64::MAX >> (64 - bits));
    if is_signed {
        // The sign bit of the type becomes that of the number.
        let shift = 64 - bits;
        ((value << shift).cast_signed() >> shift).to_string()
    } else {
        value.to_string()
    }
}
