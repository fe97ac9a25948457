// SPDX-License-Identifier: MIT OR Apache-2.0
//! A sender, and a bottleneck of constant rate with a drop-tail queue and a constant round trip.
//!
//! The sender implements what the draft requires of a transport: pacing, delivery-rate samples (section 4.1), losses
//! detected by three later packets, and one recovery episode per flight. Lost data are not retransmitted, because the
//! flow never ends. Nothing is random.

use crate::bbr3::Bbr3;
use crate::{
    Ack, Control, Controller, Idle, Limit, Limited, Loss, LostPacket, RateSample, Snapshot, Start, Timeout,
};
use std::collections::VecDeque;
use units::{Bytes, Span, Time};

pub(super) const MSS: u32 = 1_000;
const MSS_BYTES: u64 = MSS as u64;

#[derive(Clone, Copy, Debug)]
struct Packet {
    tx: u64,
    sent_at: Time,
    /// When the packet's ACK arrives; `None` if the packet was dropped.
    ack_at: Option<Time>,
    delivered: u64,
    delivered_at: Time,
    first_sent_at: Time,
    in_flight: u64,
    lost_at_send: u64,
    app_limited: bool,
}

pub(super) struct Pipe {
    pub(super) bbr: Bbr3,
    pub(super) control: Control,
    pub(super) now: Time,
    /// Rate of the bottleneck, bytes/s.
    pub(super) rate: f64,
    pub(super) rtt: Span,
    /// Size of the queue, bytes.
    pub(super) queue: u64,
    /// ACKs arrive at multiples of this time.
    pub(super) ack_every: Span,
    /// One packet in this number of packets is dropped; 0 means no drops.
    pub(super) drop_every: u64,
    /// A policer before the queue: its rate in bytes/s, and its bucket in bytes.
    pub(super) policer: Option<(f64, f64)>,
    tokens: f64,
    tokens_at: Time,
    /// Rate at which the application writes, bytes/s. Infinite for a bulk transfer.
    pub(super) app_rate: f64,
    app_next: Time,
    link_free_at: Time,
    next_send: Time,
    flight: VecDeque<Packet>,
    tx: u64,
    pub(super) delivered: u64,
    delivered_at: Time,
    first_sent_at: Time,
    pub(super) lost: u64,
    app_limited_until: u64,
    next_round_delivered: u64,
    limited: [bool; 2],
    recover: Option<u64>,
    pub(super) episode: u32,
    /// All phases with their start times.
    pub(super) phases: Vec<(Time, &'static str)>,
}

impl Pipe {
    /// A path of `mbit_per_s` and `rtt_ms` with a queue of `queue` packets.
    pub(super) fn new(mbit_per_s: f64, rtt_ms: u64, queue: u64) -> Self {
        Self::with(mbit_per_s, rtt_ms, queue, |_| {})
    }

    pub(super) fn with(
        mbit_per_s: f64,
        rtt_ms: u64,
        queue: u64,
        change: impl FnOnce(&mut super::Parameters),
    ) -> Self {
        let mut parameters = super::defaults();
        change(&mut parameters);
        let mut bbr = crate::bbr3::controller(parameters);
        let mut control = Control::new(Bytes::new(10 * MSS_BYTES));
        bbr.on_start(&Start::new(MSS, 10), &mut control);
        let phases = vec![(Time::ZERO, control.phase)];
        Self {
            bbr,
            control,
            now: Time::ZERO,
            rate: mbit_per_s * 1e6 / 8.0,
            rtt: Span::from_millis(rtt_ms),
            queue: queue * MSS_BYTES,
            ack_every: Span::from_nanos(1),
            drop_every: 0,
            policer: None,
            tokens: 0.0,
            tokens_at: Time::ZERO,
            app_rate: f64::INFINITY,
            app_next: Time::ZERO,
            link_free_at: Time::ZERO,
            next_send: Time::ZERO,
            flight: VecDeque::new(),
            tx: 0,
            delivered: 0,
            delivered_at: Time::ZERO,
            first_sent_at: Time::ZERO,
            lost: 0,
            app_limited_until: 0,
            next_round_delivered: 0,
            limited: [false; 2],
            recover: None,
            episode: 0,
            phases,
        }
    }

    pub(super) fn in_flight(&self) -> u64 {
        self.flight.len() as u64 * MSS_BYTES
    }

    /// Returns the number `name` from the controller's snapshot.
    pub(super) fn number(&self, name: &str) -> f64 {
        let mut numbers = Snapshot::new();
        self.bbr.snapshot(&mut numbers);
        numbers.iter().find(|(known, _)| *known == name).map(|(_, value)| *value).unwrap()
    }

