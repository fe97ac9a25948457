// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fingerprint of everything that determines results: the sources of the simulator and of the crates that it uses,
//! the data that they embed, and the locked versions of their libraries.
//!
//! Comments, blank lines and tests are excluded, and so are crates that only write results ([`BESIDE`]). Therefore the
//! fingerprint is the same on every machine. Existing runs stay valid after a change of documentation or of the command
//! line.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Crates that the simulator uses and that do not influence results.
pub const BESIDE: [&str; 1] = ["record"];

/// Fingerprint, and the list of the files that it covers.
pub struct Sources {
    /// The fingerprint, 32 hexadecimal digits.
    pub fingerprint: String,
    /// All files that were read. A change of one of these files may change the fingerprint.
    pub read: BTreeSet<PathBuf>,
}

/// FNV-1a with 128 bits (<http://www.isthe.com/chongo/tech/comp/fnv/>). The result is the same on every machine. The
/// hash is not cryptographic: it does not resist deliberate collisions.
struct Hash(u128);

impl Hash {
    const fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
    /// Adds the length of a piece and then the piece, so that the boundaries of pieces count.
    fn add(&mut self, piece: &[u8]) {
        for byte in (piece.len() as u64).to_le_bytes().iter().chain(piece) {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
}

/// Reads the workspace at `root` for the crate `top`.
///
/// # Errors
/// A message that names the file, if a required file cannot be read.
pub fn read(root: &Path, top: &str) -> Result<Sources, String> {
    let mut read = BTreeSet::new();
    let (mut rooms, mut libraries) = (BTreeSet::new(), BTreeSet::new());
    let mut open = vec![top.to_owned()];
    while let Some(room) = open.pop() {
        let manifest = root.join("crates").join(&room).join("Cargo.toml");
        for name in dependencies(&text(&manifest)?) {
            if BESIDE.contains(&name.as_str()) {
                continue;
            }
            if root.join("crates").join(&name).is_dir() {
                open.push(name);
            } else {
                libraries.insert(name);
            }
        }
        read.insert(manifest);
        rooms.insert(room);
    }
    let mut pieces = BTreeMap::new();
    for room in &rooms {
        let source = root.join("crates").join(room).join("src");
        room_pieces(root, &source, &mut pieces)?;
        read.insert(source);
    }
    read.extend(pieces.keys().map(|name| root.join(name)));
    let lock = root.join("Cargo.lock");
    pieces.insert("Cargo.lock".to_owned(), locked(&text(&lock)?, &libraries)?.into_bytes());
    read.insert(lock);
    let mut hash = Hash::new();
    for (name, piece) in &pieces {
        hash.add(name.as_bytes());
        hash.add(piece);
    }
    Ok(Sources { fingerprint: format!("{:032x}", hash.0), read })
}

fn text(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

/// Returns the names in the table `[dependencies]` of a manifest.
fn dependencies(manifest: &str) -> Vec<String> {
    let table = manifest.lines().skip_while(|line| line.trim() != "[dependencies]").skip(1);
    table
        .take_while(|line| !line.starts_with('['))
        .filter(|line| line.contains('=') && !line.trim_start().starts_with('#'))
        .filter_map(|line| line.split(['.', ' ', '=']).next().map(str::to_owned))
        .collect()
}

/// Adds the sources below a folder and the files that they embed, by their path from the root.
fn room_pieces(root: &Path, source: &Path, pieces: &mut BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    let mut files = Vec::new();
    rust_files(source, &mut files)?;
    let mut tests = BTreeSet::new();
    let mut found = Vec::new();
    for file in files {
        let (code, dropped) = essence(&text(&file)?);
        let home = match file.file_name().and_then(|name| name.to_str()) {
            Some("lib.rs" | "mod.rs") => file.with_file_name(""),
            _ => file.with_extension(""),
        };
        for module in dropped {
            tests.insert(home.join(format!("{module}.rs")));
            tests.insert(home.join(module));
        }
        found.push((file, code));
    }
    for (file, code) in found {
        if tests.iter().any(|test| file.starts_with(test)) {
            continue;
        }
        for target in embedded(&code) {
            let target = file.with_file_name("").join(target);
            let target = target
                .canonicalize()
                .map_err(|error| format!("cannot read {}: {error}", target.display()))?;
            let bytes =
                fs::read(&target).map_err(|error| format!("cannot read {}: {error}", target.display()))?;
            pieces.insert(named(root, &target)?, bytes);
        }
        pieces.insert(named(root, &file)?, code.into_bytes());
    }
    Ok(())
}

/// Returns the path from the root, with the same separators on every system.
fn named(root: &Path, file: &Path) -> Result<String, String> {
    let real =
        |path: &Path| path.canonicalize().map_err(|error| format!("cannot find {}: {error}", path.display()));
    let (root, file) = (real(root)?, real(file)?);
    let inner = file.strip_prefix(&root).map_err(|_| format!("{} lies outside", file.display()))?;
    Ok(inner.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/"))
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries =
        fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            rust_files(&path, files)?;
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// Returns a source without comments on their own lines, blank lines and tests, and the names of modules that are
/// tests.
///
/// The function assumes the format of rustfmt: an inner module ends with a brace at the indentation of its first line.
pub fn essence(source: &str) -> (String, Vec<String>) {
    let (mut code, mut dropped) = (String::new(), Vec::new());
    let mut lines = source.lines().filter(|line| {
        let line = line.trim_start();
        !line.is_empty() && !line.starts_with("//")
    });
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            let _ = writeln!(code, "{}", line.trim_end());
            continue;
        }
        // Further attributes may follow.
        let Some(item) = lines.by_ref().find(|line| !line.trim_start().starts_with('#')) else { break };
        let module = item.trim().trim_start_matches("pub ").strip_prefix("mod ");
        if let Some(name) = module.and_then(|rest| rest.strip_suffix(';')) {
            dropped.push(name.to_owned());
        } else if item.ends_with('{') {
            let indent = item.len() - item.trim_start().len();
            let end = format!("{}}}", &item[..indent]);
            let _ = lines.by_ref().find(|line| line.trim_end() == end);
        }
    }
    (code, dropped)
}

/// Returns the files that `include_str!` and `include_bytes!` name. Markdown pages are excluded as documentation.
fn embedded(code: &str) -> Vec<&str> {
    code.lines()
        .filter(|line| !line.trim_start().starts_with("#[doc"))
        .filter_map(|line| {
            line.split_once("include_str!(\"").or_else(|| line.split_once("include_bytes!(\""))
        })
        .filter_map(|(_, rest)| rest.split_once('"').map(|(file, _)| file))
        .collect()
}

/// Returns the version and checksum of libraries and of all their dependencies, from a lock file.
fn locked(lock: &str, libraries: &BTreeSet<String>) -> Result<String, String> {
    let mut packages: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in lock.split("[[package]]").skip(1) {
        packages.entry(value(package, "name").unwrap_or_default()).or_default().push(package);
    }
    let (mut open, mut done) = (libraries.iter().map(String::as_str).collect::<Vec<_>>(), BTreeSet::new());
    let mut out = String::new();
    while let Some(name) = open.pop() {
        if !done.insert(name) {
            continue;
        }
        let versions = packages.get(name).ok_or_else(|| format!("Cargo.lock does not know {name}"))?;
        for package in versions {
            let needs = package.split_once("dependencies = [").map_or("", |(_, rest)| rest);
            let needs = needs.split_once(']').map_or("", |(names, _)| names);
            // An entry is a name, or a name and a version if the file has several versions.
            open.extend(needs.split('"').skip(1).step_by(2).filter_map(|need| need.split(' ').next()));
        }
    }
    for name in done {
        for package in &packages[name] {
            let (version, checksum) = (value(package, "version"), value(package, "checksum"));
            let _ = writeln!(out, "{name} {} {}", version.unwrap_or_default(), checksum.unwrap_or_default());
        }
    }
    Ok(out)
}

/// Returns the text of a key.
fn value<'a>(package: &'a str, key: &str) -> Option<&'a str> {
    let line = package.lines().find(|line| line.starts_with(&format!("{key} = \"")))?;
    line.split('"').nth(1)
}
