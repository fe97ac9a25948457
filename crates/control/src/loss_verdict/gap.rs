// SPDX-License-Identifier: MIT OR Apache-2.0
//! Classifies losses by spacing (Vegas-W, section IV.C): compares the sending times and the ACK times of the two
//! packets before the hole.
//!
//! ```text
//! congestion iff  sent(s-1) - sent(s-2) < acked(s-1) - acked(s-2)      s: the lost packet
//! ```
//!
//! Both packets must have arrived "normally": each packet was sent once and acknowledged by a separate ACK. Otherwise,
//! the verdict is congestion.
//!
//! The paper judges at a duplicate ACK ("when sending end receives a duplicated ACK"). This code judges when the loss
//! is declared. Both packets are acknowledged before the first duplicate ACK, so both methods give the same verdict.
//! There are two differences: in this code, the window falls two duplicate ACKs later, and a packet that is only
//! reordered is never judged.
//!
//! The test is weak. If the queue neither grows nor shrinks, both gaps are equal. The ACK clock of a steady flow also
//! makes the gaps equal. If such a flow loses packets because a queue is full, the verdict is therefore "link error".
//! Conversely, if cross traffic arrives between the two packets, a link error can get the verdict "congestion".

use super::Verdicts;
use crate::{Ack, Loss, LossVerdict, PacketKind, Signals, Snapshot};
use units::{Span, Time};

/// Two gaps count as equal if they differ by less than this time.
const TOLERANCE: Span = Span::from_micros(1);
/// Number of packets that are stored. If a loss is detected late, the packets before the reordering window are still
/// stored.
const KEPT: usize = 512;

/// An acknowledged packet.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct Packet {
    tx: u64,
    sent_at: Time,
    acked_at: Time,
    /// Number of the ACK, counted from 1. It is 0 in an entry that was never filled.
    ack: u64,
}

/// Stores when packets were sent and acknowledged, and judges losses.
#[derive(Clone, Debug, saved::Plain)]
pub struct Gap {
    /// Indexed by transmission number modulo [`KEPT`].
    ring: [Packet; KEPT],
    acks: u64,
    verdicts: Verdicts,
}

impl Gap {
    /// The part before the first ACK.
    pub fn new() -> Self {
        Self { ring: [Packet::default(); KEPT], acks: 0, verdicts: Verdicts::NONE }
    }

    /// The part requires per-packet ACKs.
    pub const fn requires(&self) -> Signals {
        Signals::PER_PACKET
    }

    /// Stores the packets of an ACK.
    pub fn on_ack(&mut self, ack: &Ack<'_>) {
        self.acks += 1;
        for packet in ack.packets.iter().filter(|packet| packet.kind == PacketKind::Data) {
            self.ring[place(packet.tx)] =
                Packet { tx: packet.tx, sent_at: packet.sent_at, acked_at: ack.now, ack: self.acks };
        }
    }

    /// The packet with transmission number `tx` - `back`, if it arrived normally and is stored.
    fn before(&self, tx: u64, back: u64) -> Option<Packet> {
        let wanted = tx.checked_sub(back)?;
        let packet = self.ring[place(wanted)];
        (packet.tx == wanted && packet.ack > 0).then_some(packet)
    }

    /// Judges the first loss of a possible episode.
    pub fn judge(&mut self, loss: &Loss<'_>) -> LossVerdict {
        // The packets that were sent before and after a retransmission are not its neighbours in the sequence of data.
        let lost = loss.packets.first().filter(|packet| packet.kind == PacketKind::Data);
        let pair = lost.and_then(|lost| self.before(lost.tx, 2).zip(self.before(lost.tx, 1)));
        let verdict = match pair {
            Some((first, second)) if first.ack != second.ack => {
                let sent = second.sent_at.since(first.sent_at);
                let acked = second.acked_at.since(first.acked_at);
                if sent + TOLERANCE < acked { LossVerdict::Congestion } else { LossVerdict::LinkError }
            }
            _ => LossVerdict::Congestion,
        };
        self.verdicts.count(verdict)
    }

    /// Values for traces.
    pub fn snapshot(&self, out: &mut Snapshot) {
        self.verdicts.snapshot(out);
    }
}

impl Default for Gap {
    fn default() -> Self {
        Self::new()
    }
}

const fn place(tx: u64) -> usize {
    (tx % KEPT as u64) as usize
}
