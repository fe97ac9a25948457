// SPDX-License-Identifier: MIT OR Apache-2.0
//! BBR.min_rtt and the schedule of ProbeRTT (sections 5.3.4.3 and 5.5.7).

use super::Parameters;
use units::{Span, Time};

/// Two filters. The first filter, over 5 s, decides when ProbeRTT is due. Its output is the input of the second filter,
/// over 10 s.
#[derive(Clone, Debug, Default, saved::Plain)]
pub(super) struct MinRtt {
    /// BBR.min_rtt and BBR.min_rtt_stamp.
    min: Option<Span>,
    stamp: Time,
    /// BBR.probe_rtt_min_delay and BBR.probe_rtt_min_stamp.
    probe_rtt_min: Option<Span>,
    pub(super) probe_rtt_stamp: Time,
    pub(super) probe_rtt_expired: bool,
}

impl MinRtt {
    /// BBROnInit(). `rtt` is the RTT of the handshake; `None` without a handshake.
    pub(super) const fn begin(&mut self, now: Time, rtt: Option<Span>) {
        self.min = rtt;
        self.stamp = now;
        self.probe_rtt_stamp = now;
    }

    /// BBR.min_rtt; `None` before the first sample.
    pub(super) const fn get(&self) -> Option<Span> {
        self.min
    }

    /// UpdateMinRTT(): processes an RTT sample.
    pub(super) fn update(&mut self, now: Time, rtt: Option<Span>, parameters: &Parameters) {
        self.probe_rtt_expired = now > self.probe_rtt_stamp + parameters.probe_rtt_interval;
        if let Some(rtt) = rtt
            && (self.probe_rtt_expired || self.probe_rtt_min.is_none_or(|min| rtt < min))
        {
            self.probe_rtt_min = Some(rtt);
            self.probe_rtt_stamp = now;
        }
        let min_rtt_expired = now > self.stamp + parameters.min_rtt_window;
        if let Some(recent) = self.probe_rtt_min
            && (min_rtt_expired || self.min.is_none_or(|min| recent < min))
        {
            self.min = Some(recent);
            self.stamp = self.probe_rtt_stamp;
        }
    }
}
