// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers. They are written in little-endian order.

use crate::{Damaged, Plain, Reader, Saved, Writer};

/// Implements `load_from` of plain data with [`Plain::read_from`].
macro_rules! load_plain {
    () => {
        fn load_from(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
            *self = Self::read_from(from)?;
            Ok(())
        }
    };
}
pub(crate) use load_plain;

macro_rules! numbers {
    ($($number:ty),+) => {
        $(impl Saved for $number {
            fn save_to(&self, to: &mut Writer) {
                to.put(&self.to_le_bytes());
            }
            load_plain!();
        }
        impl Plain for $number {
            fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
                let mut bytes = [0; size_of::<Self>()];
                bytes.copy_from_slice(from.take::<Self>(size_of::<Self>())?);
                Ok(Self::from_le_bytes(bytes))
            }
        })+
    };
}

numbers!(u8, u16, u32, u64, u128, i8, i16, i32, i64, i128, f32, f64);

impl Saved for usize {
    fn save_to(&self, to: &mut Writer) {
        (*self as u64).save_to(to);
    }
    load_plain!();
}

impl Plain for usize {
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        Self::try_from(u64::read_from(from)?).map_err(|_| from.damaged::<Self>())
    }
}

impl Saved for bool {
    fn save_to(&self, to: &mut Writer) {
        u8::from(*self).save_to(to);
    }
    load_plain!();
}

impl Plain for bool {
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        match u8::read_from(from)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(from.damaged::<Self>()),
        }
    }
}
