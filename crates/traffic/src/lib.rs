// SPDX-License-Identifier: MIT OR Apache-2.0
//! Models of user traffic: how much data users request, at which times, and what quality they experience.
//!
//! - [`Law`] and [`Cdf`]: probability distributions of sizes and times, analytic or measured.
//! - [`Arrivals`] and [`Begin`]: the times at which visits begin. These times are independent of earlier visits (open
//!   loop), or follow the think times of users (closed loop).
//! - [`Model`]: the kind of visit: a [transfer], a [page], a [film] or an [exchange], in plain text or over [TLS](tls).
//! - [`Visit`]: a running visit, which is a state machine. The caller reports events to the visit, and the visit
//!   returns actions.
//! - [`Experience`]: the quality of a visit for its user.
//!
//! This crate does not use the network, a clock or a source of entropy. The time and the seed are arguments. The crate
//! depends on [`units`] and `random`.
//!
//! Simulations run visits over TCP. The tests also run visits over a link that a formula describes. For this link, load
//! times and stalls are computed by hand. Ideal times are lower bounds. A property test compares random visits on
//! random paths with these bounds.
//!
//! All random numbers of a visit come from its seed. The network cannot change the order in which they are drawn. A
//! user therefore requests the same pages under every controller. Only the choices of a film player depend on the
//! network.
//!
//! The models do not include priorities of HTTP/2, caches, and pages from several servers.

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

/// Size of a request that contains only the name of its object. The value is our choice. Requests of browsers are
/// longer, because they contain cookies.
pub const REQUEST: units::Bytes = units::Bytes::new(400);
