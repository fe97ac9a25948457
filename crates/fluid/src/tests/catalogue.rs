// SPDX-License-Identifier: MIT OR Apache-2.0
//! Properties of all models.

use crate::{Answer, Cells, Given, MODELS, ModelError, compute};
use std::collections::BTreeSet;
use units::Code;

fn defaults(name: &str) -> Answer {
    compute(name, &[]).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn the_defaults_are_within_their_bounds() {
    for model in MODELS {
        for parameter in model.parameters {
            let given = [(parameter.name, Given::Numbers(parameter.default.to_vec()))];
            assert_eq!(compute(model.name, &given).map(drop), Ok(()), "{} {}", model.name, parameter.name);
        }
    }
}

#[test]
fn names_occur_once() {
    let names: BTreeSet<&str> = MODELS.iter().map(|model| model.name).collect();
    assert_eq!(names.len(), MODELS.len());
    for model in MODELS {
        let answer = defaults(model.name);
        let facts: BTreeSet<&str> = answer.facts.iter().map(|fact| fact.0.as_str()).collect();
        assert_eq!(facts.len(), answer.facts.len(), "{}", model.name);
        let columns: BTreeSet<&str> = answer.columns.iter().map(|column| column.name).collect();
        assert_eq!(columns.len(), answer.columns.len(), "{}", model.name);
        let parameters: BTreeSet<&str> = model.parameters.iter().map(|parameter| parameter.name).collect();
        assert_eq!(parameters.len(), model.parameters.len(), "{}", model.name);
    }
}

#[test]
fn every_answer_is_whole() {
    for model in MODELS {
        let answer = defaults(model.name);
        let rows: BTreeSet<usize> = answer
            .columns
            .iter()
            .map(|column| match &column.cells {
                Cells::Numbers(numbers) => numbers.len(),
                Cells::Words(words) => words.len(),
            })
            .collect();
        assert_eq!(rows.len(), 1, "{}: columns of different length", model.name);
        assert!(
            !answer.facts.is_empty() && !answer.notes.is_empty() && !answer.panels.is_empty(),
            "{}",
            model.name
        );
        assert!(answer.facts.iter().all(|fact| fact.1.is_finite()), "{}: {:?}", model.name, answer.facts);
        for column in &answer.columns {
            if let Cells::Numbers(numbers) = &column.cells {
                assert!(numbers.iter().flatten().all(|n| n.is_finite()), "{} {}", model.name, column.name);
            }
        }
        let known: BTreeSet<&str> = answer.columns.iter().map(|column| column.name).collect();
        for panel in &answer.panels {
            assert!(
                panel.y.iter().chain(&panel.by).chain([&panel.x]).all(|name| known.contains(name)),
                "{panel:?}"
            );
        }
        assert!(
            answer.notes.iter().all(|note| note.ends_with('.') && !note.contains("  ")),
            "{}",
            model.name
        );
    }
}

/// For the smallest and the largest value of every parameter, each model returns an answer or an error. It never
/// panics, and never returns an infinite number.
#[test]
fn the_ends_of_every_parameter() {
    for model in MODELS {
        for parameter in model.parameters {
            for end in [parameter.least, parameter.most] {
                let given = [(parameter.name, Given::Numbers(vec![end; parameter.default.len().min(3)]))];
                match compute(model.name, &given) {
                    Ok(answer) => {
                        let all = answer.facts.iter().all(|fact| fact.1.is_finite());
                        assert!(all, "{} {} = {end}: {:?}", model.name, parameter.name, answer.facts);
                    }
                    Err(error) => assert_eq!(error.code(), Code::ParameterValue, "{error}"),
                }
            }
        }
    }
}

#[test]
fn a_wrong_name_is_told_the_nearest() {
    let error = compute("hybla-windw", &[]).expect_err("no such model");
    assert_eq!(error.code(), Code::ModelUnknown);
    assert!(error.to_string().contains("`hybla-window`"), "{error}");
    let error = compute("hybla-window", &[("rtt", Given::Text("25".into()))]).expect_err("no such parameter");
    assert_eq!(error.code(), Code::ParameterUnknown);
    assert!(error.to_string().contains("`rtt_ms`"), "{error}");
}

#[test]
fn a_wrong_value_is_told_the_bounds() {
    let refused = |name: &str, given: Given| match compute("hybla-window", &[(name, given)]) {
        Err(error @ ModelError::BadValue { .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    let text = refused("gamma", Given::Numbers(vec![1.0]));
    assert_eq!(text, "parameter `gamma` of model `hybla-window` is 1; it must be a number from 2 to 1000000");
    assert!(refused("gamma", Given::Text("many".into())).contains("\"many\""));
    assert!(refused("gamma", Given::Numbers(vec![f64::NAN])).contains("NaN"));
    assert!(refused("gamma", Given::Numbers(vec![32.0, 64.0])).contains("32, 64"));
    assert!(refused("rtt_ms", Given::Numbers(Vec::new())).contains("an empty list"));
    assert!(refused("rtt_ms", Given::Numbers(vec![0.0; 9])).contains("and 1 more"));
}

#[test]
fn a_list_may_be_text_and_the_last_of_equal_names_holds() {
    let given = [("rho", Given::Text("1".into())), ("rho", Given::Text(" 2, 10 ,22".into()))];
    let answer = compute("hybla-increments", &given).unwrap_or_default();
    assert_eq!(answer.column("rho"), [2.0, 10.0, 22.0]);
    assert_eq!(answer.parameters[0].1, [2.0, 10.0, 22.0]);
}

#[test]
fn contradictions_are_refused() {
    let pairs: [(&str, &[(&str, f64)]); 7] = [
        ("hybla-window", &[("duration_s", 3600.0), ("step_ms", 0.1)]),
        ("a-liad-s-curve", &[("ssthresh_segments", 8.0), ("initial_window_segments", 64.0)]),
        ("a-liad-epoch", &[("largest_window_segments", 8.0), ("beta", 0.1)]),
        ("a-liad-response", &[("packet_error_rate", 0.01), ("alpha", 1000.0)]),
        ("vegas-queue", &[("alpha", 4.0)]),
        ("hybic-window", &[("rtt_sat_ms", 50.0)]),
        ("geo-reno-gains", &[("rtt_ms", 50.0)]),
    ];
    for (model, given) in pairs {
        let given: Vec<_> = given.iter().map(|(name, value)| (*name, Given::Numbers(vec![*value]))).collect();
        match compute(model, &given) {
            Err(error @ ModelError::Contradiction { .. }) => {
                assert_eq!(error.code(), Code::ParameterValue);
                assert!(error.to_string().contains(given[0].0), "{error}");
            }
            other => panic!("{model}: {other:?}"),
        }
    }
}
