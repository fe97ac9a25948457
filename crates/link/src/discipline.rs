// SPDX-License-Identifier: MIT OR Apache-2.0
//! Disciplines: which packet goes next, and which packets are refused, dropped or marked before a queue is full.
//!
//! Drop-tail needs no discipline: its departures are known at arrival (`passage`). Every other discipline is an
//! [`ActiveQueue`] in a file of its own, with its settings; the link calls it when a packet arrives and when the
//! transmitter is free (`held`), and enforces the limit of the queue itself.
//!
//! A discipline may refuse, mark or drop. It makes no events: values that change with time are updated when the
//! discipline is called.
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

/// Amount that waits.
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

/// A queue that decides which packets it takes, marks, drops, and sends next.
///
/// It never idles: while anything waits, [`ActiveQueue::pop`] returns a packet or drops all of them. With debug
/// assertions a link panics otherwise.
pub trait ActiveQueue: CloneQueue + saved::Saved + fmt::Debug + Send {
    /// Takes a packet of a sender in; there is room for it.
    ///
    /// # Errors
    /// If it refuses the packet: the reason.
    fn push(&mut self, parcel: Parcel, sender: u64, context: &mut QueueContext<'_>) -> Result<(), Lost>;
    /// The packet whose transmission begins now.
    fn pop(&mut self, context: &mut QueueContext<'_>) -> Option<Entry>;
    /// The amount that waits.
    fn amount(&self) -> Amount;
    /// Takes everything out, in order of arrival.
    fn drain(&mut self) -> Vec<Entry>;
    /// Whether a full queue may drop a waiting packet for an arriving one ([`ActiveQueue::make_room`]).
    fn makes_room(&self) -> bool {
        false
    }
    /// Takes a packet out to make room for an arriving one; `None`: the arriving one is dropped.
    fn make_room(&mut self, _coming: Coming) -> Option<Parcel> {
        None
    }
    /// Whether the dropped packet is an acknowledgement that a newer acknowledgement makes redundant.
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
    /// Whether its flow is urgent.
    pub urgent: bool,
    /// Its content, if it is a pure acknowledgement.
    pub ack: Option<Ack>,
}

/// The context of an [`ActiveQueue`]'s decisions: the time, random numbers, and effects on packets.
pub struct QueueContext<'a> {
    pub(crate) now: Time,
    pub(crate) rate: Option<Rate>,
    pub(crate) packets: &'a mut dyn Packets,
    pub(crate) state: &'a mut DisciplineState,
}

/// The state of a link with a discipline beside its queue.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct DisciplineState {
    /// For the discipline alone: losses have another stream.
    pub(crate) random: Xoshiro256PlusPlus,
    /// Dropped packets, not yet reported.
    pub(crate) dropped: Vec<(Parcel, Lost)>,
    pub(crate) marked: u64,
    pub(crate) refused: u64,
    pub(crate) thinned: u64,
}

impl fmt::Debug for QueueContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueueContext")
            .field("now", &self.now)
            .field("rate", &self.rate)
            .finish_non_exhaustive()
    }
}

impl QueueContext<'_> {
    /// The time of the decision.
    pub const fn now(&self) -> Time {
        self.now
    }
    /// The link's rate; `None`: it transmits at once.
    pub const fn rate(&self) -> Option<Rate> {
        self.rate
    }
    /// The codepoint that a packet carries.
    pub fn ecn(&self, parcel: Parcel) -> Ecn {
        self.packets.ecn(parcel.handle)
    }
    /// Whether a packet's flow is urgent.
    pub fn is_urgent(&self, parcel: Parcel) -> bool {
        self.packets.is_urgent(parcel.handle)
    }
    /// Marks a packet instead of dropping it; false if its sender is not ECN-capable. A marked packet stays as it is.
    // RFC 3168, section 5: CE is set in packets of an ECN-capable transport only.
    pub fn mark(&mut self, parcel: Parcel) -> bool {
        let ecn = self.packets.ecn(parcel.handle);
        if ecn.is_capable() && ecn != Ecn::Ce {
            self.packets.mark(parcel.handle);
            self.state.marked += 1;
        }
        ecn.is_capable()
    }
    /// The content of a packet, if it is a pure acknowledgement.
    pub fn ack(&self, parcel: Parcel) -> Option<Ack> {
        self.packets.ack(parcel.handle)
    }
    /// Drops an acknowledgement that a newer one replaces.
    pub fn thin(&mut self, parcel: Parcel) {
        self.state.thinned += 1;
        self.drop(parcel);
    }
    /// Drops a waiting packet.
    pub fn drop(&mut self, parcel: Parcel) {
        self.state.dropped.push((parcel, Lost::Managed));
    }
    /// A number from 0 to below 1, from the link's own stream.
    pub fn random(&mut self) -> f64 {
        self.state.random.fraction()
    }
}

