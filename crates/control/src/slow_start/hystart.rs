// SPDX-License-Identifier: MIT OR Apache-2.0
//! HyStart++ (RFC 9406): leaves slow start when the smallest RTT of a round rises, but first checks whether the rise
//! persists.
//!
//! ```text
//!            RTT rises by RttThresh              CSS_ROUNDS rounds
//!   SS ───────────────────────────────► CSS ─────────────────────────► avoidance
//!      ◄───────────────────────────────
//!            RTT falls below the baseline
//! ```

use crate::Ack;
use units::Span;

/// Smallest rise of the RTT that counts (RFC 9406, section 4.3). Smaller rises are noise.
const MIN_RTT_THRESH: Span = Span::from_millis(4);
/// Largest required rise of the RTT. On a long path, a queue of 1/8 RTT would be large.
const MAX_RTT_THRESH: Span = Span::from_millis(16);
/// If the fraction 1/8 of the RTT is between the two limits, the required rise is this fraction.
const MIN_RTT_DIVISOR: u64 = 8;
/// Number of RTT samples before a round is judged.
const N_RTT_SAMPLE: u32 = 8;
/// Divisor of the growth in conservative slow start.
const CSS_GROWTH_DIVISOR: f64 = 4.0;
/// Rounds of conservative slow start before avoidance. The partial first round counts.
const CSS_ROUNDS: u32 = 5;
/// Largest number of segments that one ACK may count without pacing. With pacing, there is no limit.
const L_UNPACED: f64 = 8.0;

/// Conservative slow start.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
struct Css {
    /// cssBaselineMinRtt: the smallest RTT of the round in which CSS began.
    baseline: Span,
    /// Number of rounds that ended since CSS began.
    rounds: u32,
}

/// The state machine of RFC 9406, section 4.2, with the RFC's symbols.
#[derive(Clone, Debug, saved::Plain)]
pub struct HyStartPlusPlus {
    limit: f64,
    /// lastRoundMinRTT; `None` is the RFC's infinity.
    last_round_min_rtt: Option<Span>,
    /// currentRoundMinRTT; `None` is the RFC's infinity.
    current_round_min_rtt: Option<Span>,
    rtt_sample_count: u32,
    css: Option<Css>,
}

impl HyStartPlusPlus {
    /// If `paced` is true, an ACK may count any number of segments (no limit L).
    pub const fn new(paced: bool) -> Self {
        Self {
            limit: if paced { f64::INFINITY } else { L_UNPACED },
            last_round_min_rtt: None,
            current_round_min_rtt: None,
            rtt_sample_count: 0,
            css: None,
        }
    }

    /// Number of rounds that ended during conservative slow start; `None` in standard slow start.
    pub fn css_rounds(&self) -> Option<u32> {
        self.css.map(|css| css.rounds)
    }

    /// Processes an ACK. Returns true when conservative slow start has lasted for all its rounds.
    pub fn observe(&mut self, ack: &Ack<'_>) -> bool {
        if ack.round_start {
            // "lastRoundMinRTT = currentRoundMinRTT, currentRoundMinRTT = infinity, rttSampleCount = 0"
            self.last_round_min_rtt = self.current_round_min_rtt.take();
            self.rtt_sample_count = 0;
            if let Some(css) = &mut self.css {
                css.rounds += 1;
                // "If CSS_ROUNDS rounds are complete, enter congestion avoidance by setting the ssthresh to the
                // current cwnd."
                if css.rounds >= CSS_ROUNDS {
                    return true;
                }
            }
        }
        if let Some(rtt) = ack.rtt {
            self.current_round_min_rtt = Some(self.current_round_min_rtt.map_or(rtt, |min| min.min(rtt)));
            self.rtt_sample_count += 1;
        }
        if let Some(current) = self.current_round_min_rtt.filter(|_| self.rtt_sample_count >= N_RTT_SAMPLE) {
            self.judge(current);
        }
        false
    }

    /// Judges a round that has enough RTT samples. The smallest of these samples is `current`.
    fn judge(&mut self, current: Span) {
        match (self.css, self.last_round_min_rtt) {
            // "if (currentRoundMinRTT < cssBaselineMinRtt) cssBaselineMinRtt = infinity, resume slow start"
            (Some(css), _) if current < css.baseline => self.css = None,
            // "RttThresh = max(MIN_RTT_THRESH, min(lastRoundMinRTT / MIN_RTT_DIVISOR, MAX_RTT_THRESH))
            // if (currentRoundMinRTT >= (lastRoundMinRTT + RttThresh)) cssBaselineMinRtt = currentRoundMinRTT,
            // exit slow start and enter CSS"
            (None, Some(last)) => {
                let rtt_thresh = (last / MIN_RTT_DIVISOR).clamp(MIN_RTT_THRESH, MAX_RTT_THRESH);
                if current >= last + rtt_thresh {
                    self.css = Some(Css { baseline: current, rounds: 0 });
                }
            }
            _ => {}
        }
    }

    /// "cwnd = cwnd + min(N, L * SMSS)", or a quarter of this in CSS. `initial` is false after the first loss.
    pub fn counted(&self, acked: f64, initial: bool) -> f64 {
        let counted = acked.min(self.limit);
        if initial && self.css.is_some() { counted / CSS_GROWTH_DIVISOR } else { counted }
    }
}
