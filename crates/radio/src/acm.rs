// SPDX-License-Identifier: MIT OR Apache-2.0
//! Adaptive coding and modulation (ACM). The receiver reports Es/N0, and the transmitter changes its MODCOD after a
//! reaction time.

use crate::modcod::Modcod;
use std::collections::VecDeque;
use units::Span;

/// Settings that determine when a modem changes its modulation and code. A rung is a MODCOD in the ladder of a modem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acm {
    /// Margin above the threshold of a rung, in dB. It covers implementation losses, estimation errors and
    /// scintillation.
    pub margin_db: f64,
    /// Margin that a change to a higher rung needs in addition, in dB.
    pub hysteresis_db: f64,
    /// Time from a change of Es/N0 at the receiver until the receiver gets a signal that uses the new rung.
    pub reaction: Span,
}

impl Default for Acm {
    /// The default is a margin of 1 dB, a hysteresis of 0.3 dB, and a reaction time of 600 ms. The reaction time is a
    /// geostationary round trip for the request, plus the time of the frames in flight.
    fn default() -> Self {
        Self { margin_db: 1.0, hysteresis_db: 0.3, reaction: Span::from_millis(600) }
    }
}

/// A period with a constant transmitted rung and a constant Es/N0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// Start of the period, in seconds.
    pub from_s: f64,
    /// Index of the transmitted rung, or `None` in an outage. In an outage, no rung is possible.
    pub rung: Option<usize>,
    /// Es/N0 at the receiver, in dB.
    pub es_n0_db: f64,
    /// Index of the Es/N0 value in the input.
    pub index: usize,
}

impl Acm {
    /// Returns the highest rung that is possible with this Es/N0, without hysteresis.
    pub fn best(&self, rungs: &[Modcod], es_n0_db: f64) -> Option<usize> {
        rungs.iter().rposition(|rung| rung.es_n0_db + self.margin_db <= es_n0_db)
    }

    /// Returns the rung that the receiver requests. `now` is the rung that was requested last.
    fn next(&self, rungs: &[Modcod], now: Option<usize>, es_n0_db: f64) -> Option<usize> {
        let best = self.best(rungs, es_n0_db);
        if best <= now {
            return best;
        }
        // A change to a higher rung needs the hysteresis as an additional margin. The hysteresis never causes a lower
        // rung.
        self.best(rungs, es_n0_db - self.hysteresis_db).max(now)
    }

    /// Returns the transmitted rungs for these values of Es/N0. The first value applies from time zero on, and each
    /// value applies for one `step`. The first transmitted rung is the best rung for the first value.
    pub fn follow(&self, rungs: &[Modcod], step: Span, es_n0_db: &[f64]) -> Vec<Stretch> {
        let at_s = |index: usize| index as f64 * step.secs_f64();
        let timed: Vec<(f64, f64)> =
            es_n0_db.iter().enumerate().map(|(index, &db)| (at_s(index), db)).collect();
        self.follow_at(rungs, &timed, at_s(es_n0_db.len()))
    }

    /// Like [`Self::follow`], but each value of Es/N0 has a time in seconds from which it applies. The last value
    /// applies until `end_s`.
    pub fn follow_at(&self, rungs: &[Modcod], es_n0_db: &[(f64, f64)], end_s: f64) -> Vec<Stretch> {
        let reaction_s = self.reaction.secs_f64();
        let mut asked = es_n0_db.first().and_then(|&(_, first)| self.best(rungs, first));
        let mut sent = asked;
        // Pending requests. Each entry is the time at which the request takes effect, and the requested rung.
        let mut requests = VecDeque::new();
        let mut stretches: Vec<Stretch> = Vec::with_capacity(es_n0_db.len());
        for (index, &(from_s, es_n0_now)) in es_n0_db.iter().enumerate() {
            let until_s = es_n0_db.get(index + 1).map_or(end_s, |&(next_s, _)| next_s);
            let es_n0_db = es_n0_now;
            let wanted = self.next(rungs, asked, es_n0_db);
            if wanted != asked {
                asked = wanted;
                requests.push_back((from_s + reaction_s, wanted));
            }
            while let Some((_, rung)) = next_until(&mut requests, |at| at <= from_s) {
                sent = rung;
            }
            stretches.push(Stretch { from_s, rung: sent, es_n0_db, index });
            while let Some((at, rung)) = next_until(&mut requests, |at| at < until_s) {
                sent = rung;
                stretches.push(Stretch { from_s: at, rung, es_n0_db, index });
            }
        }
        stretches
    }
}

/// A pending request. The fields are the time in seconds at which it takes effect, and the requested rung.
type Request = (f64, Option<usize>);

fn next_until(requests: &mut VecDeque<Request>, due: impl Fn(f64) -> bool) -> Option<Request> {
    requests.front().is_some_and(|&(at, _)| due(at)).then(|| requests.pop_front()).flatten()
}
