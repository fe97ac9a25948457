// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text.

use crate::numbers::load_plain;
use crate::{Damaged, Plain, Reader, Saved, Writer};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// All static names that were read. Their memory is never freed. A program uses only few names, and each is stored
/// once.
static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

fn write(text: &str, to: &mut Writer) {
    text.len().save_to(to);
    to.put(text.as_bytes());
}

fn read<'a>(from: &mut Reader<'a>) -> Result<&'a str, Damaged> {
    let length = from.length::<&str>()?;
    let bytes = from.take::<&str>(length)?;
    std::str::from_utf8(bytes).map_err(|_| from.damaged::<&str>())
}

impl Saved for String {
    fn save_to(&self, to: &mut Writer) {
        write(self, to);
    }
    load_plain!();
}

impl Plain for String {
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        read(from).map(str::to_owned)
    }
}

impl Saved for &'static str {
    fn save_to(&self, to: &mut Writer) {
        write(self, to);
    }
    load_plain!();
}

impl Plain for &'static str {
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        let text = read(from)?;
        let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&name) = names.get(text) {
            return Ok(name);
        }
        let name: &'static str = text.to_owned().leak();
        names.insert(name);
        Ok(name)
    }
}
