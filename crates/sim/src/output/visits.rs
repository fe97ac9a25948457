// SPDX-License-Identifier: MIT OR Apache-2.0
//! Visits of application flows: the reports of hosts, the rows of the table, and the numbers of the summary.

use plan::FlowPlan;
use record::summary::{AllFilms, AllVisits, BySize, LowPercentiles, SizeClass, VisitsSummary};
use record::tables::{VisitRow, VisitTable};
use scenario::{Flow, FlowKind, Scenario};
use traffic::{Experience, Model};
use units::{Rate, Span, Time};

mod samples;
mod stuck;
use samples::Samples;
pub use stuck::Progress;

/// The values of one visit, in the columns of the table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Numbers {
    bytes: u64,
    took_s: Option<f64>,
    slow_down: Option<f64>,
    first_byte_s: Option<f64>,
    objects: Option<u32>,
    answer_s: Option<f64>,
    film: Option<FilmNumbers>,
}

/// The values of one visit that is a film, in the columns of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
struct FilmNumbers {
    stalls: u32,
    stalled_s: f64,
    switches: u32,
    quality_mbit_s: Option<f64>,
    sustainable_mbit_s: Option<f64>,
    played_s: f64,
}

impl Numbers {
    fn of(visit: &hosts::VisitRow) -> Self {
        let seconds = |span: Option<Span>| span.map(Span::secs_f64);
        let bytes = visit.experience.bytes().get();
        let whole = Self { bytes, slow_down: visit.slow_down(), ..Self::default() };
        match visit.experience {
            Experience::Transfer { first_byte, took, .. } => {
                Self { took_s: seconds(took), first_byte_s: seconds(first_byte), ..whole }
            }
            Experience::Page { objects, first_byte, load_time, .. } => Self {
                took_s: seconds(load_time),
                first_byte_s: seconds(first_byte),
                objects: Some(objects),
                ..whole
            },
            Experience::Film { startup, stalls, stalled, switches, mean_rate, played, .. } => Self {
                took_s: seconds(startup),
                film: Some(FilmNumbers {
                    stalls,
                    stalled_s: stalled.secs_f64(),
                    switches,
                    quality_mbit_s: mean_rate.map(Rate::mbit_per_s),
                    sustainable_mbit_s: visit.sustainable.map(Rate::mbit_per_s),
                    played_s: played.secs_f64(),
                }),
                ..whole
            },
            Experience::Exchange { mean, took, .. } => {
                Self { took_s: seconds(took), answer_s: seconds(mean), ..whole }
            }
        }
    }
}

/// Adds the row of a visit to the table.
pub fn push_row(table: &mut VisitTable, flow: u32, flow_plan: &FlowPlan, visit: &hosts::VisitRow) {
    let Numbers { bytes, took_s, slow_down, first_byte_s, objects, answer_s, film } = Numbers::of(visit);
    table.push_row(&VisitRow {
        flow,
        name: &flow_plan.name,
        visit: visit.number,
        user: visit.user,
        began_s: visit.began.secs_f64(),
        ended_s: visit.ended.map(Time::secs_f64),
        bytes,
        received_bytes: visit.received.get(),
        took_s,
        ideal_s: visit.ideal.map(Span::secs_f64),
        slow_down,
        first_byte_s,
        answer_s,
        objects,
        stalls: film.map(|film| film.stalls),
        stalled_s: film.map(|film| film.stalled_s),
        switches: film.map(|film| film.switches),
        quality_mbit_s: film.and_then(|film| film.quality_mbit_s),
        sustainable_mbit_s: film.and_then(|film| film.sustainable_mbit_s),
        played_s: film.map(|film| film.played_s),
    });
}

/// The visits of one flow that started after the warm-up.
#[derive(Clone, Debug, Default, saved::Plain)]
pub struct VisitResults {
    begun: u64,
    finished: u64,
    retried: u64,
    bytes: u64,
    /// Times of the visits that count. The following fields cover the same visits.
    whole: Times,
    /// Times by size class; the classes are those of [`BELOW`].
    by_size: [Times; BELOW.len()],
    first_bytes: Samples,
    answers: Samples,
    goodputs: Samples,
    stalls: Samples,
    stalled_shares: Samples,
    switches: Samples,
    qualities: Samples,
    sustainable: Samples,
    all: All,
}

/// The upper bounds of the size classes, in bytes. A bound is not part of its class.
const BELOW: [u64; 4] = [10_000, 100_000, 1_000_000, u64::MAX];

