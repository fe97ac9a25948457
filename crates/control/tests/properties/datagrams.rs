// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests of controllers on a platform of datagrams, with ACKs that name each packet and a path of unlimited capacity.
//! Round trips differ by up to 0.3 %, because PCC-Uspace treats constant round trips as an endless burst.

use bentpipe_control::{
    Ack, AckedPacket, Control, Controller, Idle, Limit, Limited, Loss, LostPacket, PacketKind, RateSample,
    Sent, Start,
};
use std::collections::VecDeque;
use units::{Bytes, Rate, Span, Time};

/// Bytes of a datagram.
pub const DATAGRAM: u32 = 1200;
/// Number of round trips within which a window must grow: a quarter of a minute at 75 ms.
const PATIENCE: u64 = 200;

/// A datagram in flight.
#[derive(Clone, Copy)]
struct Flying {
    tx: u64,
    sent_at: Time,
    /// Datagrams delivered when this datagram was sent.
    delivered: u64,
    /// Whether the application limited sending when this datagram was sent.
    app_limited: bool,
}

/// A limit of sending, in addition to the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outside {
    /// No other limit, up to [`MOST_FLYING`] datagrams.
    Nothing,
    /// The application writes a datagram at intervals.
    Writes(Span),
    /// The receiver accepts this number of datagrams at a time.
    Takes(usize),
}

/// Maximum number of datagrams in flight. A window can be infinite, so the test needs a limit.
pub const MOST_FLYING: usize = 4000;

/// A sender on a path without a queue. The window limits the sender until the test sets another limit.
#[derive(Clone)]
pub struct Connection {
    controller: Box<dyn Controller>,
    pub control: Control,
    rtt: Span,
    srtt: Option<Span>,
    /// Number of datagrams that one ACK acknowledges.
    per_ack: usize,
    now: Time,
    next_send: Time,
    next_tx: u64,
    flying: VecDeque<Flying>,
    delivered: u64,
    lost: u64,
    round: u64,
    /// First datagram of the next round trip.
    round_ends: u64,
    outside: Outside,
    /// When the application writes the next datagram.
    written_at: Time,
    /// When the newest datagram in flight was acknowledged, or when the connection began.
    idle_since: Time,
    /// Whether the window delayed a datagram in this round trip, and whether it did so in the previous round trip.
    kept_back: [bool; 2],
}

fn datagrams(count: u64) -> Bytes {
    Bytes::new(count * u64::from(DATAGRAM))
}

impl Connection {
    /// Starts `controller` with `initial_window` datagrams. The connection supplies all signals that the controller
    /// uses.
    pub fn start(
        mut controller: Box<dyn Controller>,
        initial_window: u32,
        rtt: Span,
        per_ack: usize,
    ) -> Self {
        let start = Start { provided: controller.uses(), ..Start::new(DATAGRAM, initial_window) };
        let mut control = Control::new(datagrams(initial_window.into()));
        controller.on_start(&start, &mut control);
        Self {
            controller,
            control,
            rtt,
            srtt: None,
            per_ack,
            now: Time::ZERO,
            next_send: Time::ZERO,
            next_tx: 0,
            flying: VecDeque::new(),
            delivered: 0,
            lost: 0,
            round: 0,
            round_ends: 0,
            outside: Outside::Nothing,
            written_at: Time::ZERO,
            idle_since: Time::ZERO,
            kept_back: [false; 2],
        }
    }

    /// From now on, `outside` also limits sending.
    pub fn limit(&mut self, outside: Outside) {
        self.outside = outside;
        self.written_at = self.now;
        let by = match outside {
            Outside::Nothing => return,
            Outside::Writes(_) => Limit::Application,
            Outside::Takes(_) => Limit::Receiver,
        };
        self.controller.on_limited(&Limited { now: self.now, by }, &mut self.control);
    }

    /// When all datagrams in flight have arrived, stops sending for `span`.
    pub fn pause(&mut self, span: Span) {
        self.limit(Outside::Writes(span));
        self.written_at = self.now + span;
        while !self.flying.is_empty() {
            self.step();
        }
    }

    /// Runs for `span`.
    pub fn run(&mut self, span: Span) {
        let end = self.now + span;
        while self.now < end {
            self.step();
        }
    }

    /// Runs for one round trip.
    pub fn run_round(&mut self) {
        let round = self.round;
        while self.round == round {
            self.step();
        }
    }

    /// The window in datagrams, or the product of pacing rate and round-trip time if this product is smaller.
    pub fn window(&self) -> f64 {
        let paced =
            self.control.pacing.map_or(f64::INFINITY, |rate| rate.bytes_per_s() * self.rtt.secs_f64());
        (self.control.cwnd.get() as f64).min(paced) / f64::from(DATAGRAM)
    }

    /// Whether the window or the pacing rate grows above its present value within [`PATIENCE`].
    pub fn grows(&mut self) -> bool {
        let (cwnd, mut pacing) = (self.control.cwnd, self.control.pacing);
        let last = self.round + PATIENCE;
        while self.round < last {
            self.step();
            if self.control.cwnd > cwnd || pacing.is_some_and(|pacing| self.control.pacing > Some(pacing)) {
                return true;
            }
            // The first RTT sample sets a rate. This is not counted as growth.
            pacing = pacing.or(self.control.pacing);
        }
        false
    }

    /// The oldest datagram in flight is lost, and the loss is repaired immediately.
    pub fn lose(&mut self) {
        self.declare_lost(1, 1);
        self.controller.on_recovery_exit(self.now, &mut self.control);
    }

