// SPDX-License-Identifier: MIT OR Apache-2.0
//! A deterministic bottleneck for unit tests: senders that always have data, one FIFO link, and a constant delay.

use crate::{Ack, AckedPacket, Control, Controller, Loss, LostPacket, PacketKind, Sent, Start};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use units::{Bytes, Span, Time};

/// Payload bytes of a segment.
pub(crate) const MSS: u32 = 1250;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A flow may send.
    Wake(usize),
    /// The ACK of a transmission arrives.
    Arrive { flow: usize, tx: u64, one_way: Span },
}

/// The results of one flow since the last call of [`Pipe::run`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    /// Segments delivered per second.
    pub(crate) rate: f64,
    /// Segments lost.
    pub(crate) lost: u64,
}

/// The queue of the link since the last call of [`Pipe::run`], in segments. The values are the queue lengths that
/// arriving segments found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queue {
    pub(crate) least: f64,
    pub(crate) mean: f64,
    pub(crate) most: f64,
}

struct Flow {
    controller: Box<dyn Controller>,
    control: Control,
    propagation: Span,
    outstanding: VecDeque<(u64, Time)>,
    next_tx: u64,
    next_send: Time,
    /// Whether an event `Wake` is scheduled.
    woken: bool,
    srtt: Option<Span>,
    min_rtt: Option<Span>,
    round: u64,
    round_ends: u64,
    episode: u32,
    recover: Option<u64>,
    delivered: u64,
    lost: u64,
}

/// The bottleneck and its flows.
pub(crate) struct Pipe {
    service: Span,
    buffer: f64,
    free_at: Time,
    now: Time,
    flows: Vec<Flow>,
    events: BinaryHeap<Reverse<(Time, u64, Event)>>,
    serial: u64,
    found: Vec<f64>,
}

impl Pipe {
    /// A link of `rate` segments per second with room for `buffer` segments.
    pub(crate) fn new(rate: f64, buffer: f64) -> Self {
        Self {
            service: Span::from_secs_f64(1.0 / rate),
            buffer,
            free_at: Time::ZERO,
            now: Time::ZERO,
            flows: Vec::new(),
            events: BinaryHeap::new(),
            serial: 0,
            found: Vec::new(),
        }
    }

    /// Adds a flow that starts at `start`. Its round trip on an empty link is `rtt_ms`.
    pub(crate) fn add(&mut self, mut controller: Box<dyn Controller>, rtt_ms: u64, start: Time) {
        let event = Start { now: start, provided: controller.uses(), ..Start::new(MSS, 10) };
        let mut control = Control::new(Bytes::from_segments(10.0, MSS));
        controller.on_start(&event, &mut control);
        self.at(start, Event::Wake(self.flows.len()));
        self.flows.push(Flow {
            controller,
            control,
            propagation: Span::from_millis(rtt_ms).saturating_sub(self.service),
            outstanding: VecDeque::new(),
            next_tx: 0,
            next_send: start,
            woken: false,
            srtt: None,
            min_rtt: None,
            round: 0,
            round_ends: 0,
            episode: 0,
            recover: None,
            delivered: 0,
            lost: 0,
        });
    }

    /// Runs until `until`. Returns the results of each flow and of the queue during this time.
    pub(crate) fn run(&mut self, until: Time) -> (Vec<Seen>, Queue) {
        let from = self.now;
        let before: Vec<_> = self.flows.iter().map(|flow| (flow.delivered, flow.lost)).collect();
        self.found.clear();
        while let Some(&Reverse((at, _, event))) = self.events.peek() {
            if at > until {
                break;
            }
            self.events.pop();
            self.now = at;
            let flow = match event {
                Event::Wake(flow) => {
                    self.flows[flow].woken = false;
                    flow
                }
                Event::Arrive { flow, tx, one_way } => {
                    self.flows[flow].arrive(at, tx, one_way);
                    flow
                }
            };
            self.send(flow);
        }
        self.now = until;
        let secs = until.since(from).secs_f64();
        let seen = self.flows.iter().zip(before);
        let seen = seen.map(|(flow, (delivered, lost))| Seen {
            rate: (flow.delivered - delivered) as f64 / secs,
            lost: flow.lost - lost,
        });
        let queue = Queue {
            least: self.found.iter().copied().fold(f64::INFINITY, f64::min),
            mean: self.found.iter().sum::<f64>() / self.found.len() as f64,
            most: self.found.iter().copied().fold(0.0, f64::max),
        };
        (seen.collect(), queue)
    }

