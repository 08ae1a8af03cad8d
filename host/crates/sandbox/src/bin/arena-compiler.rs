//! The sandbox's compiler as a separate program, for embedders whose own program cannot be it: name it in
//! [`Compiler::Child`](arena_sandbox::Compiler::Child).

use std::process::ExitCode;

#[expect(clippy::disallowed_macros, reason = "a fixed line, without text from outside")]
fn main() -> ExitCode {
    arena_sandbox::compiler_main_if_asked();
    // Only a person who starts it by hand gets here.
    eprintln!("arena-compiler: this is a part of a sandbox, which starts it with the right arguments");
    ExitCode::from(2)
}
