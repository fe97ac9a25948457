// SPDX-License-Identifier: MIT OR Apache-2.0
//! CUBIC (RFC 9438) with the RFC's symbols. Note that beta_cubic is the fraction of the window that *remains* after a
//! loss.
//!
//! ```text
//! W_cubic(t) = C (t - K)^3 + W_max        K = cbrt((W_max - cwnd_epoch) / C)
//! target     = W_cubic(t + RTT) within [cwnd, 1.5 cwnd]
//! W_est     += alpha_cubic * segments_acked / cwnd
//! cwnd       = W_est, if W_cubic(t) < W_est; else cwnd += (target - cwnd) / cwnd per acknowledged segment
//! ```
//!
//! t counts from the first ACK of congestion avoidance (section 4.2: "the time at which the current congestion
//! avoidance stage started"). After a loss, this ACK arrives after the repair of the loss. t does not count the time in
//! which the window did not limit sending (section 5.8).
//!
//! The RFC states the last line for an ACK of one segment. As in Linux, this code multiplies the growth by the number
//! of segments that the ACK covers. Otherwise, delayed ACKs would slow the growth.

use crate::catalogue::parts::{self, WINDOW_RULE, parts};
use crate::catalogue::{Entry, Parameter, parameters};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::window::{Rescale, Window};
use crate::{Ack, Snapshot};
use units::{Span, Time};

parameters! {
    /// Parameters of CUBIC.
    pub struct Parameters {
        /// scaling factor of the cubic function; a larger value is more aggressive on paths with a large
        /// bandwidth-delay product, and less friendly to Reno
        c: f64 = number("segments/s^3", 0.4, 1e-4..=100.0), "RFC 9438, section 5";
        /// fraction of the window that remains after a loss (0.8 in Linux before 2.6.27)
        beta: f64 = number("none", 0.7, 0.1..=0.95), "RFC 9438, section 4.6";
        /// true releases capacity to new flows; a single flow does better with false
        fast_convergence: bool = flag(true), "RFC 9438, section 4.7";
    }
}

/// A stage of congestion avoidance.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub(crate) struct Epoch {
    /// t_epoch on the clock of the window ([`Window::clock`]). This clock stops while the window does not limit sending
    /// (section 5.8).
    start: Time,
    /// Time t at which the curve reaches W_max, s.
    k: f64,
    /// C, segments/s^3.
    c: f64,
    /// The plateau, segments.
    w_max: f64,
    /// cwnd_epoch, segments.
    pub(crate) w_start: f64,
    /// The window that Reno would have, segments.
    pub(crate) w_est: f64,
}

impl Epoch {
    /// t, s.
    pub(crate) fn age(&self, window: &Window) -> f64 {
        window.clock.since(self.start).secs_f64()
    }
}

/// State that an undo restores.
#[derive(Clone, Copy, Debug, saved::Plain)]
pub struct Memory {
    epoch: Option<Epoch>,
    w_max: Option<f64>,
    cwnd_prior: Option<f64>,
}

/// The window rule of CUBIC.
#[derive(Clone, Debug, saved::Plain)]
pub struct Cubic {
    c: f64,
    beta: f64,
    /// alpha_cubic.
    alpha: f64,
    fast_convergence: bool,
    epoch: Option<Epoch>,
    /// W_max at the newest reduction; `None` before the first loss and after a timeout.
    w_max: Option<f64>,
    /// cwnd_prior: the window at the newest loss that set ssthresh.
    cwnd_prior: Option<f64>,
    /// Divisor of K. It is 1 except in the variant of CUBIC in [`crate::satcp`].
    pub(crate) k_divisor: f64,
}

/// CUBIC with `parameters`, combined with `parts`.
pub fn controller(parts: Parts, parameters: Parameters) -> LossBased<Cubic> {
    LossBased::new(rule(parameters), parts)
}

/// The window rule with `parameters`.
pub(crate) const fn rule(parameters: Parameters) -> Cubic {
    let Parameters { c, beta, fast_convergence } = parameters;
    Cubic::new(c, beta, fast_convergence)
}

/// RFC 9438, figure 2: K = cbrt((W_max - cwnd_epoch) / C), s.
fn k(w_max: f64, cwnd_epoch: f64, c: f64) -> f64 {
    ((w_max - cwnd_epoch).max(0.0) / c).cbrt()
}

impl Cubic {
    /// The window rule. The arguments are the fields of [`Parameters`].
    pub(crate) const fn new(c: f64, beta: f64, fast_convergence: bool) -> Self {
        Self {
            c,
            beta,
            // RFC 9438, section 4.3: alpha_cubic = 3 (1 - beta) / (1 + beta), for the same average rate as Reno.
            alpha: 3.0 * (1.0 - beta) / (1.0 + beta),
            fast_convergence,
            epoch: None,
            w_max: None,
            cwnd_prior: None,
            k_divisor: 1.0,
        }
    }

    /// alpha_cubic.
    pub(crate) const fn alpha(&self) -> f64 {
        self.alpha
    }