    /// All datagrams in flight are lost. They were sent over a long time.
    pub fn lose_persistently(&mut self) {
        self.declare_lost(usize::MAX, 2);
        self.controller.on_persistent_congestion(self.now, &mut self.control);
    }

    /// The oldest datagrams in flight are lost, at least one and at most `most`.
    fn declare_lost(&mut self, most: usize, episode: u32) {
        if self.flying.is_empty() {
            self.send(self.now.max(self.next_send));
        }
        let in_flight_before = datagrams(self.flying.len() as u64);
        let packets: Vec<_> = self
            .flying
            .drain(..most.min(self.flying.len()))
            .map(|flying| LostPacket {
                tx: flying.tx,
                bytes: DATAGRAM,
                sent_at: flying.sent_at,
                ..LostPacket::default()
            })
            .collect();
        self.lost += packets.len() as u64;
        let lost = datagrams(packets.len() as u64);
        let loss = Loss { lost, in_flight_before, episode, packets: &packets, ..Loss::at(self.now) };
        self.controller.on_loss(&loss, &mut self.control);
    }

    /// Executes the next event: sends a datagram or receives an ACK.
    fn step(&mut self) {
        let place = self.per_ack.min(self.flying.len());
        let ack_at = place.checked_sub(1).map(|newest| self.arrival(self.flying[newest]));
        let fits = datagrams(self.flying.len() as u64 + 1) <= self.control.cwnd;
        self.kept_back[0] |= !fits;
        let most = if let Outside::Takes(most) = self.outside { most } else { MOST_FLYING };
        let has_room = fits && self.flying.len() < most;
        let mut send_at = self.now.max(self.next_send);
        if let Outside::Writes(_) = self.outside {
            send_at = send_at.max(self.written_at);
        }
        match ack_at {
            Some(ack_at) if !has_room || ack_at < send_at => self.acknowledge(ack_at.max(self.now), place),
            _ => self.send(send_at),
        }
    }

    /// Time at which the ACK of a datagram arrives.
    fn arrival(&self, flying: Flying) -> Time {
        flying.sent_at + self.rtt + self.rtt * (flying.tx % 4) / 1000
    }

    fn send(&mut self, at: Time) {
        self.now = at;
        let after_idle = self.flying.is_empty() && self.next_tx > 0;
        if after_idle {
            let idle_for = at.since(self.idle_since);
            self.controller.on_idle(&Idle { now: at, idle_for }, &mut self.control);
        }
        if let Outside::Writes(every) = self.outside {
            self.written_at = at + every;
        }
        let app_limited = matches!(self.outside, Outside::Writes(_));
        let (tx, delivered) = (self.next_tx, self.delivered);
        self.flying.push_back(Flying { tx, sent_at: at, delivered, app_limited });
        let sent = Sent {
            now: at,
            tx: self.next_tx,
            bytes: DATAGRAM,
            kind: PacketKind::Data,
            in_flight: datagrams(self.flying.len() as u64),
            after_idle,
        };
        self.next_tx += 1;
        // RFC 9002, section 7.7: one window in each round trip, unless the controller sets a rate.
        let window = self.control.cwnd.get() as f64 / self.rtt.secs_f64();
        let rate = self.control.pacing.map_or(window, Rate::bytes_per_s);
        self.next_send = at + Span::from_secs_f64(f64::from(DATAGRAM) / rate);
        self.controller.on_sent(&sent, &mut self.control);
    }

    fn acknowledge(&mut self, at: Time, count: usize) {
        self.now = at;
        let in_flight_before = datagrams(self.flying.len() as u64);
        let acked: Vec<_> = self.flying.drain(..count).collect();
        let newest = acked[count - 1];
        let packets: Vec<_> = acked
            .iter()
            .map(|flying| AckedPacket {
                tx: flying.tx,
                bytes: DATAGRAM,
                sent_at: flying.sent_at,
                propagation_rtt: Some(self.rtt),
                ..AckedPacket::default()
            })
            .collect();
        self.delivered += count as u64;
        let round_start = newest.tx >= self.round_ends;
        if round_start {
            self.round += 1;
            self.round_ends = self.next_tx;
            self.kept_back = [false, self.kept_back[0]];
        }
        if self.flying.is_empty() {
            self.idle_since = at;
        }
        let rtt = at.since(newest.sent_at);
        // RFC 9002, section 5.3.
        self.srtt = Some(self.srtt.map_or(rtt, |srtt| srtt.mul_f64(0.875) + rtt.mul_f64(0.125)));
        let ack = Ack {
            acked: datagrams(count as u64),
            rtt: Some(rtt),
            srtt: self.srtt,
            min_rtt: Some(self.rtt),
            one_way_delay_ns: i64::try_from((self.rtt / 2).nanos()).ok(),
            sent_at: Some(newest.sent_at),
            propagation_rtt: Some(self.rtt),
            total_sent: datagrams(self.next_tx),
            total_delivered: datagrams(self.delivered),
            total_lost: datagrams(self.lost),
            rate: Some(RateSample {
                delivered: datagrams(self.delivered - newest.delivered),
                interval: rtt,
                prior_delivered: datagrams(newest.delivered),
                tx_in_flight: in_flight_before,
                lost: Bytes::ZERO,
                app_limited: newest.app_limited,
            }),
            in_flight_before,
            in_flight: datagrams(self.flying.len() as u64),
            round: self.round,
            round_start,
            cwnd_limited: self.outside == Outside::Nothing || self.kept_back[0] || self.kept_back[1],
            app_limited: newest.app_limited,
            receiver_limited: matches!(self.outside, Outside::Takes(_)),
            packets: &packets,
            ..Ack::at(at)
        };
        self.controller.on_ack(&ack, &mut self.control);
    }
}
