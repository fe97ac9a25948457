// SPDX-License-Identifier: MIT OR Apache-2.0
//! The weather of link budgets: the state of each link, and the times at which it sent nothing.

use plan::Plan;
use plan::weather::{LinkStates, StateInterval, States};
use record::summary::{BudgetSummary, LinkSummary};
use record::tables::WeatherRow;
use saved::{Damaged, Plain as _, Reader, Saved, Writer};
use std::collections::{BTreeMap, VecDeque};
use units::{Span, Time};

/// Sums over the measured time so far.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
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

/// The weather of a run, by link number in the network.
#[derive(Clone, Debug, saved::Saved)]
pub(crate) struct Weather {
    #[saved(each)]
    links: BTreeMap<u32, Link>,
    /// End of the warm-up. Weather before this time is not measured.
    #[saved(fixed)]
    warm: Time,
}

/// The saved state is the sums, and the number of remaining intervals. Loading removes the past intervals from the
/// front.
impl Saved for Link {
    fn save_to(&self, to: &mut Writer) {
        self.states.intervals.len().save_to(to);
        self.states.lost.len().save_to(to);
        self.sums.save_to(to);
    }

    fn load_from(&mut self, from: &mut Reader<'_>) -> Result<(), Damaged> {
        keep_last(&mut self.states.intervals, from)?;
        keep_last(&mut self.states.lost, from)?;
        self.sums.load_from(from)
    }
}

fn keep_last<T>(all: &mut VecDeque<T>, from: &mut Reader<'_>) -> Result<(), Damaged> {
    let rest = usize::read_from(from)?;
    let past = all.len().checked_sub(rest).ok_or_else(|| from.damaged::<Link>())?;
    all.drain(..past);
    Ok(())
}

impl Weather {
    /// Creates the weather of links with budgets; `None` if there are no such links. Only the time after `warm` (the
    /// end of the warm-up) is added to the sums.
    pub fn new(states: States, warm: Time) -> Option<Self> {
        let link = |(link, states)| (link, Link { states, sums: Sums::default() });
        let links: BTreeMap<u32, Link> = states.into_iter().map(link).collect();
        (!links.is_empty()).then_some(Self { links, warm })
    }

    /// Adds the weather of a later page (part of the network over time), which starts at `from`.
    pub fn turn(&mut self, states: States, from: Time) {
        for (link, later) in states {
            let new = || Link { states: later.emptied(), sums: Sums::default() };
            self.links.entry(link).or_insert_with(new).states.turn(from, later);
        }
    }

    /// Removes the weather before `now`, adds it to the sums, and passes each interval to `hand`. Weather after `end`
    /// is not measured.
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

    /// Returns the results of a link's budget. Returns `None` if the link has no budget or did not exist in the
    /// measured time.
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

    /// Returns a note about links that carried something and whose Es/N0 was at times too low for every MODCOD.
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
        // If several links are equal, the first one counts.
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
            "{}: {of}, its Es/N0 is up to {:.1} dB too low for the lowest MODCOD of {}. During this time, the link \
             sends nothing, and packets wait{others}",
            worst.name,
            budget.missing_db.unwrap_or_default(),
            ladder(worst.link).unwrap_or("its modem"),
        ))
    }
}

/// Returns the table row of a state.
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