    /// RFC 9438, figure 1: W_cubic(t) = C (t - K)^3 + W_max.
    fn w_cubic(epoch: &Epoch, t: f64) -> f64 {
        let d = t - epoch.k;
        epoch.c * d * d * d + epoch.w_max
    }

    /// Whether the next ACK in congestion avoidance begins a stage.
    pub(crate) const fn is_between_epochs(&self) -> bool {
        self.epoch.is_none()
    }

    /// Returns a stage that begins now.
    fn begin(&self, window: &Window) -> Epoch {
        let w = window.w;
        // RFC 9438, section 4.8 (after a timeout) and 4.10 (no loss yet): K = 0 and W_max = cwnd.
        let w_max = self.w_max.unwrap_or(w);
        let k = k(w_max, w, self.c) / self.k_divisor;
        Epoch { start: window.clock, k, c: self.c, w_max, w_start: w, w_est: w }
    }

    /// Returns the current stage. If there is no stage, a new stage begins.
    pub(crate) fn epoch(&mut self, window: &Window) -> &mut Epoch {
        let epoch = self.epoch.unwrap_or_else(|| self.begin(window));
        self.epoch.insert(epoch)
    }

    /// The current stage, if there is one.
    pub(crate) const fn stage(&mut self) -> Option<&mut Epoch> {
        self.epoch.as_mut()
    }

    /// Growth at time `t` (s) of `epoch`. The caller has already updated the epoch's W_est.
    pub(crate) fn growth(epoch: &Epoch, t: f64, acked: f64, window: &Window) -> f64 {
        let w = window.w;
        if Self::w_cubic(epoch, t) < epoch.w_est {
            // Reno-friendly region (section 4.3): "cwnd SHOULD be set to W_est".
            epoch.w_est - w
        } else {
            // Section 4.2: target = W_cubic(t + RTT), at least cwnd and at most 1.5 cwnd.
            let rtt = window.srtt.unwrap_or(Span::ZERO).secs_f64();
            let target = Self::w_cubic(epoch, t + rtt).clamp(w, 1.5 * w);
            // Sections 4.4 and 4.5: cwnd += (target - cwnd) / cwnd.
            (target - w) / w * acked
        }
    }
}

/// The curve of the current stage keeps its bytes, so that the window does not jump. The next stage uses C from the
/// settings, in segments of the new size.
impl Rescale for Epoch {
    fn rescale(&mut self, factor: f64) {
        self.c.rescale(factor);
        self.w_max.rescale(factor);
        self.w_start.rescale(factor);
        self.w_est.rescale(factor);
    }
}

impl Rescale for Memory {
    fn rescale(&mut self, factor: f64) {
        self.epoch.rescale(factor);
        self.w_max.rescale(factor);
        self.cwnd_prior.rescale(factor);
    }
}

impl Rescale for Cubic {
    fn rescale(&mut self, factor: f64) {
        self.epoch.rescale(factor);
        self.w_max.rescale(factor);
        self.cwnd_prior.rescale(factor);
    }
}

impl Rule for Cubic {
    type Memory = Memory;

    fn unused(&mut self) {
        // RFC 9438, section 4.2: congestion avoidance begins with a new stage after this.
        self.epoch = None;
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        let w = window.w;
        let (alpha, cwnd_prior) = (self.alpha, self.cwnd_prior.unwrap_or(0.0));
        let epoch = self.epoch(window);
        // RFC 9438, section 4.3: after W_est has reached cwnd_prior, alpha_cubic is 1.
        let alpha = if epoch.w_est >= cwnd_prior { 1.0 } else { alpha };
        // RFC 9438, figure 4: W_est = W_est + alpha_cubic * segments_acked / cwnd.
        epoch.w_est += alpha * acked / w;
        let epoch = *epoch;
        Self::growth(&epoch, epoch.age(window), acked, window)
    }

    fn reduce(&mut self, event: &Reduction, window: &Window) -> f64 {
        let w = window.w;
        // RFC 9438, section 4.7: if the window is below the last W_max, W_max is reduced further.
        let shrinking = self.fast_convergence && self.w_max.is_some_and(|w_max| w < w_max);
        self.w_max = Some(if shrinking { w * (1.0 + self.beta) / 2.0 } else { w });
        self.cwnd_prior = Some(w);
        self.epoch = None;
        // Section 4.6: ssthresh = flight_size * beta_cubic, at least 2 segments.
        event.flight * self.beta
    }

    fn timeout(&mut self) {
        self.w_max = None;
        self.epoch = None;
    }

    fn save(&self) -> Memory {
        Memory { epoch: self.epoch, w_max: self.w_max, cwnd_prior: self.cwnd_prior }
    }

    fn restore(&mut self, memory: Memory) {
        Memory { epoch: self.epoch, w_max: self.w_max, cwnd_prior: self.cwnd_prior } = memory;
    }

