// SPDX-License-Identifier: MIT OR Apache-2.0
//! A film as DASH and HLS stream it. The player downloads segments of a fixed length into its buffer. The player
//! chooses the rate of each segment from a ladder.
//!
//! The player requests one segment at a time, on one connection. The buffer contains complete segments that have not
//! been played yet. Its content is measured in seconds of film. The film starts when the buffer contains `startup`, and
//! stalls when the buffer is empty. After a stall, the film resumes when the buffer contains `resume`. The film ends
//! when the last segment has been played. The model does not include sound, advertisements, seeking, viewers who leave
//! early, and abandoned segments.
//!
//! ```text
//! ideal        time until the film starts: opening + sum over the segments of `startup` of
//!              (RTT + bytes at the lowest rate / rate of the path)
//! sustainable  the highest rung with RTT + bytes of a segment / rate of the path <= segment length: downloads are
//!              then not slower than playback
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

/// Largest number of segments in a film.
pub const MOST_SEGMENTS: u64 = 1_000_000;

/// Ten rates, in bit/s, at which a large service offered every film until 2015. Source: Netflix Technology Blog,
/// Per-Title Encode Optimization (December 2015). The blog shows the table as a picture, which was not available to us.
/// We took the ten rates from public programs that quote the blog. The text of the blog names two of them, 1750 and
/// 5800 kbit/s.
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

/// Model of a film and its player.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmModel {
    /// Rates at which each segment is offered, in ascending order. The size of a segment is exactly rate x length.
    pub ladder: Vec<Rate>,
    /// Length of a segment. The last segment contains the remainder of the film.
    pub segment: Span,
    /// Length of the film, in seconds.
    pub length: Law,
    /// Buffer content at which the film starts. A shorter film starts when it is downloaded completely.
    pub startup: Span,
    /// Buffer content at which the film resumes after a stall.
    pub resume: Span,
    /// Size of the buffer. The player sends the next request only when the next segment fits into the buffer.
    pub buffer: Span,
    /// Rule by which the player chooses the rate.
    pub choice: Choice,
}

impl FilmModel {
    /// Returns a film of this length with the buffer of the paper on BBA-0: segments of 4 s, a buffer of 240 s, and the
    /// [ladder](LADDER) of that time. `startup` and `resume` are two segments each, which is our choice.
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

    /// Checks that the film can be played.
    ///
    /// # Errors
    /// Names the rate at which the ladder does not rise, the duration that does not fit into the buffer, or the number
    /// that is out of bounds.
    pub fn check(&self) -> Result<(), TrafficError> {
        self.length.check()?;
        self.check_ladder()?;
        let refuse = |what, span, bound| Err(TrafficError::Buffer { what, span, bound });
        if self.segment < Span::from_millis(100) {
            return refuse("segment", self.segment, "it must be 100 ms or more".to_owned());
        }
        for (what, span) in [("startup", self.startup), ("resume", self.resume)] {
            if span + self.segment > self.buffer {
                return refuse(
                    what,
                    span,
                    format!(
                        "`{what}` plus a segment of {} must fit into the buffer of {} (make `buffer` longer, \
                        or `{what}` shorter)",
                        self.segment, self.buffer
                    ),
                );
            }
        }
        match self.choice {
            Choice::Buffer { cushion: Span::ZERO, .. } => {
                refuse("cushion", Span::ZERO, "it must be above 0 s".to_owned())
            }
            Choice::Buffer { reservoir, cushion } if reservoir + cushion > self.buffer => refuse(
                "reservoir and cushion",
                reservoir + cushion,
                format!(
                    "their sum must be within the buffer of {} (make `buffer` longer, or `reservoir` and \
                    `cushion` shorter)",
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
        // With this rate, even the smallest segment has at least one byte.
        let bits = lowest.bits_per_s();
        number("the lowest rate, in bit/s,", bits as f64, bits >= 1_000, "1 kbit/s or more")?;
        for (at, pair) in self.ladder.windows(2).enumerate() {
            if pair[1] <= pair[0] {
                return Err(TrafficError::LadderFalls { rung: at + 2, rate: pair[1], before: pair[0] });
            }
        }
        Ok(())
    }

    /// Returns whether two films can differ.
    pub(crate) fn draws(&self) -> bool {
        let Self { ladder: _, segment: _, length, startup: _, resume: _, buffer: _, choice: _ } = self;
        length.draws()
    }

    /// Starts a visit.
    pub(crate) fn visit(&self, seed: u64) -> Box<dyn Visit> {
        let length = self.length.span(&mut SplitMix64::seed_from_u64(seed));
        // The length is limited to a number of segments that can be counted, and is not zero.
        let length = length.clamp(Span::from_millis(100), self.segment * MOST_SEGMENTS);
        Box::new(Player::new(self.clone(), length))
    }
}
