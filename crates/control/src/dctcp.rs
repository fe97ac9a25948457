// SPDX-License-Identifier: MIT OR Apache-2.0
//! DCTCP (RFC 8257): reduces the window by the fraction of marked bytes.
//!
//! ```text
//! once per window of data: M = bytes marked / bytes acknowledged, alpha = (1 - g) alpha + g M       (section 3.3)
//! mark: W = W (1 - alpha/2), at most once per window      loss, timeout and growth: as Reno          (sections 3.4, 3.5)
//! ```
//!
//! Linux (`reading = "6.1"`, `net/ipv4/tcp_dctcp.c`) uses integer arithmetic. alpha is in 1/1024. Its value changes by
//! `alpha -= alpha >> 4` (to 0 if `alpha >> 4` is 0) and by `alpha += (marked << 6) / acknowledged`. The ACK that ends
//! a window of data counts for the next window. W is in whole segments, and falls by `W alpha >> 11`.

use crate::catalogue::parts::{OWN_MARKS, parts_with_own_marks};
use crate::catalogue::{Entry, parameters, words};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::reno::{halve, increase};
use crate::window::{Rescale, Window};
use crate::{Ack, Signals, Snapshot};

/// `DCTCP_MAX_ALPHA`: this value represents alpha = 1.
const WHOLE: u64 = 1024;

/// Whether the arithmetic follows the RFC or Linux.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub enum Reading {
    /// RFC 8257, in real numbers.
    Rfc,
    /// Linux 6.1, in whole numbers.
    Linux,
}

words! { Reading { Rfc = "rfc-8257", Linux = "6.1" } }

parameters! {
    /// Parameters of DCTCP.
    pub struct Parameters {
        /// "6.1" uses integer arithmetic: an alpha below 1/64 becomes 0, and small windows are reduced by whole
        /// segments
        reading: Reading = word("rfc-8257"), "RFC 8257; Linux 6.1 net/ipv4/tcp_dctcp.c";
        /// weight of a new window of data in alpha; with a small weight, alpha changes slowly
        g: f64 = number("none", 0.0625, 1.0 / 1024.0..=1.0), "RFC 8257, section 4.2 (1/16)";
        /// alpha before any measurement: with 1, an early mark has nearly the same effect as a loss; with 0, an early
        /// mark has hardly any effect
        initial_alpha: f64 = number("none", 1.0, 0.0..=1.0), "RFC 8257, section 4.2";
    }
}

/// The window rule of DCTCP.
#[derive(Clone, Debug, saved::Plain)]
pub struct Dctcp {
    reading: Reading,
    g: f64,
    /// The estimated fraction of marked data. With Linux's arithmetic, a multiple of 1/1024.
    alpha: f64,
    /// Segments acknowledged and marked in this window of data.
    acked: f64,
    marked: f64,
}

/// DCTCP with `parameters`, combined with `parts`.
pub const fn controller(parts: Parts, parameters: Parameters) -> LossBased<Dctcp> {
    let Parameters { reading, g, initial_alpha } = parameters;
    LossBased::new(Dctcp { reading, g, alpha: initial_alpha, acked: 0.0, marked: 0.0 }, parts)
}

impl Dctcp {
    fn count(&mut self, ack: &Ack<'_>, mss: u32) {
        self.acked += ack.acked.segments(mss);
        self.marked += ack.ce.segments(mss);
    }

    /// Updates alpha at the end of a window of data.
    fn update(&mut self) {
        self.alpha = match self.reading {
            // RFC 8257, section 3.3: DCTCP.Alpha = DCTCP.Alpha * (1 - g) + g * M.
            Reading::Rfc if self.acked > 0.0 => {
                self.alpha * (1.0 - self.g) + (self.g * self.marked / self.acked).min(self.g)
            }
            Reading::Rfc => self.alpha,
            Reading::Linux => {
                // dctcp_update_alpha
                let shift = (-self.g.log2()).round().clamp(0.0, 10.0) as u32;
                let alpha = (self.alpha * WHOLE as f64) as u64;
                let less = alpha >> shift;
                let kept = alpha - if less == 0 { alpha } else { less };
                let marked = ((self.marked as u64) << (10 - shift)) / (self.acked as u64).max(1);
                (kept + marked).min(WHOLE) as f64 / WHOLE as f64
            }
        };
        (self.acked, self.marked) = (0.0, 0.0);
    }
}

impl Rescale for Dctcp {
    fn rescale(&mut self, factor: f64) {
        self.acked.rescale(factor);
        self.marked.rescale(factor);
    }
}

impl Rule for Dctcp {
    type Memory = ();

    fn requires(&self) -> Signals {
        Signals::ECN
    }

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        if self.reading == Reading::Linux && ack.round_start {
            self.update();
        }
        self.count(ack, window.mss);
        if self.reading == Reading::Rfc && ack.round_start {
            self.update();
        }
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        increase(acked, window.w)
    }

    fn reduce(&mut self, event: &Reduction, window: &Window) -> f64 {
        match self.reading {
            // RFC 8257, section 3.3: cwnd = cwnd * (1 - DCTCP.Alpha / 2).
            Reading::Rfc if event.marked => window.w * (1.0 - self.alpha / 2.0),
            // Section 3.5: the reaction to a loss is that of conventional TCP.
            Reading::Rfc => halve(event.flight),
            Reading::Linux => {
                let w = window.w as u64;
                // dctcp_ssthresh; dctcp_react_to_loss
                let less =
                    if event.marked { (w * (self.alpha * WHOLE as f64) as u64) >> 11 } else { w.div_ceil(2) };
                (w - less) as f64
            }
        }
    }

    fn save(&self) {}
    fn restore(&mut self, (): ()) {}

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("alpha", self.alpha));
    }
}

pub(crate) const DCTCP: Entry = Entry {
    name: "dctcp",
    summary: "DCTCP (RFC 8257): reduces the window by the fraction of marks; needs tcp.ecn = \"dctcp\" and a queue \
    that marks",
    equations: "once per window of data: M = marked/acknowledged, alpha = (1 - g) alpha + g M\n\
                mark: ssthresh = max(W (1 - alpha/2), 2), W = ssthresh, at most once per window of data\n\
                slow start (W < ssthresh): W += min(acked, L) per ACK; avoidance: W += acked / W per ACK\n\
                loss: ssthresh = max(FlightSize/2, 2), W = ssthresh; timeout: the same threshold, W = 1\n\
                6.1: alpha in 1/1024: alpha -= floor(g alpha), 0 if that is 0; alpha += floor(1024 g M); \
                W -= floor(W alpha/2); W whole",
    own: &[&Parameters::LIST.all],
    frame: OWN_MARKS,
    sources: &["RFC 8257", "Linux 6.1 net/ipv4/tcp_dctcp.c"],
    limits: "alpha, the smoothed fraction of marked data, needs 16 windows of data to follow the marks. This is a long \
             time if the round trip is long. If other flows on the link treat marks as losses, DCTCP takes their \
             share of the bandwidth.",
    papers: &[
        "M. Alizadeh, A. Greenberg, D. Maltz, J. Padhye, P. Patel, B. Prabhakar, S. Sengupta, M. Sridharan, Data Center TCP \
         (DCTCP), SIGCOMM 2010",
    ],
    draws: false,
    construct: |settings| Box::new(controller(parts_with_own_marks(settings), Parameters::read(settings))),
};
