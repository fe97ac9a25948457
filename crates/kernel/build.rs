// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compiles the controllers (`bpf/*.bpf.c`) and the trace with clang, for the feature `bpf`. The program contains the
//! objects.

use std::env::var;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const ENDING: &str = ".bpf.c";

fn main() {
    println!("cargo::rerun-if-changed=src/trace.bpf.c");
    if var("CARGO_FEATURE_BPF").is_err() {
        return;
    }
    let folder = Path::new(ROOT).join("bpf");
    println!("cargo::rerun-if-changed={}", folder.display());
    let out = PathBuf::from(var("OUT_DIR").expect("cargo sets it"));
    let headers = var("DEP_BPF_INCLUDE").expect("libbpf-sys passes it");
    compile(Path::new("src/trace.bpf.c"), &out.join("trace.o"), &headers);
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| name.ends_with(ENDING));
    names.sort();
    let mut list = Vec::new();
    for name in names {
        let stem = name.trim_end_matches(ENDING);
        compile(&folder.join(&name), &out.join(format!("{stem}.o")), &headers);
        list.push(format!("({stem:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{stem}.o\")))"));
    }
    let list = format!("&[{}]", list.join(", "));
    std::fs::write(out.join("controllers.rs"), list).expect("the folder of a build script can be written");
}

fn compile(source: &Path, object: &Path, headers: &str) {
    let clang = var("CLANG").unwrap_or_else(|_| "clang".to_owned());
    let status = Command::new(&clang)
        .args(["-target", "bpf", "-mcpu=v3", "-g", "-O2", "-Wall", "-Werror", "-I", headers, "-c"])
        .arg(source)
        .arg("-o")
        .arg(object)
        .status();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("{clang} failed on {} ({status})", source.display()),
        Err(error) => panic!("{clang} cannot be run: {error} (on Debian: apt-get install clang)"),
    }
}
