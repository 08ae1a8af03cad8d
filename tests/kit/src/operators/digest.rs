//! A bot that applies the operators of numbers and vectors to values at the edges, and reveals a digest of all results in its shots: an
//! operator that gives other bits on another processor gives another game.

use super::plain::{Signature, TYPES, instruction};
use super::{Operator, operators};

/// The values of each type in [`TYPES`]: NaNs with payloads that are quiet or signal, infinities, both zeroes, the smallest and the largest
/// numbers. No integer is 0 or -1, so no division traps.
const VALUES: [&[&str]; 5] = [
    &["1", "-3", "0x7fffffff", "-0x80000000"],
    &["1", "-3", "0x7fffffffffffffff", "-0x8000000000000000"],
    &["-0x0p+0", "0x1p-149", "1.5", "nan:0x1", "-nan:0x7fffff", "inf", "-inf", "0x1.fffffep+127", "-2.5"],
    &[
        "-0x0p+0",
        "0x1p-1074",
        "1.5",
        "nan:0x1",
        "-nan:0xfffffffffffff",
        "inf",
        "-inf",
        "0x1.fffffffffffffp+1023",
        "-2.5",
    ],
    &[
        "f32x4 nan:0x1 -nan:0x7fffff inf -0x0p+0",
        "f32x4 0x1p-149 0x1.fffffep+127 1.5 -2.5",
        "f64x2 nan:0x1 -2.5",
        "f64x2 -inf 0x1p-1074",
        "i32x4 0x7fffffff -0x80000000 -3 1",
    ],
];

/// The number of values, from the first, that can be converted to any integer type without a trap.
const CONVERTIBLE: usize = 3;

/// The text of the bot, for [`component`](crate::component).
pub fn digest() -> String {
    let mut text = String::new();
    for (ty, values) in TYPES.iter().zip(VALUES) {
        for (at, value) in values.iter().enumerate() {
            // The compiler does not know the value of a global that can change.
            text += &format!("(global ${ty}-{at} (mut {ty}) ({ty}.const {value}))\n");
        }
    }
    let mut calls = String::new();
    for operator in operators().iter().filter(|operator| !operator.immediates.contains(&"memarg")) {
        let Some(Signature { operands, result: Some(result) }) = Signature::find(operator) else { continue };
        let seen: String =
            combinations(operator, &operands).iter().map(|values| seen(operator, values, result)).collect();
        text += &format!("(func $of-{}\n{seen})\n", operator.name);
        calls += &format!("(call $of-{})\n", operator.name);
    }
    format!("{text}(func $play (param $args i32) (result i32)\n{calls}(call $tell))")
}

/// All values of an operator's operands, as expressions.
fn combinations(operator: &Operator, operands: &[usize]) -> Vec<String> {
    let traps = operator.name.contains(".trunc_f") && !operator.name.contains("sat");
    let mut combinations = vec![String::new()];
    for &ty in operands {
        let values = if traps { CONVERTIBLE } else { VALUES[ty].len() };
        let with_each = |before: &String| -> Vec<String> {
            (0..values).map(|at| format!("{before} (global.get ${}-{at})", TYPES[ty])).collect()
        };
        combinations = combinations.iter().flat_map(with_each).collect();
    }
    combinations
}

/// A call that adds a result to the digest.
fn seen(operator: &Operator, values: &str, result: usize) -> String {
    let value = format!("({}{values})", instruction(operator, ""));
    let bits = match TYPES[result] {
        "i32" => format!("(i64.extend_i32_u {value})"),
        "f32" => format!("(i64.extend_i32_u (i32.reinterpret_f32 {value}))"),
        "f64" => format!("(i64.reinterpret_f64 {value})"),
        "i64" => value,
        _ => format!(
            "(i64.add (i64x2.extract_lane 0 {value}) (i64.mul (i64.const 31) (i64x2.extract_lane 1 {value})))"
        ),
    };
    format!("(call $see {bits})\n")
}
