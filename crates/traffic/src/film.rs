// SPDX-License-Identifier: MIT OR Apache-2.0
//! A film as DASH and HLS stream it: segments of a fixed length, each at one rate of a ladder, into the player's buffer.

use crate::error::TrafficError;
use crate::law::Law;
use crate::session::Session;
use units::{Rate, Span};

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

/// How a player chooses the rate of the next segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice {
    /// By the buffer alone: BBA-0 of Huang et al., A Buffer-Based Approach to Rate Adaptation (SIGCOMM 2014), section 4.
    Buffer {
        /// With so much in the buffer or less it takes the lowest rate.
        reservoir: Span,
        /// From there to the highest rate, linearly.
        cushion: Span,
    },
    /// By what the network gave: the highest rate below a share of the harmonic mean of the last throughputs.
    Rate {
        /// Of so many segments.
        segments: u32,
        /// The share.
        safety: f64,
    },
}

impl FilmModel {
    /// Whether it can be played.
    ///
    /// # Errors
    /// The ladder that does not rise, or the stretch of the buffer that does not fit.
    pub fn check(&self) -> Result<(), TrafficError> {
        self.length.check()
    }

    /// A session of it.
    pub(crate) fn session(&self, _seed: u64) -> Box<dyn Session> {
        unimplemented!("follows")
    }
}
