// SPDX-License-Identifier: MIT OR Apache-2.0
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use units::Code;

fn refusal(name: &str, parameters: &[(&str, Value<'_>)]) -> ControlError {
    build(name, parameters).err().unwrap()
}

#[test]
fn an_unknown_controller_is_answered_with_the_nearest() {
    let error = refusal("newrenno", &[]);
    assert_eq!(error.code(), Code::ControllerUnknown);
    assert_eq!(error.to_string(), "no controller is called `newrenno` (did you mean `newreno`?)");
}

#[test]
fn an_unknown_parameter_is_answered_with_the_nearest() {
    let error = refusal("reno", &[("slowstart", Value::Text("classic"))]);
    assert_eq!(error.code(), Code::ParameterUnknown);
    assert_eq!(
        error.to_string(),
        "controller `reno` has no parameter `slowstart` (did you mean `slow_start`?)"
    );
}

#[test]
fn a_bad_value_is_answered_with_value_and_bounds() {
    let error = refusal("reno", &[("growth_limit", Value::Number(0.5))]);
    assert_eq!(error.code(), Code::ParameterValue);
    assert_eq!(
        error.to_string(),
        "parameter `growth_limit` of controller `reno` is 0.5; it must be 1 to 1000000000"
    );
    assert_eq!(
        refusal("reno", &[("byte_counting", Value::Text("fast"))]).to_string(),
        "parameter `byte_counting` of controller `reno` is \"fast\"; it must be true or false"
    );
    assert_eq!(refusal("reno", &[("pacing", Value::Number(1.0))]).code(), Code::ParameterValue);
    assert_eq!(refusal("reno", &[("growth_limit", Value::Number(f64::NAN))]).code(), Code::ParameterValue);
}

/// RFC 8511 is about rules that answer a mark as a loss; DCTCP (RFC 8257, section 3.3) has a law of its own.
#[test]
fn alternative_backoff_is_a_share_and_not_for_dctcp() {
    for nothing in [0.0, -0.5, 1.01, f64::NAN] {
        let error = refusal("reno", &[("beta_ecn", Value::Number(nothing))]);
        assert_eq!(
            error.to_string(),
            format!(
                "parameter `beta_ecn` of controller `reno` is {nothing}; it must be above 0 and at most 1, or \"off\""
            )
        );
    }
    for refused in [Value::Number(0.8), Value::Text("off")] {
        assert_eq!(refusal("dctcp", &[("beta_ecn", refused)]).code(), Code::ParameterUnknown);
    }
    for entry in entries().iter().filter(|entry| entry.parameters().any(|one| one.name == "beta_ecn")) {
        assert!(
            !entry.equations.contains("mark:"),
            "{entry:?} has a law for marks, and one that would hide it"
        );
    }
}

/// Both ends of every domain build; every default lies in its domain; names are unique; nothing is left blank.
#[test]
fn every_entry_builds_at_the_ends_of_its_domains() {
    for (i, entry) in entries().iter().enumerate() {
        assert!(entries()[..i].iter().all(|other| other.name != entry.name), "{} twice", entry.name);
        for text in [entry.name, entry.summary, entry.equations, entry.limits] {
            assert!(!text.is_empty(), "{entry:?} leaves something blank");
        }
        assert_eq!(entry.is_stand_in(), entry.limits.contains(STAND_IN), "{entry:?} labels itself by halves");
        assert!(entry.uses().contains(entry.requires()));
        for parameter in entry.parameters() {
            assert!(parameter.domain.holds(parameter.default), "{entry:?} {parameter:?}");
            let texts: Vec<String>;
            let ends: Vec<Value<'_>> = match parameter.domain {
                Domain::Number(min, max) => vec![Value::Number(min), Value::Number(max)],
                Domain::ShareOrOff => {
                    vec![Value::Text("off"), Value::Number(f64::MIN_POSITIVE), Value::Number(1.0)]
                }
                Domain::Flag => vec![Value::Flag(false), Value::Flag(true)],
                Domain::Choice(words) => words.iter().map(|word| Value::Text(word)).collect(),
                Domain::Time(min, max) => {
                    texts = vec![min.to_string(), max.to_string()];
                    texts.iter().map(|text| Value::Text(text)).collect()
                }
            };
            for value in ends {
                build(entry.name, &[(parameter.name, value)]).unwrap();
            }
        }
    }
}
