// SPDX-License-Identifier: MIT OR Apache-2.0
//! Catalogue entries of Vegas, and of derived controllers that differ from Vegas only in settings.

use super::{MAX_REFRESH_SAMPLES, Parameters, Refresh, RefreshTo, RuleParameters, controller};
use crate::catalogue::parts::{WINDOW_RULE, pacing, parts};
use crate::catalogue::{Entry, Settings, parameters, words};

const VEGAS_EQUATIONS: &str = "diff = W (RTT - BaseRTT)/RTT, RTT the mean of the last round, once per round\n\
    slow start: W += acked in every other round; diff > gamma: W = 7/8 W and avoidance\n\
    avoidance: diff < alpha: W += acked/W in this round; diff > beta: W -= 1; W >= 2\n\
    loss: W = ssthresh = 3/4 W, if the lost packet was sent after the last cut\n\
    timeout: ssthresh = max(W/2, 2), W = 2";

/// Vegas with the parameters in `settings`.
fn rule(settings: &Settings<'_>) -> RuleParameters {
    RuleParameters::new(Parameters::read(settings))
}

pub(crate) const VEGAS: Entry = Entry {
    name: "vegas",
    summary: "Vegas (Brakmo and Peterson 1995), read with ns-2: keeps 1 to 3 segments in the queue",
    equations: VEGAS_EQUATIONS,
    own: &[&Parameters::LIST.all],
    frame: WINDOW_RULE,
    sources: &["Brakmo and Peterson, IEEE JSAC 13(8), 1995", "ns-2 tcp/tcp-vegas.cc"],
    limits: "If the path becomes longer by d, the change looks like a queue. The window shrinks to beta RTT/d \
             segments, but not below 2, and does not grow again. On long paths, the flow's own bursts end slow \
             start far below capacity. Vegas yields to flows that fill queues. ns-2 rounds diff (the flow's \
             segments in the queue) to whole segments, but this controller does not. A lost retransmission \
             reduces the window by the same fraction as any other loss. The early retransmission at the first \
             duplicate ACK is a task of the transport.",
    papers: &["L. Brakmo, L. Peterson, TCP Vegas: end to end congestion avoidance on a global Internet, \
         IEEE JSAC 13(8), 1995"],
    draws: false,
    construct: |settings| Box::new(controller(parts(settings), rule(settings))),
};

pub(crate) const VEGAS_A: Entry = Entry {
    name: "vegas-a",
    summary: "Vegas-A: Vegas whose thresholds rise while the rate rises",
    equations: "as vegas, with Th = W/RTT of the round; alpha >= 1, beta - alpha is constant\n\
                diff < alpha: +1 if alpha = 1 or Th rose; else W -= 1, alpha -= 1, beta -= 1\n\
                alpha <= diff <= beta: if Th rose +1, alpha += 1, beta += 1; else nothing\n\
                diff > beta: W -= 1; alpha -= 1, beta -= 1 if alpha > 1",
    sources: &["Srijith, Jacob and Ananda 2005", "Brakmo and Peterson 1995", "ns-2 tcp/tcp-vegas.cc"],
    limits: "The rule for diff > beta is from memory of the paper (diff: the flow's segments in the queue). Two rates \
             count as equal if a difference of one microsecond in the RTT would explain their difference. This \
             tolerance is not in the paper. The thresholds have no upper bound. Slow start and the reaction to losses \
             are the same as in Vegas, so the limits of vegas apply.",
    papers: &["K. N. Srijith, L. Jacob, A. L. Ananda, TCP Vegas-A: improving the performance of TCP Vegas, \
         Computer Communications 28(4), 2005"],
    draws: false,
    construct: |settings| {
        let rule = RuleParameters { adaptive: true, ..rule(settings) };
        Box::new(controller(parts(settings), rule))
    },
    ..VEGAS
};

