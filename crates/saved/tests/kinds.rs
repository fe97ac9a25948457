// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values that are written can be read again, in place or newly created. Bytes that do not fit are refused.

use saved::{Damaged, Plain, Reader, Saved, SavedBy, Writer};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, VecDeque};
use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use units::{Bytes, Rate, Span, Time};

fn written(state: &impl Saved) -> Vec<u8> {
    let mut to = Writer::default();
    state.save_to(&mut to);
    to.into_bytes()
}

fn load(state: &mut impl Saved, bytes: &[u8]) -> Result<(), Damaged> {
    let mut from = Reader::new(bytes);
    state.load_from(&mut from)?;
    from.end::<()>()
}

/// Asserts three properties: the value can be read back, no proper part of its bytes gives a value, and no bytes cause
/// a panic.
fn comes_back<T: Plain + PartialEq + Debug>(value: &T) {
    let bytes = written(value);
    let mut from = Reader::new(&bytes);
    assert_eq!(T::read_from(&mut from).as_ref(), Ok(value));
    assert_eq!(from.end::<T>(), Ok(()));
    for length in 0..bytes.len() {
        assert!(T::read_from(&mut Reader::new(&bytes[..length])).is_err(), "{length} bytes of {value:?}");
    }
    for place in 0..bytes.len() {
        for byte in [0, 1, 0x7f, 0xff] {
            let mut changed = bytes.clone();
            changed[place] = byte;
            let _ = T::read_from(&mut Reader::new(&changed));
        }
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Plain)]
enum Stage {
    Closed,
    Open(u8),
    Half { of: u16, done: bool },
}

#[derive(Debug, PartialEq, Plain)]
struct Whole<T> {
    name: &'static str,
    text: String,
    stages: Vec<Stage>,
    other: T,
}

#[test]
fn plain_data_come_back() {
    comes_back(&(u8::MAX, i16::MIN, u32::MAX, i64::MIN));
    comes_back(&(u128::MAX, usize::MAX, true, 'a' as u32));
    comes_back(&(Time::MAX, Span::from_nanos(1), Bytes::new(1500), Rate::from_bits_per_s(1_000_000)));
    comes_back(&[0.1_f64, -0.0, f64::INFINITY, f64::MIN_POSITIVE]);
    comes_back(&Some(vec![None, Some(Box::new(7_u64))]));
    comes_back(&VecDeque::from([Reverse(3_u8), Reverse(4)]));
    comes_back(&BTreeMap::from([
        (Stage::Open(3), BTreeSet::from([1_u32, 2])),
        (Stage::Closed, BTreeSet::new()),
    ]));
    comes_back(&HashMap::<u32, Stage>::from([(9, Stage::Half { of: 3, done: true }), (1, Stage::Closed)]));
    let other = (1_u64..5, Box::<[u8]>::from([1, 2, 3]));
    comes_back(&Whole { name: "a name", text: "ein Text".to_owned(), stages: vec![Stage::Closed], other });
}

/// NaNs keep all their bits.
#[test]
fn numbers_keep_their_bits() {
    let bits = 0x7ff8_0000_dead_beef;
    let bytes = written(&f64::from_bits(bits));
    assert_eq!(bytes, bits.to_le_bytes());
    assert_eq!(f64::read_from(&mut Reader::new(&bytes)).map(f64::to_bits), Ok(bits));
}

/// Maps and heaps with the same content are written as the same bytes, for any order of insertion.
#[test]
fn what_has_no_order_is_written_in_one() {
    let (up, down): (Vec<u64>, Vec<u64>) = ((0..100).collect(), (0..100).rev().collect());
    let map = |keys: &[u64]| written(&keys.iter().map(|&key| (key, true)).collect::<HashMap<u64, bool>>());
    let heap = |keys: &[u64]| written(&keys.iter().copied().collect::<BinaryHeap<u64>>());
    assert_eq!(map(&up), map(&down));
    assert_eq!(heap(&up), heap(&down));
}

/// A length that exceeds the bytes is refused before memory is allocated.
#[test]
fn no_length_is_believed() {
    let bytes = [written(&u64::MAX), vec![0; 16]].concat();
    assert!(Vec::<u8>::read_from(&mut Reader::new(&bytes)).is_err());
    assert!(String::read_from(&mut Reader::new(&bytes)).is_err());
    let seventeen = [written(&17_u64), vec![0; 16]].concat();
    assert!(Vec::<u8>::read_from(&mut Reader::new(&seventeen)).is_err());
}

