// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities with their units in the type: [`Time`], [`Span`], [`Bytes`], [`Rate`], [`Distance`], [`Angle`], and those of
//! radio links ([`Frequency`], [`Decibels`], …).
//!
//! Every quantity that a user writes is text with its unit (`"50 Mbit/s"`, `"600 ms"`, `"780 km"`); each type
//! here parses that text and prints it back so that parsing the print gives the same value.
//! This crate depends on the standard library alone. It also holds the one list of error codes ([`Code`]), and
//! reads files that a user names ([`input`]).

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

/// Speed of light in vacuum, m/s (SI definition).
pub const SPEED_OF_LIGHT_M_S: f64 = 299_792_458.0;
