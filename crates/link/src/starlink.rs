// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paths over Starlink. Rate, delay and loss are drawn every 15 seconds. Their distributions come from measurements.
//!
//! A preset contains the distributions, and [`Direction::lay`] draws one run from them. `presets.rs` states the source
//! of each number. Tests compare the result with the measurements, and `docs/starlink.md` reports the differences.

pub(crate) mod draws;
mod presets;

use crate::{Bursts, Course, Delay, Grants, Impairment, Piece, QueueLimit, RateSchedule, Service};
use draws::Autoregression;
pub use draws::Draw;
pub use presets::PRESETS;
use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};
use units::{Rate, Span, Time};

/// Length of an epoch. The schedule of all terminals changes at :12, :27, :42 and :57 of each minute (Pan et al., ICC
/// 2024; Tanveer et al., `CoNEXT` 2023).
pub const EPOCH: Span = Span::from_secs(15);
/// The first boundary of a minute, in seconds after the full minute.
const FIRST_BOUNDARY: Span = Span::from_secs(12);
/// Longest run. One hour takes about 1 MB per direction.
pub const LONGEST: Span = Span::from_secs(86_400);
/// Shortest delay of a path over a satellite at 550 km, in ms. It is twice 550 km divided by the speed of light.
const ZENITH_MS: f64 = 3.67;

/// A path over Starlink.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// Name of the preset.
    pub name: &'static str,
    /// Direction from the dish.
    pub up: Direction,
    /// Direction to the dish.
    pub down: Direction,
}

/// Distributions of one direction.
#[derive(Clone, Debug, PartialEq)]
pub struct Direction {
    /// Median of the rate over the epochs, in Mbit/s.
    pub median_mbit_s: f64,
    /// Rate level of an epoch, as a factor of the median.
    pub level: Autoregression,
    /// Time for which the rate stays constant within an epoch.
    pub hold: Span,
    /// Variation of the rate within an epoch, as a factor of the epoch's level.
    pub variation: Autoregression,
    /// Delay of an epoch.
    pub path: PathDelay,
    /// Additional delay in ms, drawn every 100 ms.
    pub extra_ms: Option<Draw>,
    /// Grants: the usual interval to the next grant, the probability of another interval, and this other interval.
    pub grants: (Span, f64, Span),
    /// Changes at a boundary between two epochs.
    pub boundary: Boundary,
    /// Loss outside of the boundaries.
    pub loss: Impairment,
    /// Limit of the queue in front of the link.
    pub queue: QueueLimit,
}

/// One-way delay of an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathDelay {
    /// Delay of the path, in ms.
    pub way_ms: Draw,
    /// Probability that a new path delay is drawn at a boundary.
    pub redraw: f64,
    /// Standard deviation of the additional jump of the delay at each boundary, in ms.
    pub jump_ms: f64,
}

/// Changes at a boundary between two epochs. The changes follow each other in the order of the fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boundary {
    /// Time from the start of the change until the boundary, in ms.
    pub early_ms: Draw,
    /// Duration of the first part, in ms. All packets that leave in this part are lost.
    pub dark_ms: f64,
    /// Duration of the second part, in ms. No packet leaves in this part, and arriving packets wait.
    pub pause_ms: Draw,
    /// Duration of the last part, in which the rate rises from zero.
    pub ramp: Span,
    /// Start of the first bin relative to the boundary, in ms, and the losses in consecutive bins of 100 ms.
    pub losses: (f64, &'static [f64]),
    /// Whether losses and pause apply to the time of arrival at the far end. If not, they apply to the time of leaving.
    pub at_far_end: bool,
}

/// One direction of a path, drawn for a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Laid {
    /// Median rate. It converts queue limits in bandwidth-delay products.
    pub rate: Rate,
    /// Delay over time, one value per epoch.
    pub delay: Delay,
    /// Loss outside of the boundaries.
    pub loss: Impairment,
    /// All other changes over time.
    pub course: Course,
}

