// SPDX-License-Identifier: MIT OR Apache-2.0
//! The kinds of visits.

use crate::error::TrafficError;
use crate::exchange::ExchangeModel;
use crate::film::FilmModel;
use crate::law::Law;
use crate::page::PageModel;
use crate::retried::Retried;
use crate::tls::{Secured, Tls};
use crate::transfer::Transfer;
use crate::visit::Visit;
use random::{SeedableRng as _, SplitMix64};

/// Model of a visit. Call [`Model::check`] before starting visits.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    /// One answer, on a connection of its own.
    Transfer {
        /// Size of the answer, in bytes.
        size: Law,
    },
    /// A web page.
    Page(PageModel),
    /// A film.
    Film(FilmModel),
    /// Requests and answers, one after the other.
    Exchange(ExchangeModel),
    /// Any other model over TLS.
    Secured {
        /// The TLS handshake.
        tls: Tls,
        /// The model that runs over TLS.
        inner: Box<Self>,
    },
}

impl Model {
    /// Checks that visits of this model can be started.
    ///
    /// # Errors
    /// Describes the first invalid part of the model.
    pub fn check(&self) -> Result<(), TrafficError> {
        match self {
            Self::Transfer { size } => size.check(),
            Self::Page(page) => page.check(),
            Self::Film(film) => film.check(),
            Self::Exchange(exchange) => exchange.check(),
            Self::Secured { inner, .. } => inner.check(),
        }
    }

    /// Returns whether two visits can differ in what they request, independently of the network.
    pub fn draws(&self) -> bool {
        match self {
            Self::Transfer { size } => size.draws(),
            Self::Page(page) => page.draws(),
            Self::Film(film) => film.draws(),
            Self::Exchange(exchange) => exchange.draws(),
            Self::Secured { tls: _, inner } => inner.draws(),
        }
    }

    /// Starts a visit. The seed determines all its random numbers: the same seed gives the same visit on every network.
    pub fn visit(&self, seed: u64) -> Box<dyn Visit> {
        match self {
            Self::Transfer { size } => {
                Box::new(Transfer::new(size.bytes(&mut SplitMix64::seed_from_u64(seed))))
            }
            Self::Page(page) => page.visit(seed),
            Self::Film(film) => film.visit(seed),
            Self::Exchange(exchange) => exchange.visit(seed),
            Self::Secured { tls, inner } => Box::new(Secured::new(*tls, inner.visit(seed))),
        }
    }

    /// Starts a visit whose connections may be reset. After a reset, the visit requests every incomplete answer again
    /// on another connection. This connection makes a new TLS handshake.
    pub fn retrying(&self, seed: u64) -> Box<dyn Visit> {
        match self {
            Self::Secured { tls, inner } => Box::new(Secured::new(*tls, inner.retrying(seed))),
            plain => Box::new(Retried::new(plain.visit(seed))),
        }
    }

    /// Returns the mean size of all answers of a visit, in bytes, without the answers of TLS. `None` if a distribution
    /// does not have a mean. Also `None` for a film with more than one rung, because its size depends on the network.
    pub fn mean_bytes(&self) -> Option<f64> {
        match self {
            Self::Transfer { size } => size.mean(),
            Self::Page(page) => page.mean_bytes(),
            Self::Film(film) => match film.ladder[..] {
                [rate] => film.length.mean().map(|length_s| length_s * rate.bytes_per_s()),
                _ => None,
            },
            Self::Exchange(exchange) => Some(exchange.count.mean()? * exchange.answer.mean()?),
            Self::Secured { inner, .. } => inner.mean_bytes(),
        }
    }

    /// Like [`Model::mean_bytes`], but with every film at its lowest rung. The result is the smallest mean size on any
    /// network.
    pub fn least_mean_bytes(&self) -> Option<f64> {
        match self {
            Self::Film(film) => film.length.mean().map(|length_s| length_s * film.ladder[0].bytes_per_s()),
            Self::Secured { inner, .. } => inner.least_mean_bytes(),
            other => other.mean_bytes(),
        }
    }

    /// Returns two numbers. The first is the fraction of its bytes that a visit requests at its beginning. The second
    /// is the time in seconds over which it requests the rest, if the network is not the limit. A film requests data
    /// while it plays. An exchange waits for its server and its user.
    pub fn spread(&self) -> (f64, f64) {
        let mean = |law: &Law| law.mean().unwrap_or(f64::INFINITY);
        match self {
            Self::Transfer { .. } | Self::Page(_) => (1.0, 0.0),
            Self::Film(film) => (0.0, mean(&film.length)),
            Self::Exchange(exchange) => {
                let count = mean(&exchange.count).max(1.0);
                let pause = mean(&exchange.wait) + mean(&exchange.think);
                if pause > 0.0 { (count.recip(), (count - 1.0) * pause) } else { (1.0, 0.0) }
            }
            Self::Secured { inner, .. } => inner.spread(),
        }
    }

    /// Returns the mean number of answers of a visit. Each answer takes at least one packet. `None` if a distribution
    /// does not have a mean.
    pub fn mean_answers(&self) -> Option<f64> {
        match self {
            Self::Transfer { .. } => Some(1.0),
            Self::Page(page) => page.mean_objects(),
            Self::Film(film) => film.length.mean().map(|length_s| length_s / film.segment.secs_f64()),
            Self::Exchange(exchange) => exchange.count.mean(),
            Self::Secured { inner, .. } => inner.mean_answers(),
        }
    }

    /// Returns the largest number of simultaneous connections of a visit.
    pub fn connections(&self) -> u32 {
        match self {
            Self::Transfer { .. } | Self::Film(_) | Self::Exchange(_) => 1,
            Self::Page(page) => page.connections(),
            Self::Secured { inner, .. } => inner.connections(),
        }
    }
}
