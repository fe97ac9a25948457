// SPDX-License-Identifier: MIT OR Apache-2.0
//! From transmitted power to a data rate: free-space loss, the atmosphere and the rain of the ITU-R recommendations, carrier
//! to noise, the ladder of DVB-S2 and DVB-S2X, and how all of it moves with time.
//!
//! Pure functions of numbers; chance comes in as a seed. Inside this crate a bare number has its unit in its name;
//! frequencies are in GHz, lengths in km and shares of time in percent, as in the recommendations, whose symbols the
//! formulas keep.
//!
//! There are no maps: what a map would give (rain rate, rain height, water vapour) is a key of the scenario. The
//! maps are 170 MB (ITU-Rpy 0.4.0), and users who have them have the numbers.

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
pub use pass::{Look, Pass, rain as rain_of_run};
pub use series::Series;
pub use state::State;
pub use weather::{BETA_PER_S, Marginal, Weather};
