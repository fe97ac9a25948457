// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings whose key has the same name as the field of the setting. Each is listed once, for reading and for writing.

use crate::text::{Q, Unlimited};
use crate::words::W;
use units::Bytes;

/// The text form of a setting of type `T`.
pub trait TextOf<T> {
    /// Returns the value of this text.
    fn read(self) -> T;
    /// Returns the text of a value.
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

/// The field has 32 bits. The schema ensures that the value fits.
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

/// Reads and writes the fields of `$group` that are keys of the table `$table` in a file. Fields after `always` are
/// always printed. Fields after `perhaps` are options, and are printed if they have a value. If a key of `$table` is
/// not listed, the code does not compile, unless `..` provides the remaining keys.
macro_rules! settings {
    ($table:ty => $group:ty; always $($always:ident),*; perhaps $($perhaps:ident),* $(; ..$rest:expr)?) => {
        impl $table {
            /// Replaces values in `group` by the values of the file.
            pub fn apply(&self, group: &mut $group) {
                $(if let Some(text) = self.$always {
                    group.$always = $crate::settings::TextOf::read(text);
                })*
                $(if let Some(text) = self.$perhaps {
                    group.$perhaps = Some($crate::settings::TextOf::read(text));
                })*
            }

            /// Returns the complete table of `group`.
            pub fn from_settings(group: &$group) -> Self {
                Self {
                    $($always: Some($crate::settings::TextOf::write(group.$always)),)*
                    $($perhaps: group.$perhaps.map($crate::settings::TextOf::write),)*
                    $(..$rest)?
                }
            }
        }
    };
}

pub(crate) use settings;
