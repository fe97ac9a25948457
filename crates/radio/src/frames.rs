// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random losses of frames that the decoder cannot correct. If a frame is lost, all packets in it are lost.
//!
//! The frame error ratio is Q(4.26 + margin / 0.053 dB), where the margin is Es/N0 minus the threshold. Losses occur
//! only while the modem has not reacted yet. At all other times, the ACM margin protects every frame.

use crate::acm::Stretch;
use crate::modcod::Modcod;

use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus, normal};

/// The value x for which Q(x) = 1e-5. At a threshold of the ladder, the frame error ratio is 1e-5.
const AT_THRESHOLD: f64 = 4.264_890_793_922_825;

/// Width of the waterfall curve of normal frames, in dB. The error ratio of an LDPC code of finite length is Q(x /
/// width). The width is proportional to one over the square root of the length (Amraoui, Montanari, Richardson and
/// Urbanke, IEEE Trans. Inf. Theory 55, 2009). For DVB-S2 frames of 16,200 bits, simulations (aff3ct/dvbs2,
/// `refs/TX_RX_BB`, five MODCODs) result in 0.097 to 0.116 dB, with a mean of 0.106 dB. Frames of 64,800 bits have half
/// of this width.
pub const WATERFALL_DB: f64 = 0.053;

/// Returns the probability that a frame is lost if Es/N0 is `above_db` above the threshold. The thresholds of DVB-S2
/// are defined at a packet error ratio of 1e-7. They are treated like those of DVB-S2X, which are defined at a frame
/// error ratio of 1e-5. The difference is 0.05 dB, on the safe side.
pub fn error_ratio(above_db: f64, waterfall_db: f64) -> f64 {
    normal::tail(AT_THRESHOLD + above_db / waterfall_db)
}

/// Smallest frame error ratio that is simulated. At 1 Gsymbol/s, this ratio is one frame per month.
const NEVER: f64 = 1e-12;

/// Returns whether frames can be lost if Es/N0 is `above_db` above the threshold.
pub fn may_be_lost(above_db: f64) -> bool {
    error_ratio(above_db, WATERFALL_DB) >= NEVER
}

/// Draws the lost frames of these periods. Returns the start and the end, in seconds, of each sequence of consecutive
/// lost frames. The last period ends at `end_s`.
pub fn lost(
    stretches: &[Stretch],
    rungs: &[Modcod],
    symbols_per_s: f64,
    end_s: f64,
    seed: u64,
) -> Vec<(f64, f64)> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut lost: Vec<(f64, f64)> = Vec::new();
    for (index, stretch) in stretches.iter().enumerate() {
        let Some(rung) = stretch.rung else { continue };
        let until_s = stretches.get(index + 1).map_or(end_s, |next| next.from_s);
        let ratio = error_ratio(stretch.es_n0_db - rungs[rung].es_n0_db, WATERFALL_DB);
        if ratio < NEVER {
            continue;
        }
        let frame_s = rungs[rung].frame_s(symbols_per_s);
        let frames = (until_s - stretch.from_s) / frame_s;
        // The number of good frames until the next lost frame has a geometric distribution.
        let gap = |random: &mut Xoshiro256PlusPlus| {
            if ratio >= 1.0 - 1e-9 { 0.0 } else { (random.positive().ln() / (-ratio).ln_1p()).floor() }
        };
        let mut frame = gap(&mut random);
        while frame < frames {
            let from = stretch.from_s + frame * frame_s;
            let to = (from + frame_s).min(until_s);
            match lost.last_mut() {
                Some(last) if from - last.1 < frame_s * 1e-6 => last.1 = to,
                _ => lost.push((from, to)),
            }
            frame += 1.0 + gap(&mut random);
        }
    }
    lost
}
