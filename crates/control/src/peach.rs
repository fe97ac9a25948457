// SPDX-License-Identifier: MIT OR Apache-2.0
//! TCP-Peach, Peach+ and Cherry: low-priority probes measure the unused capacity of the path.
//!
//! ```text
//! Sudden Start (connection start, timeout): W = 1, and rwnd - 1 probes, one every RTT/rwnd;
//!   each probe that is acknowledged: W += 1, up to rwnd; without slow start
//! loss (Rapid Recovery): W = ssthresh = max(W_0/2, 2), adsn = W_0, wdsn = W, where W_0 was the flight;
//!   until the loss is repaired, each acknowledged segment lets one of adsn probes leave;
//!   of the probes acknowledged from then on the first wdsn change nothing, each later one: W += 1, up to rwnd
//! avoidance as Reno
//! ```
//!
//! Routers drop probes first. After a link error, all adsn probes arrive, and the window is restored. After congestion,
//! the flow has reduced its window by W_0/2, so at most wdsn probes arrive, and the window stays halved. The ACKs of
//! the probes arrive a round trip after the ACKs that released the probes. Most ACKs of probes arrive after the repair,
//! so wdsn remains valid after the repair.
//!
//! Sources: I. F. Akyildiz, G. Morabito, S. Palazzo, "TCP-Peach: a new congestion control scheme for satellite IP
//! networks", IEEE/ACM Transactions on Networking 9(3), 2001 (dummy segments); I. F. Akyildiz, X. Zhang, J. Fang,
//! "TCP-Peach+", IEEE Communications Letters 6(7), 2002 (NIL segments, which repeat unacknowledged data); S. Utsumi, S.
//! M. S. Zabir, N. Shiratori, "TCP-Cherry", Computer Communications 31(10), 2008 (supplement segments, which carry data
//! not sent yet). The three controllers differ in the data that a probe carries.

use crate::catalogue::parts::{self, WINDOW_RULE, parts};
use crate::catalogue::{Domain, Entry, Parameter, Settings, parameters};
use crate::loss_based::{LossBased, Parts, Reduction, Rule};
use crate::reno;
use crate::window::{MIN_SSTHRESH_SEGMENTS, MIN_WINDOW_SEGMENTS, Rescale, Window};
use crate::{Ack, Control, ProbeRequest, Signals, Snapshot, Start};
use units::{Span, Time};

parameters! {
    /// Parameters of Peach.
    pub struct Parameters {
        /// largest window that probes can reach: set it to the bandwidth-delay product of the path
        rwnd: u32 = number("segments", 700.0, 2.0..=1e6),
            "Akyildiz, Morabito and Palazzo 2001; the value 700 is Bentpipe's choice (about 15 Mbit/s over GEO)";
    }
}

/// The probes after the newest loss or timeout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, saved::Plain)]
pub struct Recovery {
    /// adsn: number of probes that may still be sent.
    allowed: u32,
    /// wdsn: number of acknowledged probes that do not change the window.
    ignored: u32,
    /// Number of probes that were sent.
    sent: u32,
}

/// The window rule of Peach, Peach+ and Cherry.
#[derive(Clone, Debug, saved::Plain)]
pub struct Peach {
    rwnd: u32,
    new_data: bool,
    /// Propagation RTT, used before the first RTT sample.
    propagation_rtt: Option<Span>,
    /// Whether a Sudden Start waits for an RTT, from which it computes the gaps between its probes.
    sudden_start: bool,
    recovery: Recovery,
    /// Number of probes that the newest ACK released.
    released: u32,
}

/// Peach, Peach+ or Cherry with `parameters`, combined with `parts`. With `new_data` (Cherry), probes carry data not
/// sent yet. Otherwise, they carry copies of unacknowledged data.
pub fn controller(parts: Parts, parameters: Parameters, new_data: bool) -> LossBased<Peach> {
    let Parameters { rwnd } = parameters;
    let recovery = Recovery::default();
    let rule = Peach { rwnd, new_data, propagation_rtt: None, sudden_start: false, recovery, released: 0 };
    LossBased::new(rule, parts)
}

impl Rescale for Recovery {
    fn rescale(&mut self, factor: f64) {
        self.allowed = (f64::from(self.allowed) * factor) as u32;
        // A probe in flight grows the window by one segment of any size. If segments become larger, fewer of these
        // probes may count.
        let too_large = f64::from(self.sent) * (1.0 - factor).max(0.0);
        self.ignored = (f64::from(self.ignored) * factor + too_large).ceil() as u32;
    }
}

impl Rescale for Peach {
    fn rescale(&mut self, factor: f64) {
        self.recovery.rescale(factor);
    }
}

impl Rule for Peach {
    type Memory = Recovery;

    fn requires(&self) -> Signals {
        Signals::PROBE
    }

