// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the users of a call feel, as `summary.json` says it.

use crate::summary::Distribution;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A call, each way by itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallSummary {
    /// "voice", "video-call" or "game".
    pub profile: String,
    /// How long a frame waits behind the fastest one so far until it is played.
    pub playout_ms: f64,
    /// The way on which the call is worse: the lower R of a voice call, else the larger share of missed frames, else the
    /// larger 95th percentile of the delay.
    pub worse: Way,
    /// What is heard and seen at `to`.
    pub there: CallWay,
    /// And at `from`.
    pub back: CallWay,
}

/// One way of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// From `from` to `to`.
    There,
    /// From `to` to `from`.
    Back,
}

/// What arrives on one way of a call. Of frames those count whose turn to be played came after the warm-up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallWay {
    /// Packets sent.
    pub sent_packets: u64,
    /// Packets lost on the way.
    pub lost_packets: u64,
    /// Lost over sent packets; `null` if none was sent.
    pub loss_ratio: Option<f64>,
    /// Time from sending to arrival of a packet.
    pub one_way_delay_ms: Option<Distribution>,
    /// By how much a packet's delay exceeds the smallest (PDV of RFC 5481, section 4.2); percentiles are within 1 us.
    pub delay_variation_ms: Option<Distribution>,
    /// Interarrival jitter at the end (RFC 3550, section 6.4.1).
    pub jitter_ms: Option<f64>,
    /// Frames whose turn to be played came.
    pub frames: u64,
    /// Of them, those that were whole, but late.
    pub late_frames: u64,
    /// Of them, those that were never whole until the end.
    pub lost_frames: u64,
    /// Share of the frames that were not there to be played: late or lost.
    pub missed_ratio: Option<f64>,
    /// Stretches of missed frames in a row.
    pub bursts: u64,
    /// Their mean length in frames.
    pub mean_burst_frames: Option<f64>,
    /// The longest of them.
    pub longest_burst_frames: u64,
    /// Mean time from the sending of a frame to its playing.
    pub play_delay_ms: Option<f64>,
    /// Of a voice call, what the E-model says; `null` of others, and if nothing was played.
    pub voice: Option<Voice>,
}

/// Quality of a voice call by the E-model (ITU-T G.107), with its default values, for G.711 with concealment of losses (G.113:
/// Ie = 0, Bpl = 25.1) and the frames that were missed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Voice {
    /// Delay from mouth to ear: a frame is filled, sent, and played.
    pub mouth_to_ear_ms: f64,
    /// Rating R: 93.2 at best; over 70 users are satisfied or some are not (G.109), under 50 nobody should plan for it.
    pub r: f64,
    /// Mean opinion score that R stands for (G.107, annex B): 1 to 4.5.
    pub mos: f64,
}
