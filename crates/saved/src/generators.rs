// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random generators. They are written as the words of their state.

use crate::numbers::load_plain;
use crate::{Damaged, Plain, Reader, Saved, Writer};
use rand_xoshiro::rand_core::SeedableRng;
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

macro_rules! generators {
    ($($generator:ty),+) => {
        $(impl Saved for $generator {
            fn save_to(&self, to: &mut Writer) {
                self.state().save_to(to);
            }
            load_plain!();
        }
        impl Plain for $generator {
            fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
                Plain::read_from(from).map(Self::from_seed)
            }
        })+
    };
}

generators!(Xoshiro256PlusPlus, SplitMix64);
