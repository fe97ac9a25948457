// SPDX-License-Identifier: MIT OR Apache-2.0
//! A sender that counts whole segments, as a kernel does. `snd_cwnd` is the window, and `snd_cwnd_cnt` counts segments
//! for the next segment of growth.
//!
//! The sender is written independently from Linux (`net/ipv4/tcp_cong.c`: `tcp_slow_start`, `tcp_cong_avoid_ai`,
//! `tcp_reno_undo_cwnd`; `tcp_input.c` for the functions that call them). Differences from Linux:
//!
//! 1. If the window did not limit sending, a decrease starts from `FlightSize`. In Linux, it starts from `snd_cwnd`.
//! 2. Slow start counts at most as many segments of an ACK as the case specifies. Linux counts all segments.
//! 3. The window is set to the threshold immediately, without proportional rate reduction.
//! 4. The states are Open, Recovery and Loss. An undo names its episode.
//! 5. There is no maximum window, and no protection against overflow. Windows are much smaller than 2^20 segments.

pub mod cubic;
pub mod reno;

use bentpipe_control::{
    Ack, Control, Controller, Idle, Loss, LossVerdict, NewMss, Snapshot, Spurious, Start, Timeout,
};
use units::{Bytes, Span, Time};

/// `TCP_INFINITE_SSTHRESH`.
const UNSET: u64 = i32::MAX as u64;

/// The functions in which congestion controls differ (`tcp_congestion_ops`). Windows are whole segments.
pub trait Module: Clone + Send + Sync + 'static {
    /// Processes an RTT sample.
    fn rtt(&mut self, _rtt: Span) {}
    /// Number of acknowledged segments per segment of growth, at a window of `cwnd`.
    fn count(&mut self, now: Time, acked: u64, cwnd: u64) -> u64;
    /// The new threshold after a loss with `flight` segments in flight.
    fn ssthresh(&mut self, flight: u64, cwnd: u64) -> u64;
    /// The sender enters state Loss.
    fn lost(&mut self) {}
    /// Sending resumes after an idle period.
    fn resume(&mut self, _now: Time, _idle: Span) {}
    /// Adds the numbers of this module for traces.
    fn numbers(&self, _out: &mut Snapshot) {}
}

/// Parameters of the sender in a case.
#[derive(Clone, Debug)]
pub struct Choices {
    /// Maximum number of segments that slow start counts per ACK.
    pub growth_limit: u64,
    /// Whether an ACK counts the segments that it acknowledges, also in congestion avoidance.
    pub byte_counting: bool,
}

/// The sender with a congestion-control module.
#[derive(Clone, Debug, saved::Saved)]
pub struct Sender<M> {
    #[saved(fixed)]
    module: M,
    #[saved(fixed)]
    choices: Choices,
    mss: u32,
    cwnd: u64,
    /// Segments acknowledged since the window last grew (`snd_cwnd_cnt`).
    count: u64,
    ssthresh: u64,
    limited: bool,
    /// Whether the sender is in state Loss. Slow start then continues during the repair.
    loss: bool,
    /// The episode, and the window and threshold from before the episode.
    undo: Option<(u32, u64, u64)>,
}

impl<M: Module> Sender<M> {
    pub const fn new(module: M, choices: Choices) -> Self {
        Self {
            module,
            choices,
            mss: 1,
            cwnd: 1,
            count: 0,
            ssthresh: UNSET,
            limited: false,
            loss: false,
            undo: None,
        }
    }

    /// Converts bytes to whole segments. Fractions are discarded.
    fn segments(&self, bytes: Bytes) -> u64 {
        bytes.get() / u64::from(self.mss)
    }

    fn flight(&self, in_flight: Bytes) -> u64 {
        if self.limited { self.cwnd } else { self.cwnd.min(self.segments(in_flight)) }
    }

