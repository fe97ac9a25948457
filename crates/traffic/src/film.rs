// SPDX-License-Identifier: MIT OR Apache-2.0
//! A film as DASH and HLS stream it: segments of a fixed length, each at one rate of a ladder, into the player's buffer.
//!
//! One segment is asked for at a time, on one connection. The buffer holds whole segments that have not been played
//! yet, in seconds of film. The film begins to play with `startup` in the buffer, stalls when the buffer is empty,
//! resumes with `resume`, and ends after its last segment was played. Rates are those of the rungs. Sound,
//! advertisements, seeking, viewers who leave and abandoned segments are not modelled.
//!
//! ```text
//! ideal        opening + the segments of `startup`, each (RTT + bytes at the lowest rate / rate): until it plays
//! sustainable  the highest rung with RTT + bytes of a segment / rate <= segment: it comes no slower than it plays
//! ```

mod choice;
mod player;

pub use choice::Choice;

use crate::error::TrafficError;
use crate::law::{Law, number};
use crate::visit::Visit;
use player::Player;
use random::{SeedableRng as _, SplitMix64};
use units::{Rate, Span};

/// Most segments of a film.
pub const MOST_SEGMENTS: u64 = 1_000_000;

/// Rates that each film of a large service had until 2015, in bit/s: Netflix Technology Blog, Per-Title Encode Optimization
/// (December 2015). Its table is a picture, which was not at hand: the ten rates are those that public programs quote from it; the
/// blog's text names two of them, 1750 and 5800 kbit/s.
pub const LADDER: [Rate; 10] = [
    Rate::from_bits_per_s(235_000),
    Rate::from_bits_per_s(375_000),
    Rate::from_bits_per_s(560_000),
    Rate::from_bits_per_s(750_000),
    Rate::from_bits_per_s(1_050_000),
    Rate::from_bits_per_s(1_750_000),
    Rate::from_bits_per_s(2_350_000),
    Rate::from_bits_per_s(3_000_000),
    Rate::from_bits_per_s(4_300_000),
    Rate::from_bits_per_s(5_800_000),
];

/// What a film is, and how its player goes about it.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmModel {
    /// Rates at which each segment can be had, from the lowest to the highest. Every segment of a rung has exactly its rate.
    pub ladder: Vec<Rate>,
    /// Length of a segment; the last one is what is left.
    pub segment: Span,
    /// For how long it plays, in s.
    pub length: Law,
    /// It begins to play with so much in the buffer (or with all of it).
    pub startup: Span,
    /// After a stall it goes on with so much.
    pub resume: Span,
    /// The player asks for a segment when it fits into a buffer of so much; until then it waits.
    pub buffer: Span,
    /// How the player chooses a rate.
    pub choice: Choice,
}

impl FilmModel {
    /// A film of this length with the buffer of BBA-0's paper: segments of 4 s into a buffer of 240 s, the [ladder](LADDER) of
    /// its time. It begins with two segments, and goes on with two: ours.
    pub fn of(length: Law) -> Self {
        Self {
            ladder: LADDER.to_vec(),
            segment: Span::from_secs(4),
            length,
            startup: Span::from_secs(8),
            resume: Span::from_secs(8),
            buffer: Span::from_secs(240),
            choice: Choice::BBA_0,
        }
    }

    /// Whether it can be played.
    ///
    /// # Errors
    /// The ladder that does not rise, the stretch of the buffer that does not fit, or the number that is out of bounds.
    pub fn check(&self) -> Result<(), TrafficError> {
        self.length.check()?;
        self.check_ladder()?;
        let refuse = |what, span, bound| Err(TrafficError::Buffer { what, span, bound });
        if self.segment < Span::from_millis(100) {
            return refuse("segment", self.segment, "must be 100 ms or more".to_owned());
        }
        for (what, span) in [("startup", self.startup), ("resume", self.resume)] {
            if span + self.segment > self.buffer {
                return refuse(
                    what,
                    span,
                    format!(
                        "it and a segment of {} must fit into the buffer of {} (make `buffer` longer, or it shorter)",
                        self.segment, self.buffer
                    ),
                );
            }
        }
        match self.choice {
            Choice::Buffer { cushion: Span::ZERO, .. } => {
                refuse("cushion", Span::ZERO, "must be above 0 s".to_owned())
            }
            Choice::Buffer { reservoir, cushion } if reservoir + cushion > self.buffer => refuse(
                "reservoir and cushion",
                reservoir + cushion,
                format!(
                    "their sum must be within the buffer of {} (make `buffer` longer, or them shorter)",
                    self.buffer
                ),
            ),
            Choice::Rate { segments: 0, .. } => Err(TrafficError::Number {
                what: "the number of throughputs",
                value: 0.0,
                bound: "1 or more",
            }),
            Choice::Rate { safety, .. } => {
                number("safety", safety, safety > 0.0 && safety <= 2.0, "above 0, and at most 2")
            }
            Choice::Buffer { .. } => Ok(()),
        }
    }

    fn check_ladder(&self) -> Result<(), TrafficError> {
        let Some(lowest) = self.ladder.first() else { return Err(TrafficError::LadderEmpty) };
        // The smallest segment then has a byte.
        let bits = lowest.bits_per_s();
        number("the lowest rate, in bit/s,", bits as f64, bits >= 1_000, "1 kbit/s or more")?;
        for (at, pair) in self.ladder.windows(2).enumerate() {
            if pair[1] <= pair[0] {
                return Err(TrafficError::LadderFalls { rung: at + 2, rate: pair[1], before: pair[0] });
            }
        }
        Ok(())
    }

    /// Whether two films can differ.
    pub(crate) fn draws(&self) -> bool {
        let Self { ladder: _, segment: _, length, startup: _, resume: _, buffer: _, choice: _ } = self;
        length.draws()
    }

    /// A visit of it.
    pub(crate) fn visit(&self, seed: u64) -> Box<dyn Visit> {
        let length = self.length.span(&mut SplitMix64::seed_from_u64(seed));
        // No longer than can be counted, and not nothing.
        let length = length.clamp(Span::from_millis(100), self.segment * MOST_SEGMENTS);
        Box::new(Player::new(self.clone(), length))
    }
}