    pub(super) fn phase(&self) -> &'static str {
        self.control.phase
    }

    /// Runs until `done` returns true. Fails if this takes more than `secs`.
    pub(super) fn until(&mut self, secs: u64, mut done: impl FnMut(&Self) -> bool) {
        let end = self.now + Span::from_secs(secs);
        while !done(self) {
            self.step();
            assert!(self.now < end, "not within {secs} s; phases: {:?}", self.phases);
        }
    }

    pub(super) fn until_phase(&mut self, secs: u64, phase: &str) {
        self.until(secs, |pipe| pipe.phase() == phase);
    }

    pub(super) fn run(&mut self, ms: u64) {
        let end = self.now + Span::from_millis(ms);
        self.until(ms / 1_000 + 100, |pipe| pipe.now >= end);
    }

    /// The application writes no data for `ms`, so nothing is sent.
    pub(super) fn pause(&mut self, ms: u64) {
        self.app_next = self.now + Span::from_millis(ms);
    }

    /// Changes the rate of the bottleneck to `rate` bytes/s. The new rate also applies to packets that already wait.
    pub(super) fn set_rate(&mut self, rate: f64) {
        let (now, rtt, stretch) = (self.now, self.rtt, self.rate / rate);
        let stretched = |at: Time| now + at.since(now).mul_f64(stretch);
        for packet in &mut self.flight {
            if let Some(at) = packet.ack_at.filter(|at| *at > now + rtt) {
                packet.ack_at = Some(stretched(Time::ZERO + at.since(Time::ZERO + rtt)) + rtt);
            }
        }
        self.link_free_at = stretched(self.link_free_at.max(now));
        self.rate = rate;
    }

    /// Tells the controller that the `count` oldest packets in flight are lost, although these packets are only late.
    pub(super) fn feign_loss(&mut self, count: usize) {
        self.episode += 1;
        let packets: Vec<_> = self.flight.iter().take(count).map(lost_packet).collect();
        self.lost += packets.len() as u64 * MSS_BYTES;
        self.tell_loss(true, &packets);
    }

    pub(super) fn step(&mut self) {
        let ack_at = self.flight.iter().find_map(|packet| packet.ack_at);
        let open = self.in_flight() + MSS_BYTES <= self.control.cwnd.get();
        let allowed_at = self.next_send.max(self.now);
        if open && self.app_next > allowed_at {
            self.app_limited_until = (self.delivered + self.in_flight()).max(1);
            let limited = Limited { now: self.now, by: Limit::Application };
            self.bbr.on_limited(&limited, &mut self.control);
        }
        let send_at = open.then(|| allowed_at.max(self.app_next));
        match (send_at, ack_at) {
            (Some(send_at), ack_at) if ack_at.is_none_or(|ack_at| send_at < ack_at) => self.send(send_at),
            (_, Some(ack_at)) => self.acknowledge(ack_at),
            _ => self.time_out(),
        }
        if self.phases.last().unwrap().1 != self.control.phase {
            self.phases.push((self.now, self.control.phase));
        }
    }

    fn send(&mut self, now: Time) {
        self.now = now;
        if self.flight.is_empty() {
            if self.tx > 0 {
                let idle_for = now.since(self.delivered_at);
                self.bbr.on_idle(&Idle { now, idle_for }, &mut self.control);
            }
            self.first_sent_at = now;
            self.delivered_at = now;
        }
        let ack_at = self.carry();
        self.flight.push_back(Packet {
            tx: self.tx,
            sent_at: now,
            ack_at,
            delivered: self.delivered,
            delivered_at: self.delivered_at,
            first_sent_at: self.first_sent_at,
            in_flight: self.in_flight() + MSS_BYTES,
            lost_at_send: self.lost,
            app_limited: self.app_limited_until > 0,
        });
        self.tx += 1;
        self.limited[0] |= self.in_flight() + MSS_BYTES > self.control.cwnd.get();
        let gap = self.control.pacing.map_or(Span::ZERO, |rate| rate.time_for(Bytes::new(MSS_BYTES)));
        self.next_send = now + gap;
        self.app_next = self.app_next.max(now) + Span::from_secs_f64(f64::from(MSS) / self.app_rate);
    }

