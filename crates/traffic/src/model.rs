// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a visit is.

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

/// What a visit is. Check it before visits are made of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Model {
    /// One answer of this size, on a connection of its own.
    Transfer {
        /// Its bytes.
        size: Law,
    },
    /// A web page.
    Page(PageModel),
    /// A film.
    Film(FilmModel),
    /// Requests and answers in turn.
    Exchange(ExchangeModel),
    /// Any of them over TLS.
    Secured {
        /// Its handshake.
        tls: Tls,
        /// What goes over it.
        inner: Box<Self>,
    },
}

impl Model {
    /// Whether visits can be made of it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), TrafficError> {
        match self {
            Self::Transfer { size } => size.check(),
            Self::Page(page) => page.check(),
            Self::Film(film) => film.check(),
            Self::Exchange(exchange) => exchange.check(),
            Self::Secured { inner, .. } => inner.check(),
        }
    }

    /// Whether two visits can differ in what they ask for, whatever the network does.
    pub fn draws(&self) -> bool {
        match self {
            Self::Transfer { size } => size.draws(),
            Self::Page(page) => page.draws(),
            Self::Film(film) => film.draws(),
            Self::Exchange(exchange) => exchange.draws(),
            Self::Secured { tls: _, inner } => inner.draws(),
        }
    }

    /// A visit. All its chance is in the seed: with the same seed it is the same one, whatever the network does.
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

    /// The same, of users whose connections may break: what was asked for and is not whole is asked for again on another
    /// connection, with a TLS handshake of its own.
    pub fn retrying(&self, seed: u64) -> Box<dyn Visit> {
        match self {
            Self::Secured { tls, inner } => Box::new(Secured::new(*tls, inner.retrying(seed))),
            plain => Box::new(Retried::new(plain.visit(seed))),
        }
    }

    /// Mean bytes of the answers of a visit, those of TLS left out. `None` if a law has no mean, and of a film with more
    /// than one rung: what it takes depends on the network.
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

    /// The same if films stay at their lowest rung: no visit needs less in the mean.
    pub fn least_mean_bytes(&self) -> Option<f64> {
        match self {
            Self::Film(film) => film.length.mean().map(|length_s| length_s * film.ladder[0].bytes_per_s()),
            Self::Secured { inner, .. } => inner.least_mean_bytes(),
            other => other.mean_bytes(),
        }
    }

    /// Which share of its bytes a visit asks for when it begins, and over how many seconds it spreads the rest by its own
    /// time, whatever the network gives: a film needs what it plays, an exchange waits for its server and its user.
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

    /// Mean number of answers of a visit: each has a packet of its own at least. `None` if a law has no mean.
    pub fn mean_answers(&self) -> Option<f64> {
        match self {
            Self::Transfer { .. } => Some(1.0),
            Self::Page(page) => page.mean_objects(),
            Self::Film(film) => film.length.mean().map(|length_s| length_s / film.segment.secs_f64()),
            Self::Exchange(exchange) => exchange.count.mean(),
            Self::Secured { inner, .. } => inner.mean_answers(),
        }
    }

    /// Most simultaneous connections of a visit.
    pub fn connections(&self) -> u32 {
        match self {
            Self::Transfer { .. } | Self::Film(_) | Self::Exchange(_) => 1,
            Self::Page(page) => page.connections(),
            Self::Secured { inner, .. } => inner.connections(),
        }
    }
}
