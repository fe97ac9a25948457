// SPDX-License-Identifier: MIT OR Apache-2.0
//! The identity of a run: everything that determines its numbers. It consists of the meaning of the scenario, the
//! contents of its files, the build, and controllers that are not part of the build. Stores, comparisons, studies and
//! run folders use this identity to compare runs.

use crate::document::{Capture, Record, Scenario};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use units::input;

/// A digest is remembered only if the file has not changed for this long. Otherwise, a later change could leave the
/// modification time unchanged, because the clock of file systems has steps of up to some milliseconds.
const SETTLED: Duration = Duration::from_secs(2);

/// A file that a scenario names, with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// Name of the file, without folders.
    pub name: String,
    /// Path that is opened.
    pub path: PathBuf,
    /// SHA-256 of the content in hexadecimal digits. `None` if the file cannot be read, is not a regular file, or is
    /// larger than [`units::input::DATA`].
    pub sha256: Option<String>,
}

impl NamedFile {
    /// Reads a file and computes the digest of its content. A file that has not changed is not read again.
    pub fn read(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { name, path: path.to_owned(), sha256: digest(path) }
    }

    /// Returns the file name below a folder named by the digest. The result is equal for equal contents.
    fn content_path(&self) -> PathBuf {
        Path::new(self.sha256.as_deref().unwrap_or("unreadable")).join(&self.name)
    }
}

/// Values that change when a file is written: device, inode, size, modification time and status-change time in
/// nanoseconds.
#[derive(PartialEq, Eq)]
struct Stamp([i128; 5]);

impl Stamp {
    fn of(about: &Metadata) -> Self {
        let nanos = |s: i64, ns: i64| i128::from(s) * 1_000_000_000 + i128::from(ns);
        Self([
            about.dev().into(),
            about.ino().into(),
            about.size().into(),
            nanos(about.mtime(), about.mtime_nsec()),
            nanos(about.ctime(), about.ctime_nsec()),
        ])
    }
}

/// Digests of files by path, each with the stamp of the file when it was read.
static KNOWN: LazyLock<Mutex<HashMap<PathBuf, (Stamp, String)>>> = LazyLock::new(Mutex::default);

fn digest(path: &Path) -> Option<String> {
    let about = fs::metadata(path).ok().filter(|about| about.is_file() && about.len() <= input::DATA)?;
    let stamp = Stamp::of(&about);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, digest)) = known().get(path).filter(|(its, _)| *its == stamp) {
        return Some(digest.clone());
    }
    let digest = hexadecimal(&Sha256::digest(fs::read(path).ok()?));
    let is_settled = about.modified().ok().and_then(|at| SystemTime::now().duration_since(at).ok());
    if is_settled.is_some_and(|age| age > SETTLED) {
        known().insert(path.to_owned(), (stamp, digest.clone()));
    }
    Some(digest)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Digest of everything that determines the numbers of a run, except the seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity([u8; 32]);

impl Identity {
    /// Returns the identity of a scenario with the `files` that it names. `build` is the fingerprint of the build, and
    /// `controllers` are the name and digest of controllers that are not part of the build. The title, the seed, the
    /// records and the folders of files do not count, because they do not change any number.
    pub fn of(
        scenario: &Scenario,
        files: &[NamedFile],
        build: &str,
        controllers: &[(String, String)],
    ) -> Self {
        let mut sum = Sha256::new();
        add(&mut sum, build);
        for (name, digest) in controllers {
            add(&mut sum, name);
            add(&mut sum, digest);
        }
        let mut contents: Vec<PathBuf> = files.iter().map(NamedFile::content_path).collect();
        contents.sort_unstable();
        for content in contents {
            add(&mut sum, &content.to_string_lossy());
        }
        add(&mut sum, &scenario.deciding(files).to_toml(""));
        Self(sum.finalize().into())
    }

    /// Returns the identity of a text that is refused. There is no run of this text. Only the same text has the same
    /// identity.
    pub fn of_refused(text: &str, build: &str) -> Self {
        let mut sum = Sha256::new();
        for piece in [build, "refused", text] {
            add(&mut sum, piece);
        }
        Self(sum.finalize().into())
    }

