// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changes that affect the fingerprint of a build, and changes that do not.
#![expect(clippy::unwrap_used, reason = "a file that cannot be written ends the test")]

#[path = "../build/sources.rs"]
mod sources;

use std::fs;
use std::path::{Path, PathBuf};

/// A workspace of three crates in a temporary folder: `sim` depends on `link` and `record`, and `link` depends on a
/// library.
struct Workspace(PathBuf);

impl Workspace {
    fn new(name: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fingerprint-{name}"));
        if root.exists() {
            fs::remove_dir_all(&root).unwrap();
        }
        let made = Self(root);
        made.write(
            "crates/sim/Cargo.toml",
            "[dependencies]\nlink.workspace = true\nrecord.workspace = true\n",
        );
        made.write("crates/record/Cargo.toml", "[dependencies]\nparquet.workspace = true\n");
        made.write(
            "crates/link/Cargo.toml",
            "[dependencies]\nnoise = \"1\"\n\n[dev-dependencies]\nproof = \"1\"\n",
        );
        made.write("crates/sim/src/lib.rs", "//! Runs.\npub fn run() -> u32 {\n    link::rate()\n}\n");
        made.write("crates/record/src/lib.rs", "pub fn write() {}\n");
        made.write(
            "crates/link/src/lib.rs",
            "/// A rate.\npub fn rate() -> u32 {\n    // Mbit/s.\n    10\n}\nconst T: &str = \
             include_str!(\"../../../data/table.csv\");\n\n#[cfg(test)]\nmod tests;\n",
        );
        made.write("crates/link/src/tests.rs", "#[test]\nfn ten() {}\n");
        made.write("data/table.csv", "1,2\n");
        made.write(
            "Cargo.lock",
            "[[package]]\nname = \"noise\"\nversion = \"1.0.0\"\nchecksum = \"aa\"\ndependencies = [\n \"deep\",\n]\n\n\
             [[package]]\nname = \"deep\"\nversion = \"1.0.0\"\nchecksum = \"bb\"\n\n\
             [[package]]\nname = \"parquet\"\nversion = \"1.0.0\"\nchecksum = \"cc\"\n\n\
             [[package]]\nname = \"proof\"\nversion = \"1.0.0\"\nchecksum = \"dd\"\n",
        );
        made
    }
    fn write(&self, file: &str, text: &str) {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fn replace(&self, file: &str, old: &str, new: &str) {
        let text = fs::read_to_string(self.0.join(file)).unwrap();
        assert!(text.contains(old), "{old} in {file}");
        self.write(file, &text.replace(old, new));
    }
    fn fingerprint(&self) -> String {
        sources::read(&self.0, "sim").unwrap().fingerprint
    }
}

#[test]
fn what_makes_no_number_leaves_it_as_it_is() {
    let here = Workspace::new("same");
    let before = here.fingerprint();
    here.replace("crates/link/src/lib.rs", "/// A rate.", "/// A rate in Mbit/s.\n//\n");
    here.replace("crates/link/src/lib.rs", "    // Mbit/s.\n", "");
    here.write("crates/link/src/tests.rs", "#[test]\nfn eleven() {}\n");
    here.write("crates/link/src/README.md", "A page.");
    here.write("crates/record/src/lib.rs", "pub fn write() -> &'static str {\n    \"a message\"\n}\n");
    here.replace("Cargo.lock", "checksum = \"cc\"", "checksum = \"ee\"");
    here.replace("Cargo.lock", "checksum = \"dd\"", "checksum = \"ff\"");
    assert_eq!(here.fingerprint(), before);
    assert_eq!(Workspace::new("elsewhere").fingerprint(), before, "the place does not matter");
}

#[test]
fn what_makes_numbers_changes_it() {
    let here = Workspace::new("other");
    let mut seen = vec![here.fingerprint()];
    let mut changed = |what: &str| {
        let now = here.fingerprint();
        assert!(!seen.contains(&now), "{what}");
        seen.push(now);
    };
    here.replace("crates/link/src/lib.rs", "    10", "    11");
    changed("code");
    here.write("crates/link/src/more.rs", "pub const X: u32 = 1;\n");
    changed("a file more");
    here.write("data/table.csv", "1,3\n");
    changed("embedded data");
    here.replace("Cargo.lock", "checksum = \"bb\"", "checksum = \"b0\"");
    changed("a library below a library");
    here.write("crates/link/Cargo.toml", "[dependencies]\nnoise = \"1\"\nproof = \"1\"\n");
    changed("a library more");
}

#[test]
fn inner_tests_and_comments_are_left_out() {
    let source = "// A licence.\nfn a() -> &'static str {\n    \"http://x\" // the rest of the line stays\n}\n\n\
                  #[cfg(test)]\n#[expect(clippy::x)]\nmod tests {\n    fn b() {\n    }\n}\nfn c() {}\n#[cfg(test)]\npub mod pipe;\n";
    let (code, dropped) = sources::essence(source);
    assert_eq!(
        code,
        "fn a() -> &'static str {\n    \"http://x\" // the rest of the line stays\n}\nfn c() {}\n"
    );
    assert_eq!(dropped, ["pipe"]);
}

#[test]
fn the_build_is_that_of_this_workspace() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let here = sources::read(&root, "sim").unwrap();
    assert_eq!(here.fingerprint, env!("BENTPIPE_FINGERPRINT"));
    for name in ["control", "link", "orbit", "scenario", "sim", "tcp", "topology", "units"] {
        assert!(here.read.contains(&root.join("crates").join(name).join("src")), "{name}");
    }
    assert!(!here.read.contains(&root.join("crates/record/src")));
    assert!(here.read.iter().any(|file| file.ends_with("data/sites.csv")));
    assert!(here.read.iter().any(|file| file.ends_with("data/presets/oneweb.toml")));
}
