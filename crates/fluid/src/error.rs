// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in a user's request to a model.

use crate::parameter::Parameter;
use std::fmt;
use units::Code;

/// Why a model cannot compute an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelError {
    /// There is no model with this name.
    UnknownModel {
        /// The requested name.
        name: String,
        /// The most similar known name.
        nearest: &'static str,
    },
    /// The model has no parameter with this name.
    UnknownParameter {
        /// Name of the model.
        model: &'static str,
        /// The requested name.
        name: String,
        /// The most similar known name.
        nearest: &'static str,
    },
    /// The value is not a number or is out of bounds, or the list has the wrong number of values.
    BadValue {
        /// Name of the model.
        model: &'static str,
        /// The given value as text.
        value: String,
        /// The parameter, which contains the allowed values.
        parameter: &'static Parameter,
    },
    /// Each value is allowed by itself, but the values contradict each other.
    Contradiction {
        /// Name of the model.
        model: &'static str,
        /// The values, the contradiction and the fix.
        what: String,
    },
}

impl ModelError {
    /// Returns the stable error code.
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
                write!(f, "there is no model `{name}`; the most similar name is `{nearest}`")
            }
            Self::UnknownParameter { model, name, nearest } => {
                write!(f, "model `{model}` has no parameter `{name}`; the most similar name is `{nearest}`")
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
