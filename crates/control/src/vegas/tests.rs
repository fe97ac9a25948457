// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests statements of the papers on a path without bursts: `RTT = max(T, sum of windows / C)`, with one ACK per flow
//! and round.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::catalogue::{Value, build};
use crate::{Ack, Control, Controller, Loss, LostPacket, Start};
use units::{Bytes, Span, Time};

const MSS: u32 = 1000;
/// C in segments/s, and T in s. 200 segments fill the path.
const CAPACITY: f64 = 1000.0;
const BASE_S: f64 = 0.2;

struct Flow {
    controller: Box<dyn Controller>,
    control: Control,
}

impl Flow {
    /// A flow in avoidance, with a window of three quarters of `first` segments.
    fn new(name: &str, parameters: &[(&str, Value<'_>)], first: u32) -> Self {
        let mut controller = build(name, parameters).unwrap();
        let mut control = Control::new(Bytes::from_segments(f64::from(first), MSS));
        controller.on_start(&Start::new(MSS, first), &mut control);
        let in_flight_before = control.cwnd;
        let packets = [LostPacket { bytes: MSS, sent_at: Time::ZERO, ..LostPacket::default() }];
        let loss = Loss { in_flight_before, packets: &packets, ..Loss::at(Time::ZERO) };
        controller.on_loss(&loss, &mut control);
        controller.on_recovery_exit(Time::ZERO, &mut control);
        Self { controller, control }
    }

    fn w(&self) -> f64 {
        self.control.cwnd.segments(MSS)
    }

    fn round(&mut self, now: Time, rtt: Span) {
        let (cwnd, rtt) = (self.control.cwnd, Some(rtt));
        let ack = Ack { acked: cwnd, rtt, srtt: rtt, round_start: true, ..Ack::at(now) };
        self.controller.on_ack(&ack, &mut self.control);
    }
}

/// Runs `flows` on the same path for `rounds`. Returns the number of waiting segments of each flow at the end.
fn share(flows: &mut [Flow], rounds: u32) -> Vec<f64> {
    let mut now = Time::ZERO;
    // Every flow has measured the empty path once.
    for flow in &mut *flows {
        flow.round(now, Span::from_secs_f64(BASE_S));
    }
    let mut rtt = BASE_S;
    for _ in 0..rounds {
        rtt = (flows.iter().map(Flow::w).sum::<f64>() / CAPACITY).max(BASE_S);
        now += Span::from_secs_f64(rtt);
        for flow in &mut *flows {
            flow.round(now, Span::from_secs_f64(rtt));
        }
    }
    flows.iter().map(|flow| flow.w() * (rtt - BASE_S) / rtt).collect()
}

/// Brakmo and Peterson 1995: each flow keeps between alpha and beta segments in the queue, for small and large first
/// windows. A step of one segment may end one segment outside of this range.
#[test]
fn vegas_keeps_alpha_to_beta_segments_waiting() {
    for first in [100, 250, 400] {
        for count in [1, 3] {
            let mut flows: Vec<_> = (0..count).map(|_| Flow::new("vegas", &[], first / count)).collect();
            for waiting in share(&mut flows, 400) {
                assert!((1.0 - 1e-6..=3.0 + 1.0).contains(&waiting), "{waiting} from {first} by {count}");
            }
        }
    }
}

/// Srijith, Jacob and Ananda 2005: Vegas-A uses the path at least as much as Vegas.
#[test]
fn vegas_a_fills_the_path() {
    let waiting = share(&mut [Flow::new("vegas-a", &[], 100)], 400);
    assert!(waiting[0] >= 1.0 - 1e-6, "{waiting:?}");
}

/// Vegas-W, section III, gives alpha and beta as 1 and 3 kb/s. With 1000-byte packets and 0.2 s, both are below a tenth
/// of a segment: 1 kb/s is 1000 / 8000 * 0.2 = 0.025 segments, and 3 kb/s is 0.075 segments.
#[test]
fn kilobits_are_less_than_a_segment() {
    let parameters = [("alpha", Value::Number(0.025)), ("beta", Value::Number(0.075))];
    let waiting = share(&mut [Flow::new("vegas", &parameters, 100)], 400);
    assert!(waiting[0] <= 1.0, "{waiting:?}");
}
