// SPDX-License-Identifier: MIT OR Apache-2.0
//! Queue disciplines. A discipline decides which packet is sent next, and which packets are refused, dropped or marked
//! before the queue is full.
//!
//! Drop-tail needs no discipline, because the departure of each packet is known at its arrival (`passage`). Every other
//! discipline is an [`ActiveQueue`], in a file of its own together with its settings. The link calls the discipline
//! when a packet arrives and when the transmitter becomes free (`held`). The link itself enforces the limit of the
//! queue.
//!
//! A discipline does not schedule events. It updates its time-dependent values when the link calls it.
//!
//! `vectors/queues` contains the expected result of each call of each discipline. A script
//! (`tests/oracles/queues_by_the_book.py`) computes these results from the pseudo-code of the sources. The script is
//! not a translation of the Rust code. If Linux has the discipline, a list of differences
//! (`tests/oracles/queues_of_linux.py`) is added to the script. The trace of a real kernel must then match the script.

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

/// A waiting packet, and the time at which it was offered.
pub type Entry = (Time, Parcel);

/// Number and total size of the waiting packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Amount {
    /// Number of packets.
    pub packets: usize,
    /// Sum of the packet sizes, in bytes.
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

/// Clones a queue that is known only as [`ActiveQueue`].
pub trait CloneQueue {
    /// Returns a copy of the queue in the same state.
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

/// A queue that decides which packets it accepts, marks and drops, and which packet it sends next.
///
/// A queue must never idle. While packets wait, [`ActiveQueue::pop`] must either return a packet or drop all of them.
/// If a queue idles, a link with debug assertions panics.
pub trait ActiveQueue: CloneQueue + saved::Saved + fmt::Debug + Send {
    /// Adds a packet of a sender to the queue. The caller has checked that the queue has room.
    ///
    /// # Errors
    /// If the discipline refuses the packet, returns the reason.
    fn push(&mut self, parcel: Parcel, sender: u64, context: &mut QueueContext<'_>) -> Result<(), Lost>;
    /// Removes and returns the packet whose transmission begins now.
    fn pop(&mut self, context: &mut QueueContext<'_>) -> Option<Entry>;
    /// Returns the number and size of the waiting packets.
    fn amount(&self) -> Amount;
    /// Removes and returns all packets in order of arrival.
    fn drain(&mut self) -> Vec<Entry>;
    /// Whether a full queue may drop a waiting packet to make room for an arriving packet ([`ActiveQueue::make_room`]).
    fn makes_room(&self) -> bool {
        false
    }
    /// Removes and returns a waiting packet to make room for an arriving packet. If the result is `None`, the arriving
    /// packet is dropped.
    fn make_room(&mut self, _coming: Coming) -> Option<Parcel> {
        None
    }
    /// Whether the dropped packets are acknowledgements that a newer acknowledgement makes superfluous.
    fn thins(&self) -> bool {
        false
    }
}

/// A packet that arrives while the queue is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coming {
    /// Number of the sender, as in [`crate::Packets::sender`].
    pub sender: u64,
    /// Size of the packet on the wire, in bytes.
    pub size: u16,
    /// Whether the flow of the packet is urgent.
    pub urgent: bool,
    /// The fields of a pure acknowledgement, or `None` for any other packet.
    pub ack: Option<Ack>,
}

/// The context of a decision of an [`ActiveQueue`]. It provides the time, random numbers, and methods that mark or drop
/// packets.
pub struct QueueContext<'a> {
    pub(crate) now: Time,
    pub(crate) rate: Option<Rate>,
    pub(crate) packets: &'a mut dyn Packets,
    pub(crate) state: &'a mut DisciplineState,
}

/// The state of a link that a discipline needs in addition to its queue.
#[derive(Clone, Debug, saved::Plain)]
pub(crate) struct DisciplineState {
    /// Random stream of the discipline. Losses use a separate stream.
    pub(crate) random: Xoshiro256PlusPlus,
    /// Packets that were dropped but not yet reported to the engine.
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
    /// The link's rate, or `None` if transmission takes no time.
    pub const fn rate(&self) -> Option<Rate> {
        self.rate
    }
    /// The ECN codepoint of a packet.
    pub fn ecn(&self, parcel: Parcel) -> Ecn {
        self.packets.ecn(parcel.handle)
    }
    /// Whether the flow of a packet is urgent.
    pub fn is_urgent(&self, parcel: Parcel) -> bool {
        self.packets.is_urgent(parcel.handle)
    }
    /// Marks a packet. Returns false if the packet's sender is not ECN-capable. An already marked packet stays marked.
    // RFC 3168, section 5: CE may be set only in packets of an ECN-capable transport.
    pub fn mark(&mut self, parcel: Parcel) -> bool {
        let ecn = self.packets.ecn(parcel.handle);
        if ecn.is_capable() && ecn != Ecn::Ce {
            self.packets.mark(parcel.handle);
            self.state.marked += 1;
        }
        ecn.is_capable()
    }
    /// The fields of a pure acknowledgement, or `None` for any other packet.
    pub fn ack(&self, parcel: Parcel) -> Option<Ack> {
        self.packets.ack(parcel.handle)
    }
    /// Drops an acknowledgement that is replaced by a newer acknowledgement.
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
    /// The settings that apply if a scenario names the discipline without settings.
    const DEFAULT: Self;
    /// Whether the queue signals congestion before it is full. The queue then drops a packet if it cannot mark the
    /// packet.
    const SIGNALS: bool = true;
    /// Whether later packets may overtake earlier packets.
    const OVERTAKES: bool = false;
    /// The marking threshold, if marking is the only action of the queue before it is full.
    fn threshold(&self) -> Option<Threshold> {
        None
    }
    /// Whether the queue uses random numbers ([`QueueContext::random`]).
    fn draws(&self) -> bool;
    /// Creates an empty queue.
    fn queue(self) -> Box<dyn ActiveQueue>;
    /// Converts bandwidth-delay products in the settings to bytes.
    #[must_use]
    fn resolve(self, _rate: Option<Rate>, _base_rtt: Span) -> Self {
        self
    }
}

/// Each discipline needs one line in the call of this macro. The line contains its name in scenarios. The rest of this
/// crate uses disciplines only through these lines.
macro_rules! disciplines {
    ($($(#[$doc:meta])+ $name:ident($settings:ty) = $word:literal;)+) => {
        /// The discipline of a queue. It decides which packet is sent next, and which packets are refused, dropped or
        /// marked before the queue is full.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub enum Discipline {
            /// First in, first out. A packet that arrives while the queue is full is dropped.
            #[default]
            DropTail,
            $($(#[$doc])+ $name($settings),)+
        }

        impl Discipline {
            /// All disciplines with their default settings.
            pub const ALL: &[Self] = &[Self::DropTail, $(Self::$name(<$settings>::DEFAULT)),+];

            /// The name of the discipline in scenarios.
            pub const fn word(self) -> &'static str {
                match self {
                    Self::DropTail => "drop-tail",
                    $(Self::$name(_) => $word,)+
                }
            }

            /// The marking threshold, if marking is the only action of the queue before it is full. The threshold does
            /// not affect senders without ECN.
            pub fn threshold(self) -> Option<Threshold> {
                match self {
                    Self::DropTail => None,
                    $(Self::$name(settings) => settings.threshold(),)+
                }
            }

            /// The marking threshold, if the limit of the queue determines whether the threshold can be exceeded. The
            /// result is `None` if the threshold is a time and packets can overtake each other. In this case, a packet
            /// can wait longer than the whole queue takes to send.
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

            /// Creates an empty queue of this discipline. The result is `None` for drop-tail, which needs no queue
            /// object.
            pub(crate) fn queue(self) -> Option<Box<dyn ActiveQueue>> {
                match self {
                    Self::DropTail => None,
                    $(Self::$name(settings) => Some(settings.queue()),)+
                }
            }

            /// Like [`Self::queue`], but creates a queue object also for drop-tail.
            pub(crate) fn held(self) -> Box<dyn ActiveQueue> {
                self.queue().unwrap_or_else(|| Box::<tail::Tail>::default())
            }

            /// Converts bandwidth-delay products in the settings to bytes, like [`QueueLimit::resolve`].
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
    /// First in, first out. While packets wait too long, the queue drops or marks packets.
    CoDel(CoDel) = "codel";
    /// One queue per sender. The queues are served in turn, and each queue has its own CoDel state.
    FqCoDel(FqCoDel) = "fq-codel";
    /// First in, first out. While the queue is long, the queue marks packets.
    Threshold(Threshold) = "threshold";
    /// First in, first out. Packets are dropped or marked at random. The probability grows with the mean queue length.
    Red(Red) = "red";
    /// First in, first out. Packets are dropped or marked at random. A controller of the waiting time sets the
    /// probability.
    Pie(Pie) = "pie";
    /// A queue for L4S packets that is coupled with a queue for all other packets.
    DualPi2(DualPi2) = "dualpi2";
    /// First in, first out. If a packet arrives while the queue is full, the packet that has waited longest is dropped.
    DropFront(DropFront) = "drop-front";
    /// Urgent packets are sent first.
    Priority(Priority) = "priority";
    /// One queue per sender. The queues are served in turn, and each turn has a budget in bytes.
    Drr(Drr) = "drr";
}

#[cfg(test)]
mod linux;
#[cfg(test)]
mod tests;
