// SPDX-License-Identifier: MIT OR Apache-2.0
//! Queue disciplines: which packet goes next, and which packets are refused, dropped or marked before a queue is full.
//!
//! Drop-tail needs no discipline: its departures are known at arrival (`passage`). Every other discipline is an
//! [`ActiveQueue`] in a separate file with its settings. The link calls the discipline when a packet arrives and when
//! the transmitter is free (`held`). The link itself enforces the limit of the queue.
//!
//! A discipline makes no events. It updates values that change with time when it is called.
//!
//! `vectors/queues` holds the expected answers of each discipline, call by call. A script computes them from the
//! pseudo-code of the sources (`tests/oracles/queues_by_the_book.py`); it is not a translation of the Rust code. If
//! Linux has the discipline, the trace of a real kernel must follow from this script and a list of differences
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

/// A waiting packet, with the time at which it was offered.
pub type Entry = (Time, Parcel);

/// Amount of waiting packets.
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

/// Clones a queue behind its trait.
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
/// A queue never idles: while packets wait, [`ActiveQueue::pop`] returns a packet or drops all of them. If a queue
/// idles, a link with debug assertions panics.
pub trait ActiveQueue: CloneQueue + saved::Saved + fmt::Debug + Send {
    /// Takes in a packet of a sender. The caller has checked that there is room.
    ///
    /// # Errors
    /// If the discipline refuses the packet: the reason.
    fn push(&mut self, parcel: Parcel, sender: u64, context: &mut QueueContext<'_>) -> Result<(), Lost>;
    /// Takes out the packet whose transmission begins now.
    fn pop(&mut self, context: &mut QueueContext<'_>) -> Option<Entry>;
    /// The amount of waiting packets.
    fn amount(&self) -> Amount;
    /// Takes everything out, in order of arrival.
    fn drain(&mut self) -> Vec<Entry>;
    /// Whether a full queue may drop a waiting packet for an arriving one ([`ActiveQueue::make_room`]).
    fn makes_room(&self) -> bool {
        false
    }
    /// Takes out a waiting packet to make room for an arriving packet; `None`: the arriving packet is dropped.
    fn make_room(&mut self, _coming: Coming) -> Option<Parcel> {
        None
    }
    /// Whether dropped packets are acknowledgements that a newer acknowledgement makes superfluous.
    fn thins(&self) -> bool {
        false
    }
}

/// An arriving packet that finds the queue full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coming {
    /// Number of the sender, as in [`crate::Packets::sender`].
    pub sender: u64,
    /// Bytes on the wire.
    pub size: u16,
    /// Whether the flow of the packet is urgent.
    pub urgent: bool,
    /// The fields of a pure acknowledgement; `None`: another packet.
    pub ack: Option<Ack>,
}

/// What an [`ActiveQueue`] needs for a decision: the time, random numbers, and methods that mark or drop packets.
pub struct QueueContext<'a> {
    pub(crate) now: Time,
    pub(crate) rate: Option<Rate>,
    pub(crate) packets: &'a mut dyn Packets,
    pub(crate) state: &'a mut DisciplineState,
}

/// State of a link with a discipline, in addition to the queue.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct DisciplineState {
    /// Random stream of the discipline. Losses have another stream.
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
    /// The link's rate; `None`: the link transmits at once.
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
    /// Marks a packet. Returns false if its sender is not ECN-capable. A packet that is already marked stays marked.
    // RFC 3168, section 5: CE is set only in packets of an ECN-capable transport.
    pub fn mark(&mut self, parcel: Parcel) -> bool {
        let ecn = self.packets.ecn(parcel.handle);
        if ecn.is_capable() && ecn != Ecn::Ce {
            self.packets.mark(parcel.handle);
            self.state.marked += 1;
        }
        ecn.is_capable()
    }
    /// The fields of a packet, if it is a pure acknowledgement.
    pub fn ack(&self, parcel: Parcel) -> Option<Ack> {
        self.packets.ack(parcel.handle)
    }
    /// Drops an acknowledgement that a newer acknowledgement replaces.
    pub fn thin(&mut self, parcel: Parcel) {
        self.state.thinned += 1;
        self.drop(parcel);
    }
    /// Drops a waiting packet.
    pub fn drop(&mut self, parcel: Parcel) {
        self.state.dropped.push((parcel, Lost::Managed));
    }
    /// A random number, at least 0 and below 1, from the link's stream for disciplines.
    pub fn random(&mut self) -> f64 {
        self.state.random.fraction()
    }
}