/// Returns the preset with this name.
pub fn find(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

/// Returns the starts of the epochs of a run: time zero, and then each boundary. The run starts `phase` after a full
/// minute.
pub fn epochs(phase: Span, duration: Span) -> impl Iterator<Item = Time> {
    let epoch = EPOCH.nanos();
    let first = (FIRST_BOUNDARY.nanos() + epoch - phase.nanos() % epoch) % epoch;
    let first = if first == 0 { epoch } else { first };
    let later = (first..duration.nanos()).step_by(epoch as usize);
    std::iter::once(0).chain(later).map(Time::from_nanos)
}

fn ms(ms: f64) -> Span {
    Span::from_secs_f64(ms / 1e3)
}

impl Direction {
    /// Draws a run. At its start, `phase` has passed since the last full minute. `rest` is the one-way delay of the
    /// terrestrial part of the path. `seed` is the seed of this direction's random stream.
    ///
    /// # Panics
    /// If the run is longer than [`LONGEST`].
    pub fn lay(&self, phase: Span, duration: Span, rest: Span, seed: u64) -> Laid {
        assert!(duration <= LONGEST, "a run of {duration} is too long to be laid");
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (apart, odds, other) = self.grants;
        let mut run = Run { pieces: Vec::new(), loss: Vec::new(), extra: Vec::new(), delay: Vec::new() };
        let mut level = self.level.begin(&mut random);
        let mut way_ms = self.path.way_ms.value(&mut random);
        let starts: Vec<Time> = epochs(phase, duration).collect();
        for (index, &from) in starts.iter().enumerate() {
            let to = starts.get(index + 1).copied().unwrap_or(from + EPOCH);
            if index > 0 {
                self.level.step(&mut level, &mut random);
                if random.fraction() < self.path.redraw {
                    way_ms = self.path.way_ms.value(&mut random);
                }
            }
            // The change of the delay at a boundary is the difference of two such numbers. Its standard deviation is
            // sqrt(2) times that of each number, so each number is scaled by 1/sqrt(2).
            let jump_ms = random.normal() * self.path.jump_ms * std::f64::consts::FRAC_1_SQRT_2;
            let before = run.delay.last().map_or(Span::ZERO, |&(_, delay)| delay);
            let delay = rest + ms((way_ms + jump_ms).max(ZENITH_MS));
            run.delay.push((from, delay));
            let rates = self.rates(from, to, self.level.factor(level), &mut random);
            let pause = (index > 0).then(|| self.cross(from, [before, delay], &mut run.loss, &mut random));
            run.pieces.extend(with_pause(&rates, pause, self.boundary.ramp));
            if let Some(extra) = self.extra_ms {
                let mut at = from;
                while at < to {
                    run.extra.push((at, ms(extra.value(&mut random))));
                    at += HOLD;
                }
            }
        }
        let schedule = RateSchedule::new(run.pieces).map(Service::Schedule);
        Laid {
            rate: Rate::from_bits_per_s((self.median_mbit_s * 1e6) as u64),
            delay: Delay::Steps(run.delay.into()),
            loss: self.loss.clone(),
            course: Course {
                service: Some(
                    schedule.unwrap_or_else(|error| unreachable!("a laid schedule is sound: {error}")),
                ),
                grants: Some((Grants { apart, or: (odds, other) }, random.word())),
                extra_delay: run.extra.into(),
                loss: run.loss.into(),
                ..Course::default()
            },
        }
    }

    /// Returns the rates within an epoch. Each rate applies from its time on.
    fn rates(&self, from: Time, to: Time, level: f64, random: &mut Xoshiro256PlusPlus) -> Vec<(Time, Rate)> {
        let mut state = self.variation.begin(random);
        let (mut at, mut rates) = (from, Vec::new());
        while at < to {
            let mbit_s = self.median_mbit_s * level * self.variation.factor(state);
            // The rate is at least 1 kbit/s, so that no packet waits forever.
            rates.push((at, Rate::from_bits_per_s((mbit_s * 1e6).max(1e3) as u64)));
            self.variation.step(&mut state, random);
            at += self.hold;
        }
        rates
    }

    /// Adds the losses at a boundary. Returns the start and the end of the pause.
    fn cross(
        &self,
        boundary: Time,
        delays: [Span; 2],
        loss: &mut Vec<(Time, f64)>,
        random: &mut Xoshiro256PlusPlus,
    ) -> (Time, Time) {
        let Boundary { early_ms, dark_ms, pause_ms, losses: (first_ms, losses), .. } = self.boundary;
        let [before_ms, after_ms] =
            delays.map(|delay| if self.boundary.at_far_end { delay.millis_f64() } else { 0.0 });
        let after = |ms: f64| Time::from_secs_f64(boundary.secs_f64() + ms / 1e3);
        let early_ms = early_ms.value(random);
        let begins_ms = (dark_ms - early_ms - after_ms).max(0.0);
        let pause = (after(begins_ms), after(begins_ms + pause_ms.value(random)));
        if dark_ms > 0.0 {
            // Packets that became ready before the pause, but whose grant is in the pause, are also lost.
            loss.extend([(after(-early_ms - before_ms), 1.0), (pause.1, 0.0)]);
        }
        for (index, &share) in losses.iter().enumerate() {
            loss.push((after(first_ms + 100.0 * index as f64), share));
        }
        if !losses.is_empty() {
            loss.push((after(first_ms + 100.0 * losses.len() as f64), 0.0));
        }
        pause
    }
}

/// Time for which an additional delay stays constant.
const HOLD: Span = Span::from_millis(100);

/// The parts of a run that are being drawn.
struct Run {
    pieces: Vec<Piece>,
    loss: Vec<(Time, f64)>,
    extra: Vec<(Time, Span)>,
    delay: Vec<(Time, Span)>,
}

/// Returns the rates of an epoch, with a pause and a ramp after the pause.
fn with_pause(rates: &[(Time, Rate)], pause: Option<(Time, Time)>, ramp: Span) -> Vec<Piece> {
    let whole = rates.iter().map(|&(from, rate)| Piece::constant(from, rate));
    let Some((begins, ends)) = pause.filter(|(begins, ends)| begins < ends) else { return whole.collect() };
    let full = ends + ramp;
    let at_full = rates[rates.partition_point(|&(from, _)| from <= full).saturating_sub(1)].1;
    let zero = Rate::from_bits_per_s(0);
    let mut pieces: Vec<Piece> = whole.clone().filter(|piece| piece.from < begins).collect();
    pieces.push(Piece::constant(begins, zero));
    if ramp > Span::ZERO {
        pieces.push(Piece { from: ends, start: zero, end: at_full });
    }
    pieces.push(Piece::constant(full, at_full));
    pieces.extend(whole.filter(|piece| piece.from > full));
    pieces
}
