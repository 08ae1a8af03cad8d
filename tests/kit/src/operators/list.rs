//! The list of operators, from the parser's own.

/// An operator of WebAssembly.
#[derive(Clone, Debug)]
pub struct Operator {
    /// The proposal that it comes from, such as `simd`, or `mvp`.
    pub proposal: &'static str,
    /// Its name in WebAssembly text, such as `i32.add`.
    pub name: String,
    /// Its immediates, by the parser's names, such as `memarg`.
    pub(super) immediates: &'static [&'static str],
    /// The number of its operands and of its results, if they are the same wherever it stands.
    pub(super) arity: Option<(usize, usize)>,
}

/// The parser's names for a proposal, the function that visits an operator, its immediates, and its arity.
type Entry = (&'static str, &'static str, &'static [&'static str], Option<(usize, usize)>);

/// Makes the list from the parser's.
macro_rules! list {
    ($(@$proposal:ident $op:ident $({ $($arg:ident: $ty:ty),* })? => $visit:ident ($($arity:tt)*))*) => {
        &[$((
            stringify!($proposal),
            stringify!($visit),
            &[$($(stringify!($arg)),*)?],
            arity!($($arity)*),
        )),*]
    };
}

macro_rules! arity {
    (arity $operands:literal -> $results:literal) => {
        Some(($operands, $results))
    };
    (arity custom) => {
        None
    };
}

const ALL: &[Entry] = wasmparser::for_each_operator!(list);

/// The first words of names that a full stop separates from the rest.
const PREFIXES: [&str; 17] = [
    "i32", "i64", "f32", "f64", "v128", "i8x16", "i16x8", "i32x4", "i64x2", "f32x4", "f64x2", "local",
    "global", "memory", "table", "data", "elem",
];

/// The proposals whose operators bots may use, by the parser's names.
pub const PROPOSALS: [&str; 6] =
    ["mvp", "sign_extension", "saturating_float_to_int", "bulk_memory", "reference_types", "simd"];

/// All operators that bots may use.
pub fn operators() -> Vec<Operator> {
    ALL.iter()
        .filter(|(proposal, ..)| PROPOSALS.contains(proposal))
        .map(|&(proposal, visit, immediates, arity)| Operator {
            proposal,
            name: name(visit),
            immediates,
            arity,
        })
        .collect()
}

/// The name in text of the operator that the parser visits by a function of this name: `i32.add` for `visit_i32_add`.
fn name(visit: &str) -> String {
    let words = visit.trim_start_matches("visit_");
    match words.split_once('_') {
        Some((first, rest)) if first == "ref" || PREFIXES.contains(&first) => format!("{first}.{rest}"),
        _ => words.to_owned(),
    }
}
