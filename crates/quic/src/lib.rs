// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bentpipe's congestion controllers as congestion controllers of QUIC libraries.
//!
//! A [`Setup`] names a controller of [`control::catalogue`] and its settings. It makes the controller factory of a
//! library: [`Setup::noq`] for noq-proto, and behind features [`Setup::quinn`] and [`Setup::s2n`]. A controller that
//! requires a signal that the library does not give is refused, and the message names the signal.
//!
//! | module | contents |
//! |---|---|
//! | [`Setup`] | name, settings, seed, initial window, saved path, hints, watch; what is refused and what is degraded |
//! | [`Library`] | the signals that each library gives |
//! | [`Hints`] | what is known about the path from outside: propagation RTT, distance, announced changes |
//! | [`Watch`] | a handle into a running controller: state, counters, events, commands |
//! | `book` | what no library reports: totals, rounds, delivery-rate samples, RTT |
//! | `driver` | events in the order of [`control::event`], episodes of losses, commands |
//! | [`noq`], `quinn`, `s2n` | the bindings |
//!
//! # Refused controllers
//!
//! Over noq 36 controllers of the catalogue run, and 42 with [`Hints`]. Refused are:
//!
//! | controllers | missing signal |
//! |---|---|
//! | `dctcp`, `prague` | ECN marks: noq says that packets were marked, but not how many |
//! | `jersey`, `nj` | congestion-warning marks; `nj` one-way delays too |
//! | `peach`, `peach-plus`, `cherry` | low-priority probes |
//! | `ledbat` | one-way delays |
//! | `hybla-im`, `hybla-im-literal` | without hints: propagation delay from the geometry |
//! | `geo-reno` | without hints: distance between the endpoints |
//! | `leocc`, `satcp`, `starquic` | without hints: path-change announcements |
//!
//! This crate opens no socket, starts no task and reads no clock.

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

/// The examples of the README, compiled and run.
#[cfg(all(doctest, feature = "noq"))]
#[doc = include_str!("../README.md")]
struct Readme;