    fn snapshot(&self, out: &mut Snapshot) {
        if let Some(epoch) = &self.epoch {
            out.push(("w_max_segments", epoch.w_max));
            out.push(("w_est_segments", epoch.w_est));
            out.push(("k_s", epoch.k));
        }
    }
}

pub(crate) const SLOW_START: Parameter = parts::slow_start(
    "hystart++",
    "RFC 9438, section 4.10",
    "the RFC recommends \"hystart++\"; older studies use \"classic\"",
);

pub(crate) const CUBIC: Entry = Entry {
    name: "cubic",
    summary: "CUBIC (RFC 9438) with HyStart++ (RFC 9406)",
    equations: "slow start (W < ssthresh): W += min(acked, L); HyStart++: a quarter of it after the RTT rose\n\
                K = cbrt((W_max - W_epoch)/C), W_cubic(t) = C (t - K)^3 + W_max; t from the first ACK of avoidance, after the \
                repair of a loss, without time in which the window did not limit sending\n\
                target = W_cubic(t + SRTT) within [W, 1.5 W]\n\
                W_est += alpha acked/W, alpha = 3 (1 - beta)/(1 + beta), 1 once W_est >= cwnd_prior\n\
                avoidance: W = W_est if W_cubic(t) < W_est, else W += acked (target - W)/W\n\
                loss: W_max = W, or W (1 + beta)/2 if W < W_max; ssthresh = max(beta FlightSize, 2), W = ssthresh\n\
                timeout: ssthresh likewise, W = 1, then K = 0 and W_max = W",
    own: &[&[SLOW_START], &Parameters::LIST.all],
    frame: WINDOW_RULE,
    sources: &["RFC 9438", "RFC 9406"],
    limits: "Every loss counts as congestion. On a long path with random loss, the window is larger than \
             Reno's, but far below the capacity.",
    papers: &[
        "S. Ha, I. Rhee, L. Xu, CUBIC: a new TCP-friendly high-speed TCP variant, ACM SIGOPS 42(5), 2008",
    ],
    draws: false,
    construct: |settings| Box::new(controller(parts(settings), Parameters::read(settings))),
};

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 9438, section 4.6 and figure 2: after a loss at 1000 segments, the window is 700. The window reaches the
    /// plateau again after cbrt(300 / 0.4) = cbrt(750) s, because 9.0856^3 = 749.99.
    #[test]
    fn time_to_the_plateau() {
        assert!((k(1000.0, 700.0, 0.4) - 9.0856).abs() < 1e-4);
    }

    /// RFC 9438, section 4.2: t counts from the beginning of the congestion avoidance stage. W_max is 100 and K =
    /// cbrt(75) = 4.217 s. Ten seconds later, a pause reduces window and threshold to 50. A new stage begins, with K =
    /// cbrt(50 / 0.4) = 5 s and W_cubic(0.1 s) = 0.4 (0.1 - 5)^3 + 100 = 52.94. An ACK of one segment therefore grows
    /// the window by at most 2.94 / 50 = 0.059. In the old stage, W_cubic(10.1 s) = 0.4 (10.1 - 4.217)^3 + 100 = 181,
    /// so the growth would have its largest value, half a window per window.
    #[test]
    fn a_window_that_was_not_used_begins_a_stage() -> Result<(), Box<dyn std::error::Error>> {
        use crate::{Control, Loss, LossTrigger, LostPacket, Start, Unused};
        use units::{Bytes, Span, Time};
        const MSS: u32 = 1000;
        let segments = |count: u64| Bytes::new(count * u64::from(MSS));
        let at = |ms: u64| Time::ZERO + Span::from_millis(ms);
        let mut cubic = crate::catalogue::build("cubic", &[])?;
        let mut control = Control::new(segments(100));
        cubic.on_start(&Start::new(MSS, 100), &mut control);
        let ack = |now: Time| Ack {
            acked: segments(1),
            cumulative: Some(segments(1)),
            rtt: Some(Span::from_millis(100)),
            srtt: Some(Span::from_millis(100)),
            min_rtt: Some(Span::from_millis(100)),
            ..Ack::at(now)
        };
        let loss = Loss {
            now: at(0),
            trigger: LossTrigger::Reordering,
            lost: segments(1),
            new_episode: true,
            episode: 1,
            in_flight_before: segments(100),
            ranges: 1,
            packets: &[LostPacket::default()],
        };
        cubic.on_loss(&loss, &mut control);
        cubic.on_recovery_exit(at(100), &mut control);
        cubic.on_ack(&ack(at(100)), &mut control);
        assert!(control.cwnd.segments(MSS) >= 70.0, "{}", control.cwnd);
        let unused = Unused { now: at(10_100), cwnd: segments(50), ssthresh: None, most: Some(segments(50)) };
        cubic.on_unused(&unused, &mut control);
        assert_eq!(control.cwnd, segments(50));
        cubic.on_ack(&ack(at(10_100)), &mut control);
        let grown = control.cwnd.segments(MSS) - 50.0;
        assert!(grown > 0.0 && grown <= 0.06, "{grown}");
        Ok(())
    }
}
