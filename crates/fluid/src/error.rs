// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a user can ask a model for that it cannot answer.

use crate::parameter::Parameter;
use std::fmt;
use units::Code;

/// Why a model gives no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelError {
    /// No model of that name.
    UnknownModel {
        /// What was asked for.
        name: String,
        /// The known name most like it.
        nearest: &'static str,
    },
    /// The model has no such parameter.
    UnknownParameter {
        /// The model.
        model: &'static str,
        /// What was asked for.
        name: String,
        /// The known name most like it.
        nearest: &'static str,
    },
    /// The value is not a number or is out of bounds, or the list has too many or too few numbers.
    BadValue {
        /// The model.
        model: &'static str,
        /// What was given, as it would be written.
        value: String,
        /// The parameter, which says what would do.
        parameter: &'static Parameter,
    },
    /// Values that are right by themselves contradict each other.
    Contradiction {
        /// The model.
        model: &'static str,
        /// Which, how, and what to do.
        what: String,
    },
}

impl ModelError {
    /// The stable code.
    pub const fn code(&self) -> Code {
        match self {
            Self::UnknownModel { .. } => Code::ModelUnknown,
            Self::UnknownParameter { .. } => Code::ParameterUnknown,
            Self::BadValue { .. } | Self::Contradiction { .. } => Code::ParameterValue,
        }
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownModel { name, nearest } => {
                write!(f, "no model is called `{name}`; the nearest known name is `{nearest}`")
            }
            Self::UnknownParameter { model, name, nearest } => {
                write!(f, "model `{model}` has no parameter `{name}`; the nearest is `{nearest}`")
            }
            Self::BadValue { model, value, parameter } => {
                let domain = parameter.domain();
                write!(f, "parameter `{}` of model `{model}` is {value}; it must be {domain}", parameter.name)
            }
            Self::Contradiction { model, what } => write!(f, "model `{model}`: {what}"),
        }
    }
}

impl std::error::Error for ModelError {}
