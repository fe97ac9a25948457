// SPDX-License-Identifier: MIT OR Apache-2.0
//! HighSpeed TCP as in Linux (`net/ipv4/tcp_highspeed.c`, 6.1), in the kernel's integer arithmetic.
//!
//! ```text
//! a = number of the first row of the table whose window is W or more      md: that row's decrease, 1/256
//! avoidance: count += a per ACK, whatever it acknowledges; at W of them W += 1
//! loss: ssthresh = W - floor(W md/256), md of the row that avoidance found last
//! ```
//!
//! Each of these differences from RFC 3649 changes results:
//!
//! 1. Delayed ACKs halve the growth, because Linux adds a per ACK, as the RFC states, and not per segment.
//! 2. a(w) is a whole number from the RFC's table, rounded up. It exceeds the formula by up to one segment per round
//!    trip (at 39 segments, by a factor of 1.5). The largest value is 72.
//! 3. The row follows the window only in congestion avoidance. The loss that ends the first slow start therefore halves
//!    the window.

use crate::catalogue::Entry;
use crate::catalogue::parts::{self, WINDOW_RULE, parts};
use crate::hstcp::HSTCP;
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot};

/// RFC 3649, appendix B, as in Linux (`hstcp_aimd_vals`). Row k has the largest window with a = k, and b(w) at this
/// window in 1/256.
pub(crate) const TABLE: [(u32, u32); 72] = [
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
/// Number of fractional bits of the decrease.
const MD_SHIFT: u32 = 8;

/// The window rule of Linux's HighSpeed TCP.
#[derive(Clone, Debug, saved::Plain)]
pub struct HstcpLinux {
    /// `ai`: the number of the row in the table, from 0.
    row: usize,
    /// `snd_cwnd_cnt`: the sum of a over the ACKs since the window last grew.
    count: u64,
}

/// Linux's HighSpeed TCP, combined with `parts`.
pub const fn controller(parts: Parts) -> LossBased<HstcpLinux> {
    LossBased::new(HstcpLinux { row: 0, count: 0 }, parts)
}

impl HstcpLinux {
    /// Finds the row of a window of `w` segments: the first row whose window is at least `w`, or the last row.
    fn find(&mut self, w: u64) {
        while self.row + 1 < TABLE.len() && w > u64::from(TABLE[self.row].0) {
            self.row += 1;
        }
        while self.row > 0 && w <= u64::from(TABLE[self.row - 1].0) {
            self.row -= 1;
        }
    }
}

impl Rescale for HstcpLinux {
    fn rescale(&mut self, _factor: f64) {}
}

impl Rule for HstcpLinux {
    type Memory = ();

    fn avoidance(&mut self, _ack: &Ack<'_>, _acked: f64, window: &Window) -> f64 {
        let w = window.w as u64;
        self.find(w);
        // hstcp_cong_avoid
        self.count += self.row as u64 + 1;
        if self.count < w {
            return 0.0;
        }
        self.count -= w;
        1.0
    }

    fn reduce(&mut self, _event: &Reduction, window: &Window) -> f64 {
        // tcp_init_cwnd_reduction, tcp_enter_loss
        self.count = 0;
        let w = window.w as u64;
        // hstcp_ssthresh
        (w - ((w * u64::from(TABLE[self.row].1)) >> MD_SHIFT)) as f64
    }

    fn save(&self) {}
    fn restore(&mut self, (): ()) {}

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("a_segments", self.row as f64 + 1.0));
        out.push(("b", f64::from(TABLE[self.row].1) / f64::from(1_u32 << MD_SHIFT)));
    }
}

pub(crate) const HSTCP_LINUX: Entry = Entry {
    name: "hstcp-linux",
    summary: "HighSpeed TCP as in Linux: integer arithmetic, the RFC's table, growth per ACK",
    equations: "a: row of RFC 3649's table (appendix B), the first whose window is W or more, at most 72; md its decrease in 1/256\n\
                slow start: W += acked\n\
                avoidance: count += a per ACK; if count >= W, count -= W and W += 1\n\
                loss: ssthresh = max(W - floor(W md/256), 2), md as avoidance left it (1/2 before), W = ssthresh\n\
                timeout: ssthresh likewise, W = 1",
    own: &[&[parts::no_growth_limit("Linux tcp_slow_start (no limit)")]],
    frame: WINDOW_RULE,
    sources: &["Linux 6.1 net/ipv4/tcp_highspeed.c", "RFC 3649"],
    limits: "Every loss counts as congestion. Delayed ACKs halve the growth. As in Linux, a loss reduces the \
             window to a fraction of the window, and not to a fraction of FlightSize.",
    papers: HSTCP.papers,
    draws: false,
    construct: |settings| Box::new(controller(parts(settings))),
};
