//! Shapes: bots that are drawn at random from pieces of work, to find slow combinations that nobody has thought of.
//!
//! A shape has locals and operands that stay alive, and some pieces, which are done one after the other in each round. All of it follows from
//! numbers, so a shape can be changed a little, and a slow one changed further.

use super::{Case, DEPLOY, FUEL, FUEL_WITH_PAGES, NO_SET_UP};
use std::fmt;

/// The numbers of a shape.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The locals that are alive in all of it.
    locals: u32,
    /// The operands that are alive in all of it.
    operands: u32,
    /// The type of both.
    ty: usize,
    pieces: Vec<Piece>,
}

/// A piece of work: its kind, and two numbers, whose meaning depends on it.
#[derive(Clone, Copy, Debug)]
struct Piece {
    kind: usize,
    first: u32,
    second: u32,
}

const TYPES: [&str; 3] = ["i32", "i64", "v128"];

/// A kind of piece: what its numbers mean, with `#` in place of each, the largest numbers, and its text.
type Kind = (&'static str, [u32; 2], fn(&Shape, Piece, usize) -> Text);

/// The text of a piece: parts of the module, and what is done in a round.
type Text = (String, String);

const KINDS: [Kind; 15] = [
    ("an `if` past which # locals are rotated by #", [990, 990], |shape, piece, _| {
        (
            String::new(),
            format!("(if $no (then {}))", shape.rotated(piece)).replace("$no", "(global.get $no)"),
        )
    }),
    ("a branch over a rotation of # locals by #", [990, 990], |shape, piece, _| {
        (String::new(), format!("(block (br_if 0 (global.get $yes)) {})", shape.rotated(piece)))
    }),
    ("an `else` in place of a rotation of # locals by #", [990, 990], |shape, piece, _| {
        (String::new(), format!("(if (global.get $yes) (then) (else {}))", shape.rotated(piece)))
    }),
    (
        "a loop entered and left at once, with a way back that rotates # locals by #",
        [990, 990],
        |shape, piece, at| {
            let rotated = shape.rotated(piece);
            (String::new(), format!("(loop $in-{at} (if (global.get $no) (then {rotated} (br $in-{at}))))"))
        },
    ),
    ("a `br_table` of # ways, each rotating # locals", [64, 64], |shape, piece, at| {
        let ways = piece.first.max(1) as usize;
        let targets: String = (0..ways).map(|way| format!("{way} ")).collect();
        let ends: String = (0..ways)
            .map(|way| {
                let rotated = if way == 0 {
                    String::new()
                } else {
                    shape.rotated(Piece { first: piece.second, second: way as u32, ..piece })
                };
                format!(") {rotated} (br $out-{at})")
            })
            .collect();
        (
            String::new(),
            format!(
                "(block $out-{at} {} (br_table {targets} (global.get $no)) {ends})",
                "(block ".repeat(ways)
            ),
        )
    }),
    ("a loop whose branch shifts # values, # times", [16, 20], |shape, piece, at| {
        let ty = TYPES[shape.ty];
        let params = format!("{ty} ").repeat(piece.first as usize);
        let values = format!("(global.get $g-{ty})").repeat(piece.first as usize);
        let body = format!(
            "(local.set $count (i32.const {})) {values} (loop $in-{at} (param {params}) (global.get $g-{ty})
                (br_if $in-{at} (local.tee $count (i32.sub (local.get $count) (i32.const 1)))) {})",
            piece.second.max(1),
            "drop ".repeat(piece.first as usize + 1),
        );
        (String::new(), body)
    }),
    ("a call with # results, # deep", [16, 50], |shape, piece, at| {
        let ty = TYPES[shape.ty];
        let results = format!("(result {})", format!("{ty} ").repeat(piece.first as usize));
        let function = format!(
            "(func $call-{at} (param i32) {results} (if {results} (local.get 0)
                (then (call $call-{at} (i32.sub (local.get 0) (i32.const 1)))) (else {})))",
            format!("(global.get $g-{ty})").repeat(piece.first as usize)
        );
        (
            function,
            format!(
                "(call $call-{at} (i32.const {})) {}",
                piece.second,
                "drop ".repeat(piece.first as usize)
            ),
        )
    }),
    (
        "a call of a function with # locals that change in a loop and # operands alive",
        [990, 480],
        |shape, piece, at| {
            let ty = TYPES[shape.ty];
            let changes: String = (1..=piece.first)
                .map(|local| format!("(local.set {local} (call $value-{at} (local.get {local})))"))
                .collect();
            let pushes = format!("(call $value-{at} (global.get $g-{ty}))").repeat(piece.second as usize);
            let pops = format!("(global.set $g-{ty})").repeat(piece.second as usize);
            let function = format!(
                "(func $value-{at} (param {ty}) (result {ty}) (global.get $g-{ty}))
             (func $call-{at} (param $more i32) (local {}) (loop $in (if (local.get $more)
                (then {changes} {pushes} {pops} (br $in)))))",
                format!("{ty} ").repeat(piece.first as usize)
            );
            (function, format!("(call $call-{at} (global.get $no))"))
        },
    ),
    ("# stores, each across two pages, of # of the memory", [400, 900], |_, piece, _| {
        (
            String::new(),
            spread(piece, |at| {
                format!("(v128.store offset={} (local.get $no) (local.get $vector))", at + 4_090)
            }),
        )
    }),
    ("# stores of a byte, each in its page, in # of the memory", [400, 900], |_, piece, _| {
        (
            String::new(),
            spread(piece, |at| {
                format!("(i32.store8 offset={} (local.get $no) (local.get $count))", at + at / 64 % 4_096)
            }),
        )
    }),
    ("# loads, each across two pages, in # of the memory", [400, 900], |_, piece, _| {
        let load = |at| {
            format!(
                "(local.set $count (i32.load offset={} (i32.and (local.get $count) (i32.const 1))))",
                at + 4_094
            )
        };
        (String::new(), spread(piece, load))
    }),
    (
        "# copies of 2 bytes, each across two pages to two others, in # of the memory",
        [400, 900],
        |_, piece, _| {
            let copy = |at: u32| {
                format!(
                    "(memory.copy (i32.const {}) (i32.const {}) (i32.const 2))",
                    at + 4_095,
                    at * 7 % 50_000_000 / 4_096 * 4_096 + 4_095
                )
            };
            (String::new(), spread(piece, copy))
        },
    ),
    ("a value of # square roots of denormals, used in # branches", [300, 100], |_, piece, at| {
        let value =
            format!("(f64.convert_i32_s (local.get $count)) {}", "f64.sqrt ".repeat(piece.first as usize));
        let uses = format!("(if (global.get $yes) (then (global.set $float-{at} (local.get $float))))")
            .repeat(piece.second as usize);
        let global = format!("(global $float-{at} (mut f64) (f64.const 0x1p-1050))");
        (
            global,
            format!(
                "(local.set $count (i32.add (local.get $count) (i32.const 1))) {value} (local.set $float) {uses}"
            ),
        )
    }),
    ("# branches, each on one of # globals", [2_000, 20_000], |_, piece, at| {
        let globals = piece.second.max(1);
        let declared: String = (0..globals)
            .map(|number| {
                format!("(global $many-{at}-{number} (mut i32) (i32.const {}))", number * 7 / 3 % 2)
            })
            .collect();
        let round = (0..piece.first.max(1))
            .map(|number| {
                let global = format!("$many-{at}-{}", number * 7_919 % globals);
                format!("(if (global.get {global}) (then (global.set {global} (global.get $no))) (else (global.set {global} (global.get $yes))))")
            })
            .collect();
        (declared, round)
    }),
    (
        "one of # ways by chance, each with # operators of code that does not run",
        [1_024, 100],
        |_, piece, at| {
            let ways = piece.first.max(1).next_power_of_two();
            let code = "(global.set $g-i64 (i64.mul (global.get $g-i64) (i64.const 0x5851F42D4C957F2D)))"
                .repeat(piece.second as usize);
            let targets: String = (0..ways).map(|way| format!("{way} ")).collect();
            let ends = format!(") (br_if $out-{at} (global.get $yes)) {code}").repeat(ways as usize);
            let index =
                format!("(i32.and (i32.shr_u (local.get $chance) (i32.const 12)) (i32.const {}))", ways - 1);
            let chance = "(local.set $chance (i32.add (i32.mul (local.get $chance) (i32.const 1664525)) (i32.const 1013904223)))";
            (
                String::new(),
                format!(
                    "{chance} (block $out-{at} {} (br_table {targets} {index}) {ends})",
                    "(block ".repeat(ways as usize)
                ),
            )
        },
    ),
];

