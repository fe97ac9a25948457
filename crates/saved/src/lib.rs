// SPDX-License-Identifier: MIT OR Apache-2.0
//! State of a run as bytes. Saving writes the state that changes during a run. Loading reads these bytes into a run
//! that was created in the same way.
//!
//! - [`Saved`] state is read in place. The definition of a run (settings, schedules, functions that create connections)
//!   stays as it was created. The bytes contain only what changes over time. A field that never changes has the
//!   attribute `#[saved(fixed)]`, and is neither written nor read.
//! - [`Plain`] data can be created from the bytes without an existing value. Collections that grow and shrink during a
//!   run contain plain data.
//! - [`Each`] is a collection whose elements are read in place: `#[saved(each)]`. Its length when it is read must equal
//!   its length when it was written.
//! - [`SavedBy`] is a collection that grows and shrinks. Another field of the structure creates its elements, which are
//!   then read in place: `#[saved(by = field)]`.
//!
//! [`Saved`] and [`Plain`] can be derived. The bytes contain no names and no types. Therefore only the build that wrote
//! them may read them, and callers must store the build and a checksum with them. Bytes that do not fit cause the error
//! [`Damaged`]. If a length exceeds the remaining bytes, it is refused before memory is allocated. Wrong values that
//! are possible only with a forged checksum, such as an index beyond the end of a list, are not checked.

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

/// The bytes do not fit the type that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged {
    /// Name of the type.
    pub what: &'static str,
    /// Number of bytes that were not read yet.
    pub left: usize,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the saved state does not fit {} ({} bytes of the state were not read)",
            self.what, self.left
        )
    }
}

impl std::error::Error for Damaged {}

/// State that is written, and later read in place.
pub trait Saved {
    /// Writes everything that changes over time.
    fn save_to(&self, to: &mut Writer);
    /// Reads what [`Saved::save_to`] wrote.
    ///
    /// # Errors
    /// If the bytes do not fit. Everything that was read before the error keeps its new value.
    fn load_from(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged>;
}

/// State that can be created from the bytes without an existing value.
pub trait Plain: Saved + Sized {
    /// Creates the value from its bytes.
    ///
    /// # Errors
    /// If the bytes do not fit.
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged>;
}

/// A collection whose elements are read in place. Its length must equal the written length.
pub trait Each {
    /// Writes the number of elements, then each element.
    fn save_each(&self, to: &mut Writer);
    /// Reads each element in place.
    ///
    /// # Errors
    /// If the number of elements differs from the written number, or if the bytes do not fit.
    fn load_each(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged>;
}

/// A collection that grows and shrinks. A value of type `M` creates its elements before they are read in place.
pub trait SavedBy<M> {
    /// Writes the elements, and the data that `M` needs to create them.
    fn save_made(&self, to: &mut Writer);
    /// Lets `maker` create the elements that were written, and then reads each element in place.
    ///
    /// # Errors
    /// If the bytes do not fit.
    fn load_made(&mut self, from: &mut Reader<'_>, maker: &M) -> Result<(), Damaged>;
}

/// Destination for the written bytes.
#[derive(Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
    /// Addresses of the shared values that one of their owners has already written.
    shared: BTreeSet<usize>,
}

impl Writer {
    /// Appends bytes unchanged.
    pub fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns all written bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Source of the bytes to read.
#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Creates a reader at the beginning of `bytes`.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Returns the next bytes unchanged. The error names `T` as the type that is being read.
    ///
    /// # Errors
    /// If fewer bytes remain.
    pub fn take<T>(&mut self, bytes: usize) -> Result<&'a [u8], Damaged> {
        let (taken, rest) = self.rest.split_at_checked(bytes).ok_or_else(|| self.damaged::<T>())?;
        self.rest = rest;
        Ok(taken)
    }

    /// Reads the number of elements of a collection `T`. An element takes at least one byte.
    ///
    /// # Errors
    /// If the number of remaining bytes is smaller than the number of elements.
    pub fn length<T>(&mut self) -> Result<usize, Damaged> {
        let length = usize::read_from(self)?;
        if length > self.rest.len() { Err(self.damaged::<T>()) } else { Ok(length) }
    }

    /// Returns the error for bytes that do not fit a `T`.
    pub fn damaged<T: ?Sized>(&self) -> Damaged {
        Damaged { what: type_name::<T>(), left: self.rest.len() }
    }

    /// Checks that no bytes remain.
    ///
    /// # Errors
    /// If bytes remain.
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

/// A shared value. Its first owner writes the value. The other owners write only that they share it.
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
