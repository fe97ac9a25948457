// SPDX-License-Identifier: MIT OR Apache-2.0
//! The weather of link budgets: the state of each link, and when it sent nothing.

use plan::Plan;
use plan::weather::{LinkStates, StateInterval, States};
use record::summary::{BudgetSummary, LinkSummary};
use record::tables::WeatherRow;
use std::collections::BTreeMap;
use units::{Span, Time};

/// Sums over the past measured time.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    there: Span,
    outage: Span,
    lost: Span,
    bits: f64,
    missing_db: Option<f64>,
}

#[derive(Clone, Debug)]
struct Link {
    states: LinkStates,
    sums: Sums,
}

/// The weather of a run, by the numbers of links in the network.
#[derive(Clone, Debug)]
pub(crate) struct Weather {
    links: BTreeMap<u32, Link>,
    /// Earlier weather is not measured.
    warm: Time,
}

impl Weather {
    /// For links with budgets; `None`: there are none. Sums begin at `warm`.
    pub fn new(states: States, warm: Time) -> Option<Self> {
        let link = |(link, states)| (link, Link { states, sums: Sums::default() });
        let links: BTreeMap<u32, Link> = states.into_iter().map(link).collect();
        (!links.is_empty()).then_some(Self { links, warm })
    }

    /// The weather of a later page from `from` on.
    pub fn turn(&mut self, states: States, from: Time) {
        for (link, later) in states {
            let new = || Link { states: later.emptied(), sums: Sums::default() };
            self.links.entry(link).or_insert_with(new).states.turn(from, later);
        }
    }

    /// Removes the past weather at `now` and passes it on, interval by interval, after summing it. `end`: nothing is
    /// measured from then on.
    pub fn forget(&mut self, now: Time, end: Time, mut hand: impl FnMut(u32, &StateInterval)) {
        for (&number, link) in &mut self.links {
            let measured = |from: Time, until: Time| until.min(end).since(from.max(self.warm));
            while let Some(&StateInterval { from, until, state }) =
                link.states.intervals.front().filter(|interval| interval.until <= now)
            {
                link.states.intervals.pop_front();
                let span = measured(from, until);
                let sums = &mut link.sums;
                sums.there = sums.there + span;
                sums.bits += state.rate.bits_per_s() as f64 * span.secs_f64();
                if state.modcod.is_none() && span > Span::ZERO {
                    sums.outage = sums.outage + span;
                    sums.missing_db =
                        Some(sums.missing_db.map_or(state.missing_db, |most| most.max(state.missing_db)));
                }
                if from < end {
                    hand(number, &StateInterval { from, until: until.min(end), state });
                }
            }
            while let Some(&(from, until)) = link.states.lost.front().filter(|&&(_, until)| until <= now) {
                link.states.lost.pop_front();
                link.sums.lost = link.sums.lost + measured(from, until);
            }
        }
    }

    /// The results of a link's budget at the end; `None`: it has no budget, or did not exist.
    pub fn summary(&self, number: u32) -> Option<BudgetSummary> {
        let sums = &self.links.get(&number)?.sums;
        let there_s = sums.there.secs_f64();
        (sums.there > Span::ZERO).then(|| BudgetSummary {
            there_s,
            mean_mbit_s: sums.bits * 1e-6 / there_s,
            outage_s: sums.outage.secs_f64(),
            missing_db: sums.missing_db,
            frames_lost_s: sums.lost.secs_f64(),
        })
    }

    /// A note about links whose Es/N0 was too low for any MODCOD, if any of them carried something.
    pub fn note(&self, plan: &Plan, links: &[LinkSummary]) -> Option<String> {
        let of_network = |link: u32| plan.engine_link(link);
        let ladder = |number: u32| {
            self.links
                .iter()
                .find(|(link, _)| of_network(**link) == number)
                .map(|(_, link)| link.states.ladder())
        };
        let outages =
            links.iter().filter_map(|link| Some((link, link.budget.filter(|it| it.outage_s > 0.0)?)));
        // Ties go to the first.
        let (worst, budget) = outages
            .clone()
            .reduce(|most, next| if next.1.outage_s > most.1.outage_s { next } else { most })?;
        let others = match outages.count() - 1 {
            0 => String::new(),
            1 => ". 1 more link is in outage for a shorter time (`budget` in the summary)".to_owned(),
            more => format!(". {more} more links are in outage for shorter times (`budget` in the summary)"),
        };
        let of = match budget.there_s - budget.outage_s {
            rest if rest > 0.0 => format!("for {:.1} s of {:.1} s", budget.outage_s, budget.there_s),
            _ => format!("for all of {:.1} s", budget.there_s),
        };
        Some(format!(
            "{}: {of} its Es/N0 is too low for any MODCOD of {} (by up to {:.1} dB). The link then sends nothing, \
            and packets wait{others}",
            worst.name,
            ladder(worst.link).unwrap_or("its modem"),
            budget.missing_db.unwrap_or_default(),
        ))
    }
}

/// The row of a state in the table.
pub(super) fn row<'a>(interval: &StateInterval, link: u32, name: &'a str) -> WeatherRow<'a> {
    let StateInterval { from, until, state } = interval;
    WeatherRow {
        time_s: from.secs_f64(),
        until_s: until.secs_f64(),
        link,
        name,
        rain_up_db: state.rain_db[0],
        rain_down_db: state.rain_db[1],
        fade_db: state.fade_db,
        es_n0_db: state.es_n0_db,
        modcod: state.modcod.map(|modcod| modcod.name),
        above_threshold_db: state.modcod.map(|modcod| state.es_n0_db - modcod.es_n0_db),
        rate_mbit_s: state.rate.mbit_per_s(),
    }
}

#[cfg(test)]
mod tests;