    /// Returns the number `name` from the snapshot of the controller of `flow`.
    pub(crate) fn number(&self, flow: usize, name: &str) -> Option<f64> {
        let mut numbers = Vec::new();
        self.flows[flow].controller.snapshot(&mut numbers);
        numbers.iter().find(|(known, _)| *known == name).map(|&(_, value)| value)
    }

    fn at(&mut self, at: Time, event: Event) {
        self.serial += 1;
        self.events.push(Reverse((at, self.serial, event)));
    }

    /// Sends as much as the window and the pacing rate of the flow allow.
    fn send(&mut self, index: usize) {
        loop {
            let now = self.now;
            let flow = &mut self.flows[index];
            let window = flow.control.cwnd.segments(MSS).floor();
            assert!(window < 1e6, "a window of {window} segments");
            if flow.outstanding.len() as f64 >= window {
                return;
            }
            if flow.next_send > now {
                let due = flow.next_send;
                if !std::mem::replace(&mut flow.woken, true) {
                    self.at(due, Event::Wake(index));
                }
                return;
            }
            let tx = flow.next_tx;
            flow.next_tx += 1;
            flow.outstanding.push_back((tx, now));
            let sent = Sent {
                now,
                tx,
                bytes: MSS,
                kind: PacketKind::Data,
                in_flight: Bytes::from_segments(flow.outstanding.len() as f64, MSS),
                after_idle: false,
            };
            flow.controller.on_sent(&sent, &mut flow.control);
            if let Some(rate) = flow.control.pacing {
                flow.next_send = now + Span::from_secs_f64(f64::from(MSS) / rate.bytes_per_s());
            }
            let propagation = flow.propagation;
            let starts = self.free_at.max(now);
            let queue = starts.since(now).secs_f64() / self.service.secs_f64();
            self.found.push(queue);
            if queue <= self.buffer {
                self.free_at = starts + self.service;
                let one_way = self.free_at.since(now) + propagation / 2;
                let arrival = self.free_at + propagation;
                self.at(arrival, Event::Arrive { flow: index, tx, one_way });
            }
        }
    }
}

impl Flow {
    /// The ACK of `tx` arrives. The path is FIFO, so all unacknowledged packets that were sent before `tx` are lost.
    fn arrive(&mut self, now: Time, tx: u64, one_way: Span) {
        let in_flight_before = Bytes::from_segments(self.outstanding.len() as f64, MSS);
        let mut missing = Vec::new();
        let mut sent_at = now;
        while let Some((oldest, at)) = self.outstanding.pop_front() {
            if oldest == tx {
                sent_at = at;
                break;
            }
            missing.push(LostPacket { tx: oldest, bytes: MSS, sent_at: at, ..LostPacket::default() });
        }
        let rtt = now.since(sent_at);
        self.srtt = Some(self.srtt.map_or(rtt, |srtt| srtt.mul_f64(0.875) + rtt.mul_f64(0.125)));
        self.min_rtt = Some(self.min_rtt.map_or(rtt, |min| min.min(rtt)));
        self.delivered += 1;
        let round_start = tx >= self.round_ends;
        if round_start {
            self.round += 1;
            self.round_ends = self.next_tx;
        }
        let acked = Bytes::from_segments(1.0, MSS);
        let packet = AckedPacket { tx, bytes: MSS, sent_at, ..AckedPacket::default() };
        let repaired = self.recover.take_if(|recover| tx >= *recover).is_some();
        let ack = Ack {
            acked,
            rtt: Some(rtt),
            srtt: self.srtt,
            min_rtt: self.min_rtt,
            one_way_delay_ns: i64::try_from(one_way.nanos()).ok(),
            sent_at: Some(sent_at),
            in_flight_before,
            in_flight: in_flight_before.saturating_sub(acked),
            round: self.round,
            round_start,
            in_recovery: self.recover.is_some(),
            packets: &[packet],
            ..Ack::at(now)
        };
        self.controller.on_ack(&ack, &mut self.control);
        if repaired {
            self.controller.on_recovery_exit(now, &mut self.control);
        }
        if !missing.is_empty() {
            self.lost += missing.len() as u64;
            let new_episode = self.recover.is_none();
            self.episode += u32::from(new_episode);
            self.recover.get_or_insert(self.next_tx);
            let loss = Loss {
                lost: Bytes::from_segments(missing.len() as f64, MSS),
                new_episode,
                episode: self.episode,
                in_flight_before,
                packets: &missing,
                ..Loss::at(now)
            };
            self.controller.on_loss(&loss, &mut self.control);
        }
    }
}
