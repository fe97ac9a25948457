// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a link is given, what becomes of it, and what is counted.

/// What the link has to know of a packet; the packet itself lives elsewhere under `handle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub struct Parcel {
    /// Where the packet lives.
    pub handle: u32,
    /// Bytes on the wire.
    pub size: u16,
    /// Site it travels to, and [`Parcel::LOW`].
    pub site: u16,
}

impl Parcel {
    /// Bit of [`Parcel::site`] that marks low priority.
    pub const LOW: u16 = 1 << 15;
    /// Bit that marks, on a link, what will not arrive whole.
    pub(crate) const LOST: u16 = 1 << 14;
    /// Bit that marks, on a link, what leaves while it carries nothing.
    pub(crate) const CUT: u16 = 1 << 13;
    /// So many sites can be told apart.
    pub const SITES: usize = 1 << 13;

    /// Number of the site.
    #[inline]
    pub fn site(self) -> usize {
        usize::from(self.site & !(Self::LOW | Self::LOST | Self::CUT))
    }
    /// Whether it gives way to others.
    #[inline]
    pub const fn is_low(self) -> bool {
        self.site & Self::LOW != 0
    }
    /// As it travels once it is known what becomes of it.
    pub(crate) const fn with_fate(self, broken: bool, cut: bool) -> Self {
        let mut site = self.plain().site;
        if cut {
            site |= Self::CUT;
        }
        if broken {
            site |= Self::LOST;
        }
        Self { site, ..self }
    }
    /// As it was when it was offered.
    pub(crate) const fn plain(self) -> Self {
        Self { site: self.site & !(Self::LOST | Self::CUT), ..self }
    }
}

/// What a packet says about congestion (RFC 3168, section 5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub enum Ecn {
    /// Its sender cannot be told by a mark: it is dropped instead.
    #[default]
    NotEct,
    /// It may be marked.
    Ect0,
    /// It may be marked; of L4S (RFC 9331) the sign of a sender that answers marks by their share.
    Ect1,
    /// It met congestion on its way.
    Ce,
}

impl Ecn {
    /// Whether a queue may mark it, or has: whether a mark does what a drop does.
    pub const fn is_capable(self) -> bool {
        !matches!(self, Self::NotEct)
    }
}

/// Why a packet does not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Lost {
    /// It found the queue full, or gave way to another in a full one.
    Full,
    /// The queue's discipline did not take it, though there was room.
    Refused,
    /// The queue's discipline dropped it, though there was room.
    Managed,
    /// It was out of the profile of the policer.
    Policed,
    /// It arrives broken, or a list takes it.
    Error,
    /// It came while a list takes everything.
    Listed,
    /// It left while the link carried nothing: another one had just been switched to.
    Switched,
    /// It waited for the link, or was on it, when the link went away.
    Gone,
}

/// A packet at the far end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The packet.
    pub parcel: Parcel,
    /// It did not arrive whole, and must be dropped.
    pub lost: Option<Lost>,
}

/// Counts since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets taken in; one that is held counts when its transmission begins.
    pub accepted: u64,
    /// Bytes taken in.
    pub accepted_bytes: u64,
    /// Packets that arrived whole.
    pub delivered: u64,
    /// Packets that found the queue full, and those that it dropped: low-priority ones pushed out, drops of CoDel, and
    /// what its discipline refused.
    pub dropped_queue: u64,
    /// Of these, packets that the discipline refused when they came, though there was room.
    pub refused: u64,
    /// Of these, acknowledgements that went for a newer one.
    pub thinned: u64,
    /// Packets marked instead of dropped.
    pub marked: u64,
    /// Packets that the policer dropped before the queue.
    pub policed: u64,
    /// Packets whose ECN field was cleared before the queue, lost ones included.
    pub bleached: u64,
    /// Packets that arrived broken, and those that a list takes.
    pub dropped_error: u64,
    /// Packets lost because the link went away, or carried nothing for a while, as its course or a list says.
    pub dropped_outage: u64,
    /// Accepted packets that were taken back while they waited, because the link went away.
    pub recalled: u64,
    /// Time that accepted packets had to wait, summed, as it was decided when they were accepted (of held
    /// packets: when their transmission begins).
    pub wait_ns: u64,
    /// The part of it that does not count: packets were sent earlier than it was decided, or recalled, of which all of the wait
    /// is taken off.
    pub unwaited_ns: u64,
}
