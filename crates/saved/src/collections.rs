// SPDX-License-Identifier: MIT OR Apache-2.0
//! Collections. They are written as the number of elements, then each element. Unordered collections are written in the
//! order of their keys.

use crate::numbers::load_plain;
use crate::{Damaged, Each, Plain, Reader, Saved, Writer};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::ops::Range;

fn write_all<'a, T: Saved + 'a>(all: impl ExactSizeIterator<Item = &'a T>, to: &mut Writer) {
    all.len().save_to(to);
    all.for_each(|each| each.save_to(to));
}

fn read_all<T: Plain, C: FromIterator<T>>(from: &mut Reader<'_>) -> Result<C, Damaged> {
    let length = from.length::<C>()?;
    (0..length).map(|_| T::read_from(from)).collect()
}

fn read_pairs<K: Plain, V: Plain, C: FromIterator<(K, V)>>(from: &mut Reader<'_>) -> Result<C, Damaged> {
    let length = from.length::<C>()?;
    (0..length).map(|_| Ok((K::read_from(from)?, V::read_from(from)?))).collect()
}

fn load_all<'a, T: Saved + 'a, C>(
    all: impl ExactSizeIterator<Item = &'a mut T>,
    from: &mut Reader<'_>,
) -> Result<(), Damaged> {
    if usize::read_from(from)? != all.len() {
        return Err(from.damaged::<C>());
    }
    all.into_iter().try_for_each(|each| each.load_from(from))
}

macro_rules! sequences {
    ($($sequence:ident),+) => {
        $(impl<T: Plain> Saved for $sequence<T> {
            fn save_to(&self, to: &mut Writer) {
                write_all(self.iter(), to);
            }
            load_plain!();
        }
        impl<T: Plain> Plain for $sequence<T> {
            fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
                read_all(from)
            }
        }
        impl<T: Saved> Each for $sequence<T> {
            fn save_each(&self, to: &mut Writer) {
                write_all(self.iter(), to);
            }
            fn load_each(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
                load_all::<T, Self>(self.iter_mut(), from)
            }
        })+
    };
}

sequences!(Vec, VecDeque);

impl<T: Plain> Saved for Box<[T]> {
    fn save_to(&self, to: &mut Writer) {
        write_all(self.iter(), to);
    }
    load_plain!();
}

impl<T: Plain> Plain for Box<[T]> {
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        read_all(from)
    }
}

/// If the stored option is `None`, the existing content is removed. If the stored option has content, this content is
/// read into the existing content. If there is no existing content, this is an error.
impl<T: Saved> Each for Option<T> {
    fn save_each(&self, to: &mut Writer) {
        self.is_some().save_to(to);
        if let Some(content) = self {
            content.save_to(to);
        }
    }
    fn load_each(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        match (bool::read_from(from)?, &mut *self) {
            (true, Some(content)) => content.load_from(from)?,
            (true, None) => return Err(from.damaged::<Self>()),
            (false, _) => *self = None,
        }
        Ok(())
    }
}

/// Reads an option. If the stored option has content and `place` is empty, `make` first creates the content, which is
/// then read in place.
///
/// # Errors
/// If the bytes do not fit.
pub fn load_or<T: Saved>(
    place: &mut Option<T>,
    from: &mut Reader<'_>,
    make: impl FnOnce() -> T,
) -> Result<(), Damaged> {
    if bool::read_from(from)? {
        return place.get_or_insert_with(make).load_from(from);
    }
    *place = None;
    Ok(())
}

impl<T: Plain> Saved for Option<T> {
    fn save_to(&self, to: &mut Writer) {
        self.save_each(to);
    }
    load_plain!();
}

impl<T: Plain> Plain for Option<T> {
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        if bool::read_from(from)? { T::read_from(from).map(Some) } else { Ok(None) }
    }
}

impl<T: Saved, const N: usize> Saved for [T; N] {
    fn save_to(&self, to: &mut Writer) {
        for each in self {
            each.save_to(to);
        }
    }
    fn load_from(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        self.iter_mut().try_for_each(|each| each.load_from(from))
    }
}

