// SPDX-License-Identifier: MIT OR Apache-2.0
//! The models of the papers: the results of their formulas, without simulating packets.
//!
//! A [`Model`] is a pure function from numbers to an [`Answer`]: a table, some facts, and notes for the reader.
//! [`MODELS`] lists all models; [`compute`] runs one by name. Formulas use plain `f64` with the unit in each name, and
//! have equation and source on the line above. Effects that a formula does not describe (growing queues, bursts of
//! ACKs) are left to the packet simulator, and the notes say so.
//!
//! This crate depends only on `units`. Tests compare the models with `control`, where a controller implements the same
//! rule.

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
