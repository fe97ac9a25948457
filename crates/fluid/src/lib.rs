// SPDX-License-Identifier: MIT OR Apache-2.0
//! The models of the papers: the results of their formulas, without a simulation of packets.
//!
//! A [`Model`] is a pure function from numbers to an [`Answer`], which contains a table, some facts, and notes for the
//! reader. [`MODELS`] lists all models, and [`compute`] runs one model by name. Formulas use plain `f64`, and each name
//! contains its unit. The line above a formula gives its equation and source. Formulas do not describe some effects
//! (growing queues, bursts of ACKs). The notes name these effects, and the packet simulator computes them.
//!
//! This crate depends only on `units`. If a controller in `control` implements the same rule, tests compare the model
//! with it.

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
