// SPDX-License-Identifier: MIT OR Apache-2.0
//! State as bytes: what has changed in a run is written, and is read back into a run that was made in the same way.
//!
//! - [`Saved`] is read in place. What decides a run (settings, schedules, functions that make connections) stays as
//!   the run was made, and only what changes in time is among the bytes. A field that never changes is
//!   `#[saved(fixed)]`: it is neither written nor read.
//! - [`Plain`] is data that is made from bytes alone. Collections that grow and shrink in time hold plain data.
//! - [`Each`] is a collection of what is read in place: `#[saved(each)]`. It has the length that it had when it was
//!   written.
//! - [`SavedBy`] is a collection that grows and shrinks, whose content another field of the structure makes before it
//!   is read in place: `#[saved(by = field)]`.
//!
//! The first two are derived. Bytes hold no names and no types, so only the build that wrote them may read them: a
//! caller keeps the build with them, and a checksum. Bytes that do not fit give [`Damaged`]; a length that exceeds the
//! bytes that are left is refused before memory is taken for it. Numbers that only a changed checksum lets through (a
//! place beyond the end of a list) are not looked for.

mod collections;
mod generators;
mod numbers;
mod quantities;
mod text;

pub use collections::load_or;
pub use saved_derive::{Plain, Saved};

use std::any::type_name;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that do not fit what they are read into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged {
    /// The type that was read.
    pub what: &'static str,
    /// Bytes that were left to read.
    pub left: usize,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "saved state does not fit {} ({} bytes before its end)", self.what, self.left)
    }
}

impl std::error::Error for Damaged {}

/// State that is written down and read back in place.
pub trait Saved {
    /// Writes what changes in time.
    fn save_to(&self, to: &mut Writer);
    /// Reads what [`Saved::save_to`] wrote.
    ///
    /// # Errors
    /// The bytes do not fit; what has been read until then stays.
    fn load_from(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged>;
}

/// State that is made from bytes alone.
pub trait Plain: Saved + Sized {
    /// Makes what was written.
    ///
    /// # Errors
    /// The bytes do not fit.
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged>;
}

/// A collection whose content is read in place. Its length is that which was written.
pub trait Each {
    /// Writes how many there are, then each.
    fn save_each(&self, to: &mut Writer);
    /// Reads each in place.
    ///
    /// # Errors
    /// There were others, or the bytes do not fit.
    fn load_each(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged>;
}

/// A collection that grows and shrinks, and whose content is read in place after an `M` has made it.
pub trait SavedBy<M> {
    /// Writes what there is.
    fn save_made(&self, to: &mut Writer);
    /// Has what was there made, and reads each in place.
    ///
    /// # Errors
    /// The bytes do not fit.
    fn load_made(&mut self, from: &mut Reader<'_>, maker: &M) -> Result<(), Damaged>;
}

/// Bytes as they are written.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
    /// Shared values that a holder has written, by their places in memory.
    shared: BTreeSet<usize>,
}

impl Writer {
    /// Writes bytes as they are.
    pub fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// All that was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Bytes that are still to be read.
#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// From the beginning.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The next bytes as they are, for a `T`.
    ///
    /// # Errors
    /// There are not as many.
    pub fn take<T>(&mut self, bytes: usize) -> Result<&'a [u8], Damaged> {
        let (taken, rest) = self.rest.split_at_checked(bytes).ok_or_else(|| self.damaged::<T>())?;
        self.rest = rest;
        Ok(taken)
    }

    /// The number of elements of a `T` that follow, each of one byte at least.
    ///
    /// # Errors
    /// There are not as many bytes.
    pub fn length<T>(&mut self) -> Result<usize, Damaged> {
        let length = usize::read_from(self)?;
        if length > self.rest.len() { Err(self.damaged::<T>()) } else { Ok(length) }
    }

    /// What is said of bytes that do not fit a `T`.
    pub fn damaged<T: ?Sized>(&self) -> Damaged {
        Damaged { what: type_name::<T>(), left: self.rest.len() }
    }

    /// Nothing is left.
    ///
    /// # Errors
    /// Something is.
    pub fn end<T>(&self) -> Result<(), Damaged> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.damaged::<T>()) }
    }
}

impl<T: Saved + ?Sized> Saved for Box<T> {
    fn save_to(&self, to: &mut Writer) {
        (**self).save_to(to);
    }
    fn load_from(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        (**self).load_from(from)
    }
}

impl<T: Plain> Plain for Box<T> {
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        T::read_from(from).map(Self::new)
    }
}

/// The first holder of a shared value writes it; the others write that they share it.
impl<T: Saved> Saved for Arc<Mutex<T>> {
    fn save_to(&self, to: &mut Writer) {
        let is_first = to.shared.insert(Self::as_ptr(self).addr());
        is_first.save_to(to);
        if is_first {
            self.lock().unwrap_or_else(PoisonError::into_inner).save_to(to);
        }
    }
    fn load_from(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        if bool::read_from(from)? {
            self.lock().unwrap_or_else(PoisonError::into_inner).load_from(from)?;
        }
        Ok(())
    }
}