pub(crate) const NEW_VEGAS: Entry = Entry {
    name: "new-vegas",
    summary: "New Vegas*: stand-in for New Vegas, whose equations were not available: Vegas with pacing and a damped \
              growth after slow start's first exit",
    equations: "as vegas, paced: 2 W/SRTT in slow start, 1.2 W/SRTT in avoidance\n\
                the first exit (7/8 W) does not end slow start: while diff <= gamma, the window continues to grow by\n\
                W/2, W/4, W/8, ... in the next rounds, until this growth is less than a segment or diff > gamma again",
    own: &[&Parameters::LIST.all, &[pacing(true)]],
    sources: &["Sing and Soh 2005, by its abstract and from memory", "Brakmo and Peterson 1995"],
    limits: "This controller (shown as New Vegas*) is a stand-in for New Vegas, because the paper's equations were not \
             available. The paper's packet pairing (two packets back to back because of delayed ACKs) belongs to the \
             transport and is not implemented. The pacing is the same as for all other window rules. Results \
             therefore describe the idea of New Vegas, and not the controller of the paper.",
    papers: &[
        "J. Sing, B. Soh, TCP New Vegas: improving the performance of TCP Vegas over high latency links, \
         IEEE NCA 2005",
    ],
    draws: false,
    construct: |settings| {
        let rule = RuleParameters { convergence: true, ..rule(settings) };
        Box::new(controller(parts(settings), rule))
    },
    ..VEGAS
};

/// What replaces `BaseRTT` after a jump of the RTT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
pub(crate) enum RefreshKind {
    Newest,
    MinOfNext,
    Off,
}

words! { RefreshKind { Newest = "newest", MinOfNext = "min-of-next", Off = "off" } }

parameters! {
    /// When `BaseRTT` is replaced after a change to a longer route.
    pub(crate) struct RefreshParameters {
        /// value of BaseRTT after a jump: the RTT sample that jumped, or the smallest of the next refresh_samples
        refresh: RefreshKind = word("newest"),
            "Vegas-W, section IV.B (the section does not give the new value of BaseRTT)";
        /// a jump of the RTT above this multiple of the mean refreshes BaseRTT; a smaller jump counts as congestion;
        /// with 2, a reroute that adds less than a whole RTT is not detected
        refresh_factor: f64 = number("none", 2.0, 1.0..=100.0), "Vegas-W, section IV.B (n = 2)";
        /// number of RTT samples in this mean; after a jump, the mean reaches the new RTT after this number of samples
        refresh_samples: usize = number("samples", 20.0, 1.0..=MAX_REFRESH_SAMPLES as f64),
            "Vegas-W, section IV.B (m = 20)";
    }
}

impl RefreshParameters {
    pub(crate) const fn refresh(self) -> Option<Refresh> {
        let to = match self.refresh {
            RefreshKind::Newest => RefreshTo::Newest,
            RefreshKind::MinOfNext => RefreshTo::MinOfNext,
            RefreshKind::Off => return None,
        };
        Some(Refresh { factor: self.refresh_factor, samples: self.refresh_samples, to })
    }
}

pub(crate) const VEGAS_AB: Entry = Entry {
    name: "vegas-ab",
    summary: "Vegas-AB*: stand-in for Vegas-AB, of which no description was found: Vegas-A with Vegas-W's refresh of \
              BaseRTT",
    equations: "as vegas-a; in avoidance BaseRTT = RTT if RTT > refresh_factor mean(refresh_samples RTTs before)",
    own: &[&Parameters::LIST.all, &RefreshParameters::LIST.all],
    sources: &["one sentence in Vegas-W, section II", "Srijith, Jacob and Ananda 2005"],
    limits: "This controller (shown as Vegas-AB*) is a stand-in for Vegas-AB. The only description of Vegas-AB that \
             was found says that it \"can change the value of alpha and beta adaptively\" over LEO. Results describe \
             this combination and not Vegas-AB.",
    papers: &[
        "J. Qu, An enhanced TCP Vegas algorithm based on route surveillance and bandwidth estimation over \
         GEO satellite networks (names it)",
    ],
    draws: false,
    construct: |settings| {
        let refresh = RefreshParameters::read(settings).refresh();
        let rule = RuleParameters { adaptive: true, refresh, ..rule(settings) };
        Box::new(controller(parts(settings), rule))
    },
    ..VEGAS
};
