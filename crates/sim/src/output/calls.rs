// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quality of a call as its users experience it, computed at the end of a run.

use super::e_model::{self, G711_IE, G711_PLC_BPL, opinion};
use hosts::meter::OneWay;
use hosts::{CallEnd, Metered};
use record::calls::{CallSummary, CallWay, Voice, Way};
use scenario::Profile;
use units::{Span, Time};

/// Returns the summary of a call between its two ends. `idle` is the delay of a packet on an empty path in each
/// direction.
pub fn summary(caller: &CallEnd, called: &CallEnd, idle: [Span; 2], end: Time) -> CallSummary {
    let mut there = way(caller, called, idle[0], end);
    let mut back = way(called, caller, idle[1], end);
    if caller.profile() == Profile::Voice {
        // Encoding a frame adds one frame length to the delay: the first sample waits until the last sample is
        // available.
        let mouth_to_ear = |way: &CallWay, speaker: &CallEnd| {
            way.play_delay_ms.map(|delay_ms| delay_ms + speaker.interval().millis_f64())
        };
        let delays = [mouth_to_ear(&there, caller), mouth_to_ear(&back, called)];
        there.voice = voice(&there, delays);
        back.voice = voice(&back, [delays[1], delays[0]]);
    }
    CallSummary {
        profile: caller.profile().name().to_owned(),
        playout_ms: caller.playout().millis_f64(),
        worse: if is_worse(&back, &there) { Way::Back } else { Way::There },
        there,
        back,
    }
}

/// Returns the results for the data that `listener` received from `speaker`.
fn way(speaker: &CallEnd, listener: &CallEnd, idle: Span, end: Time) -> CallWay {
    let (sent, lost) = speaker.sent_and_dropped();
    let (delay, _, jitter) = listener.one_way().map(OneWay::distributions).unwrap_or_default();
    let heard = listener.heard(end, idle);
    let played = heard.frames - heard.missed;
    let late = heard.late.min(heard.missed);
    CallWay {
        sent_packets: sent,
        lost_packets: lost,
        // Packets in flight count neither as lost nor as delivered.
        loss_ratio: ratio(lost, sent).filter(|_| lost > 0 || delay.is_some()),
        one_way_delay_ms: delay,
        delay_variation_ms: delay.as_ref().map(|delay| listener.spread().beyond_least(delay)),
        jitter_ms: jitter,
        frames: heard.frames,
        late_frames: late,
        lost_frames: heard.missed - late,
        missed_ratio: ratio(heard.missed, heard.frames),
        bursts: heard.bursts,
        mean_burst_frames: ratio(heard.missed, heard.bursts),
        longest_burst_frames: heard.longest,
        play_delay_ms: (played > 0).then(|| heard.played_ns as f64 / played as f64 / 1e6),
        voice: None,
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Returns the rating of the E-model. The delays are from mouth to ear, in this direction and in the other direction.
fn voice(way: &CallWay, [delay_ms, delay_back_ms]: [Option<f64>; 2]) -> Option<Voice> {
    let (mouth_to_ear_ms, loss) = (delay_ms?, way.missed_ratio?);
    // G.107, section 7.5: the mean length of loss bursts, divided by their mean length under random loss, 1 / (1 -
    // Ppl).
    let burst_ratio = way.mean_burst_frames.map_or(1.0, |mean| mean * (1.0 - loss)).max(1.0);
    let call = e_model::Call {
        delay_ms: mouth_to_ear_ms,
        delay_back_ms: delay_back_ms.unwrap_or(mouth_to_ear_ms),
        ie: G711_IE,
        bpl: G711_PLC_BPL,
        loss,
        burst_ratio,
    };
    let r = call.rating();
    Some(Voice { mouth_to_ear_ms, r, mos: opinion(r) })
}

/// Returns whether the direction `way` is worse than the direction `other`.
fn is_worse(way: &CallWay, other: &CallWay) -> bool {
    let rating = |way: &CallWay| way.voice.map_or(0.0, |voice| -voice.r);
    let missed = |way: &CallWay| way.missed_ratio.unwrap_or(0.0);
    let p95 = |way: &CallWay| way.one_way_delay_ms.map_or(0.0, |delay| delay.p95);
    let key = |way: &CallWay| [rating(way), missed(way), p95(way)];
    key(way).partial_cmp(&key(other)) == Some(std::cmp::Ordering::Greater)
}
