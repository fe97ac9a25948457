// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings whose key in a file is called as the field that holds them: named once, read and written.

use crate::text::{Q, Unlimited};
use crate::words::W;
use units::Bytes;

/// What a file says of a setting of type `T`.
pub trait Says<T> {
    /// What it means.
    fn read(self) -> T;
    /// How it is written.
    fn write(setting: T) -> Self;
}

macro_rules! as_they_are {
    ($($type:ty),+) => {
        $(impl Says<Self> for $type {
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

impl<T> Says<T> for Q<T> {
    fn read(self) -> T {
        self.0
    }
    fn write(setting: T) -> Self {
        Self(setting)
    }
}

impl<T> Says<Option<T>> for Q<Unlimited<T>> {
    fn read(self) -> Option<T> {
        self.0.0
    }
    fn write(setting: Option<T>) -> Self {
        Self(Unlimited(setting))
    }
}

/// Bytes that a room counts in 32 bits; the schema bounds them.
impl Says<u32> for Q<Bytes> {
    fn read(self) -> u32 {
        self.0.get() as u32
    }
    fn write(setting: u32) -> Self {
        Self(Bytes::new(setting.into()))
    }
}

impl<T> Says<T> for W<T> {
    fn read(self) -> T {
        self.0
    }
    fn write(setting: T) -> Self {
        Self(setting)
    }
}

/// Both directions of the settings of `$room` that the table `$table` of a file says. `always` are printed whatever they
/// hold; `perhaps` are settings that may be absent, and are printed only if they are there. A key of `$table` that is not
/// named does not compile, unless the rest is said with `..`.
macro_rules! settings {
    ($table:ty => $room:ty; always $($always:ident),*; perhaps $($perhaps:ident),* $(; ..$rest:expr)?) => {
        impl $table {
            /// Puts what the file says in the place of what stood in `room`.
            pub fn apply(&self, room: &mut $room) {
                $(if let Some(text) = self.$always {
                    room.$always = $crate::settings::Says::read(text);
                })*
                $(if let Some(text) = self.$perhaps {
                    room.$perhaps = Some($crate::settings::Says::read(text));
                })*
            }

            /// The table that says all of `room`.
            pub fn from_settings(room: &$room) -> Self {
                Self {
                    $($always: Some($crate::settings::Says::write(room.$always)),)*
                    $($perhaps: room.$perhaps.map($crate::settings::Says::write),)*
                    $(..$rest)?
                }
            }
        }
    };
}

pub(crate) use settings;
