// SPDX-License-Identifier: MIT OR Apache-2.0
//! Explicit congestion notification on the sending half (RFC 3168, section 6.1). Some parts follow RFC 8257, as stated
//! there.
//!
//! New data are sent as ECN-capable. An acknowledgement that reports marks is a congestion event, at most once per
//! window of data. The controller then reduces the window. With PRR, the window falls over the round trip. Without PRR,
//! it falls immediately. The window does not grow until the data that were outstanding at the event, and at least one
//! more segment, are acknowledged. The next new segment carries CWR, as after any other reduction (Linux,
//! `tcp_init_cwnd_reduction()`, `tcp_enter_loss()`). A reduction for a mark is never undone.
//!
//! According to RFC 3168, section 6.1.2, a sender with a window of one segment waits for its timer when it receives
//! ECE. This rule is not implemented. A reduction never leaves less than two segments (RFC 5681, equation 4). After a
//! lost SYN or a timeout, a window of one segment stays one segment.

use super::{Mode, Sender};
use crate::accurate::{self, Decoder, Marks};
use crate::event::Event;
use crate::recovery::{Release, prr::Prr, undo::Undo};
use crate::scoreboard::Record;
use crate::{Config, Ecn, Flags, Segment};
use control::{Controller, Loss, LossTrigger, LossVerdict, LostPacket, PacketKind, Signals};
use units::{Bytes, Time};

/// The flags of a SYN (RFC 3168, section 6.1.1). ECE together with CWR requests ECN.
pub const fn syn_flags(ecn: Option<Ecn>) -> Flags {
    match ecn {
        None => Flags::NONE,
        Some(Ecn::Classic) => Flags::ECE.and(Flags::CWR),
        // In Linux, the SYN of DCTCP and its answer are ECN-capable (INET_ECN_xmit).
        Some(ecn @ (Ecn::Dctcp | Ecn::L4s)) => Flags::ECE.and(Flags::CWR).and(ecn.control()),
        Some(Ecn::Accurate | Ecn::AccurateL4s) => accurate::SYN,
    }
}

/// The flags of a SYN-ACK. If both ends request ECN, ECE alone accepts it. With AccECN, the flags also report the
/// codepoint of the SYN. Without a handshake, ECN counts as agreed.
pub const fn syn_ack_flags(ecn: Option<Ecn>, syn: Flags) -> Flags {
    match ecn {
        Some(ecn) if ecn.is_accurate() && syn.has(accurate::SYN) => accurate::handshake(syn),
        Some(ecn) if syn.has(Flags::ECE.and(Flags::CWR)) => Flags::ECE.and(ecn.control()),
        _ => Flags::NONE,
    }
}

/// The flags of the ACK that ends a handshake (RFC 9768, table 3). With AccECN, the SYN-ACK that it answers arrived as
/// Not-ECT.
pub const fn handshake_ack_flags(ecn: Option<Ecn>) -> Flags {
    match ecn {
        Some(ecn) if ecn.is_accurate() => accurate::handshake(Flags::NONE),
        _ => Flags::NONE,
    }
}

/// The ECN state of the sender.
#[derive(Clone, Debug, saved::Plain)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about one connection, each named")]
pub(super) struct EcnSender {
    /// Flags that every new segment carries.
    data: Flags,
    /// Flags that every retransmission carries.
    repeated: Flags,
    /// Whether a reduction of the window is reported to the receiver by CWR. With AccECN, it is not (RFC 9768, section
    /// 3.1.5).
    tells: bool,
    /// Whether the next new segment must carry CWR, because the window was reduced.
    cwr_due: bool,
    /// Whether the controller either ignores marks or decides itself when to answer them.
    pub(super) unanswered: bool,
    /// Whether the controller decides itself how often it answers marks.
    answers_each: bool,
    /// Whether the reduction for a mark can be very small. A later loss then begins a separate episode.
    pub(super) proportional: bool,
    /// The counts of AccECN.
    accurate: Option<Box<Decoder>>,
}

impl EcnSender {
    /// Creates the ECN state of a connection with this controller.
    pub(super) fn new(config: &Config, controller: &dyn Controller) -> Self {
        let (needs_each, answers_each) =
            (controller.requires().contains(Signals::ECN), controller.answers_each_mark());
        let ecn = config.ecn;
        let counted = ecn.is_some_and(Ecn::is_accurate);
        Self {
            data: ecn.map_or(Flags::NONE, Ecn::codepoint),
            repeated: ecn.map_or(Flags::NONE, Ecn::repeated),
            tells: ecn.is_some() && !counted,
            cwr_due: false,
            unanswered: answers_each,
            answers_each,
            // In Linux, only the modules of DCTCP and Prague answer a loss after a mark with a second reduction.
            proportional: ecn.is_some_and(Ecn::tells_each) && (needs_each || !counted),
            accurate: counted.then(|| Box::new(Decoder::new(config.mss))),
        }
    }

