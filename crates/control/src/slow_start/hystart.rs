// SPDX-License-Identifier: MIT OR Apache-2.0
//! HyStart++ (RFC 9406): leave slow start when the round's smallest RTT rises, and verify before believing it.
//!
//! ```text
//!            RTT rises by RttThresh              CSS_ROUNDS rounds
//!   SS ───────────────────────────────► CSS ─────────────────────────► avoidance
//!      ◄───────────────────────────────
//!            RTT falls below the baseline
//! ```

use crate::Ack;
use units::Span;

/// Smallest rise of the RTT that counts (RFC 9406, section 4.3): below it is noise.
const MIN_RTT_THRESH: Span = Span::from_millis(4);
/// Largest rise that is waited for: on a long path a queue of 1/8 RTT would be large.
const MAX_RTT_THRESH: Span = Span::from_millis(16);
/// In between, the rise is this fraction of the RTT.
const MIN_RTT_DIVISOR: u64 = 8;
/// RTT samples before a round is judged.
const N_RTT_SAMPLE: u32 = 8;
/// Growth in conservative slow start is divided by this.
const CSS_GROWTH_DIVISOR: f64 = 4.0;
/// Rounds of conservative slow start before avoidance; the partial first round counts.
const CSS_ROUNDS: u32 = 5;
/// Most segments that one ACK may count without pacing (unlimited with pacing).
const L_UNPACED: f64 = 8.0;

/// Conservative slow start.
#[derive(Clone, Copy, Debug, PartialEq, saved::Plain)]
struct Css {
    /// cssBaselineMinRtt.
    baseline: Span,
    /// Rounds ended since CSS began.
    rounds: u32,
}

/// The state machine of RFC 9406, section 4.2. Its symbols are kept.
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
    /// `paced` lifts the limit L on what one ACK counts.
    pub const fn new(paced: bool) -> Self {
        Self {
            limit: if paced { f64::INFINITY } else { L_UNPACED },
            last_round_min_rtt: None,
            current_round_min_rtt: None,
            rtt_sample_count: 0,
            css: None,
        }
    }

    /// Rounds ended in conservative slow start; `None` in standard slow start.
    pub fn css_rounds(&self) -> Option<u32> {
        self.css.map(|css| css.rounds)
    }

    /// Takes an ACK; true when conservative slow start has run its rounds.
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

    /// A round with enough samples whose smallest RTT is `current`.
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

    /// "cwnd = cwnd + min(N, L * SMSS)", a quarter of it in CSS; `initial` is false after the first loss.
    pub fn counted(&self, acked: f64, initial: bool) -> f64 {
        let counted = acked.min(self.limit);
        if initial && self.css.is_some() { counted / CSS_GROWTH_DIVISOR } else { counted }
    }
}