    /// Sends a packet through the policer, the queue, the link and the return path. Returns the time at which the ACK
    /// arrives.
    fn carry(&mut self) -> Option<Time> {
        if let Some((rate, bucket)) = self.policer {
            self.tokens += rate * self.now.since(self.tokens_at).secs_f64();
            self.tokens = self.tokens.min(bucket);
            self.tokens_at = self.now;
            if self.tokens < f64::from(MSS) {
                return None;
            }
            self.tokens -= f64::from(MSS);
        }
        let waiting = self.link_free_at.since(self.now).secs_f64() * self.rate;
        if waiting > self.queue as f64 || (self.drop_every > 0 && self.tx % self.drop_every == 3) {
            return None;
        }
        let serialisation = Span::from_secs_f64(f64::from(MSS) / self.rate);
        self.link_free_at = self.link_free_at.max(self.now) + serialisation;
        let back = (self.link_free_at + self.rtt).nanos();
        let every = self.ack_every.nanos();
        Some(Time::from_nanos(back.div_ceil(every) * every))
    }

    /// All packets in flight were dropped.
    fn time_out(&mut self) {
        self.now += self.rtt * 2;
        let in_flight_before = Bytes::new(self.in_flight());
        self.lost += self.in_flight();
        self.flight.clear();
        self.recover = Some(self.tx);
        self.episode += 1;
        let timeout = Timeout { now: self.now, consecutive: 1, in_flight_before, episode: self.episode };
        self.bbr.on_timeout(&timeout, &mut self.control);
    }

    fn acknowledge(&mut self, now: Time) {
        self.now = now;
        let in_flight_before = self.in_flight();
        let mut newest = None;
        let mut acked = 0;
        self.flight.retain(|packet| {
            let arrived = packet.ack_at.is_some_and(|at| at <= now);
            if arrived {
                acked += MSS_BYTES;
                newest = Some(*packet);
            }
            !arrived
        });
        let newest: Packet = newest.unwrap();
        self.delivered += acked;
        self.delivered_at = now;
        self.first_sent_at = newest.sent_at;
        if self.delivered > self.app_limited_until {
            self.app_limited_until = 0;
        }
        let round_start = newest.delivered >= self.next_round_delivered;
        if round_start {
            self.next_round_delivered = self.delivered;
            self.limited = [false, self.limited[0]];
        }
        let elapsed = newest.sent_at.since(newest.first_sent_at);
        let rtt = now.since(newest.sent_at);
        let ack = Ack {
            acked: Bytes::new(acked),
            rtt: Some(rtt),
            srtt: Some(rtt),
            total_delivered: Bytes::new(self.delivered),
            total_lost: Bytes::new(self.lost),
            rate: Some(RateSample {
                delivered: Bytes::new(self.delivered - newest.delivered),
                interval: elapsed.max(now.since(newest.delivered_at)),
                prior_delivered: Bytes::new(newest.delivered),
                tx_in_flight: Bytes::new(newest.in_flight),
                lost: Bytes::new(self.lost - newest.lost_at_send),
                app_limited: newest.app_limited,
            }),
            in_flight_before: Bytes::new(in_flight_before),
            in_flight: Bytes::new(self.in_flight()),
            round_start,
            in_recovery: self.recover.is_some(),
            cwnd_limited: self.limited[0] || self.limited[1],
            app_limited: newest.app_limited,
            ..Ack::at(now)
        };
        self.bbr.on_ack(&ack, &mut self.control);
        if self.recover.is_some_and(|recover| newest.tx >= recover) {
            self.recover = None;
            self.bbr.on_recovery_exit(now, &mut self.control);
        }
        self.detect_losses(newest.tx);
    }

    fn detect_losses(&mut self, newest: u64) {
        let lost: Vec<_> =
            self.flight.iter().filter(|packet| packet.tx + 3 <= newest).map(lost_packet).collect();
        if lost.is_empty() {
            return;
        }
        self.flight.retain(|packet| packet.tx + 3 > newest);
        self.lost += lost.len() as u64 * MSS_BYTES;
        let new_episode = self.recover.is_none();
        if new_episode {
            self.recover = Some(self.tx);
            self.episode += 1;
        }
        self.tell_loss(new_episode, &lost);
    }

    fn tell_loss(&mut self, new_episode: bool, packets: &[LostPacket]) {
        let gaps = packets.windows(2).filter(|pair| pair[1].tx != pair[0].tx + 1).count() as u32;
        let loss = Loss {
            lost: Bytes::new(packets.len() as u64 * MSS_BYTES),
            new_episode,
            episode: self.episode,
            in_flight_before: Bytes::new(self.in_flight()),
            ranges: gaps + 1,
            packets,
            ..Loss::at(self.now)
        };
        self.bbr.on_loss(&loss, &mut self.control);
    }
}

fn lost_packet(packet: &Packet) -> LostPacket {
    LostPacket {
        tx: packet.tx,
        bytes: MSS,
        sent_at: packet.sent_at,
        tx_in_flight: Bytes::new(packet.in_flight),
        lost_at_send: Bytes::new(packet.lost_at_send),
        ..LostPacket::default()
    }
}
