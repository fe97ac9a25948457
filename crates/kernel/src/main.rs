// SPDX-License-Identifier: MIT OR Apache-2.0
//! `bentpipe-kernel`: the part of `bentpipe kernel` that talks to the kernel. All commands except `list` need root.
//!
//! ```text
//! bentpipe-kernel list                                     the controllers and their parameters
//! bentpipe-kernel load NAME|FILE [--set KEY=VALUE] ...     load a controller until the end of standard input; lines
//!                                                          are hints for this controller
//! bentpipe-kernel trace NAME --out DIR --scenario FILE     trace until the end of standard input, write a run folder
//!     --interval NANOSECONDS [--user UID:GID] [--force]
//! bentpipe-kernel hints                                    write each line of standard input into all maps `hints`
//! ```
//!
//! Answers are lines of JSON on standard output. A failure is a line `{"error": {"code", "message"}}`, and exit code 2.
//! The end of standard input ends every command, so nothing stays in the kernel when the caller is killed.
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "standard output is the protocol")]

mod failure;
mod hints;
mod load;
mod objects;
mod trace;

use failure::Failure;
use serde_json::{Value, json};
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["list"] => objects::list(),
        ["load", name, rest @ ..] => load::load(name, rest),
        ["trace", name, rest @ ..] => trace::trace(name, rest),
        ["hints"] => hints::hints(),
        _ => Err(Failure::argument("write list, load NAME, trace NAME or hints (bentpipe kernel --help)")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            say(&json!({"error": {"code": failure.code.as_str(), "message": failure.message}}));
            ExitCode::from(2)
        }
    }
}

/// Writes an answer.
fn say(answer: &Value) {
    println!("{answer}");
}

/// Waits for the end of standard input.
fn wait_for_end() {
    // A failed read ends the wait as well.
    let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
}