    /// `tcp_cong_avoid_ai`: one segment of growth per `per_segment` acknowledged segments.
    fn grow(&mut self, per_segment: u64, acked: u64) {
        if self.count >= per_segment {
            self.count = 0;
            self.cwnd += 1;
        }
        self.count += acked;
        if self.count >= per_segment {
            self.cwnd += self.count / per_segment;
            self.count %= per_segment;
        }
    }

    fn remember(&mut self, episode: u32) {
        if self.undo.is_none_or(|(known, ..)| known != episode) {
            self.undo = Some((episode, self.cwnd, self.ssthresh));
        }
    }

    fn reduce(&mut self, in_flight: Bytes) {
        self.ssthresh = self.module.ssthresh(self.flight(in_flight), self.cwnd).max(2);
        self.count = 0;
    }

    fn command(&self, control: &mut Control) {
        let bytes = |segments: u64| Bytes::new(segments * u64::from(self.mss));
        control.cwnd = bytes(self.cwnd);
        control.ssthresh = (self.ssthresh < UNSET).then(|| bytes(self.ssthresh));
    }
}

impl<M: Module> Controller for Sender<M> {
    fn on_start(&mut self, event: &Start, control: &mut Control) {
        self.mss = event.mss;
        self.cwnd = event.initial_window.into();
        self.command(control);
    }

    fn on_ack(&mut self, ack: &Ack<'_>, control: &mut Control) {
        self.limited = ack.cwnd_limited;
        if let Some(rtt) = ack.rtt {
            self.module.rtt(rtt);
        }
        let acked = self.segments(ack.acked);
        if ack.cwnd_limited && acked > 0 && (!ack.in_recovery || self.loss) {
            if self.cwnd < self.ssthresh {
                self.cwnd = (self.cwnd + acked.min(self.choices.growth_limit)).min(self.ssthresh);
            } else {
                let acked = if self.choices.byte_counting { acked } else { 1 };
                let per_segment = self.module.count(ack.now, acked, self.cwnd);
                self.grow(per_segment, acked);
            }
        }
        self.command(control);
    }

    fn on_loss(&mut self, loss: &Loss<'_>, control: &mut Control) -> LossVerdict {
        if loss.new_episode {
            self.remember(loss.episode);
            self.reduce(loss.in_flight_before);
            self.cwnd = self.cwnd.min(self.ssthresh);
            self.loss = false;
            self.command(control);
        }
        LossVerdict::Congestion
    }

    fn on_recovery_exit(&mut self, _now: Time, _control: &mut Control) {
        self.loss = false;
    }

    fn on_timeout(&mut self, timeout: &Timeout, control: &mut Control) {
        self.remember(timeout.episode);
        if timeout.consecutive <= 1 {
            self.reduce(timeout.in_flight_before);
        }
        self.module.lost();
        self.cwnd = 1;
        self.loss = true;
        self.command(control);
    }

    /// Kernels do not detect persistent congestion. This method follows RFC 9002, section 7.6.2.
    fn on_persistent_congestion(&mut self, _now: Time, control: &mut Control) {
        self.module.lost();
        self.cwnd = self.cwnd.min(2);
        self.count = 0;
        self.loss = true;
        self.command(control);
    }

    fn on_spurious(&mut self, event: &Spurious, control: &mut Control) {
        if let Some((_, cwnd, ssthresh)) = self.undo.take_if(|(episode, ..)| *episode == event.episode) {
            self.cwnd = self.cwnd.max(cwnd);
            self.ssthresh = self.ssthresh.max(ssthresh);
            self.command(control);
        }
    }

    fn on_idle(&mut self, event: &Idle, _control: &mut Control) {
        self.module.resume(event.now, event.idle_for);
    }

    /// `tcp_sync_mss`: the window keeps its number of segments. This is the only rule of the contract that kernels do
    /// not follow.
    fn on_mss(&mut self, event: &NewMss, control: &mut Control) {
        self.mss = event.mss;
        self.command(control);
    }

    fn snapshot(&self, out: &mut Snapshot) {
        self.module.numbers(out);
    }
}
