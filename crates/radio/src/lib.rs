// SPDX-License-Identifier: MIT OR Apache-2.0
//! From transmitted power to a data rate: free-space loss, the atmosphere and the rain of the ITU-R recommendations,
//! carrier to noise, the ladder of DVB-S2 and DVB-S2X, and their changes with time.
//!
//! Pure functions of numbers; randomness is passed in as a seed. In this crate a bare number has its unit in its name.
//! Frequencies are in GHz, lengths in km and fractions of time in percent, as in the recommendations, whose symbols the
//! formulas keep.
//!
//! There are no maps: the values of maps (rain rate, rain height, water vapour) are keys of the scenario. The maps are
//! 170 MB (ITU-Rpy 0.4.0), and users who have them have the numbers.

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
