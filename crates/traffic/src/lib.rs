// SPDX-License-Identifier: MIT OR Apache-2.0
//! What users do: how much, how often, and what comes of it for them.
//!
//! - [`Law`] and [`Cdf`]: random distributions of sizes and times, and measured ones.
//! - [`Arrivals`] and [`Begin`]: when visits begin, independently (open loop) or after the think times of users (closed
//!   loop).
//! - [`Model`]: what a visit is, a [transfer], a [page], a [film] or an [exchange], plain or
//!   over [TLS](tls).
//! - [`Visit`]: a visit under way, as a state machine. Its caller reports events, and it returns actions.
//! - [`Experience`]: its quality for the user.
//!
//! Nothing here knows a network, a clock or a source of entropy: the moment and the seed are arguments. This crate depends on
//! [`units`] and `random`.
//!
//! The same visit runs on TCP and, in the tests, on a link that is a formula, where load times and stalls follow
//! by hand. Ideal times are lower bounds; a property test compares random visits on random paths with them.
//!
//! All chance of a visit comes from its seed, and is drawn in an order that the network cannot change: with
//! another controller a user meets the same pages. Only what a player chooses depends on the network.
//!
//! Not modelled: priorities of HTTP/2, caches, pages from several servers.

pub mod arrivals;
pub mod cdf;
pub mod error;
pub mod exchange;
pub mod film;
pub mod law;
pub mod model;
pub mod named;
pub mod page;
mod retried;
pub mod tls;
pub mod transfer;
pub mod visit;

pub use arrivals::{Arrivals, Begin, Moments};
pub use cdf::{Between, Cdf};
pub use error::TrafficError;
pub use exchange::ExchangeModel;
pub use film::{Choice, FilmModel, LADDER};
pub use law::Law;
pub use model::Model;
pub use named::{NAMED, Named};
pub use page::{Object, Objects, PageModel, Protocol};
pub use tls::Tls;
pub use visit::{Act, EmptyPath, Experience, Happened, Visit};

/// Bytes of a request that says no more than what it wants. Ours; requests of browsers with their cookies are longer.
pub const REQUEST: units::Bytes = units::Bytes::new(400);
