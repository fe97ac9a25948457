// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities with units. They are written as their numbers.

use crate::numbers::load_plain;
use crate::{Damaged, Plain, Reader, Saved, Writer};
use units::{Bytes, Rate, Span, Time};

macro_rules! quantities {
    ($($quantity:ident by $number:ident, $from:ident;)+) => {
        $(impl Saved for $quantity {
            fn save_to(&self, to: &mut Writer) {
                self.$number().save_to(to);
            }
            load_plain!();
        }
        impl Plain for $quantity {
            fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
                u64::read_from(from).map(Self::$from)
            }
        })+
    };
}

quantities! {
    Time by nanos, from_nanos;
    Span by nanos, from_nanos;
    Bytes by get, new;
    Rate by bits_per_s, from_bits_per_s;
}
