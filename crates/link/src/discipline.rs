// SPDX-License-Identifier: MIT OR Apache-2.0
//! Disciplines: who goes next, what is refused, dropped or marked before a queue is full.
//!
//! Drop-tail needs none of it: its departures are known at arrival (`passage`). Every other discipline is an [`ActiveQueue`]
//! in a file of its own, with its settings; the link asks it when a packet comes and when the transmitter is free
//! (`held`), and enforces the limit of the queue itself.
//!
//! A discipline may refuse, mark or drop. It makes no events: values that change with time are brought up to date
//! when the discipline is asked.
//!
//! `vectors/queues` holds the answers of each discipline call by call. They come from a script of the sources'
//! pseudo-code (`tests/oracles/queues_by_the_book.py`), which is not a translation of the Rust code. Where Linux has the
//! discipline too, the trace of a real kernel must follow from that script and named differences
//! (`tests/oracles/queues_of_linux.py`).

mod codel;
mod drop_front;
mod drr;
mod dual_pi2;
mod fq_codel;
mod pie;
mod priority;
mod red;
mod tail;
mod threshold;

pub use codel::{CeThreshold, CoDel};
pub use drop_front::DropFront;
pub use drr::Drr;
pub use dual_pi2::{DualPi2, DualScheduler};
pub use fq_codel::FqCoDel;
pub use pie::{Pie, WaitEstimate};
pub use priority::Priority;
pub use red::Red;
pub use threshold::Threshold;

use crate::{Ack, Ecn, Lost, Packets, Parcel, QueueLimit};
use random::{Draw as _, Xoshiro256PlusPlus};
use std::fmt;
use std::ops::{Add, Sub};
use units::{Rate, Span, Time};

/// A waiting packet, with the time it was offered.
pub type Entry = (Time, Parcel);

/// What waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Amount {
    /// Packets.
    pub packets: usize,
    /// Their bytes.
    pub bytes: u64,
}

impl Amount {
    pub(crate) fn of(parcel: Parcel) -> Self {
        Self { packets: 1, bytes: parcel.size.into() }
    }
}

impl Add for Amount {
    type Output = Self;
    fn add(self, more: Self) -> Self {
        Self { packets: self.packets + more.packets, bytes: self.bytes + more.bytes }
    }
}

impl Sub for Amount {
    type Output = Self;
    fn sub(self, less: Self) -> Self {
        Self { packets: self.packets - less.packets, bytes: self.bytes - less.bytes }
    }
}

/// Clones a queue of which only the trait is known.
pub trait CloneQueue {
    /// A queue in the same state.
    fn clone_box(&self) -> Box<dyn ActiveQueue>;
}

impl<Q: ActiveQueue + Clone + 'static> CloneQueue for Q {
    fn clone_box(&self) -> Box<dyn ActiveQueue> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn ActiveQueue> {
    fn clone(&self) -> Self {
        self.as_ref().clone_box()
    }
}

/// A queue that decides what it takes, what it marks, what it drops and who goes next.
///
/// It never idles: while anything waits, [`ActiveQueue::pop`] gives a packet or drops all there is. A link panics where
/// tests run if it does not.
pub trait ActiveQueue: CloneQueue + saved::Saved + fmt::Debug + Send {
    /// Takes a packet of a sender in, for which there is room.
    ///
    /// # Errors
    /// If it refuses the packet: why.
    fn push(&mut self, parcel: Parcel, sender: u64, desk: &mut Desk<'_>) -> Result<(), Lost>;
    /// The packet whose transmission begins now.
    fn pop(&mut self, desk: &mut Desk<'_>) -> Option<Entry>;
    /// What waits.
    fn amount(&self) -> Amount;
    /// Takes everything out, in the order in which it came.
    fn drain(&mut self) -> Vec<Entry>;
    /// Whether a full queue may drop what waits for what comes ([`ActiveQueue::make_room`]).
    fn makes_room(&self) -> bool {
        false
    }
    /// Takes a packet out to make room for one that comes; `None`: who comes has to go.
    fn make_room(&mut self, _coming: Coming) -> Option<Parcel> {
        None
    }
    /// Whether what makes room is an acknowledgement that another one makes superfluous.
    fn thins(&self) -> bool {
        false
    }
}

/// A packet that finds the queue full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coming {
    /// Number of its sender, as [`crate::Packets::sender`] has it.
    pub sender: u64,
    /// Bytes on the wire.
    pub size: u16,
    /// Its flow asks to go first.
    pub urgent: bool,
    /// What it says, where it is a pure acknowledgement.
    pub ack: Option<Ack>,
}

/// What an [`ActiveQueue`] decides with: the time, chance, and what it does to packets.
pub struct Desk<'a> {
    pub(crate) now: Time,
    pub(crate) rate: Option<Rate>,
    pub(crate) packets: &'a mut dyn Packets,
    pub(crate) books: &'a mut Books,
}

