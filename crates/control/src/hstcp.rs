// SPDX-License-Identifier: MIT OR Apache-2.0
//! HighSpeed TCP (RFC 3649) with the RFC's symbols. Note that b(w) is the fraction by which a loss *reduces* the
//! window.
//!
//! ```text
//! b(w) = 0.5 + (High_Decrease - 0.5) (ln w - ln Low_Window) / (ln High_Window - ln Low_Window)
//! p(w) = 1 / (12.8 w^1.2)
//! a(w) = w^2 p(w) 2 b(w) / (2 - b(w))
//! avoidance: W += a(W) / W per acknowledged segment (or ACK)      loss: W -= b(W) W
//! W <= Low_Window: a = 1, b = 0.5
//! ```
//!
//! The RFC rounds p(w) to 0.078 / w^1.2. With 1/12.8 = 0.078125, the formula gives every row of the RFC's appendix B.
//! With 0.078, it does not give most of the rows. Between 38 and 41 segments, the formula gives a(w) below 1, so this
//! code sets a(w) to 1. The table of appendix B ends at 94 717 segments. Above this window, b(w) is constant, because
//! the formula would give zero at 567 000 segments.

use crate::catalogue::parts::{WINDOW_RULE, parts};
use crate::catalogue::{Entry, parameters};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot};

/// `Low_Window`: largest window at which the rule equals Reno's rule, segments (RFC 3649, section 5).
const LOW_WINDOW: f64 = 38.0;
/// `High_Window`: window at which b(w) is `High_Decrease`, segments (section 5).
const HIGH_WINDOW: f64 = 83_000.0;
/// `High_Decrease`: the fraction by which a loss at `High_Window` reduces the window (section 5).
const HIGH_DECREASE: f64 = 0.1;
/// Last window in the table of appendix B, segments.
const TABLE_END: f64 = 94_717.0;

parameters! {
    /// Parameters of HighSpeed TCP.
    pub struct Parameters {
        /// false counts one segment per ACK, as in the RFC: delayed ACKs then halve the growth in avoidance
        byte_counting: bool = flag(true), "RFC 3465 (true); RFC 3649, section 4, and Linux (false)";
    }
}

/// The window rule of HighSpeed TCP.
#[derive(Clone, Debug, saved::Plain)]
pub struct Hstcp {
    /// Whether an ACK counts the segments that it acknowledges. Otherwise, an ACK counts one segment.
    byte_counting: bool,
    /// floor(W) and a(floor(W)). While floor(W) is unchanged, this cache saves a power and a logarithm per ACK.
    cached: (f64, f64),
}

/// HighSpeed TCP with `parameters`, combined with `parts`.
pub const fn controller(parts: Parts, parameters: Parameters) -> LossBased<Hstcp> {
    let Parameters { byte_counting } = parameters;
    LossBased::new(Hstcp { byte_counting, cached: (LOW_WINDOW, 1.0) }, parts)
}

/// b(w): the fraction by which a loss reduces the window.
fn b(w: f64) -> f64 {
    if w <= LOW_WINDOW {
        return 0.5;
    }
    // RFC 3649, section 5: b(w) is linear in log(w).
    let share = (w.min(TABLE_END) / LOW_WINDOW).ln() / (HIGH_WINDOW / LOW_WINDOW).ln();
    0.5 + (HIGH_DECREASE - 0.5) * share
}

/// a(w): segments of growth per round trip.
fn a(w: f64) -> f64 {
    if w <= LOW_WINDOW {
        return 1.0;
    }
    // RFC 3649, section 5, with p(w) = 1/(12.8 w^1.2): a(w) = w^2 p(w) 2 b(w) / (2 - b(w)), w^2 p(w) = w^0.8 / 12.8.
    let b = b(w);
    (w.powf(0.8) / 12.8 * 2.0 * b / (2.0 - b)).max(1.0)
}

impl Rescale for Hstcp {
    fn rescale(&mut self, _factor: f64) {}
}

