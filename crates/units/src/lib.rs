// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities whose types carry their units: [`Time`], [`Span`], [`Bytes`], [`Rate`], [`Distance`], [`Angle`], and the
//! quantities of radio links ([`Frequency`], [`Decibels`], …).
//!
//! Users write every quantity as text with its unit (`"50 Mbit/s"`, `"600 ms"`, `"780 km"`). Each type here parses this
//! text. Each type also prints its value; parsing the printed text gives the same value.
//!
//! This crate depends only on the standard library. It also contains the list of all error codes ([`Code`]) and reads
//! files that a user names ([`input`]).

mod code;
pub mod input;
mod parse;
mod quantity;
mod radio;

pub use code::Code;
pub use parse::{UnitError, UnitTable, beginning, short, split, units_like};
pub use quantity::{Angle, Bytes, Distance, Rate, Span, Time};
pub use radio::{
    Altitude, Column, Decibels, FigureOfMerit, Frequency, Power, Pressure, RainRate, Speed, Temperature,
    Vapour,
};

/// Speed of light in vacuum, in m/s (SI definition).
pub const SPEED_OF_LIGHT_M_S: f64 = 299_792_458.0;
