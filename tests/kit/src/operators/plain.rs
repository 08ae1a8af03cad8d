//! Operators that take numbers or vectors and give one, and loads and stores: their cases follow from their types, which
//! are found by trying.

use super::{Case, Operator, REPETITIONS};
use std::iter;
use wasmparser::Validator;

/// The types of numbers and vectors.
pub(super) const TYPES: [&str; 5] = ["i32", "i64", "f32", "f64", "v128"];

/// The numbers of values that the operands range over, for operators with one to three. Each product is a round.
const VALUES: [[usize; 3]; 3] = [[REPETITIONS, 1, 1], [8, 4, 1], [8, 4, 1]];

/// The immediates of a load or store, in the bots' zeroed memory.
const PLACES: [(&str, &str); 2] = [("", "offset=8192"), (" across two pages", "offset=12287")];

/// A kind of operands: its name, and a constant of each type. There are two kinds of vectors, of two numbers and of four.
struct Operands {
    name: &'static str,
    constants: [&'static str; 5],
    vector_of_four: &'static str,
}

/// Operands with which some operators are slower. The first two trap in some conversions. No integer is 0 or -1, so no
/// division traps.
const OPERANDS: [Operands; 4] = [
    Operands {
        name: "NaN",
        constants: ["2147483647", "9223372036854775807", "nan", "nan", "f64x2 nan nan"],
        vector_of_four: "f32x4 nan nan nan nan",
    },
    Operands {
        name: "large",
        constants: [
            "-2147483648",
            "-9223372036854775808",
            "0x1.8p127",
            "0x1.8p1023",
            "f64x2 0x1.8p1023 -0x1.8p1023",
        ],
        vector_of_four: "f32x4 0x1.8p127 -0x1.8p127 0x1.8p127 -0x1.8p127",
    },
    Operands {
        name: "denormal",
        constants: ["3", "3", "0x1.8p-130", "0x1.8p-1030", "f64x2 0x1.8p-1030 0x1.8p-1030"],
        vector_of_four: "f32x4 0x1.8p-130 0x1.8p-130 0x1.8p-130 0x1.8p-130",
    },
    Operands {
        name: "ordinary",
        constants: ["1", "1", "1.5", "1.5", "f64x2 1.5 1.5"],
        vector_of_four: "f32x4 1.5 1.5 1.5 1.5",
    },
];

/// The types of an operator's operands, and of its result.
pub(super) struct Signature {
    pub(super) operands: Vec<usize>,
    pub(super) result: Option<usize>,
}

/// The cases of an operator; `None` when it is of another kind.
pub(super) fn cases(operator: &Operator) -> Vec<Case> {
    let Some(signature) = Signature::find(operator) else { return Vec::new() };
    let is_access = operator.immediates.contains(&"memarg");
    let places = if is_access { &PLACES[..] } else { &[("", "")][..] };
    let mut cases = Vec::new();
    for (place, memarg) in places {
        let instruction = instruction(operator, memarg);
        let plain = Plain { operator, signature: &signature, instruction, place, is_access };
        plain.add_chains(&mut cases);
        plain.add_rounds(&mut cases);
    }
    cases
}

/// The text of an operator with its immediates.
pub(super) fn instruction(operator: &Operator, memarg: &str) -> String {
    let immediates = operator.immediates.iter().map(|immediate| match *immediate {
        "memarg" => memarg,
        "lane" => "1",
        _ => "0 17 2 19 4 21 6 23 8 25 10 27 12 29 14 31",
    });
    iter::once(operator.name.as_str()).chain(immediates).collect::<Vec<_>>().join(" ")
}

impl Signature {
    /// Finds the types with which the operator is valid.
    pub(super) fn find(operator: &Operator) -> Option<Self> {
        let (operands, results) = operator.arity?;
        let has_known_immediates = |known: &&str| ["memarg", "lane", "lanes"].contains(known);
        if !operator.immediates.iter().all(has_known_immediates)
            || !(1..=3).contains(&operands)
            || results > 1
        {
            return None;
        }
        let instruction = instruction(operator, "");
        let combinations = TYPES.len().pow(operands as u32);
        for combination in 0..combinations {
            let operands: Vec<usize> =
                (0..operands).map(|at| combination / TYPES.len().pow(at as u32) % TYPES.len()).collect();
            let found = match results {
                0 => is_valid(&operands, None, &instruction).then_some(None),
                _ => {
                    (0..TYPES.len()).find(|&result| is_valid(&operands, Some(result), &instruction)).map(Some)
                }
            };
            if let Some(result) = found {
                return Some(Self { operands, result });
            }
        }
        None
    }
}

fn is_valid(operands: &[usize], result: Option<usize>, instruction: &str) -> bool {
    let params: String = operands.iter().map(|&ty| format!("(param {})", TYPES[ty])).collect();
    let result = result.map_or_else(String::new, |ty| format!("(result {})", TYPES[ty]));
    let gets: String = (0..operands.len()).map(|at| format!("local.get {at} ")).collect();
    let text = format!("(module (memory 1) (func {params} {result} {gets} {instruction}))");
    wat::parse_str(text).is_ok_and(|module| Validator::new().validate_all(&module).is_ok())
}

/// An operator in one place.
struct Plain<'a> {
    operator: &'a Operator,
    signature: &'a Signature,
    instruction: String,
    place: &'a str,
    is_access: bool,
}