/// Durations of visits in seconds, and slow-downs of visits.
#[derive(Clone, Debug, Default, saved::Plain)]
struct Times {
    took: Samples,
    slow_down: Samples,
}

impl Times {
    fn add(&mut self, took_s: f64, slow_down: Option<f64>) {
        self.took.add(took_s);
        if let Some(slow_down) = slow_down {
            self.slow_down.add(slow_down);
        }
    }

    fn summary(&self) -> SizeClass {
        SizeClass {
            finished: self.took.count_of_those_that_came(),
            took_s: self.took.distribution(),
            slow_down: self.slow_down.distribution(),
        }
    }
}

/// Values of all visits, including the visits in progress.
#[derive(Clone, Debug, Default, saved::Plain)]
struct All {
    done: u64,
    took: Samples,
    slow_down: Samples,
    /// The smallest ideal duration. No slow-down can exceed the measured time divided by this duration.
    least_ideal: Option<Span>,
    first_byte: Samples,
    /// For visits with a goodput, the reciprocal: seconds per megabit.
    pace: Samples,
    films: Films,
}

/// Sums over all films.
#[derive(Clone, Copy, Debug, Default, saved::Plain)]
struct Films {
    watched_s: f64,
    stalled_s: f64,
    stalls: f64,
    switches: f64,
    /// Sum of quality times duration, in Mbit.
    seen_mbit: f64,
}

impl All {
    fn add(&mut self, visit: &hosts::VisitRow, numbers: &Numbers, waited_s: f64) {
        self.done += u64::from(numbers.took_s.is_some());
        self.took.add_or_cut_off(numbers.took_s, waited_s);
        if let Some(ideal) = visit.ideal.filter(|ideal| *ideal > Span::ZERO) {
            self.slow_down.add_or_cut_off(numbers.slow_down, waited_s / ideal.secs_f64());
            self.least_ideal = Some(self.least_ideal.map_or(ideal, |least| least.min(ideal)));
        }
        if matches!(visit.experience, Experience::Transfer { .. } | Experience::Page { .. }) {
            self.first_byte.add_or_cut_off(numbers.first_byte_s, waited_s);
            let mbit = numbers.bytes as f64 * 8e-6;
            self.pace.add_or_cut_off(numbers.took_s.map(|took_s| took_s / mbit), waited_s / mbit);
        }
        if let Some(film) = &numbers.film {
            self.films.add(film, if numbers.took_s.is_some() { 0.0 } else { waited_s });
        }
    }

    /// Returns the results of `begun` visits. No duration can exceed `measured`.
    fn summary(&self, begun: u64, measured: Span, is_film: bool) -> Option<AllVisits> {
        let most_s = measured.secs_f64();
        Some(AllVisits {
            took_s: self.took.percentiles(most_s)?,
            done_ratio: self.done as f64 / begun as f64,
            // If no visit has finished, the estimate would use the shortest ideal duration only, and would be too good.
            slow_down: self
                .least_ideal
                .filter(|_| self.slow_down.any_came())
                .and_then(|ideal| self.slow_down.percentiles(most_s / ideal.secs_f64())),
            first_byte_s: self.first_byte.percentiles(most_s),
            // A visit that takes longer than all finished visits may have a goodput of 0.
            goodput_mbit_s: self
                .pace
                .percentiles(f64::INFINITY)
                .filter(|pace| pace.p50 > 0.0)
                .map(|pace| LowPercentiles { p5: pace.p95.recip(), p50: pace.p50.recip() }),
            films: is_film.then(|| self.films.summary()),
        })
    }
}

impl Films {
    /// Adds a film. If the film never started to play, the whole waiting time of its user counts as a stall.
    fn add(&mut self, film: &FilmNumbers, waited_s: f64) {
        let watched_s = film.played_s + film.stalled_s + waited_s;
        self.watched_s += watched_s;
        self.stalled_s += film.stalled_s + waited_s;
        self.stalls += f64::from(film.stalls);
        self.switches += f64::from(film.switches);
        self.seen_mbit += film.quality_mbit_s.unwrap_or(0.0) * watched_s;
    }

    fn summary(&self) -> AllFilms {
        let whole = self.watched_s;
        let over = |sum: f64| (whole > 0.0).then(|| sum / whole);
        AllFilms {
            watched_s: whole,
            stalled_ratio: over(self.stalled_s),
            stalls_per_min: over(60.0 * self.stalls),
            switches_per_min: over(60.0 * self.switches),
            quality_mbit_s: over(self.seen_mbit),
        }
    }
}

