// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings whose key in a file has the name of the field that holds them: each is named once, for reading and writing.

use crate::text::{Q, Unlimited};
use crate::words::W;
use units::Bytes;

/// How a file writes a setting of type `T`.
pub trait TextOf<T> {
    /// What it means.
    fn read(self) -> T;
    /// How it is written.
    fn write(setting: T) -> Self;
}

macro_rules! as_they_are {
    ($($type:ty),+) => {
        $(impl TextOf<Self> for $type {
            fn read(self) -> Self {
                self
            }
            fn write(setting: Self) -> Self {
                setting
            }
        })+
    };
}

as_they_are!(bool, u32);

impl<T> TextOf<T> for Q<T> {
    fn read(self) -> T {
        self.0
    }
    fn write(setting: T) -> Self {
        Self(setting)
    }
}

impl<T> TextOf<Option<T>> for Q<Unlimited<T>> {
    fn read(self) -> Option<T> {
        self.0.0
    }
    fn write(setting: Option<T>) -> Self {
        Self(Unlimited(setting))
    }
}

/// Bytes that a room counts in 32 bits; the schema bounds them.
impl TextOf<u32> for Q<Bytes> {
    fn read(self) -> u32 {
        self.0.get() as u32
    }
    fn write(setting: u32) -> Self {
        Self(Bytes::new(setting.into()))
    }
}

impl<T> TextOf<T> for W<T> {
    fn read(self) -> T {
        self.0
    }
    fn write(setting: T) -> Self {
        Self(setting)
    }
}

/// Reads and writes those fields of `$room` that are keys of the table `$table` in a file. Fields after `always` are printed
/// whatever they hold; those after `perhaps` are options, printed only if they hold something. A key of `$table` that is not
/// named does not compile, unless `..` gives the rest.
macro_rules! settings {
    ($table:ty => $room:ty; always $($always:ident),*; perhaps $($perhaps:ident),* $(; ..$rest:expr)?) => {
        impl $table {
            /// What the file says takes the place of what stood in `room`.
            pub fn apply(&self, room: &mut $room) {
                $(if let Some(text) = self.$always {
                    room.$always = $crate::settings::TextOf::read(text);
                })*
                $(if let Some(text) = self.$perhaps {
                    room.$perhaps = Some($crate::settings::TextOf::read(text));
                })*
            }

            /// The table that says all of `room`.
            pub fn from_settings(room: &$room) -> Self {
                Self {
                    $($always: Some($crate::settings::TextOf::write(room.$always)),)*
                    $($perhaps: room.$perhaps.map($crate::settings::TextOf::write),)*
                    $(..$rest)?
                }
            }
        }
    };
}

pub(crate) use settings;
