// SPDX-License-Identifier: MIT OR Apache-2.0
//! BBR version 1 (N. Cardwell et al., ACM Queue 14(5), 2016; CACM 60(2), 2017;
//! draft-cardwell-iccrg-bbr-congestion-control-00; Linux `net/ipv4/tcp_bbr.c`).
//!
//! ```text
//! B = max of delivered/interval over 10 rounds        (draft 4.1.1)   samples that the application limits only raise B
//! R = min RTT over 10 s                               (draft 4.1.2)
//! pacing rate = 0.99 g B                              (Linux)         before the pipe is full it only rises
//! target = G B R + 3 quanta + extra                   (draft 4.2.3)   extra: ACKs ahead of B, at most 0.1 s B (Linux)
//! W += delivered, up to target; 4 <= W                                before the pipe is full W is never cut to target
//!
//! STARTUP    g = G = 2.885            until B grew by less than 25 % in each of 3 rounds
//! DRAIN      g = 1/2.885, G = 2.885   until in flight <= B R + 3 quanta
//! PROBE_BW   g = 5/4, 3/4, 1 (six), G = 2, each for R; random first phase, never 3/4
//!            5/4 also until a loss or in flight >= 5/4 B R + 3 quanta; 3/4 at most until in flight <= B R + 3 quanta
//! PROBE_RTT  W = 4 for 200 ms and a round, when R was not renewed for 10 s; then R stands for another 10 s
//!
//! recovery   W = in flight + 1, for a round W >= in flight + delivered; then as above; W -= lost; at the end W >= W before
//! timeout    W = 1; at the end W >= W before
//! policer    (off) two intervals of 4 to 16 rounds with 20 % lost, throughputs within 1/8: their mean is B, g = 1, for
//!            48 rounds of PROBE_BW (Linux)
//! quantum    1 segment below 1.2 Mbit/s, else 1 ms of the rate, 2 segments to 64 KiB (draft 4.2.2)
//! ```
//!
//! The model keeps what was measured: it never takes the smallest RTT of the whole connection, so it follows a path
//! that grows longer within 10 s; a window that nothing fills stays at its target.

pub mod drain;
pub mod machine;
pub mod model;
pub mod policer;
pub mod probe_bw;
pub mod probe_rtt;
pub mod startup;
pub mod window;

pub use machine::{Machine, MachineParameters, State};

use crate::{Ack, Control, Controller, Idle, Loss, Signals, Snapshot, Spurious, Start, Timeout, Verdict};
use units::Time;

/// What BBR cannot do without.
pub const REQUIRES: Signals = Signals::RATE_SAMPLE.and(Signals::PACING);

/// BBRv1.
#[derive(Clone, Debug)]
pub struct Bbr1 {
    machine: Machine,
}

impl Bbr1 {
    /// BBRv1 with `parameters`.
    pub fn new(parameters: MachineParameters) -> Self {
        Self { machine: Machine::new(parameters) }
    }
}

impl Controller for Bbr1 {
    fn requires(&self) -> Signals {
        REQUIRES
    }

    fn uses(&self) -> Signals {
        REQUIRES.and(Signals::UNDO)
    }

    fn on_start(&mut self, event: &Start, control: &mut Control) {
        self.machine.start(event, control);
    }

    fn on_ack(&mut self, ack: &Ack<'_>, control: &mut Control) {
        let machine = &mut self.machine;
        machine.observe(ack);
        if machine.observe_rtt(ack) && !machine.is_resuming() && machine.state() != State::ProbeRtt {
            machine.enter_probe_rtt(ack);
        }
        if machine.state() == State::ProbeRtt && machine.probe_rtt_is_over(ack) {
            machine.leave_probe_rtt(ack.now, None);
        }
        machine.command(ack, machine.bandwidth(), control);
    }

    fn on_loss(&mut self, event: &Loss<'_>, control: &mut Control) -> Verdict {
        self.machine.lose(event, control);
        Verdict::Congestion
    }

    fn on_recovery_exit(&mut self, _now: Time, control: &mut Control) {
        self.machine.recovered(control);
    }

    fn on_timeout(&mut self, _event: &Timeout, control: &mut Control) {
        self.machine.time_out(control);
    }

    fn on_spurious(&mut self, _event: &Spurious, control: &mut Control) {
        self.machine.spurious(control);
    }

    fn on_idle(&mut self, event: &Idle, control: &mut Control) {
        if self.machine.resume(event, self.machine.bandwidth(), control) {
            self.machine.leave_probe_rtt(event.now, None);
            self.machine.write(control);
        }
    }

    fn snapshot(&self, out: &mut Snapshot) {
        self.machine.snapshot(self.machine.bandwidth(), out);
    }
}
