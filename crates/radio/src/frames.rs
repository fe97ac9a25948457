// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames that the decoder cannot correct. A frame is lost as a whole, with every packet in it.
//!
//! The frame error ratio is Q(4.26 + margin / 0.053 dB). It matters only while the modem reacts late, because the
//! margin protects every frame otherwise.

use crate::acm::Stretch;
use crate::modcod::Modcod;

use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus, normal};

/// What Q exceeds with probability 1e-5, the frame error ratio at a threshold of the ladder.
const AT_THRESHOLD: f64 = 4.264_890_793_922_825;

/// Width of the waterfall for normal frames. An LDPC code of finite length errs as Q(x / width), and the width goes with one
/// over the root of the length (Amraoui, Montanari, Richardson and Urbanke, IEEE Trans. Inf. Theory 55, 2009). Simulated
/// DVB-S2 frames of 16,200 bits (aff3ct/dvbs2, `refs/TX_RX_BB`, five MODCODs) give 0.097 to 0.116 dB, mean 0.106; half of
/// that is for 64,800.
pub const WATERFALL_DB: f64 = 0.053;

/// Probability that a frame is lost this far above its threshold. DVB-S2's thresholds, at a packet error ratio of 1e-7,
/// are used as DVB-S2X's, which differs by 0.05 dB on the safe side.
pub fn error_ratio(above_db: f64, waterfall_db: f64) -> f64 {
    normal::tail(AT_THRESHOLD + above_db / waterfall_db)
}

/// Smallest frame error ratio that is drawn: at 1 Gsymbol/s one frame in a month.
const NEVER: f64 = 1e-12;

/// Whether any frame is lost this far above its threshold.
pub fn may_be_lost(above_db: f64) -> bool {
    error_ratio(above_db, WATERFALL_DB) >= NEVER
}

/// The frames lost in these stretches, in seconds: start and end of each run of consecutive ones. The last stretch
/// lasts until `end_s`.
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
        // The number of good frames until the next lost one: geometric.
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
