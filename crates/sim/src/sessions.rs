// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sessions of application flows: what their hosts hand over, rows of the table, numbers of the summary.

use crate::endpoint;
use crate::wire::FlowPlan;
use record::summary::{
    AllFilms, AllSessions, BySize, Distribution, LowPercentiles, SessionsSummary, SizeClass,
};
use record::tables::{SessionRow, SessionTable};
use scenario::{Flow, FlowKind, Scenario};
use traffic::{Experience, Model};
use units::{Rate, Span, Time};

mod censored;
mod stuck;
use censored::Censored;
pub use stuck::Progress;

/// What one session comes to, in the columns of the table.
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

/// The same of a film.
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
    fn of(session: &endpoint::SessionRow) -> Self {
        let seconds = |span: Option<Span>| span.map(Span::secs_f64);
        let bytes = session.experience.bytes().get();
        let whole = Self { bytes, slow_down: session.slow_down(), ..Self::default() };
        match session.experience {
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
                    sustainable_mbit_s: session.sustainable.map(Rate::mbit_per_s),
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

/// Adds the row of a session.
pub fn push_row(table: &mut SessionTable, (flow, plan): (u32, &FlowPlan), session: &endpoint::SessionRow) {
    let Numbers { bytes, took_s, slow_down, first_byte_s, objects, answer_s, film } = Numbers::of(session);
    table.push_row(&SessionRow {
        flow,
        name: &plan.name,
        session: session.number,
        user: session.user,
        began_s: session.began.secs_f64(),
        ended_s: session.ended.map(Time::secs_f64),
        bytes,
        received_bytes: session.received.get(),
        took_s,
        ideal_s: session.ideal.map(Span::secs_f64),
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

/// The sessions of one flow that began after the warm-up.
#[derive(Clone, Debug, Default)]
pub struct Felt {
    begun: u64,
    finished: u64,
    /// Bytes, the time that counts and the slow-down of those that count.
    sessions: Vec<(u64, f64, Option<f64>)>,
    first_bytes: Vec<f64>,
    answers: Vec<f64>,
    films: Vec<FilmNumbers>,
    all: All,
}

/// The same with those that are not over.
#[derive(Clone, Debug, Default)]
struct All {
    done: u64,
    took: Censored,
    slow_down: Censored,
    /// The least ideal: no slow-down can be larger than the measured time over it.
    least_ideal: Option<Span>,
    first_byte: Censored,
    /// Of what has a goodput, seconds for a megabit.
    pace: Censored,
    films: Films,
}

/// Sums over films.
#[derive(Clone, Copy, Debug, Default)]
struct Films {
    watched_s: f64,
    stalled_s: f64,
    stalls: f64,
    switches: f64,
    /// Quality times time, Mbit.
    seen_mbit: f64,
}

impl All {
    fn add(&mut self, session: &endpoint::SessionRow, numbers: &Numbers, waited_s: f64) {
        self.done += u64::from(numbers.took_s.is_some());
        self.took.add(numbers.took_s, waited_s);
        if let Some(ideal) = session.ideal.filter(|ideal| *ideal > Span::ZERO) {
            self.slow_down.add(numbers.slow_down, waited_s / ideal.secs_f64());
            self.least_ideal = Some(self.least_ideal.map_or(ideal, |least| least.min(ideal)));
        }
        if matches!(session.experience, Experience::Transfer { .. } | Experience::Page { .. }) {
            self.first_byte.add(numbers.first_byte_s, waited_s);
            let mbit = numbers.bytes as f64 * 8e-6;
            self.pace.add(numbers.took_s.map(|took_s| took_s / mbit), waited_s / mbit);
        }
        if let Some(film) = &numbers.film {
            self.films.add(film, if numbers.took_s.is_some() { 0.0 } else { waited_s });
        }
    }

    /// What they come to, `begun` of them; no time can be longer than `measured`.
    fn summary(&self, begun: u64, measured: Span, is_film: bool) -> Option<AllSessions> {
        let most_s = measured.secs_f64();
        Some(AllSessions {
            took_s: self.took.percentiles(most_s)?,
            done_ratio: self.done as f64 / begun as f64,
            // Of none that came it would be a share of the least time: it would look good.
            slow_down: self
                .least_ideal
                .filter(|_| self.slow_down.came())
                .and_then(|ideal| self.slow_down.percentiles(most_s / ideal.secs_f64())),
            first_byte_s: self.first_byte.percentiles(most_s),
            // What took longer than any that came has no goodput that is known to be above 0.
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
    /// One that never began to play stood still for as long as it was `waited` for.
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

impl Felt {
    /// Adds a session as it stands at `now`.
    pub fn add(&mut self, session: &endpoint::SessionRow, now: Time) {
        self.begun += 1;
        let over = session.ended.is_some();
        self.finished += u64::from(over);
        let numbers = Numbers::of(session);
        self.all.add(session, &numbers, now.since(session.began).secs_f64());
        // A film that plays at the end of the run counts: few runs are as long as films.
        if let (true, Some(took_s)) = (over || numbers.film.is_some(), numbers.took_s) {
            self.sessions.push((numbers.bytes, took_s, numbers.slow_down));
            self.first_bytes.extend(numbers.first_byte_s);
            self.answers.extend(numbers.answer_s);
            self.films.extend(numbers.film);
        }
    }

    /// What they come to in so long a time after the warm-up; `None` of a flow that is no application.
    pub fn summary(&self, scenario: &Scenario, flow: &Flow, measured: Span) -> Option<SessionsSummary> {
        let FlowKind::Application { model, .. } = &flow.kind else { return None };
        let of = of(model);
        let is_film = of == "film";
        let all = || self.sessions.iter();
        let class = |from: u64, below: u64| {
            let of_class = || all().filter(move |(bytes, ..)| (from..below).contains(bytes));
            SizeClass {
                finished: of_class().count() as u64,
                took_s: distribution(of_class().map(|&(_, took_s, _)| took_s)),
                slow_down: distribution(of_class().filter_map(|&(.., slow_down)| slow_down)),
            }
        };
        let film =
            |number: fn(&FilmNumbers) -> Option<f64>| distribution(self.films.iter().filter_map(number));
        Some(SessionsSummary {
            of: of.to_owned(),
            begun: self.begun,
            finished: self.finished,
            unfinished: self.begun - self.finished,
            offered_mbit_s: flow.asks_for().map(|(payload, _)| payload / 1e6),
            load: scenario.load(flow),
            took_s: distribution(all().map(|&(_, took_s, _)| took_s)),
            slow_down: distribution(all().filter_map(|&(.., slow_down)| slow_down)),
            first_byte_s: distribution(self.first_bytes.iter().copied()),
            answer_s: distribution(self.answers.iter().copied()),
            goodput_mbit_s: distribution(
                all()
                    .filter(|&&(_, took_s, _)| matches!(of, "transfer" | "page") && took_s > 0.0)
                    .map(|&(bytes, took_s, _)| bytes as f64 * 8e-6 / took_s),
            ),
            by_size: (!is_film).then(|| BySize {
                under_10_kb: class(0, 10_000),
                under_100_kb: class(10_000, 100_000),
                under_1_mb: class(100_000, 1_000_000),
                from_1_mb: class(1_000_000, u64::MAX),
            }),
            stalls: film(|film| Some(f64::from(film.stalls))),
            stalled_share: film(|film| {
                let whole = film.stalled_s + film.played_s;
                (whole > 0.0).then(|| film.stalled_s / whole)
            }),
            switches: film(|film| Some(f64::from(film.switches))),
            quality_mbit_s: film(|film| film.quality_mbit_s),
            sustainable_mbit_s: film(|film| film.sustainable_mbit_s),
            requests: None,
            all: self.all.summary(self.begun, measured, is_film),
        })
    }
}

/// Whether the time that counts for the user of a session is known.
pub fn is_done(session: &endpoint::SessionRow) -> bool {
    Numbers::of(session).took_s.is_some()
}

/// What a session is, in a word.
fn of(model: &Model) -> &'static str {
    match model {
        Model::Transfer { .. } => "transfer",
        Model::Page(_) => "page",
        Model::Film(_) => "film",
        Model::Exchange(_) => "exchange",
        Model::Secured { inner, .. } => of(inner),
    }
}

/// Exact, with percentiles by the nearest rank; `None` of nothing.
fn distribution(samples: impl Iterator<Item = f64>) -> Option<Distribution> {
    let mut samples: Vec<f64> = samples.collect();
    samples.sort_unstable_by(f64::total_cmp);
    let (min, max) = (*samples.first()?, *samples.last()?);
    let count = samples.len();
    let rank = |share: f64| samples[((share * count as f64).ceil() as usize).clamp(1, count) - 1];
    Some(Distribution {
        samples: count as u64,
        mean: samples.iter().sum::<f64>() / count as f64,
        p5: rank(0.05),
        p50: rank(0.50),
        p95: rank(0.95),
        p99: rank(0.99),
        min,
        max,
    })
}

#[cfg(test)]
mod tests;