/// What a link with a discipline keeps beside its queue.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct Books {
    /// Of the discipline alone: losses on the way are another stream.
    pub(crate) random: Xoshiro256PlusPlus,
    /// Dropped, and not yet told of.
    pub(crate) dropped: Vec<(Parcel, Lost)>,
    pub(crate) marked: u64,
    pub(crate) refused: u64,
    pub(crate) thinned: u64,
}

impl fmt::Debug for Desk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").field("now", &self.now).field("rate", &self.rate).finish_non_exhaustive()
    }
}

impl Desk<'_> {
    /// The time of the decision.
    pub const fn now(&self) -> Time {
        self.now
    }
    /// What the link sends at; `None`: it transmits at once.
    pub const fn rate(&self) -> Option<Rate> {
        self.rate
    }
    /// The codepoint that a packet carries.
    pub fn ecn(&self, parcel: Parcel) -> Ecn {
        self.packets.ecn(parcel.handle)
    }
    /// Whether a packet's flow asks to go first.
    pub fn is_urgent(&self, parcel: Parcel) -> bool {
        self.packets.is_urgent(parcel.handle)
    }
    /// Marks a packet instead of dropping it; false if its sender would not understand. One that has been marked before
    /// stays as it is.
    // RFC 3168, section 5: CE is set in packets of an ECN-capable transport only.
    pub fn mark(&mut self, parcel: Parcel) -> bool {
        let ecn = self.packets.ecn(parcel.handle);
        if ecn.is_capable() && ecn != Ecn::Ce {
            self.packets.mark(parcel.handle);
            self.books.marked += 1;
        }
        ecn.is_capable()
    }
    /// What a packet says, if it is a pure acknowledgement.
    pub fn ack(&self, parcel: Parcel) -> Option<Ack> {
        self.packets.ack(parcel.handle)
    }
    /// Drops an acknowledgement for a newer one.
    pub fn thin(&mut self, parcel: Parcel) {
        self.books.thinned += 1;
        self.drop(parcel);
    }
    /// Drops a packet that had been taken in.
    pub fn drop(&mut self, parcel: Parcel) {
        self.books.dropped.push((parcel, Lost::Managed));
    }
    /// A number from 0 to below 1, from the link's own stream.
    pub fn random(&mut self) -> f64 {
        self.books.random.fraction()
    }
}

/// Settings of a discipline.
trait Settings: Copy {
    /// Those of a scenario that names the discipline alone.
    const DEFAULT: Self;
    /// Whether it signals before it is full, by a drop where it cannot mark.
    const SIGNALS: bool = true;
    /// Whether what came later can go first.
    const OVERTAKES: bool = false;
    /// Above what it marks, if marking is all that it does before it is full.
    fn threshold(&self) -> Option<Threshold> {
        None
    }
    /// Whether its queue asks for random numbers ([`Desk::random`]).
    fn draws(&self) -> bool;
    /// An empty queue.
    fn queue(self) -> Box<dyn ActiveQueue>;
    /// With what is said in bandwidth-delay products turned into bytes.
    #[must_use]
    fn resolve(self, _rate: Option<Rate>, _base_rtt: Span) -> Self {
        self
    }
}

