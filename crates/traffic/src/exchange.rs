// SPDX-License-Identifier: MIT OR Apache-2.0
//! An exchange: requests and answers in turn, with time to think between them, on one connection.

use crate::error::TrafficError;
use crate::law::Law;
use crate::session::Session;

/// So many requests in a session at most.
pub const MOST_REQUESTS: u32 = 1_000_000;

/// What an exchange is.
#[derive(Clone, Debug, PartialEq)]
pub struct ExchangeModel {
    /// Bytes of a request.
    pub request: Law,
    /// Bytes of an answer.
    pub answer: Law,
    /// How long the server takes, in s.
    pub wait: Law,
    /// How many requests a session has.
    pub count: Law,
    /// For how long the user thinks between an answer and the next request, in s.
    pub think: Law,
}

impl ExchangeModel {
    /// Whether it can be followed.
    ///
    /// # Errors
    /// The law that cannot be drawn from.
    pub fn check(&self) -> Result<(), TrafficError> {
        [&self.request, &self.answer, &self.wait, &self.count, &self.think]
            .into_iter()
            .try_for_each(Law::check)
    }

    /// A session of it.
    pub(crate) fn session(&self, _seed: u64) -> Box<dyn Session> {
        unimplemented!("follows")
    }
}
