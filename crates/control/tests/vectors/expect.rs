// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares the commands of a controller with the expected values of a case.

use crate::cases::Expect;
use crate::profile::Profile;
use bentpipe_control::{Control, LossVerdict, Snapshot};
use units::{Rate, Time};

/// The commands of a platform after a step.
pub struct Answer<'a> {
    pub control: &'a Control,
    /// Bytes of a segment.
    pub mss: u32,
    /// Bytes and rates on this platform divided by bytes and rates of the case. The segments of the case may have
    /// another size.
    pub scale: f64,
    pub verdict: Option<LossVerdict>,
    /// Number of probes requested since the previous step.
    pub probes: u32,
    pub snapshot: Snapshot,
}

impl Answer<'_> {
    /// Returns all differences from the expected values on the platform of `profile`. `roundings` roundings may add up.
    pub fn differences(&self, profile: &Profile, roundings: u32, expect: &Expect) -> Vec<String> {
        let mut out = Vec::new();
        let mut check = |what: &str, got: Option<f64>, wanted: Option<f64>| {
            if let Some(wanted) = wanted.filter(|_| profile.compares(what))
                && !got.is_some_and(|got| profile.near(what, got, wanted, roundings))
            {
                out.push(format!("{what}: got {got:?}, expected {wanted}"));
            }
        };
        let ssthresh = self.control.ssthresh.map(|bytes| bytes.segments(self.mss));
        check("cwnd_segments", Some(self.control.cwnd.segments(self.mss)), expect.cwnd_segments);
        check("ssthresh_segments", ssthresh, expect.ssthresh_segments);
        let pacing = expect.pacing_mbit_s.map(|mbit| mbit * self.scale);
        check("pacing_mbit_s", self.control.pacing.map(Rate::mbit_per_s), pacing);
        let in_ms = |at: Time| at.nanos() as f64 / 1e6;
        check("hold_until_ms", self.control.hold_until.map(in_ms), expect.hold_until_ms);
        for (i, timer) in self.control.timers.iter().enumerate() {
            check("timers_ms", timer.map(in_ms), expect.timers_ms.map(|timers| timers[i]));
        }
        check("probes", Some(f64::from(self.probes)), expect.probes.map(f64::from));
        for (name, wanted) in &expect.numbers {
            let got = self.snapshot.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
            let of_bytes = name.ends_with("_mbit_s") || name.ends_with("_bytes");
            check(name, got, Some(if of_bytes { wanted * self.scale } else { *wanted }));
        }
        if expect.ssthresh_unset && ssthresh.is_some() {
            out.push(format!("ssthresh_segments: got {ssthresh:?}, expected it unset"));
        }
        if expect.pacing_unset && profile.compares("pacing_mbit_s") && self.control.pacing.is_some() {
            out.push(format!("pacing: got {:?}, expected none", self.control.pacing));
        }
        if let Some(wanted) = &expect.verdict {
            let got = self.verdict.map(|verdict| match verdict {
                LossVerdict::Congestion => "congestion",
                LossVerdict::LinkError => "link error",
            });
            if got != Some(wanted.as_str()) {
                out.push(format!("verdict: got {got:?}, expected {wanted}"));
            }
        }
        if profile.compares("phase")
            && expect.phase.as_ref().is_some_and(|wanted| wanted != self.control.phase)
        {
            out.push(format!("phase: got {}, expected {:?}", self.control.phase, expect.phase));
        }
        out
    }
}