/// One line for each discipline, with its word: all that the rest of this crate knows of it.
macro_rules! disciplines {
    ($($(#[$doc:meta])+ $name:ident($settings:ty) = $word:literal;)+) => {
        /// Who goes next, and what is refused, dropped or marked before the queue is full.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub enum Discipline {
            /// First come, first served; what finds the queue full is dropped.
            #[default]
            DropTail,
            $($(#[$doc])+ $name($settings),)+
        }

        impl Discipline {
            /// All of them, with the settings that they have where nobody says others.
            pub const ALL: &[Self] = &[Self::DropTail, $(Self::$name(<$settings>::DEFAULT)),+];

            /// Its name in one word, as scenarios write it.
            pub const fn word(self) -> &'static str {
                match self {
                    Self::DropTail => "drop-tail",
                    $(Self::$name(_) => $word,)+
                }
            }

            /// Above what it marks, if marking is all that it does before it is full: to senders that understand no
            /// marks that is nothing.
            pub fn threshold(self) -> Option<Threshold> {
                match self {
                    Self::DropTail => None,
                    $(Self::$name(settings) => settings.threshold(),)+
                }
            }

            /// The threshold, where the queue's limit says whether anything is ever above it: not if it is a time and others
            /// go first, as a packet then waits longer than the queue is long.
            pub fn threshold_within_limit(self) -> Option<Threshold> {
                let overtakes = match self {
                    Self::DropTail => false,
                    $(Self::$name(_) => <$settings>::OVERTAKES,)+
                };
                self.threshold().filter(|one| !overtakes || !matches!(one.above, QueueLimit::Time(_)))
            }

            /// Whether it marks packets of senders that understand marks.
            pub fn marks(self) -> bool {
                let signals = match self {
                    Self::DropTail => false,
                    $(Self::$name(_) => <$settings>::SIGNALS,)+
                };
                signals || self.threshold().is_some()
            }

            /// Whether it draws random numbers.
            pub fn draws(self) -> bool {
                match self {
                    Self::DropTail => false,
                    $(Self::$name(settings) => settings.draws(),)+
                }
            }

            /// An empty queue under it; `None`: drop-tail, which needs none.
            pub(crate) fn queue(self) -> Option<Box<dyn ActiveQueue>> {
                match self {
                    Self::DropTail => None,
                    $(Self::$name(settings) => Some(settings.queue()),)+
                }
            }

            /// As [`Self::queue`], also of drop-tail.
            pub(crate) fn held(self) -> Box<dyn ActiveQueue> {
                self.queue().unwrap_or_else(|| Box::<tail::Tail>::default())
            }

            /// As [`QueueLimit::resolve`].
            #[must_use]
            pub(crate) fn resolve(self, rate: Option<Rate>, base_rtt: Span) -> Self {
                match self {
                    Self::DropTail => self,
                    $(Self::$name(settings) => Self::$name(settings.resolve(rate, base_rtt)),)+
                }
            }
        }

        $(impl Default for $settings {
            fn default() -> Self {
                Self::DEFAULT
            }
        })+
    };
}

disciplines! {
    /// First come, first served; drops, or marks, while packets wait too long.
    CoDel(CoDel) = "codel";
    /// A queue for each sender, served in turn, each under CoDel.
    FqCoDel(FqCoDel) = "fq-codel";
    /// First come, first served; marks while the queue is long.
    Threshold(Threshold) = "threshold";
    /// First come, first served; drops, or marks, by chance, the more the longer the mean queue is.
    Red(Red) = "red";
    /// First come, first served; drops, or marks, by chance, as a controller of the wait says.
    Pie(Pie) = "pie";
    /// A queue for L4S beside one for all others, coupled.
    DualPi2(DualPi2) = "dualpi2";
    /// First come, first served; what has waited longest is dropped for what finds the queue full.
    DropFront(DropFront) = "drop-front";
    /// Urgent packets go first.
    Priority(Priority) = "priority";
    /// A queue for each sender, served in turn by bytes.
    Drr(Drr) = "drr";
}

#[cfg(test)]
mod linux;
#[cfg(test)]
mod tests;
