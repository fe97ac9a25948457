// SPDX-License-Identifier: MIT OR Apache-2.0
//! Adaptive coding and modulation: the receiver reports Es/N0, and the transmitter follows a while later.

use crate::modcod::Modcod;
use std::collections::VecDeque;
use units::Span;

/// How a modem moves on its ladder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acm {
    /// Kept above the threshold of a rung: implementation, estimation, scintillation.
    pub margin_db: f64,
    /// A higher rung is taken only with so much more.
    pub hysteresis_db: f64,
    /// From a change of Es/N0 at the receiver to the change of rung in what it receives.
    pub reaction: Span,
}

impl Default for Acm {
    /// A margin of 1 dB and a hysteresis of 0.3 dB; the request takes a geostationary round trip, and the frames that are on
    /// the way.
    fn default() -> Self {
        Self { margin_db: 1.0, hysteresis_db: 0.3, reaction: Span::from_millis(600) }
    }
}

/// From a time on, a rung of the ladder and what is received.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// When it begins.
    pub from_s: f64,
    /// Which rung is sent; `None`: none holds, an outage.
    pub rung: Option<usize>,
    /// Es/N0 at the receiver.
    pub es_n0_db: f64,
    /// Which of the values of Es/N0 that were followed this is.
    pub index: usize,
}

impl Acm {
    /// The highest rung that holds with this Es/N0, without regard to what was sent before.
    pub fn best(&self, rungs: &[Modcod], es_n0_db: f64) -> Option<usize> {
        rungs.iter().rposition(|rung| rung.es_n0_db + self.margin_db <= es_n0_db)
    }

    /// The rung to ask for while `now` is the last one asked for.
    fn next(&self, rungs: &[Modcod], now: Option<usize>, es_n0_db: f64) -> Option<usize> {
        let best = self.best(rungs, es_n0_db);
        if best <= now {
            return best;
        }
        // Higher only with the hysteresis in hand, and never lower for that.
        self.best(rungs, es_n0_db - self.hysteresis_db).max(now)
    }

    /// What is sent while Es/N0 goes through these values, one for each `step` from time zero on. In the beginning the rung
    /// fits.
    pub fn follow(&self, rungs: &[Modcod], step: Span, es_n0_db: &[f64]) -> Vec<Stretch> {
        let at_s = |index: usize| index as f64 * step.secs_f64();
        let timed: Vec<(f64, f64)> =
            es_n0_db.iter().enumerate().map(|(index, &db)| (at_s(index), db)).collect();
        self.follow_at(rungs, &timed, at_s(es_n0_db.len()))
    }

    /// As [`Self::follow`], while Es/N0 has each of these values from its time on, in seconds, until `end_s`.
    pub fn follow_at(&self, rungs: &[Modcod], es_n0_db: &[(f64, f64)], end_s: f64) -> Vec<Stretch> {
        let reaction_s = self.reaction.secs_f64();
        let mut asked = es_n0_db.first().and_then(|&(_, first)| self.best(rungs, first));
        let mut sent = asked;
        // Requests on their way: when they take effect, and what they ask for.
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

/// A request: when it takes effect, and what it asks for.
type Request = (f64, Option<usize>);

fn next_until(requests: &mut VecDeque<Request>, due: impl Fn(f64) -> bool) -> Option<Request> {
    requests.front().is_some_and(|&(at, _)| due(at)).then(|| requests.pop_front()).flatten()
}
