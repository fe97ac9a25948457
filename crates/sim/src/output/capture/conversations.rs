// SPDX-License-Identifier: MIT OR Apache-2.0
//! The headers of an application's connections. Each connection has its own ports, and carries data in both directions.
//!
//! The simulation treats a connection as two separate halves, each with its data and its acknowledgements. On a real
//! network, the halves are one connection: each segment carries the sequence number of its sender's data, and the
//! acknowledgement number for the data of the other side.

use super::headers::{DISCARD, DYNAMIC, HeaderState};
use super::ip::Ip;
use etherparse::TcpHeader;
use std::collections::BTreeMap;
use tcp::{Config, Segment, SegmentKind};
use units::Time;

/// Number of dynamic ports, which are not assigned (RFC 6335, section 6).
const PORTS: u32 = 1 << 14;
/// Each reuse of a port adds this amount to the initial sequence numbers. Then a SYN of a later connection differs from
/// the SYN of an earlier one.
const APART: u32 = 1 << 26;

/// Returns the port at the users' end of a connection.
pub(super) const fn user_port(connection: u32) -> u16 {
    DYNAMIC + (connection % PORTS) as u16
}

/// One end of a connection.
#[derive(Clone, Debug)]
struct End {
    /// The data of this end, and their acknowledgements.
    talk: HeaderState,
    /// The acknowledged data, and the announced window. The window of a SYN is not scaled.
    acknowledged: u32,
    window: u16,
    syn_window: u16,
}

/// The connections of an application, by number. Each has the servers' end and the users' end.
#[derive(Clone, Debug)]
pub(super) struct Conversations {
    /// Settings of the servers' end and of the users' end.
    settings: [Config; 2],
    ip: Ip,
    /// Initial sequence number at the first use of a port.
    initial: u32,
    ends: BTreeMap<u32, [End; 2]>,
}

impl Conversations {
    pub(super) const fn new(settings: [Config; 2], ip: Ip, initial: u32) -> Self {
        Self { settings, ip, initial, ends: BTreeMap::new() }
    }

    fn connection(&mut self, number: u32) -> &mut [End; 2] {
        let Self { settings, ip, initial, ends } = self;
        ends.entry(number).or_insert_with(|| {
            let initial = initial.wrapping_add((number / PORTS).wrapping_mul(APART));
            [0, 1].map(|end| {
                let (own, other) = (&settings[end], &settings[1 - end]);
                let talk = HeaderState::new([own, other], *ip).beginning_at(initial);
                let talk = talk.permitting(HeaderState::is_selective(other));
                let window_of = Config { mss: own.mss.min(other.mss), ..own.clone() };
                let (window, syn_window) = (talk.first_window(&window_of), talk.syn_window(&window_of));
                // A SYN uses one sequence number.
                End { talk, acknowledged: initial.wrapping_add(1), window, syn_window }
            })
        })
    }

    /// Returns the header of a segment that the end `from` sends now.
    pub(super) fn header(&mut self, now: Time, number: u32, from: usize, segment: &Segment) -> TcpHeader {
        let back = HeaderState::answers(segment);
        let ends = self.connection(number);
        // An acknowledgement belongs to the data of the other end.
        let half = if back { 1 - from } else { from };
        let mut header = ends[half].talk.header(now, segment, number);
        let user = user_port(number);
        (header.source_port, header.destination_port) =
            if from == 0 { (DISCARD, user) } else { (user, DISCARD) };
        let end = &mut ends[from];
        if back {
            header.sequence_number = if header.syn { end.talk.initial() } else { end.talk.next() };
            end.acknowledged = header.acknowledgment_number;
            if !header.syn {
                end.window = header.window_size;
            }
        } else if segment.kind == SegmentKind::Syn {
            header.window_size = end.syn_window;
        } else {
            (header.acknowledgment_number, header.window_size) = (end.acknowledged, end.window);
        }
        header
    }

    /// Records that a packet with this TSval arrived at the end `to`.
    pub(super) fn hear(&mut self, number: u32, to: usize, stamp: u32) {
        self.connection(number)[to].talk.hear(stamp);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(kind: SegmentKind, seq: u32, len: u32) -> Segment {
        Segment { kind, seq, len, ..Segment::default() }
    }

    /// The numbers are worked out by hand, in the style of RFC 9293, figure 6. The packets are: SYN with number 0;
    /// SYN-ACK with number 0, which acknowledges 1; a request of 400 bytes from 1; its ACK with 401; an answer of 1,000
    /// bytes from 1 and 500 bytes from 1001, which also acknowledges 401; its ACK with 1501, sent from 401; the next
    /// request from 401.
    #[test]
    fn both_ends_count_by_hand() {
        let config = Config { mss: 1000, ..Config::default() };
        for (number, first, initial) in
            [(3, 0, 0), (3 + PORTS, 0, APART), (3, 500, 500), (3 + PORTS, 500, 500 + APART)]
        {
            let mut talks = Conversations::new([config.clone(), config.clone()], Ip::V4, first);
            let mut numbers = |from: usize, segment: Segment| {
                let header = talks.header(Time::ZERO, number, from, &segment);
                let user = [header.destination_port, header.source_port][from];
                assert_eq!(
                    (user, [header.source_port, header.destination_port][from]),
                    (DYNAMIC + 3, DISCARD)
                );
                let ack = if header.ack { header.acknowledgment_number - initial } else { 0 };
                (header.sequence_number - initial, ack)
            };
            assert_eq!(numbers(1, kind(SegmentKind::Syn, 0, 0)), (0, 0));
            assert_eq!(numbers(0, kind(SegmentKind::SynAck, 0, 0)), (0, 1));
            assert_eq!(numbers(1, kind(SegmentKind::HandshakeAck, 0, 0)), (1, 1));
            assert_eq!(numbers(1, kind(SegmentKind::Data, 0, 400)), (1, 1));
            assert_eq!(numbers(0, kind(SegmentKind::Ack, 1, 0)), (1, 401));
            assert_eq!(numbers(0, kind(SegmentKind::Data, 0, 1000)), (1, 401));
            assert_eq!(numbers(0, kind(SegmentKind::Data, 1, 500)), (1001, 401));
            assert_eq!(numbers(1, kind(SegmentKind::Ack, 2, 0)), (401, 1501));
            assert_eq!(numbers(1, kind(SegmentKind::Data, 1, 400)), (401, 1501));
            // A retransmission has the same numbers.
            assert_eq!(numbers(0, kind(SegmentKind::Data, 0, 1000)), (1, 401));
        }
    }
}
