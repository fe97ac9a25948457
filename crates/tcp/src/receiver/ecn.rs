// SPDX-License-Identifier: MIT OR Apache-2.0
//! Explicit congestion notification on the receiving half: when acknowledgements carry ECE.
//!
//! - Classic (RFC 3168, section 6.1.3): from a mark until CWR arrives, all acknowledgements carry ECE.
//! - DCTCP (RFC 8257, section 3.2): each acknowledgement reports whether its data were marked. If the next data differ
//!   from the earlier data in this respect, the earlier data are acknowledged first.
//! - AccECN (RFC 9768): each acknowledgement contains a count ([`accurate`](crate::accurate)).
//!
//! The first mark and CWR are answered immediately, as in Linux, because the sender's window may be small
//! (`__tcp_ecn_check_ce()`, `tcp_ecn_accept_cwr()`). With Linux's delayed ACKs, the ACK after the first mark is also
//! immediate. If a segment that is not ECN-capable arrives after ECN-capable segments, it is probably a retransmission.
//! Two quick ACKs then follow.

use super::Receiver;
use crate::accurate::Counter;
use crate::segment::expand;
use crate::{Config, DelayedAck, Ecn, Flags, Segment, SegmentKind};
use units::Time;

/// The ECN state of the receiver.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(super) struct EcnReceiver {
    kind: Option<Ecn>,
    /// Whether acknowledgements carry ECE. Classic: true from a mark until CWR arrives. DCTCP: this is DCTCP.CE of RFC
    /// 8257.
    echo: bool,
    /// A pending acknowledgement of the data that arrived before the state changed. The fields are the next expected
    /// segment, the timestamp and the flags.
    before: Option<(u64, Time, Flags)>,
    /// Whether ECN-capable segments have arrived (`TCP_ECN_SEEN`).
    seen: bool,
    /// With Linux's delayed ACKs, whether two quick ACKs begin with this segment.
    pub(super) hurry: bool,
    /// The counts of AccECN.
    counter: Counter,
    /// The flags of an acknowledgement without the flags of AccECN.
    bits: Flags,
}

impl EcnReceiver {
    pub(super) fn new(config: &Config) -> Self {
        let bits = config.ecn.map_or(Flags::NONE, Ecn::control);
        let counter = Counter::new();
        Self { kind: config.ecn, echo: false, before: None, seen: false, hurry: false, counter, bits }
    }

    #[inline]
    pub(super) fn kind(&self) -> Option<Ecn> {
        self.kind
    }

    /// Returns the flags of an acknowledgement that is sent now. With DCTCP, acknowledgements are ECN-capable, as in
    /// Linux (`tcp_ecn_send()`). In all other cases, they are not (RFC 3168, section 6.1.4).
    #[inline]
    pub(super) fn now(&mut self) -> Flags {
        if self.kind.is_some_and(Ecn::is_accurate) { self.counter.report() } else { self.bits }
    }

    /// Returns the option of AccECN.
    pub(super) fn option(&self) -> Option<[u32; 2]> {
        self.kind.is_some_and(Ecn::is_accurate).then(|| self.counter.option())
    }

    fn set_echo(&mut self, echo: bool) {
        self.echo = echo;
        self.bits = self.bits.without(Flags::ECE) | Flags::when(echo, Flags::ECE);
    }
}

impl Receiver {
    /// Processes the ECN field of a data segment, before the segment is counted.
    pub(super) fn look_for_marks(&mut self, segment: &Segment) {
        let marked = segment.flags.has(Flags::CE);
        self.stats.marked += u64::from(marked);
        let capable = segment.flags.is_markable();
        self.ecn.hurry = self.ecn.seen && !capable;
        self.ecn.seen |= capable;
        match self.ecn.kind {
            Some(Ecn::Dctcp | Ecn::L4s) => {
                // A segment that is not ECN-capable contains no information about marks (Linux, __tcp_ecn_check_ce).
                if !capable || marked == self.ecn.echo {
                    return;
                }
                if self.pending > 0 {
                    self.ecn.before = Some((self.next, self.echo, self.ecn.bits));
                    self.last_ack = self.next;
                }
                self.ecn.set_echo(marked);
                self.ack_now = true;
            }
            Some(Ecn::Classic) => {
                if segment.flags.has(Flags::CWR) {
                    self.ecn.set_echo(false);
                    self.ack_now = true;
                }
                if marked && !self.ecn.echo {
                    self.ecn.set_echo(true);
                    if self.delayed == Some(DelayedAck::Linux) {
                        self.ecn.hurry = true;
                    } else {
                        self.ack_now = true;
                    }
                }
            }
            // Section 1.3: only "acceptable" packets count (RFC 9293, section 3.10.7.4). Repeated data do not count.
            Some(Ecn::Accurate | Ecn::AccurateL4s) if expand(segment.seq, self.next) >= self.next => {
                self.ack_now |= self.ecn.counter.count(segment.flags, segment.len);
            }
            Some(Ecn::Accurate | Ecn::AccurateL4s) | None => {}
        }
    }

    /// Returns the acknowledgement of the data that arrived before the state changed, if it is still pending.
    pub(super) fn acknowledge_before(&mut self) -> Option<Segment> {
        let (next, echo, flags) = self.ecn.before.take()?;
        self.stats.acks += 1;
        Some(Segment {
            timestamp: echo,
            seq: next as u32,
            window: self.window,
            len: self.one_way_delay_ns,
            kind: SegmentKind::Ack,
            flags,
            ..Segment::default()
        })
    }
}