impl VisitResults {
    /// Adds a visit with its state at `now`.
    pub fn add(&mut self, visit: &hosts::VisitRow, now: Time) {
        self.begun += 1;
        let over = visit.ended.is_some();
        self.finished += u64::from(over);
        self.retried += u64::from(visit.retries);
        let numbers = Numbers::of(visit);
        self.bytes += numbers.bytes;
        self.all.add(visit, &numbers, now.since(visit.began).secs_f64());
        // A film in progress at the end of the run counts, because few runs are longer than a film.
        if let (true, Some(took_s)) = (over || numbers.film.is_some(), numbers.took_s) {
            self.count(visit, &numbers, took_s);
        }
    }

    fn count(&mut self, visit: &hosts::VisitRow, numbers: &Numbers, took_s: f64) {
        self.whole.add(took_s, numbers.slow_down);
        let class = BELOW.iter().position(|&below| numbers.bytes < below).unwrap_or(BELOW.len() - 1);
        self.by_size[class].add(took_s, numbers.slow_down);
        let add = |samples: &mut Samples, number: Option<f64>| {
            if let Some(number) = number {
                samples.add(number);
            }
        };
        add(&mut self.first_bytes, numbers.first_byte_s);
        add(&mut self.answers, numbers.answer_s);
        let has_goodput = matches!(visit.experience, Experience::Transfer { .. } | Experience::Page { .. });
        add(&mut self.goodputs, (has_goodput && took_s > 0.0).then(|| numbers.bytes as f64 * 8e-6 / took_s));
        if let Some(film) = &numbers.film {
            let whole = film.stalled_s + film.played_s;
            self.stalls.add(f64::from(film.stalls));
            self.switches.add(f64::from(film.switches));
            add(&mut self.stalled_shares, (whole > 0.0).then(|| film.stalled_s / whole));
            add(&mut self.qualities, film.quality_mbit_s);
            add(&mut self.sustainable, film.sustainable_mbit_s);
        }
    }

    /// Returns the results of the visits in the measured time. Visits could start during `open`. Returns `None` for a
    /// flow that is not an application.
    pub fn summary(
        &self,
        scenario: &Scenario,
        flow: &Flow,
        measured: Span,
        open: Span,
    ) -> Option<VisitsSummary> {
        let FlowKind::Application { model, .. } = &flow.kind else { return None };
        let of = of(model);
        let is_film = of == "film";
        Some(VisitsSummary {
            of: of.to_owned(),
            begun: self.begun,
            finished: self.finished,
            unfinished: self.begun - self.finished,
            offered_mbit_s: flow.demand().map(|(payload, _)| payload / 1e6),
            drawn_mbit_s: (open > Span::ZERO).then(|| self.bytes as f64 * 8e-6 / open.secs_f64()),
            load: scenario.load(flow),
            took_s: self.whole.took.distribution(),
            slow_down: self.whole.slow_down.distribution(),
            first_byte_s: self.first_bytes.distribution(),
            answer_s: self.answers.distribution(),
            goodput_mbit_s: self.goodputs.distribution(),
            by_size: (!is_film).then(|| {
                let [under_10_kb, under_100_kb, under_1_mb, from_1_mb] =
                    self.by_size.each_ref().map(Times::summary);
                BySize { under_10_kb, under_100_kb, under_1_mb, from_1_mb }
            }),
            stalls: self.stalls.distribution(),
            stalled_share: self.stalled_shares.distribution(),
            switches: self.switches.distribution(),
            quality_mbit_s: self.qualities.distribution(),
            sustainable_mbit_s: self.sustainable.distribution(),
            requests: None,
            retried: flow_may_break(scenario, flow).then_some(self.retried),
            all: self.all.summary(self.begun, measured, is_film),
        })
    }
}

/// Returns whether the duration that counts for the user of a visit is known.
pub fn is_done(visit: &hosts::VisitRow) -> bool {
    Numbers::of(visit).took_s.is_some()
}

/// Returns whether proxies on the path of a flow may reset its connections.
fn flow_may_break(scenario: &Scenario, flow: &Flow) -> bool {
    let shaken =
        |index| scenario.proxies(flow, index).iter().any(|(pep, _)| pep.may_lose_state(&scenario.network));
    (0..flow.count).any(shaken)
}

/// Returns the kind of a visit as a word.
fn of(model: &Model) -> &'static str {
    match model {
        Model::Transfer { .. } => "transfer",
        Model::Page(_) => "page",
        Model::Film(_) => "film",
        Model::Exchange(_) => "exchange",
        Model::Secured { inner, .. } => of(inner),
    }
}

#[cfg(test)]
mod tests;
