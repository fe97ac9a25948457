// SPDX-License-Identifier: MIT OR Apache-2.0
//! The list of all models.

use crate::answer::Answer;
use crate::error::ModelError;
use crate::model::{Given, Model, Settings, nearest};
use crate::{a_liad, doppler, geo_reno, hybic, hybla, hybla_im, response, vegas_w};

/// All models, grouped by paper.
pub const MODELS: &[Model] = &[
    hybla::WINDOW,
    hybla::INCREMENTS,
    hybla_im::BIT_ERRORS,
    hybla_im::CONSISTENCY,
    a_liad::start::S_CURVE,
    a_liad::start::GROWTH,
    a_liad::epoch::BETA_MODEL,
    a_liad::epoch::EPOCH,
    a_liad::response::RESPONSE,
    a_liad::alpha::ALPHA,
    vegas_w::FILTER,
    vegas_w::JUMP,
    vegas_w::QUEUE,
    hybic::window::WINDOW,
    hybic::table::TABLE,
    hybic::readings::READINGS,
    hybic::slow_start::SLOW_START,
    response::RESPONSE,
    geo_reno::FAIR_SHARE,
    geo_reno::GAINS,
    doppler::DOPPLER,
];

/// Returns the model with this name.
///
/// # Errors
/// [`ModelError::UnknownModel`], with the most similar known name.
pub fn model(name: &str) -> Result<&'static Model, ModelError> {
    MODELS.iter().find(|model| model.name == name).ok_or_else(|| ModelError::UnknownModel {
        name: name.to_owned(),
        nearest: nearest(name, MODELS.iter().map(|model| model.name)),
    })
}

/// Computes the answer of the model with this name. The values in `given` replace defaults. If a name is given twice,
/// the last value counts.
///
/// # Errors
/// If the model or a parameter is unknown, with the most similar known name. If a value is out of bounds, or if values
/// contradict each other.
pub fn compute(name: &str, given: &[(&str, Given)]) -> Result<Answer, ModelError> {
    let model = model(name)?;
    let settings = Settings::new(model, given)?;
    let answer = (model.compute)(&settings)?;
    let parameters = model.parameters.iter().map(|p| (p, settings.list(p.name).to_vec())).collect();
    Ok(Answer { parameters, ..answer })
}