/// Operators on pages of the memory, in an order that no processor foresees: some each round, from a part of the pages.
fn spread(piece: Piece, operator: impl Fn(u32) -> String) -> String {
    const PAGE: u32 = 4_096;
    let pages = 16 * piece.second.max(1);
    (0..piece.first.max(1) * 16)
        .map(|number| operator(65_536 + number * 7_919 % pages * PAGE) + "\n")
        .collect()
}

/// The parts that all shapes have.
const PARTS: &str = "
    (memory $memory 1000)
    (global $no (mut i32) (i32.const 0)) (global $yes (mut i32) (i32.const 1))
    (global $g-i32 (mut i32) (i32.const 1)) (global $g-i64 (mut i64) (i64.const 1))
    (global $g-v128 (mut v128) (v128.const i64x2 1 1))";

/// The locals that pieces use besides the shape's own.
const LOCALS: &str =
    "(local $count i32) (local $chance i32) (local $no i32) (local $vector v128) (local $float f64)";

/// The number of the first of a shape's own locals, after the parameter and [`LOCALS`].
const FIRST_LOCAL: u32 = 6;

/// The most pieces of a shape. Chosen: a slow piece is not hidden by many others.
const PIECES_MAX: u64 = 4;

/// Numbers drawn from a seed, by splitmix64.
#[derive(Clone, Debug)]
pub struct Chance(pub u64);