    /// Returns the identity of the run with `seed`, as 40 hexadecimal digits.
    pub fn run(&self, seed: u64) -> String {
        let mut sum = Sha256::new();
        sum.update(self.0);
        sum.update(seed.to_le_bytes());
        hexadecimal(&sum.finalize()[..20])
    }

    /// Returns the digest in hexadecimal digits.
    pub fn hexadecimal(&self) -> String {
        hexadecimal(&self.0)
    }
}

/// Adds the length of a piece and then the piece, so that the boundaries of pieces count.
fn add(sum: &mut Sha256, piece: &str) {
    sum.update((piece.len() as u64).to_le_bytes());
    sum.update(piece);
}

impl Scenario {
    /// Returns the scenario without the parts that do not change numbers. Its files are named by their content.
    fn deciding(&self, files: &[NamedFile]) -> Self {
        let record = Record { interval: None, events: false, packets: None, capture: Capture::default() };
        let mut scenario = Self { name: String::new(), seed: 0, record, ..self.clone() };
        for path in scenario.paths() {
            if let Some(file) = files.iter().find(|file| file.path == *path) {
                *path = file.content_path();
            }
        }
        scenario
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario(text: &str) -> Scenario {
        Scenario::from_toml(text, "a.toml").unwrap_or_else(|error| panic!("{error}"))
    }

    fn text(more: &str) -> String {
        format!(
            "{more}\nnetwork.dumbbell = {{ rate = \"10 Mbit/s\", delay_trace = \"traces/d.txt\" }}\nflows = [{{ controller = \"reno\" }}]"
        )
    }

    fn file(path: &str, content: &str) -> NamedFile {
        NamedFile { sha256: Some(content.to_owned()), ..NamedFile::read(Path::new(path)) }
    }

    #[test]
    fn the_digest_of_a_file_is_that_of_its_content() {
        let folder = std::env::temp_dir().join(format!("bentpipe-identity-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder of our own");
        let path = folder.join("abc");
        // FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        fs::write(&path, "abc").expect("a file of our own");
        assert_eq!(NamedFile::read(&path).sha256.as_deref(), Some(abc));
        fs::write(&path, "abd").expect("a file of our own");
        assert_ne!(NamedFile::read(&path).sha256.as_deref(), Some(abc), "same size, a moment later");
        assert_eq!(NamedFile::read(&folder).sha256, None, "a folder");
        fs::remove_dir_all(&folder).expect("it is ours");
    }

    #[test]
    fn what_decides_numbers_is_in_the_identity_and_nothing_else() {
        let file_of = |content| [file("traces/d.txt", content)];
        let plain = Identity::of(&scenario(&text("")), &file_of("1"), "build", &[]);
        let same = "name = \"other\"\nseed = 7\nrecord.events = false";
        assert_eq!(plain, Identity::of(&scenario(&text(same)), &file_of("1"), "build", &[]));
        let moved = scenario(&text("").replace("traces/", "elsewhere/"));
        assert_eq!(plain, Identity::of(&moved, &[file("elsewhere/d.txt", "1")], "build", &[]));
        let longer = scenario(&text("duration = \"61 s\""));
        let own = |digest: &str| [("own".to_owned(), digest.to_owned())];
        let others = [
            Identity::of(&longer, &file_of("1"), "build", &[]),
            Identity::of(&scenario(&text("")), &file_of("2"), "build", &[]),
            Identity::of(&scenario(&text("")), &file_of("1"), "other build", &[]),
            Identity::of(&scenario(&text("")), &file_of("1"), "build", &own("1")),
            Identity::of(&scenario(&text("")), &file_of("1"), "build", &own("2")),
        ];
        for (number, one) in others.iter().enumerate() {
            assert_ne!(*one, plain, "{number}");
            assert!(!others[..number].contains(one), "{number}");
        }
        let swapped = |first: &str, second: &str| {
            let text = "network.dumbbell = { trace = \"a/t\", delay_trace = \"b/t\" }\nflows = [{ controller = \"reno\" }]";
            Identity::of(&scenario(text), &[file("a/t", first), file("b/t", second)], "build", &[])
        };
        assert_ne!(swapped("1", "2"), swapped("2", "1"), "two files of one name");
        assert_ne!(plain.run(1), plain.run(2));
        assert_eq!(plain.run(1).len(), 40);
    }
}
