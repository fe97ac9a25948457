// SPDX-License-Identifier: MIT OR Apache-2.0
//! Passes the fingerprint of the code that determines results to the crate, as `BENTPIPE_FINGERPRINT`.

#[path = "build/sources.rs"]
mod sources;

use std::env;
use std::path::Path;

fn main() {
    // Read the variable when the script runs, not when it is compiled: two clones may share a target folder.
    let here = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| panic!("cargo says where the crate is"));
    let root = Path::new(&here).join("../..");
    let sources = sources::read(&root, "sim").unwrap_or_else(|error| panic!("{error}"));
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    for file in &sources.read {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    println!("cargo::rustc-env=BENTPIPE_FINGERPRINT={}", sources.fingerprint);
}
