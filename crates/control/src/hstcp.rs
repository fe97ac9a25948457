// SPDX-License-Identifier: MIT OR Apache-2.0
//! HighSpeed TCP (RFC 3649). Its symbols are kept; note that b(w) is the fraction *given up* at a loss.
//!
//! ```text
//! b(w) = 0.5 + (High_Decrease - 0.5) (ln w - ln Low_Window) / (ln High_Window - ln Low_Window)
//! p(w) = 1 / (12.8 w^1.2)
//! a(w) = w^2 p(w) 2 b(w) / (2 - b(w))
//! avoidance: W += a(W) / W per acknowledged segment      loss: W -= b(W) W
//! W <= Low_Window: a = 1, b = 0.5
//! ```
//!
//! The RFC rounds p(w) to 0.078 / w^1.2. With 1/12.8 = 0.078125 every row of its appendix B comes out, with 0.078 most
//! do not. Between 38 and 41 segments a(w) comes out below 1; it is held at 1. The table of appendix B ends at
//! 94 717 segments, and b(w) stands from there on: on its line it would be zero at 567 000.

use crate::catalogue::Entry;
use crate::catalogue::parts::{WINDOW_RULE, parts};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot};

/// `Low_Window`: Reno up to here, segments (RFC 3649, section 5).
const LOW_WINDOW: f64 = 38.0;
/// `High_Window`: where `High_Decrease` is reached, segments (section 5).
const HIGH_WINDOW: f64 = 83_000.0;
/// `High_Decrease`: the fraction given up at `High_Window` (section 5).
const HIGH_DECREASE: f64 = 0.1;
/// Where the table of appendix B ends, segments.
const TABLE_END: f64 = 94_717.0;

/// The rule.
#[derive(Clone, Debug)]
pub struct Hstcp {
    /// floor(W), and a of it: a power and a logarithm per ACK are saved while the window stays within a segment.
    cached: (f64, f64),
}

/// HighSpeed TCP, surrounded by `parts`.
pub const fn controller(parts: Parts) -> LossBased<Hstcp> {
    LossBased::new(Hstcp { cached: (LOW_WINDOW, 1.0) }, parts)
}

/// b(w): the fraction given up at a loss.
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
        self.cached.1 * acked / window.w
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
                W <= 38: a = 1, b = 0.5; b stands from 94717 segments on\n\
                avoidance: W += a(floor(W)) acked/W\n\
                loss: ssthresh = max((1 - b(FlightSize)) FlightSize, 2), W = ssthresh\n\
                timeout: ssthresh likewise, W = 1",
    own: &[],
    frame: WINDOW_RULE,
    sources: &["RFC 3649"],
    limits: "Flows of different RTT share very unequally where losses coincide. Every loss is congestion: \
             the mean window is 0.12/p^0.835 segments. a(w) is taken from the formula, where Linux takes the \
             next whole number of the RFC's table: up to one segment per round trip less. Linux holds a at 72 \
             beyond 89053 segments; here it goes on. The RFC's table was compared in Linux's copy.",
    papers: &["S. Floyd, HighSpeed TCP for Large Congestion Windows, RFC 3649, 2003"],
    construct: |settings| Box::new(controller(parts(settings))),
};

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 3649, appendix B, as Linux copies it (`net/ipv4/tcp_highspeed.c`): the windows at which a(w) grows by one,
    /// and b(w) in 1/256.
    const TABLE: [(u32, u32); 72] = [
        (38, 128),
        (118, 112),
        (221, 104),
        (347, 98),
        (495, 93),
        (663, 89),
        (851, 86),
        (1058, 83),
        (1284, 81),
        (1529, 78),
        (1793, 76),
        (2076, 74),
        (2378, 72),
        (2699, 71),
        (3039, 69),
        (3399, 68),
        (3778, 66),
        (4177, 65),
        (4596, 64),
        (5036, 62),
        (5497, 61),
        (5979, 60),
        (6483, 59),
        (7009, 58),
        (7558, 57),
        (8130, 56),
        (8726, 55),
        (9346, 54),
        (9991, 53),
        (10661, 52),
        (11358, 52),
        (12082, 51),
        (12834, 50),
        (13614, 49),
        (14424, 48),
        (15265, 48),
        (16137, 47),
        (17042, 46),
        (17981, 45),
        (18955, 45),
        (19965, 44),
        (21013, 43),
        (22101, 43),
        (23230, 42),
        (24402, 41),
        (25618, 41),
        (26881, 40),
        (28193, 39),
        (29557, 39),
        (30975, 38),
        (32450, 38),
        (33986, 37),
        (35586, 36),
        (37253, 36),
        (38992, 35),
        (40808, 35),
        (42707, 34),
        (44694, 33),
        (46776, 33),
        (48961, 32),
        (51258, 32),
        (53677, 31),
        (56230, 30),
        (58932, 30),
        (61799, 29),
        (64851, 28),
        (68113, 28),
        (71617, 27),
        (75401, 26),
        (79517, 26),
        (84035, 25),
        (89053, 24),
    ];

    /// A row is the first window whose a(w) exceeds that of the row before by more than 1.
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

    /// Section 5: at `Low_Window` as Reno, at `High_Window` 0.1. The response function w = 0.12/p^0.835: with the
    /// window constant, p = a(w)/(w^2) (2 - b)/(2 b) is 0.078/w^1.2, 1e-7 at 83 000 segments within 3 %.
    #[test]
    fn the_ends_of_the_response_function() {
        assert_eq!((a(38.0), b(38.0)), (1.0, 0.5));
        assert!((b(83_000.0) - 0.1).abs() < 1e-12);
        let w = 83_000.0;
        let p = a(w) / (w * w) * (2.0 - b(w)) / (2.0 * b(w));
        assert!((p / 1e-7 - 1.0).abs() < 0.03, "{p}");
    }

    /// Far beyond the table the decrease stands and the growth goes on.
    #[test]
    fn beyond_the_table() {
        assert_eq!(b(1e9), b(94_717.0));
        assert!(b(1e9) > 0.09 && a(1e9) > a(1e6));
    }
}