impl Chance {
    /// A number below a bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (x ^ (x >> 31)) % bound.max(1)
    }

    /// A number up to a maximum: small ones and the maximum are more likely.
    fn size(&mut self, max: u32) -> u32 {
        let bits = u64::from(33 - max.leading_zeros());
        let power = 1_u64 << self.below(bits);
        u32::try_from(self.below(2 * power)).unwrap_or(max).min(max)
    }
}

impl Piece {
    fn drawn(chance: &mut Chance) -> Self {
        let kind = chance.below(KINDS.len() as u64) as usize;
        let [first, second] = KINDS[kind].1.map(|max| chance.size(max));
        Self { kind, first, second }
    }
}

impl Shape {
    /// A shape drawn at random.
    pub fn drawn(chance: &mut Chance) -> Self {
        let pieces = (0..=chance.below(PIECES_MAX)).map(|_| Piece::drawn(chance)).collect();
        let (locals, operands) = (chance.size(980), chance.size(400));
        Self { locals, operands, ty: chance.below(3) as usize, pieces }
    }

    /// The shape with a change drawn at random.
    pub fn changed(&self, chance: &mut Chance) -> Self {
        let mut shape = self.clone();
        let at = chance.below(shape.pieces.len() as u64) as usize;
        let maxima = KINDS[shape.pieces[at].kind].1;
        match chance.below(7) {
            0 => shape.locals = chance.size(980),
            1 => shape.operands = chance.size(400),
            2 => shape.ty = chance.below(3) as usize,
            3 => shape.pieces[at].first = chance.size(maxima[0]),
            4 => shape.pieces[at].second = chance.size(maxima[1]),
            5 if shape.pieces.len() > 1 => drop(shape.pieces.remove(at)),
            _ if (shape.pieces.len() as u64) < PIECES_MAX => shape.pieces.push(Piece::drawn(chance)),
            _ => shape.pieces[at] = Piece::drawn(chance),
        }
        shape
    }

    /// Sets some locals to others: the first `first` of them, to those `second` further.
    fn rotated(&self, piece: Piece) -> String {
        let count = piece.first.min(self.locals);
        let from = |at: u32| FIRST_LOCAL + (at + piece.second.max(1)) % count.max(1);
        (0..count).map(|at| format!("(local.set {} (local.get {}))", FIRST_LOCAL + at, from(at))).collect()
    }

    /// The bot of this shape.
    pub fn case(&self) -> Case {
        let ty = TYPES[self.ty];
        let texts: Vec<Text> =
            self.pieces.iter().enumerate().map(|(at, &piece)| KINDS[piece.kind].2(self, piece, at)).collect();
        let parts: String = texts.iter().map(|(parts, _)| parts.as_str()).collect();
        let round: String = texts.iter().map(|(_, round)| round.as_str()).collect();
        let declared = format!("{ty} ").repeat(self.locals as usize);
        let own = FIRST_LOCAL..FIRST_LOCAL + self.locals;
        let start: String =
            own.clone().map(|local| format!("(local.set {local} (global.get $g-{ty}))")).collect();
        let uses: String = own.map(|local| format!("(global.set $g-{ty} (local.get {local}))")).collect();
        let operands = format!("(global.get $g-{ty})").repeat(self.operands as usize);
        let drops = format!("(global.set $g-{ty})").repeat(self.operands as usize);
        let text = format!(
            "{PARTS}\n{parts}\n{DEPLOY}\n{NO_SET_UP}\n(func $play (param $args i32) (result i32)
             {LOCALS} (local {declared}) {start} {operands}
             (loop $again {round} (br_if $again (global.get $yes)))
             {drops} {uses} (unreachable))"
        );
        let touches_pages = text.contains("offset=") || text.contains("memory.copy");
        let fuel = if touches_pages { FUEL_WITH_PAGES } else { FUEL };
        Case { fuel, ..Case::of_text("shape", self.to_string(), text) }
    }
}

impl fmt::Display for Shape {
    /// The shape in words: `7 locals and 0 operands of i64: a call with 3 results, 9 deep`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} locals and {} operands of {}", self.locals, self.operands, TYPES[self.ty])?;
        for (at, piece) in self.pieces.iter().enumerate() {
            let words = KINDS[piece.kind].0.replacen('#', &piece.first.to_string(), 1);
            let words = words.replacen('#', &piece.second.to_string(), 1);
            write!(f, "{} {words}", if at == 0 { ":" } else { ";" })?;
        }
        Ok(())
    }
}