impl Rule for Hstcp {
    type Memory = ();

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        let whole = window.w.floor();
        if self.cached.0 != whole {
            self.cached = (whole, a(whole));
        }
        // RFC 3649, section 4: w <- w + a(w)/w in response to a single acknowledgment.
        self.cached.1 * if self.byte_counting { acked } else { 1.0 } / window.w
    }
    fn reduce(&mut self, event: &Reduction, _window: &Window) -> f64 {
        event.flight * (1.0 - b(event.flight))
    }
    fn save(&self) {}
    fn restore(&mut self, (): ()) {}
    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("a_segments", self.cached.1));
        out.push(("b", b(self.cached.0)));
    }
}

pub(crate) const HSTCP: Entry = Entry {
    name: "hstcp",
    summary: "HighSpeed TCP (RFC 3649)",
    equations: "b(w) = 0.5 - 0.4 ln(w/38)/ln(83000/38); a(w) = w^0.8/12.8 2 b(w)/(2 - b(w)), at least 1\n\
                W <= 38: a = 1, b = 0.5; b is constant from 94717 segments on\n\
                avoidance: W += a(floor(W)) acked/W; without byte_counting a(floor(W))/W per ACK\n\
                loss: ssthresh = max((1 - b(FlightSize)) FlightSize, 2), W = ssthresh\n\
                timeout: ssthresh likewise, W = 1",
    own: &[&Parameters::LIST.all],
    frame: WINDOW_RULE,
    sources: &["RFC 3649"],
    limits: "If flows with different RTTs lose packets at the same time, their shares are very unequal. Every loss \
             counts as congestion. At a loss probability p and with an ACK for each segment, the mean window is \
             therefore 0.12/p^0.835 segments. The growth a(w) follows the formula, also above the last row of the \
             RFC's table. We compared the formula with Linux's copy of this table, which the controller hstcp-linux \
             uses.",
    papers: &["S. Floyd, HighSpeed TCP for Large Congestion Windows, RFC 3649, 2003"],
    draws: false,
    construct: |settings| Box::new(controller(parts(settings), Parameters::read(settings))),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hstcp_linux::TABLE;

    /// Each row of the table is the first window whose a(w) exceeds the a(w) of the previous row by more than 1.
    #[test]
    fn the_table_of_appendix_b() {
        let mut rows = vec![38];
        let mut before = 1.0;
        for w in 38..94_717_u32 {
            let a = a(f64::from(w));
            if a > before + 1.0 {
                rows.push(w);
                before = a;
            }
        }
        assert_eq!(rows, TABLE.map(|(w, _)| w));
        assert!(a(94_717.0) > before + 1.0, "the 73rd row");
        for (w, in_256ths) in TABLE {
            let b = b(f64::from(w)) * 256.0;
            assert!((b - f64::from(in_256ths)).abs() < 1.0, "b({w}) = {b}/256");
        }
    }

    /// Section 5: at `Low_Window`, b equals Reno's value. At `High_Window`, b is 0.1. The response function is w =
    /// 0.12/p^0.835. With a constant window, p = a(w)/(w^2) (2 - b)/(2 b), which equals 0.078/w^1.2. At 83 000
    /// segments, this differs from 1e-7 by less than 3 %.
    #[test]
    fn the_ends_of_the_response_function() {
        assert_eq!((a(38.0), b(38.0)), (1.0, 0.5));
        assert!((b(83_000.0) - 0.1).abs() < 1e-12);
        let w = 83_000.0;
        let p = a(w) / (w * w) * (2.0 - b(w)) / (2.0 * b(w));
        assert!((p / 1e-7 - 1.0).abs() < 0.03, "{p}");
    }

    /// Far above the last row of the table, the decrease is constant and the growth continues.
    #[test]
    fn beyond_the_table() {
        assert_eq!(b(1e9), b(94_717.0));
        assert!(b(1e9) > 0.09 && a(1e9) > a(1e6));
    }
}