    fn start(&mut self, event: &Start, window: &mut Window) {
        self.propagation_rtt = event.path.propagation_rtt;
        self.sudden_start = true;
        window.w = MIN_WINDOW_SEGMENTS;
        // Congestion avoidance begins immediately. At a window of one segment, avoidance and slow start grow equally.
        window.ssthresh = MIN_SSTHRESH_SEGMENTS;
    }

    fn observe(&mut self, ack: &Ack<'_>, window: &mut Window) {
        if ack.probes > 0 {
            let ignored = ack.probes.min(self.recovery.ignored);
            self.recovery.ignored -= ignored;
            if ack.cwnd_limited {
                let probed = window.w + f64::from(ack.probes - ignored);
                window.w = window.w.max(probed.min(f64::from(self.rwnd)));
            }
        }
        if ack.in_recovery && self.recovery.allowed > 0 {
            self.released = (ack.acked.segments(window.mss) as u32).min(self.recovery.allowed);
            self.recovery.allowed -= self.released;
            self.recovery.sent += self.released;
        }
    }

    fn avoidance(&mut self, _ack: &Ack<'_>, acked: f64, window: &Window) -> f64 {
        reno::increase(acked, window.w)
    }

    fn reduce(&mut self, event: &Reduction, _window: &Window) -> f64 {
        if event.sent_at.is_none() {
            // After a timeout, congestion avoidance follows Sudden Start immediately.
            return MIN_SSTHRESH_SEGMENTS;
        }
        let kept = reno::halve(event.flight).max(MIN_SSTHRESH_SEGMENTS);
        // The number is rounded up, so that all probes together do not grow the window above W_0.
        self.recovery = Recovery { allowed: event.flight as u32, ignored: kept.ceil() as u32, sent: 0 };
        kept
    }

    fn timeout(&mut self) {
        self.sudden_start = true;
        self.recovery = Recovery::default();
        self.released = 0;
    }

    fn persistent_congestion(&mut self, _now: Time, window: &mut Window) {
        // As after a timeout, congestion avoidance follows Sudden Start immediately.
        window.ssthresh = MIN_SSTHRESH_SEGMENTS;
        self.timeout();
    }

    fn repaired(&mut self, _now: Time, _window: &mut Window) {
        self.recovery.allowed = 0;
    }

    fn command(&mut self, window: &Window, control: &mut Control) {
        let rtt = window.srtt.or(self.propagation_rtt).filter(|rtt| *rtt > Span::ZERO);
        if let (true, Some(rtt)) = (self.sudden_start, rtt) {
            self.sudden_start = false;
            let (count, gap) = (self.rwnd.saturating_sub(1), rtt / u64::from(self.rwnd.max(1)));
            self.recovery.sent = count;
            control.probes = Some(ProbeRequest { count, gap, new_data: self.new_data });
        } else if self.released > 0 {
            let count = std::mem::take(&mut self.released);
            control.probes = Some(ProbeRequest { count, gap: Span::ZERO, new_data: self.new_data });
        }
    }

    fn save(&self) -> Recovery {
        self.recovery
    }

    fn restore(&mut self, mut before: Recovery) {
        // The window is restored. The probes that the spurious loss released must not grow it further.
        before.ignored = before.ignored.saturating_add(self.recovery.sent);
        before.allowed = 0;
        self.recovery = before;
    }

    fn snapshot(&self, out: &mut Snapshot) {
        out.push(("probes_allowed", f64::from(self.recovery.allowed)));
        out.push(("probes_ignored", f64::from(self.recovery.ignored)));
    }
}

/// Sudden Start replaces slow start.
const SLOW_START: Parameter = Parameter {
    domain: Domain::Choice(&["classic"]),
    ..parts::slow_start(
        "classic",
        "Akyildiz, Morabito and Palazzo 2001",
        "\"classic\" is the only value, and has no effect, because Sudden Start replaces slow start",
    )
};