/// Settings of a discipline.
trait Settings: Copy {
    /// The settings of a scenario with only the discipline's name.
    const DEFAULT: Self;
    /// Whether it signals before it is full, by a drop if it cannot mark.
    const SIGNALS: bool = true;
    /// Whether later packets can go first.
    const OVERTAKES: bool = false;
    /// Its threshold, if marking is all that it does before it is full.
    fn threshold(&self) -> Option<Threshold> {
        None
    }
    /// Whether its queue uses random numbers ([`QueueContext::random`]).
    fn draws(&self) -> bool;
    /// An empty queue.
    fn queue(self) -> Box<dyn ActiveQueue>;
    /// Converts bandwidth-delay products into bytes.
    #[must_use]
    fn resolve(self, _rate: Option<Rate>, _base_rtt: Span) -> Self {
        self
    }
}

/// One line for each discipline, with its word: everything that the rest of this crate knows of it.
macro_rules! disciplines {
    ($($(#[$doc:meta])+ $name:ident($settings:ty) = $word:literal;)+) => {
        /// Which packet goes next, and which packets are refused, dropped or marked before the queue is full.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub enum Discipline {
            /// First in, first out; a packet that finds the queue full is dropped.
            #[default]
            DropTail,
            $($(#[$doc])+ $name($settings),)+
        }

        impl Discipline {
            /// All disciplines, with their default settings.
            pub const ALL: &[Self] = &[Self::DropTail, $(Self::$name(<$settings>::DEFAULT)),+];

            /// Its name in one word, as scenarios write it.
            pub const fn word(self) -> &'static str {
                match self {
                    Self::DropTail => "drop-tail",
                    $(Self::$name(_) => $word,)+
                }
            }

            /// Its threshold, if marking is all that it does before it is full: for senders without ECN it has no
            /// effect.
            pub fn threshold(self) -> Option<Threshold> {
                match self {
                    Self::DropTail => None,
                    $(Self::$name(settings) => settings.threshold(),)+
                }
            }

            /// The threshold, if the queue's limit determines whether it is ever exceeded: not if it is a time and
            /// other packets go first, because a packet then waits longer than the queue is long.
            pub fn threshold_within_limit(self) -> Option<Threshold> {
                let overtakes = match self {
                    Self::DropTail => false,
                    $(Self::$name(_) => <$settings>::OVERTAKES,)+
                };
                self.threshold().filter(|one| !overtakes || !matches!(one.above, QueueLimit::Time(_)))
            }

            /// Whether it marks packets of ECN-capable senders.
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

            /// An empty queue of it; `None`: drop-tail, which needs none.
            pub(crate) fn queue(self) -> Option<Box<dyn ActiveQueue>> {
                match self {
                    Self::DropTail => None,
                    $(Self::$name(settings) => Some(settings.queue()),)+
                }
            }

            /// As [`Self::queue`], also for drop-tail.
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
    /// First in, first out; drops, or marks, while packets wait too long.
    CoDel(CoDel) = "codel";
    /// A queue for each sender, served in turn, each under CoDel.
    FqCoDel(FqCoDel) = "fq-codel";
    /// First in, first out; marks while the queue is long.
    Threshold(Threshold) = "threshold";
    /// First in, first out; drops, or marks, at random, the more the longer the mean queue is.
    Red(Red) = "red";
    /// First in, first out; drops, or marks, at random, with a probability that a controller of the wait sets.
    Pie(Pie) = "pie";
    /// A queue for L4S beside one for all others, coupled.
    DualPi2(DualPi2) = "dualpi2";
    /// First in, first out; the packet that has waited longest is dropped for one that finds the queue full.
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
