// SPDX-License-Identifier: MIT OR Apache-2.0
//! The models of the papers: what their formulas say, without a packet.
//!
//! A [`Model`] is a pure function from numbers to an [`Answer`]: a table, a few facts, and the notes that a
//! reader of them must know. All stand in [`MODELS`]; [`compute`] asks one by name. Formulas are in plain
//! `f64`, the unit in each name, equation and source on the line above. What a formula cannot know (queues
//! that build up, ACKs that come in bursts) is left to the packet simulator, and said so in the notes.
//!
//! This crate depends on `units` alone; tests compare with `control`, where a controller states the same rule.

#![expect(clippy::unnecessary_wraps, reason = "all models are functions of one type, and some can refuse")]

mod a_liad;
mod answer;
mod catalogue;
mod doppler;
mod error;
mod geo_reno;
mod hybic;
mod hybla;
mod hybla_im;
mod model;
mod numeric;
mod parameter;
mod response;
mod vegas_w;

pub use answer::{Answer, Cells, Column, Marks, Panel, Scale};
pub use catalogue::{MODELS, compute, model};
pub use error::ModelError;
pub use model::{Given, Model, Settings};
pub use parameter::{Count, Parameter};

#[cfg(test)]
mod tests;