impl<T: Plain, const N: usize> Plain for [T; N] {
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        let all = (0..N).map(|_| T::read_from(from)).collect::<Result<Vec<_>, _>>()?;
        Self::try_from(all).map_err(|_| from.damaged::<Self>())
    }
}

impl<K: Plain + Ord, V: Plain> Saved for BTreeMap<K, V> {
    fn save_to(&self, to: &mut Writer) {
        self.save_each(to);
    }
    load_plain!();
}

impl<K: Plain + Ord, V: Plain> Plain for BTreeMap<K, V> {
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        read_pairs(from)
    }
}

impl<K: Plain + Ord, V: Saved> Each for BTreeMap<K, V> {
    fn save_each(&self, to: &mut Writer) {
        self.len().save_to(to);
        for (key, value) in self {
            key.save_to(to);
            value.save_to(to);
        }
    }
    fn load_each(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        if usize::read_from(from)? != self.len() {
            return Err(from.damaged::<Self>());
        }
        for (key, value) in self {
            if K::read_from(from)? != *key {
                return Err(from.damaged::<Self>());
            }
            value.load_from(from)?;
        }
        Ok(())
    }
}

impl<K: Plain + Ord + Hash, V: Plain, S: BuildHasher + Default> Saved for HashMap<K, V, S> {
    fn save_to(&self, to: &mut Writer) {
        let mut all: Vec<(&K, &V)> = self.iter().collect();
        all.sort_unstable_by_key(|&(key, _)| key);
        all.len().save_to(to);
        for (key, value) in all {
            key.save_to(to);
            value.save_to(to);
        }
    }
    load_plain!();
}

impl<K: Plain + Ord + Hash, V: Plain, S: BuildHasher + Default> Plain for HashMap<K, V, S> {
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        read_pairs(from)
    }
}

impl<T: Plain + Ord> Saved for BTreeSet<T> {
    fn save_to(&self, to: &mut Writer) {
        write_all(self.iter(), to);
    }
    load_plain!();
}

impl<T: Plain + Ord> Plain for BTreeSet<T> {
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        read_all(from)
    }
}

impl<T: Plain + Ord> Saved for BinaryHeap<T> {
    fn save_to(&self, to: &mut Writer) {
        let mut all: Vec<&T> = self.iter().collect();
        all.sort_unstable();
        write_all(all.into_iter(), to);
    }
    load_plain!();
}

impl<T: Plain + Ord> Plain for BinaryHeap<T> {
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        read_all(from)
    }
}

macro_rules! tuples {
    ($(($($name:ident $place:tt),*))+) => {
        $(impl<$($name: Saved),*> Saved for ($($name,)*) {
            fn save_to(&self, _to: &mut Writer) {
                $(self.$place.save_to(_to);)*
            }
            fn load_from(&mut self, _from: &mut Reader<'_>) -> Result<(), Damaged> {
                $(self.$place.load_from(_from)?;)*
                Ok(())
            }
        }
        impl<$($name: Plain),*> Plain for ($($name,)*) {
            fn read_from(_from: &mut Reader<'_>) -> Result<Self, Damaged> {
                Ok(($($name::read_from(_from)?,)*))
            }
        })+
    };
}

tuples! {
    ()
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
}

impl<T: Plain> Saved for Range<T> {
    fn save_to(&self, to: &mut Writer) {
        self.start.save_to(to);
        self.end.save_to(to);
    }
    load_plain!();
}

impl<T: Plain> Plain for Range<T> {
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        Ok(T::read_from(from)?..T::read_from(from)?)
    }
}

impl<T: Plain> Saved for Reverse<T> {
    fn save_to(&self, to: &mut Writer) {
        self.0.save_to(to);
    }
    load_plain!();
}

impl<T: Plain> Plain for Reverse<T> {
    fn read_from(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        T::read_from(from).map(Self)
    }
}