impl Plain<'_> {
    /// The operands of a kind: all those for which the operator does not trap.
    fn kinds(&self) -> &'static [Operands] {
        let name = &self.operator.name;
        let traps = name.contains(".trunc_f") && !name.contains("sat");
        let has_floats = name.contains('f') && !self.is_access;
        let divides = ["div", "rem"].iter().any(|word| name.contains(word));
        match (traps, has_floats || divides) {
            (true, _) => &OPERANDS[2..],
            (_, true) => &OPERANDS,
            _ => &OPERANDS[3..],
        }
    }

    fn constant(&self, at: usize, operands: &Operands) -> String {
        let ty = self.signature.operands[at];
        let constant = match TYPES[ty] {
            _ if self.is_access && at == 0 => "0",
            "v128" if self.operator.name.contains("32x4") => operands.vector_of_four,
            _ => operands.constants[ty],
        };
        format!("({}.const {constant})", TYPES[ty])
    }

    /// Chains, in which each operation takes the result of the one before as one of its operands.
    fn add_chains(&self, cases: &mut Vec<Case>) {
        let operands = &self.signature.operands;
        for at in (0..operands.len().min(2)).filter(|&at| Some(operands[at]) == self.signature.result) {
            let is_only = operands.len() == 1;
            // A quotient of two constants can be 0, and the next division would trap.
            let divides_by_result =
                at == 1 && ["div_", "rem_"].iter().any(|word| self.operator.name.contains(word));
            if divides_by_result {
                continue;
            }
            for first in self.kinds() {
                for others in if is_only { &OPERANDS[3..] } else { self.kinds() } {
                    cases.push(self.chain(at, first, others));
                }
            }
        }
    }

    fn chain(&self, at: usize, first: &Operands, others: &Operands) -> Case {
        let types = &self.signature.operands;
        let ty = TYPES[types[at]];
        let mut parts = format!("(global $chain (mut {ty}) {})", self.constant(at, first));
        let mut start = String::new();
        for (other, _) in types.iter().enumerate().filter(|(other, _)| *other != at) {
            let ty = TYPES[types[other]];
            parts += &format!("(global $other-{other} (mut {ty}) {})", self.constant(other, others));
            start += &format!("(local $other-{other} {ty})");
        }
        for other in (0..types.len()).filter(|other| *other != at) {
            start += &format!("(local.set $other-{other} (global.get $other-{other}))");
        }
        let gets = |range: std::ops::Range<usize>| -> String {
            range.map(|other| format!("local.get $other-{other}\n")).collect()
        };
        let (before, after) = (gets(0..at), gets(at + 1..types.len()));
        // The operands before the chain's lie below it on the stack.
        let body = format!(
            "{}global.get $chain\n{}global.set $chain",
            before.repeat(REPETITIONS),
            format!("{after}{}\n", self.instruction).repeat(REPETITIONS)
        );
        let situation = if types.len() == 1 {
            format!("chain, {}{}", first.name, self.place)
        } else {
            format!("chain by operand {}, {} with {}{}", at + 1, first.name, others.name, self.place)
        };
        Case::new(&self.operator.name, situation, &parts, &start, &body)
    }

    /// Rounds of operations that do not depend on each other.
    fn add_rounds(&self, cases: &mut Vec<Case>) {
        for kind in self.kinds() {
            cases.push(self.round(kind.name, |_| kind));
        }
        if self.kinds().len() > 1 {
            cases.push(self.round("mixed", |at| &self.kinds()[at % self.kinds().len()]));
        }
    }

    /// A round takes its operands from globals, because they cost one unit each and the compiler does not know their values,
    /// and gives all results to a function, which costs no unit for each.
    fn round<'a>(&self, kind: &str, operands: impl Fn(usize) -> &'a Operands) -> Case {
        let types = &self.signature.operands;
        let counts = VALUES[types.len() - 1];
        let mut parts = String::new();
        for (operand, &ty) in types.iter().enumerate() {
            for at in 0..counts[operand] {
                let constant = self.constant(operand, operands(at + operand));
                parts += &format!("(global $value-{operand}-{at} (mut {}) {constant})\n", TYPES[ty]);
            }
        }
        let mut body = String::new();
        for number in 0..counts.iter().product() {
            let mut rest: usize = number;
            for (operand, count) in counts.iter().enumerate().take(types.len()) {
                body += &format!("global.get $value-{operand}-{}\n", rest % count);
                rest /= count;
            }
            body += &format!("{}\n", self.instruction);
        }
        if let Some(result) = self.signature.result {
            let params = format!("{} ", TYPES[result]).repeat(REPETITIONS);
            parts += &format!("(func $take (param {params}))");
            body += "call $take\n";
        }
        Case::new(&self.operator.name, format!("independent, {kind}{}", self.place), &parts, "", &body)
    }
}
