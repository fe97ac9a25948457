// SPDX-License-Identifier: MIT OR Apache-2.0
//! Link budgets, from transmitted power to a data rate. The parts are free-space loss, attenuation by atmosphere and
//! rain (ITU-R recommendations), carrier to noise, and the MODCODs of DVB-S2 and DVB-S2X. All these values may change
//! over time.
//!
//! All functions are pure. Random numbers come from a seed that the caller passes. Every plain number has its unit in
//! its name. As in the recommendations, frequencies are in GHz, lengths are in km, and fractions of time are in
//! percent. Formulas use the symbols of the recommendations.
//!
//! This crate contains no maps. ITU-R publishes some values as maps (rain rate, rain height, water vapour). These
//! values are keys of the scenario. The maps take 170 MB (ITU-Rpy 0.4.0). A user who has the maps can read the values
//! from them.

mod acm;
mod budget;
mod chain;
pub mod cloud;
pub mod frames;
pub mod gas;
pub mod geometry;
mod lines;
pub mod modcod;
mod oxygen;
mod pass;
pub mod rain;
pub mod scintillation;
mod series;
mod state;
mod weather;

pub use acm::{Acm, Stretch};
pub use budget::{Budget, Hop, Rain, Sky};
pub use chain::{BOLTZMANN_DBW_K_HZ, Chain, HopChain, Rung};
pub use modcod::{Ladder, Modcod};
pub use pass::{LookAngles, Pass, rain as rain_of_run};
pub use series::Series;
pub use state::State;
pub use weather::{BETA_PER_S, Marginal, Weather};