/// A trait object whose only state is its count.
trait Counts: Saved {
    fn count(&mut self) -> u64;
}

#[derive(Saved)]
struct Steps {
    #[saved(fixed)]
    step: fn() -> u64,
    at: u64,
}

impl Counts for Steps {
    fn count(&mut self) -> u64 {
        self.at += (self.step)();
        self.at
    }
}

#[derive(Saved)]
enum End {
    Idle,
    Counts(#[saved(fixed)] fn() -> u64, Box<dyn Counts>),
}

struct Row(Vec<Box<dyn Counts>>);

impl SavedBy<fn() -> u64> for Row {
    fn save_made(&self, to: &mut Writer) {
        self.0.len().save_to(to);
        self.0.iter().for_each(|counts| counts.save_to(to));
    }
    fn load_made(&mut self, from: &mut Reader<'_>, step: &fn() -> u64) -> Result<(), Damaged> {
        self.0.clear();
        for _ in 0..from.length::<Self>()? {
            let mut counts = Box::new(Steps { step: *step, at: 0 });
            counts.load_from(from)?;
            self.0.push(counts);
        }
        Ok(())
    }
}

#[derive(Saved)]
struct Machine {
    #[saved(fixed)]
    step: fn() -> u64,
    #[saved(each)]
    ends: Vec<End>,
    #[saved(by = step)]
    row: Row,
    #[saved(or = Steps::hundreds)]
    late: Option<Steps>,
    one: Arc<Mutex<u64>>,
    same: Arc<Mutex<u64>>,
}

impl Steps {
    fn hundreds() -> Self {
        Self { step: || 100, at: 0 }
    }
}

impl Machine {
    fn new(step: fn() -> u64, ends: usize) -> Self {
        let one = Arc::new(Mutex::new(0));
        let counts = |_| End::Counts(step, Box::new(Steps { step, at: 0 }) as Box<dyn Counts>);
        let ends = [End::Idle].into_iter().chain((0..ends).map(counts)).collect();
        Self { step, ends, row: Row(Vec::new()), late: None, same: one.clone(), one }
    }
}

/// Fields that define the structure stay as they were created. Fields that changed are read.
#[test]
fn state_is_read_in_place() {
    let mut saved = Machine::new(|| 2, 2);
    let End::Counts(_, counts) = &mut saved.ends[1] else { panic!() };
    counts.count();
    saved.row.0.extend((0..3).map(|at| Box::new(Steps { step: || 2, at }) as Box<dyn Counts>));
    saved.late = Some(Steps { at: 7, ..Steps::hundreds() });
    *saved.one.lock().expect("one thread") = 5;
    let bytes = written(&saved);
    let mut read = Machine::new(|| 10, 2);
    assert_eq!(load(&mut read, &bytes), Ok(()));
    assert_eq!(written(&read), bytes);
    let End::Counts(step, counts) = &mut read.ends[1] else { panic!() };
    assert_eq!((step(), counts.count()), (10, 2 + 10));
    assert_eq!(read.row.0.iter_mut().map(|counts| counts.count()).collect::<Vec<_>>(), [10, 11, 12]);
    assert_eq!(read.late.as_mut().map(Counts::count), Some(107));
    assert!(Arc::ptr_eq(&read.one, &read.same) && *read.same.lock().expect("one thread") == 5);
    // Content that was created later is removed again.
    assert_eq!(load(&mut read, &written(&Machine::new(|| 2, 2))), Ok(()));
    assert!(read.row.0.is_empty() && read.late.is_none());
}

#[test]
fn what_was_made_otherwise_does_not_fit() {
    let bytes = written(&Machine::new(|| 2, 2));
    assert!(load(&mut Machine::new(|| 2, 3), &bytes).is_err_and(|damaged| damaged.what.contains("Vec")));
    let mut other = Machine::new(|| 2, 2);
    other.ends.swap(0, 1);
    assert!(load(&mut other, &written(&Machine::new(|| 2, 2))).is_err());
}