pub(crate) const PEACH: Entry = Entry {
    name: "peach",
    summary: "TCP-Peach: low-priority dummy segments probe the path at the start and after a loss",
    equations: "start and timeout (Sudden Start): W = 1; rwnd - 1 probes, one every RTT/rwnd\n\
                each acknowledged probe: W += 1, up to rwnd; avoidance: W += acked/W; no slow start\n\
                loss (Rapid Recovery): W_0 = FlightSize, W = ssthresh = max(W_0/2, 2), adsn = W_0, wdsn = W\n\
                until it is repaired each acknowledged segment releases one of adsn probes\n\
                the first wdsn acknowledged probes change nothing, each later one: W += 1, up to rwnd",
    own: &[&Parameters::LIST.all, &[SLOW_START]],
    frame: WINDOW_RULE,
    sources: &["Akyildiz, Morabito and Palazzo 2001 (from memory)"],
    limits: "rwnd must be set to the path's bandwidth-delay product. If the probes arrive, Sudden Start opens \
             the window to rwnd. After that, only avoidance increases the window. Every router must drop probes \
             before other packets. Otherwise, probes are only additional load, and their ACKs contain no \
             information. The text of the paper was not available. adsn is the number of probes after a loss, \
             and wdsn is the number of acknowledged probes that change nothing. With their values here, the \
             window is restored after a link error and stays halved after congestion. No other pair of values \
             has this property. If the propagation delay is not known, Sudden Start waits for the first RTT \
             sample. The paper takes this sample from the handshake. The parameters of slow start have no \
             effect.",
    papers: &[
        "I. F. Akyildiz, G. Morabito, S. Palazzo, TCP-Peach: a new congestion control scheme for satellite IP \
         networks, IEEE/ACM Transactions on Networking 9(3), 2001",
    ],
    draws: false,
    construct: |settings| peach(settings, false),
};

pub(crate) const PEACH_PLUS: Entry = Entry {
    name: "peach-plus",
    summary: "TCP-Peach+, stand-in for the controller of the paper: Peach's window rule; its probes (NIL segments) \
              repeat unacknowledged data",
    sources: &["Akyildiz, Zhang and Fang 2002 (abstract)"],
    limits: "This controller is a stand-in for Peach+: Jump Start and Quick Recovery are implemented as Peach's Sudden \
             Start and Rapid Recovery. The paper refines both procedures for SACK. Windows and probes are computed as \
             by peach. The repair of losses by NIL segments is a task of the transport. The limits of peach apply.",
    papers: &[
        "I. F. Akyildiz, X. Zhang, J. Fang, TCP-Peach+: enhancement of TCP-Peach for satellite IP networks, \
         IEEE Communications Letters 6(7), 2002",
    ],
    ..PEACH
};

pub(crate) const CHERRY: Entry = Entry {
    name: "cherry",
    summary: "TCP-Cherry, stand-in for the controller of the paper: Peach's window rule; its probes (supplement \
              segments) carry data that were not sent before",
    sources: &["Utsumi, Zabir and Shiratori 2008 (abstract)"],
    limits: "This controller is a stand-in for Cherry: Fast-Forward Start and First-Aid Recovery are implemented as \
             Peach's Sudden Start and Rapid Recovery. Unlike Peach's probes, the probes carry data that were \
             not sent before (supplement segments). If the receiver keeps such data, they count as goodput \
             once. The limits of peach apply.",
    papers: &[
        "S. Utsumi, S. M. S. Zabir, N. Shiratori, TCP-Cherry: a new approach for TCP congestion control over \
         satellite IP networks, Computer Communications 31(10), 2008",
    ],
    draws: false,
    construct: |settings| peach(settings, true),
    ..PEACH
};

fn peach(settings: &Settings<'_>, new_data: bool) -> Box<dyn crate::Controller> {
    Box::new(controller(parts(settings), Parameters::read(settings), new_data))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Controller;
    use units::{Bytes, Time};

    fn at_start(propagation_rtt: Option<Span>, new_data: bool) -> (LossBased<Peach>, Control) {
        let parts = Parts::classic(1.0);
        let mut peach = controller(parts, Parameters { rwnd: 700 }, new_data);
        let mut control = Control::new(Bytes::new(10_000));
        let mut start = Start::new(1000, 10);
        start.path.propagation_rtt = propagation_rtt;
        peach.on_start(&start, &mut control);
        (peach, control)
    }

    /// Akyildiz et al. 2001, Sudden Start: during a round trip, one segment is sent every tau = RTT/rwnd. The first
    /// segment carries data. 550 ms / 700 = 785 714 ns.
    #[test]
    fn sudden_start_fills_a_round_trip_with_rwnd_segments() {
        for new_data in [false, true] {
            let (_, control) = at_start(Some(Span::from_millis(550)), new_data);
            let gap = Span::from_nanos(785_714);
            assert_eq!(control.probes, Some(ProbeRequest { count: 699, gap, new_data }));
            assert_eq!(control.cwnd, Bytes::new(1000));
        }
    }

    /// Without an RTT, the probes wait for the first RTT sample, and are then requested once.
    #[test]
    fn sudden_start_waits_for_an_rtt() {
        let (mut peach, mut control) = at_start(None, false);
        assert_eq!(control.probes, None);
        let srtt = Some(Span::from_millis(700));
        let ack = Ack { acked: Bytes::new(1000), srtt, ..Ack::at(Time::ZERO) };
        peach.on_ack(&ack, &mut control);
        let gap = Span::from_millis(1);
        assert_eq!(control.probes.take(), Some(ProbeRequest { count: 699, gap, new_data: false }));
        peach.on_ack(&ack, &mut control);
        assert_eq!(control.probes, None);
    }
}
