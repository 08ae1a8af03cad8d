//! The `arena` program. All of it is in the library next to it, where benches and tests reach it.

use std::process::ExitCode;

fn main() -> ExitCode {
    arena::main()
}