    /// The marks that an acknowledgement reports. This acknowledgement newly covers `packets` packets and `bytes`
    /// bytes.
    #[inline]
    pub(super) fn marks(&mut self, ack: &Segment, packets: u64, bytes: u64) -> Marks {
        match &mut self.accurate {
            None if ack.flags.has(Flags::ECE) => Marks { packets: packets.max(1), bytes },
            None => Marks::default(),
            Some(decoder) => decoder.hear(ack, packets),
        }
    }

    /// Returns the flags of a segment that is sent now.
    #[inline]
    pub(super) fn stamp(&mut self, is_new: bool) -> Flags {
        if !is_new {
            return self.repeated;
        }
        // RFC 3168, section 6.1.2: the first new data segment after the reduction carries CWR.
        self.data | Flags::when(std::mem::take(&mut self.cwr_due), Flags::CWR)
    }

    /// Records that the window was reduced, for any reason.
    pub(super) fn reduced(&mut self) {
        self.cwr_due = self.tells;
    }
}

impl Sender {
    /// Processes an acknowledgement that reports marks. `newest` is the most recently sent segment among those that it
    /// covers.
    #[cold]
    pub(super) fn hear_marks(&mut self, now: Time, newest: Option<&Record>, in_flight_before: u64) {
        self.log.stats.ece_acks += 1;
        // Linux, tcp_fastretrans_alert: a reduction that a mark also required is not undone.
        self.recovery.undo = Undo::default();
        if self.recovery.mode != Mode::Open {
            // The reduction that is in progress already answers the marks and losses of these data.
            return;
        }
        let packet = LostPacket {
            tx: newest.map_or(self.sent.next_tx, |record| record.tx),
            kind: PacketKind::Data,
            sent_at: newest.map_or(now, |record| record.sent_at),
            ..LostPacket::default()
        };
        let flight = self.flight_size().max(in_flight_before);
        if self.cc.validation.is_some() && !self.ecn.answers_each {
            self.doubt_window(now, flight);
        }
        let before = self.cc.control.cwnd;
        let event = Loss {
            now,
            trigger: LossTrigger::Ecn,
            lost: Bytes::ZERO,
            new_episode: true,
            episode: self.recovery.episode + 1,
            in_flight_before: self.bytes_of(flight),
            ranges: 0,
            packets: &[packet],
        };
        let verdict = self.tell(now, |controller, control| controller.on_loss(&event, control));
        self.ecn.reduced();
        if verdict == LossVerdict::LinkError {
            self.ecn.unanswered = true;
            return;
        }
        if self.cc.validation.is_some() && !self.ecn.answers_each {
            self.respond_unvalidated(now);
        }
        if self.cc.control.cwnd < before {
            self.log.stats.ecn_cuts += 1;
            self.log.events.push(Event::Marked);
        }
        self.log.note_cut(event.episode, before, self.cc.control.cwnd, self.config.mss);
        if self.ecn.answers_each {
            return;
        }
        self.recovery.episode += 1;
        self.recovery.reduce(Mode::Reduction, self.board.next(), self.sent.next_tx);
        self.detection.tail.settle();
        if self.config.uses_prr() && self.selective() && !self.cc.control.owns_recovery {
            let prr = Prr::new(self.board.outstanding(), self.board.sacked_out(), self.last_ack.newly);
            self.recovery.release = Some(Release::Prr(prr));
        }
    }

    /// Ends a reduction, because data beyond those that were outstanding at the mark are acknowledged. Until then, the
    /// window does not grow, because CWR cannot have reached the receiver (Linux, `tcp_fastretrans_alert()`).
    pub(super) fn leave_reduction(&mut self, now: Time) {
        self.recovery.mode = Mode::Open;
        self.recovery.release.take_if(|release| matches!(release, Release::Prr(_)));
        self.recovery.deflate();
        self.tell(now, |controller, control| controller.on_recovery_exit(now, control));
        if self.cc.validation.is_some() {
            self.end_response(now, true);
        }
    }

    /// Begins the repair of data that were lost together with marked data. One reduction answers both. With DCTCP, the
    /// reduction for a mark may be very small, so a loss begins a separate episode instead.
    pub(super) fn repair_after_mark(&mut self, now: Time) {
        self.recovery.begin(now, self.timer.rtt.srtt());
        self.detection.tail.reset();
        if self.selective() {
            self.recovery.forced = self.board.next_repair().map(super::Forced::Repair);
        }
    }
}
