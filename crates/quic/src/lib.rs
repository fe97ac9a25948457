// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bentpipe's congestion controllers, for use in QUIC libraries.
//!
//! A [`Setup`] contains a controller of [`control::catalogue`] and its settings. It creates the controller factory of a
//! library: [`Setup::noq`] for noq-proto, and `Setup::quinn` and `Setup::s2n` if the features of these names are
//! enabled. If a controller requires a signal that the library does not provide, the setup refuses it. The error
//! message names the signal.
//!
//! | module | contents |
//! |---|---|
//! | [`Setup`] | name, settings, seed, initial window, saved path, hints, watch; checks which signals are missing |
//! | [`Library`] | the signals that each library provides |
//! | [`Hints`] | data about the path from outside the connection: propagation RTT, distance, announced changes |
//! | [`Watch`] | access to a running controller: state, counters, events, commands |
//! | `book` | data that no library reports: totals, rounds, delivery-rate samples, the RTT including the newest sample |
//! | `driver` | events in the order of [`control::event`], loss episodes, commands |
//! | [`noq`], `quinn`, `s2n` | the bindings |
//!
//! # Refused controllers
//!
//! With noq, 36 controllers of the catalogue run. Six more need data about the path and run only with [`Hints`]:
//!
//! | controllers | hint |
//! |---|---|
//! | `hybla-im`, `hybla-im-literal` | propagation delay from the geometry |
//! | `geo-reno` | distance between the endpoints |
//! | `leocc`, `satcp`, `starquic` | path-change announcements |
//!
//! All other controllers are refused:
//!
//! | controllers | missing signal |
//! |---|---|
//! | `dctcp`, `prague` | counts of ECN marks: noq reports that packets were marked, but not their number |
//! | `jersey`, `nj` | congestion warnings of routers; for `nj` also one-way delays |
//! | `peach`, `peach-plus`, `cherry` | low-priority probes |
//! | `ledbat` | one-way delays |
//!
//! This crate opens no sockets, starts no tasks and reads no clock.

mod book;
mod clock;
mod driver;
mod hints;
mod library;
#[cfg(feature = "noq")]
pub mod noq;
#[cfg(feature = "noq")]
mod noq_own;
#[cfg(feature = "quinn")]
pub mod quinn;
#[cfg(feature = "s2n")]
pub mod s2n;
mod setup;
mod watch;

pub use ::control;
pub use ::units;
pub use hints::Hints;
pub use library::Library;
#[cfg(feature = "noq")]
pub use noq_own::{NoqOwn, NoqOwnFactory};
pub use setup::{Pacing, Refused, Setup};
pub use watch::{Brief, Counters, Event, EventKind, State, Total, Watch};

/// The examples of the README. Doc tests compile and run them.
#[cfg(all(doctest, feature = "noq"))]
#[doc = include_str!("../README.md")]
struct Readme;
