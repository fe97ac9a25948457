// SPDX-License-Identifier: MIT OR Apache-2.0
//! HyStart as in Linux (`net/ipv4/tcp_cubic.c`, 6.14): two rules. Each rule alone ends slow start immediately.
//!
//! ```text
//! delay rule:     min RTT of the round > delay_min + clamp(delay_min / 8, 4 ms, 16 ms), from the round's 9th sample on
//! ACK-train rule: ACKs from the round's first on, each at most 2 ms after the one before, have gone on for longer than
//!                 delay_min + ack_delay, half of it when nothing paces
//! ack_delay = min(1 ms, 4 * 64 KiB / pacing rate)       both rules only at W >= 16
//! ```
//!
//! If packets leave at line rate and a train lasts for half an RTT, the window fills the path. On a GEO path, the delay
//! rule reacts to 16 ms of queue, which is 2.7 % of the RTT. The rule therefore mistakes jitter for a queue.

use crate::Ack;
use crate::window::Window;
use units::{Span, Time};

/// Smallest window at which a rule acts, in segments (`hystart_low_window`).
const LOW_WINDOW: f64 = 16.0;
/// ACKs that are further apart than this do not belong to the same train (`hystart_ack_delta_us`).
const ACK_DELTA: Span = Span::from_millis(2);
/// Number of RTT samples that the delay rule requires in a round before it acts (`HYSTART_MIN_SAMPLES`).
const MIN_SAMPLES: u32 = 8;
/// Smallest rise of the RTT that counts (`HYSTART_DELAY_MIN`).
const DELAY_MIN: Span = Span::from_millis(4);
/// Largest required rise of the RTT (`HYSTART_DELAY_MAX`).
const DELAY_MAX: Span = Span::from_millis(16);
/// If the fraction 1/8 of the RTT is between the two limits, the required rise is this fraction.
const DELAY_DIVISOR: u64 = 8;
/// Largest value of `ack_delay`, the time that the aggregation of segments by sender and receiver may take.
const ACK_DELAY_MAX: Span = Span::from_millis(1);
/// `ack_delay` is the time to send this number of bytes: four aggregates of the largest size.
const ACK_DELAY_BYTES: f64 = 4.0 * 65_536.0;

/// One round trip.
#[derive(Clone, Copy, Debug, saved::Plain)]
struct Round {
    start: Time,
    /// Time of the newest ACK of the train that began with the round.
    last_ack: Time,
    min_rtt: Span,
    samples: u32,
}

/// The two rules of HyStart.
#[derive(Clone, Debug, saved::Plain)]
pub struct HyStartLinux {
    paced: bool,
    round: Option<Round>,
}

impl HyStartLinux {
    /// If `paced` is true, the packets of a window are spread over up to half the RTT, so a train must last twice as
    /// long.
    pub const fn new(paced: bool) -> Self {
        Self { paced, round: None }
    }

    /// Processes an ACK. Returns true when one of the rules ends slow start.
    pub fn observe(&mut self, ack: &Ack<'_>, window: &Window) -> bool {
        if ack.round_start {
            self.round = None;
        }
        let (Some(rtt), Some(delay_min)) = (ack.rtt, window.min_rtt) else { return false };
        let now = ack.now;
        let fresh = Round { start: now, last_ack: now, min_rtt: Span::MAX, samples: 0 };
        let round = self.round.get_or_insert(fresh);
        if window.w < LOW_WINDOW {
            return false;
        }
        let mut found = false;
        if now.since(round.last_ack) <= ACK_DELTA {
            round.last_ack = now;
            let length = delay_min + ack_delay(window);
            found = now.since(round.start) > if self.paced { length } else { length / 2 };
        }
        round.min_rtt = round.min_rtt.min(rtt);
        if round.samples < MIN_SAMPLES {
            round.samples += 1;
        } else {
            found |= round.min_rtt > delay_min + delay_threshold(delay_min);
        }
        found
    }
}

/// Rise of the RTT that ends slow start: `HYSTART_DELAY_THRESH(delay_min >> 3)`.
fn delay_threshold(delay_min: Span) -> Span {
    (delay_min / DELAY_DIVISOR).clamp(DELAY_MIN, DELAY_MAX)
}

/// `hystart_ack_delay`. Even without pacing, Linux computes a pacing rate of two windows per smoothed RTT.
fn ack_delay(window: &Window) -> Span {
    let rate = window.pace(crate::loss_based::PACING_GAIN_SLOW_START);
    rate.map_or(Span::ZERO, |rate| {
        Span::from_secs_f64(ACK_DELAY_BYTES / rate.bytes_per_s()).min(ACK_DELAY_MAX)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `clamp(delay_min >> 3, 4 ms, 16 ms)`: for LEO paths of 30 ms and 80 ms, and for a GEO path of 600 ms.
    #[test]
    fn the_delay_threshold_is_an_eighth_within_4_and_16_ms() {
        let threshold_us = |ms| delay_threshold(Span::from_millis(ms)).nanos() / 1000;
        assert_eq!(threshold_us(30), 4_000);
        assert_eq!(threshold_us(80), 10_000);
        assert_eq!(threshold_us(600), 16_000);
    }

    /// 4 * 64 KiB at two windows per SRTT: 100 segments of 1448 bytes in 100 ms are 2 896 000 B/s, which gives 90.5 ms,
    /// limited to 1 ms. 20 000 segments are 579 200 000 B/s, which gives 0.4526 ms.
    #[test]
    fn aggregation_is_allowed_a_millisecond_at_most() {
        let window = |w| Window { srtt: Some(Span::from_millis(100)), ..Window::new(w, 1448) };
        assert_eq!(ack_delay(&window(100.0)), Span::from_millis(1));
        assert!((ack_delay(&window(20_000.0)).millis_f64() - 0.4526).abs() < 1e-4);
        assert_eq!(ack_delay(&Window::new(100.0, 1448)), Span::ZERO);
    }
}