/// Settings of a discipline.
trait Settings: Copy {
    /// The settings if a scenario has only the name of the discipline.
    const DEFAULT: Self;
    /// Whether the queue signals before it is full, with a drop for packets that it cannot mark.
    const SIGNALS: bool = true;
    /// Whether later packets can overtake earlier packets.
    const OVERTAKES: bool = false;
    /// The threshold, if the queue only marks before it is full.
    fn threshold(&self) -> Option<Threshold> {
        None
    }
    /// Whether the queue uses random numbers ([`QueueContext::random`]).
    fn draws(&self) -> bool;
    /// An empty queue.
    fn queue(self) -> Box<dyn ActiveQueue>;
    /// Converts bandwidth-delay products to bytes.
    #[must_use]
    fn resolve(self, _rate: Option<Rate>, _base_rtt: Span) -> Self {
        self
    }
}

/// One line for each discipline, with its word. The rest of this crate knows disciplines only by these lines.
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

            /// The word for the discipline in scenarios.
            pub const fn word(self) -> &'static str {
                match self {
                    Self::DropTail => "drop-tail",
                    $(Self::$name(_) => $word,)+
                }
            }

            /// The threshold, if the queue only marks before it is full. It has no effect on senders without ECN.
            pub fn threshold(self) -> Option<Threshold> {
                match self {
                    Self::DropTail => None,
                    $(Self::$name(settings) => settings.threshold(),)+
                }
            }

            /// The threshold, if the limit of the queue determines whether the threshold is ever exceeded. This is not
            /// the case if the threshold is a time and packets can overtake, because a packet may then wait longer than
            /// the queue is long.
            pub fn threshold_within_limit(self) -> Option<Threshold> {
                let overtakes = match self {
                    Self::DropTail => false,
                    $(Self::$name(_) => <$settings>::OVERTAKES,)+
                };
                self.threshold().filter(|one| !overtakes || !matches!(one.above, QueueLimit::Time(_)))
            }

            /// Whether the discipline marks packets of ECN-capable senders.
            pub fn marks(self) -> bool {
                let signals = match self {
                    Self::DropTail => false,
                    $(Self::$name(_) => <$settings>::SIGNALS,)+
                };
                signals || self.threshold().is_some()
            }

            /// Whether the discipline draws random numbers.
            pub fn draws(self) -> bool {
                match self {
                    Self::DropTail => false,
                    $(Self::$name(settings) => settings.draws(),)+
                }
            }

            /// An empty queue with this discipline; `None` for drop-tail, which needs no queue object.
            pub(crate) fn queue(self) -> Option<Box<dyn ActiveQueue>> {
                match self {
                    Self::DropTail => None,
                    $(Self::$name(settings) => Some(settings.queue()),)+
                }
            }

            /// Like [`Self::queue`], but also for drop-tail.
            pub(crate) fn held(self) -> Box<dyn ActiveQueue> {
                self.queue().unwrap_or_else(|| Box::<tail::Tail>::default())
            }

            /// Converts bandwidth-delay products to bytes, like [`QueueLimit::resolve`].
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
    /// First in, first out. Packets are dropped or marked while packets wait too long.
    CoDel(CoDel) = "codel";
    /// A queue for each sender. The queues are served in turn, and each queue has its own CoDel.
    FqCoDel(FqCoDel) = "fq-codel";
    /// First in, first out. Packets are marked while the queue is long.
    Threshold(Threshold) = "threshold";
    /// First in, first out. Packets are dropped or marked at random, with a probability that grows with the mean queue.
    Red(Red) = "red";
    /// First in, first out. Packets are dropped or marked at random, with a probability that a controller of the wait
    /// sets.
    Pie(Pie) = "pie";
    /// A queue for L4S, coupled with a queue for all other packets.
    DualPi2(DualPi2) = "dualpi2";
    /// First in, first out. If an arriving packet finds the queue full, the packet that has waited longest is dropped.
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
