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
    /// Playout delay: the time between the earliest possible arrival of a frame and its playout. The earliest possible
    /// arrival is computed from the fastest frame so far.
    pub playout_ms: f64,
    /// The direction with the worse quality. For a voice call, it is the direction with the lower R. For other calls,
    /// it is the direction with the larger share of missed frames. If both directions are equal, it is the direction
    /// with the larger 95th percentile of the delay.
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

/// Quality of one direction of a call. Only frames whose playout was due after the warm-up count.
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
    /// Difference between the delay of a packet and the smallest delay (PDV of RFC 5481, section 4.2). Percentiles are
    /// accurate to 1 us.
    pub delay_variation_ms: Option<Distribution>,
    /// Interarrival jitter at the end of the run (RFC 3550, section 6.4.1).
    pub jitter_ms: Option<f64>,
    /// Frames whose playout was due.
    pub frames: u64,
    /// The part of `frames` that arrived completely, but too late.
    pub late_frames: u64,
    /// The part of `frames` that had not arrived completely when the run ended.
    pub lost_frames: u64,
    /// Share of `frames` that were late or lost.
    pub missed_ratio: Option<f64>,
    /// Number of bursts. A burst is a sequence of consecutive missed frames.
    pub bursts: u64,
    /// Mean length of a burst in frames.
    pub mean_burst_frames: Option<f64>,
    /// Length of the longest burst in frames.
    pub longest_burst_frames: u64,
    /// Mean time from the sending of a frame until its playout.
    pub play_delay_ms: Option<f64>,
    /// Quality of a voice call by the E-model; `null` for other calls, and if no frame was played.
    pub voice: Option<Voice>,
}

/// Quality of a voice call by the E-model (ITU-T G.107), computed from the share of missed frames. All other inputs
/// are the defaults of G.107, and the values for G.711 with concealment of losses (G.113: Ie = 0, Bpl = 25.1).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Voice {
    /// Delay from mouth to ear: the time to fill a frame, plus the time from the sending of the frame until its
    /// playout.
    pub mouth_to_ear_ms: f64,
    /// Rating R, at best 93.2. If R is above 70, at most some users are dissatisfied (G.109). If R is below 50, G.109
    /// does not recommend the connection.
    pub r: f64,
    /// Mean opinion score, 1 to 4.5, computed from R (G.107, annex B).
    pub mos: f64,
}
