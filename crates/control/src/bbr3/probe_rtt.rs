// SPDX-License-Identifier: MIT OR Apache-2.0
//! ProbeRTT: for 200 ms and a round, only half a BDP is in flight, to measure the path without its queue (section
//! 5.3.4).

use super::probe_bw::AckPhase;
use super::{Bbr3, Sample, State};
use units::Time;

/// State of ProbeRTT.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct ProbeRtt {
    /// BBR.probe_rtt_done_stamp; `None` before the flight is small enough.
    done_stamp: Option<Time>,
    /// BBR.probe_rtt_round_done: whether the required round has ended.
    round_done: bool,
    /// First and last value of C.delivered, in bytes, at which the connection was marked as application-limited.
    mark: Option<(u64, u64)>,
}

impl ProbeRtt {
    /// Whether ProbeRTT has marked a packet that was sent when C.delivered was `delivered` bytes.
    pub(super) fn marked(&self, delivered: u64) -> bool {
        self.mark.is_some_and(|(first, last)| (first..=last).contains(&delivered))
    }
}

impl Bbr3 {
    /// CheckProbeRTT(): begins ProbeRTT when it is due, and continues it.
    pub(super) fn check_probe_rtt(&mut self, rs: &Sample) {
        if self.state != State::ProbeRtt && self.min_rtt.probe_rtt_expired && !self.idle_restart {
            self.state = State::ProbeRtt;
            self.save_cwnd();
            self.probe_rtt = ProbeRtt::default();
            self.cycle.ack_phase = AckPhase::ProbeStopping;
            self.start_round();
        }
        if self.state == State::ProbeRtt {
            self.handle_probe_rtt(rs);
        }
        if rs.delivered > 0.0 {
            self.idle_restart = false;
        }
    }

    /// HandleProbeRTT(): processes an ACK in ProbeRTT.
    fn handle_probe_rtt(&mut self, rs: &Sample) {
        // MarkConnectionAppLimited(): marks all packets that are sent until the current flight is delivered.
        let first = self.probe_rtt.mark.map_or(self.delivered, |(first, _)| first);
        self.probe_rtt.mark = Some((first, self.delivered + rs.in_flight as u64));
        if self.probe_rtt.done_stamp.is_some() {
            self.probe_rtt.round_done |= self.rounds.start;
            if self.probe_rtt.round_done {
                self.check_probe_rtt_done(rs.now);
            }
        } else if rs.in_flight <= self.probe_rtt_cwnd() {
            self.probe_rtt.done_stamp = Some(rs.now + self.parameters.probe_rtt_duration);
            self.probe_rtt.round_done = false;
            self.start_round();
        }
    }

    /// CheckProbeRTTDone(): ends ProbeRTT when its time has passed.
    pub(super) fn check_probe_rtt_done(&mut self, now: Time) {
        if self.probe_rtt.done_stamp.is_some_and(|done| now > done) {
            self.min_rtt.probe_rtt_stamp = now;
            self.restore_cwnd();
            self.exit_probe_rtt(now);
        }
    }

    /// ExitProbeRTT(): continues with CRUISE, or with Startup if the pipe was never full.
    fn exit_probe_rtt(&mut self, now: Time) {
        self.congestion.reset_short_term_model();
        if self.full_pipe.reached {
            self.start_probe_bw_down(now);
            self.start_probe_bw_cruise();
        } else {
            self.enter_startup();
        }
    }

    /// ProbeRTTCwnd(): the window of ProbeRTT.
    pub(super) fn probe_rtt_cwnd(&self) -> f64 {
        self.bdp_multiple(self.bw, self.parameters.probe_rtt_cwnd_gain).max(self.min_pipe_cwnd())
    }
}
