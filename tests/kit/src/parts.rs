//! The parts of a module's text, and one module made from two lists of them.

use anyhow::{Context, Result, bail, ensure};
use std::collections::{HashMap, HashSet};

/// The text of a module: the parts of a well-behaved bot, or those of `text` that have the same name, and the other parts
/// of `text`. Imports come first, as WebAssembly requires.
pub fn module(bot: &str, text: &str) -> Result<String> {
    Ok(format!("(module\n{}\n)", merge(bot, split(text)?)?))
}

/// The text of a component: the module of [`module`] as `$code`, the content of `(outer …)`, which is the first part of
/// `text`, and `rest`.
pub fn component(bot: &str, text: &str, rest: &str) -> Result<String> {
    let mut replacements = split(text)?;
    let outer = replacements.remove(0);
    let inside = outer.strip_prefix("(outer").and_then(|inside| inside.strip_suffix(')'));
    let inside = inside.context("a text with definitions of the component begins with `(outer`")?;
    let code = merge(bot, replacements)?;
    Ok(format!("(component\n(core module $code\n{code}\n)\n{inside}\n{rest}\n)"))
}

fn merge(bot: &str, replacements: Vec<&str>) -> Result<String> {
    // Of two with the same name, the first one counts.
    let named: HashMap<_, &str> =
        replacements.iter().rev().filter_map(|new| Some((key(new)?, *new))).collect();
    let replaced = |part| key(part).and_then(|key| named.get(&key).copied()).unwrap_or(part);
    let mut parts: Vec<&str> = split(bot)?.into_iter().map(replaced).collect();
    let mut known: HashSet<&str> = parts.iter().copied().collect();
    parts.extend(replacements.into_iter().filter(|new| known.insert(new)));
    parts.sort_by_key(|part| word(part).is_none_or(|(first, _)| first != "import"));
    Ok(parts.join("\n"))
}

/// The first word of the first part of a text, such as `func` or `component`.
pub fn first_word(text: &str) -> Result<Option<&str>> {
    Ok(split(text)?.first().and_then(|part| word(part)).map(|(first, _)| first))
}

/// The identity of a part: its kind and its `$name`; `None` for a part without a name.
fn key(part: &str) -> Option<(&str, &str)> {
    let (kind, name) = word(part)?;
    name.starts_with('$').then_some((kind, name))
}

/// The first two words of a part.
fn word(part: &str) -> Option<(&str, &str)> {
    let ends = |c: char| c.is_whitespace() || c == '(' || c == ')';
    let inside = part.strip_prefix('(')?;
    let first = inside.split(ends).next()?;
    let second = inside[first.len()..].trim_start().split(ends).next()?;
    Some((first, second))
}

/// The parenthesised parts of a text, without the comments and white space between them.
fn split(text: &str) -> Result<Vec<&str>> {
    let bytes = text.as_bytes();
    let (mut parts, mut depth, mut start, mut at) = (Vec::new(), 0_usize, 0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b';' => at += text[at..].find('\n').unwrap_or(text.len() - at),
            // Such as the numbers that a printer adds.
            b'(' if text[at..].starts_with("(;") => {
                at += text[at..].find(";)").context("a comment has no end")? + 1;
            }
            b'"' => at = string_end(bytes, at)?,
            b'(' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            b')' => {
                ensure!(depth > 0, "unmatched closing parenthesis at byte {at}");
                depth -= 1;
                if depth == 0 {
                    parts.push(&text[start..=at]);
                }
            }
            byte => ensure!(depth > 0 || byte.is_ascii_whitespace(), "text outside the parts at byte {at}"),
        }
        at += 1;
    }
    ensure!(depth == 0, "a closing parenthesis is missing");
    Ok(parts)
}

/// The index of the quote that ends the string whose first quote is at `begin`.
fn string_end(bytes: &[u8], begin: usize) -> Result<usize> {
    let mut at = begin + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return Ok(at),
            _ => at += 1,
        }
    }
    bail!("the string at byte {begin} has no end")
}
