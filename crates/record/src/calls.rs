// SPDX-License-Identifier: MIT OR Apache-2.0
//! The quality of a call for its users, as in `summary.json`.

use crate::summary::Distribution;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Quality of a call, separately for each direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallSummary {
    /// "voice", "video-call" or "game".
    pub profile: String,
    /// Playout delay: a frame is played this long after its earliest possible arrival, which follows from the fastest
    /// frame so far.
    pub playout_ms: f64,
    /// The direction with the worse quality. For a voice call this is the direction with the lower R, otherwise the
    /// direction with the larger share of missed frames. If these are equal, it is the direction with the larger 95th
    /// percentile of the delay.
    pub worse: Way,
    /// Quality at `to`.
    pub there: CallWay,
    /// Quality at `from`.
    pub back: CallWay,
}

/// A direction of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// From `from` to `to`.
    There,
    /// From `to` to `from`.
    Back,
}

/// Quality of one direction of a call. Only frames that were due for playout after the warm-up count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallWay {
    /// Packets sent.
    pub sent_packets: u64,
    /// Packets lost.
    pub lost_packets: u64,
    /// Lost packets divided by sent packets; `null` if no packet was sent.
    pub loss_ratio: Option<f64>,
    /// Time from sending to arrival of a packet.
    pub one_way_delay_ms: Option<Distribution>,
    /// Difference between a packet's delay and the smallest delay (PDV of RFC 5481, section 4.2). Percentiles are
    /// accurate to 1 us.
    pub delay_variation_ms: Option<Distribution>,
    /// Interarrival jitter at the end (RFC 3550, section 6.4.1).
    pub jitter_ms: Option<f64>,
    /// Frames that were due for playout.
    pub frames: u64,
    /// The part of `frames` that arrived completely, but too late.
    pub late_frames: u64,
    /// The part of `frames` that had not arrived completely when the run ended.
    pub lost_frames: u64,
    /// Share of `frames` that were late or lost.
    pub missed_ratio: Option<f64>,
    /// Number of sequences of consecutive missed frames.
    pub bursts: u64,
    /// Mean length of these sequences in frames.
    pub mean_burst_frames: Option<f64>,
    /// Length of the longest sequence in frames.
    pub longest_burst_frames: u64,
    /// Mean time from the sending of a frame until its playout.
    pub play_delay_ms: Option<f64>,
    /// Quality of a voice call by the E-model; `null` for other calls, and if nothing was played.
    pub voice: Option<Voice>,
}

/// Quality of a voice call by the E-model (ITU-T G.107), with its default values, for G.711 with concealment of losses
/// (G.113: Ie = 0, Bpl = 25.1) and the share of missed frames.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Voice {
    /// Delay from mouth to ear: the time to fill a frame, plus the time from its sending until its playout.
    pub mouth_to_ear_ms: f64,
    /// Rating R, at best 93.2. Above 70, at most some users are dissatisfied (G.109). G.109 does not recommend values
    /// below 50.
    pub r: f64,
    /// Mean opinion score that follows from R (G.107, annex B): 1 to 4.5.
    pub mos: f64,
}
