// SPDX-License-Identifier: MIT OR Apache-2.0
//! The served folder, and the files in it that a request may name.

use crate::SocketError;
use crate::error::stream_code;
use noq_proto::VarInt;
use std::fs::File;
use std::path::{Component, Path, PathBuf};
use units::Code;

/// Longest request in bytes.
pub(crate) const LONGEST_REQUEST: usize = 4096;

/// Path of the served folder, without symbolic links.
#[derive(Clone, Debug)]
pub(crate) struct Root(PathBuf);

impl Root {
    /// Checks the folder, and resolves symbolic links in its path.
    ///
    /// # Errors
    /// If the path is not a folder.
    pub(crate) fn new(folder: &Path) -> Result<Self, SocketError> {
        let wrong = |why: &str| {
            let why = format!("cannot serve {}: {why} (name an existing folder)", folder.display());
            SocketError::new(Code::ArgumentValue, why)
        };
        let real = folder.canonicalize().map_err(|error| wrong(&error.to_string()))?;
        if real.is_dir() { Ok(Self(real)) } else { Err(wrong("it is not a folder")) }
    }

    /// Opens the file that `request`, a request `GET /path` of HTTP/0.9, names. Returns the path, the file and its
    /// size.
    ///
    /// # Errors
    /// If the request cannot be served: the part of the path that is known, and the code with which to reset the
    /// stream.
    pub(crate) fn open(&self, request: &[u8]) -> (String, Result<(File, u64), VarInt>) {
        let Some(asked) = path_of(request) else {
            return (String::from_utf8_lossy(request).trim_end().to_owned(), Err(stream_code::BAD_REQUEST));
        };
        let found = decoded(&asked).ok_or(stream_code::BAD_REQUEST).and_then(|path| self.find(&path));
        (asked, found)
    }

    fn find(&self, path: &str) -> Result<(File, u64), VarInt> {
        let relative = Path::new(path.trim_start_matches('/'));
        if relative.components().any(|part| !matches!(part, Component::Normal(_))) {
            return Err(stream_code::REFUSED);
        }
        let real = self.0.join(relative).canonicalize().map_err(|_| stream_code::NO_FILE)?;
        // A symbolic link may lead out of the folder.
        if !real.starts_with(&self.0) {
            return Err(stream_code::REFUSED);
        }
        // Opening a pipe would block.
        if !real.is_file() {
            return Err(stream_code::NO_FILE);
        }
        let file = File::open(&real).map_err(|_| stream_code::UNREADABLE)?;
        let size = file.metadata().map_err(|_| stream_code::UNREADABLE)?.len();
        Ok((file, size))
    }
}

/// Returns the path of a request. The path is still percent-encoded.
fn path_of(request: &[u8]) -> Option<String> {
    let line = std::str::from_utf8(request).ok()?.trim_end_matches(['\r', '\n']);
    let path = line.strip_prefix("GET ")?.trim_end_matches(' ');
    (path.starts_with('/') && !path.contains(|sign: char| sign.is_control())).then(|| path.to_owned())
}

/// Returns a path without percent encoding (RFC 3986, section 2.1) and without query.
fn decoded(path: &str) -> Option<String> {
    let path = path.split('?').next()?;
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first == b'%' {
            let digits = std::str::from_utf8(tail.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &tail[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok().filter(|path| !path.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::os::unix::fs::symlink;

    /// A folder with a file, a folder, links to places inside and outside, and a link to a device (which stands for a
    /// pipe).
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let outer = std::env::temp_dir().join(format!("bentpipe-root-{name}-{}", std::process::id()));
            std::fs::create_dir_all(outer.join("served/inner")).expect("a folder");
            std::fs::write(outer.join("secret"), "outside").expect("a file");
            std::fs::write(outer.join("served/inner/a b"), "inside").expect("a file");
            for (to, link) in
                [("../secret", "out"), ("inner/a b", "in"), ("/dev/zero", "device"), ("..", "up")]
            {
                symlink(to, outer.join("served").join(link)).expect("a link");
            }
            Self(outer)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn files_inside_are_opened() {
        let folder = Folder::new("inside");
        let root = Root::new(&folder.0.join("served")).expect("a folder");
        for request in ["GET /inner/a%20b\r\n", "GET /inner/a b", "GET //inner/a%20b?x=1\n", "GET /in\r\n"] {
            let (_, found) = root.open(request.as_bytes());
            let (mut file, size) = found.expect(request);
            let mut text = String::new();
            file.read_to_string(&mut text).expect("text");
            assert_eq!((text.as_str(), size), ("inside", 6), "{request}");
        }
    }

    #[test]
    fn nothing_outside_is_opened() {
        let folder = Folder::new("outside");
        let root = Root::new(&folder.0.join("served")).expect("a folder");
        for (request, code) in [
            ("GET /../secret", stream_code::REFUSED),
            ("GET /inner/../../secret", stream_code::REFUSED),
            ("GET /%2e%2e/secret", stream_code::REFUSED),
            ("GET /..%2fsecret", stream_code::REFUSED),
            ("GET /out", stream_code::REFUSED),
            ("GET /up/secret", stream_code::REFUSED),
            ("GET /device", stream_code::REFUSED),
            ("GET /inner", stream_code::NO_FILE),
            ("GET /", stream_code::NO_FILE),
            ("GET /missing", stream_code::NO_FILE),
            ("GET /a%0", stream_code::BAD_REQUEST),
            ("GET /a%00b", stream_code::BAD_REQUEST),
            ("GET secret", stream_code::BAD_REQUEST),
            ("POST /in", stream_code::BAD_REQUEST),
            ("", stream_code::BAD_REQUEST),
        ] {
            let (_, found) = root.open(request.as_bytes());
            assert_eq!(found.map(|(_, size)| size), Err(code), "{request}");
        }
    }
}
