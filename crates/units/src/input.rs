// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads files that a user names. They must be regular files of limited size.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::os::unix::fs::FileTypeExt as _;
use std::path::Path;

/// Largest size of a scenario, or of a traffic matrix that it names, in bytes.
pub const SCENARIO: u64 = 16_000_000;
/// Largest size of a file of recorded data (satellites, rates, delays), in bytes.
pub const DATA: u64 = 256_000_000;

/// Returns the text of a file of at most `most` bytes.
///
/// # Errors
/// The reason, without the name of the file.
pub fn read(file: &Path, most: u64) -> Result<String, String> {
    let plain = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "you have no permission to read it".to_owned(),
        // An example of the text: "Input/output error (os error 5)".
        _ => error.to_string().split(" (os error").next().unwrap_or_default().to_owned(),
    };
    let about = fs::metadata(file).map_err(plain)?;
    let kind = about.file_type();
    if !kind.is_file() {
        let what = match kind {
            kind if kind.is_dir() => "a folder",
            kind if kind.is_fifo() => "a pipe",
            _ => "a device",
        };
        return Err(format!("it is {what}, not a file"));
    }
    let large = || format!("it has more than {}, the limit for such files", crate::Bytes::new(most));
    if about.len() > most {
        return Err(large());
    }
    let mut bytes = Vec::new();
    // Limit the bytes that are read: the file may grow in the meantime, and files of /proc report no size.
    File::open(file).and_then(|open| open.take(most + 1).read_to_end(&mut bytes)).map_err(plain)?;
    if bytes.len() as u64 > most {
        return Err(large());
    }
    let text = String::from_utf8(bytes).map_err(|error| not_text(error.as_bytes()).to_owned())?;
    // Spreadsheet programs write a byte order mark at the start.
    let text = match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    };
    // Without this replacement, readers would treat a text with CR as line ends as a single line.
    Ok(if text.contains('\r') && !text.contains('\n') { text.replace('\r', "\n") } else { text })
}

/// Returns the kind of file that these bytes (which are not UTF-8) come from, and the fix.
fn not_text(bytes: &[u8]) -> &'static str {
    match bytes {
        [0x1f, 0x8b, ..] => "it is compressed by gzip (unpack it)",
        [b'P', b'K', ..] => {
            "it is a zip archive or a spreadsheet's own file (unpack it, or save the table as CSV)"
        }
        [0xd4, 0xc3, 0xb2, 0xa1, ..]
        | [0x4d, 0x3c, 0xb2, 0xa1, ..]
        | [0xa1, 0xb2, 0xc3, 0xd4, ..]
        | [0xa1, 0xb2, 0x3c, 0x4d, ..]
        | [0x0a, 0x0d, 0x0d, 0x0a, ..] => {
            "it is a capture (`bentpipe import` makes a path trace of a capture)"
        }
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "it is UTF-16 text (save it as UTF-8)",
        _ => "it is not UTF-8 text (save it as UTF-8)",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_said_to_be_none() {
        let why = |file: &str| read(Path::new(file), DATA).expect_err("it must be refused");
        assert_eq!(why("/dev/zero"), "it is a device, not a file");
        assert_eq!(why("/"), "it is a folder, not a file");
        assert_eq!(why("/nowhere"), "there is no such file");
        let place = std::env::temp_dir().join(format!("bentpipe-input-{}", std::process::id()));
        for (bytes, expected) in [
            (&b"\xff"[..], "it is not UTF-8 text (save it as UTF-8)"),
            (&b"\xff\xfe1"[..], "it is UTF-16 text (save it as UTF-8)"),
            (&b"\x1f\x8b1"[..], "it is compressed by gzip (unpack it)"),
            (&b"\xa1\xb2\x3c\x4d"[..], "it is a capture (`bentpipe import` makes a path trace of a capture)"),
            (&b"12345"[..], "it has more than 4 B, the limit for such files"),
        ] {
            fs::write(&place, bytes).expect("the folder of temporary files can be written");
            assert_eq!(read(&place, 4), Err(expected.to_owned()));
        }
        assert_eq!(read(&place, 5), Ok("12345".to_owned()));
        fs::write(&place, "1\r2\r").expect("the folder of temporary files can be written");
        assert_eq!(read(&place, DATA), Ok("1\n2\n".to_owned()));
        fs::write(&place, "\u{feff}time_s").expect("the folder of temporary files can be written");
        assert_eq!(read(&place, DATA), Ok("time_s".to_owned()));
        fs::remove_file(&place).expect("it was there");
    }
}
