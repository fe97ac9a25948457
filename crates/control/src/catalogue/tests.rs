// SPDX-License-Identifier: MIT OR Apache-2.0
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::parts::PACING;
use super::*;
use units::Code;

fn refusal(name: &str, parameters: &[(&str, Value<'_>)]) -> ControlError {
    build(name, parameters).err().unwrap()
}

#[test]
fn an_unknown_controller_is_answered_with_names_that_may_be_meant() {
    let told =
        "`bentpipe controllers` lists all; in other commands, `--plugin FILE` adds your own controllers)";
    for (name, hint) in [
        ("newrenno", "did you mean `newreno`? "),
        ("bbr", "did you mean `bbr1` or `bbr3`? "),
        ("CUBIC", "did you mean `cubic`? "),
        ("foo", ""),
        ("", ""),
    ] {
        let error = refusal(name, &[]);
        assert_eq!(error.code(), Code::ControllerUnknown);
        assert_eq!(error.to_string(), format!("no controller is called `{name}` ({hint}{told}"));
    }
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

/// RFC 8511 applies to rules that answer a mark like a loss. DCTCP (RFC 8257, section 3.3) has its own rule for marks.
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
        assert!(!entry.equations.contains("mark:"), "{entry:?} declares two rules for marks");
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, saved::Plain)]
enum Shape {
    Line,
    Curve,
}

words! { Shape { Line = "line", Curve = "curve" } }

parameters! {
    /// One parameter of each kind.
    struct Example {
        /// what a loss leaves, and
        /// on a second line its reason
        kept: f64 = number("segments", 2.0, 1.0..=4.0), "source of kept";
        /// a whole number
        rounds: u32 = number("rounds", 3.0, 0.0..=9.0), "source of rounds";
        /// a time
        pause: Span = time("20 ms", Span::from_millis(1)..=Span::from_secs(1)), "source of pause";
        /// a switch
        paced: bool = flag(true), "source of paced";
        /// a word
        shape: Shape = word("line"), "source of shape";
        /// a share
        share: Option<f64> = share_or_off(), "source of share";
        pacing: bool as PACING;
    }
}

fn example(given: &[(&str, Value<'_>)]) -> Result<Example, ControlError> {
    let entry = Entry { name: "example", own: &[&Example::LIST.all], frame: &[], ..*entry("reno")? };
    Settings::new(&entry, given).map(|settings| Example::read(&settings))
}

#[test]
fn a_line_declares_a_parameter_and_reads_it() {
    let Parameter { name, unit, default, domain, source, why } = Example::LIST.get("kept");
    assert_eq!((name, unit, default, source), ("kept", "segments", Value::Number(2.0), "source of kept"));
    assert_eq!(
        (domain, why),
        (Domain::Number(1.0, 4.0), "what a loss leaves, and on a second line its reason")
    );

    let Example { kept, rounds, pause, paced, shape, share, pacing } = example(&[]).unwrap();
    assert_eq!((kept, rounds, pause, paced), (2.0, 3, Span::from_millis(20), true));
    assert_eq!((shape, share, pacing), (Shape::Line, None, false));

    let numbers =
        [("kept", Value::Number(4.0)), ("rounds", Value::Number(8.9)), ("share", Value::Number(0.5))];
    let Example { kept, rounds, share, .. } = example(&numbers).unwrap();
    assert_eq!((kept, rounds, share), (4.0, 8, Some(0.5)));
    let others = [
        ("pause", Value::Text("1 s")),
        ("paced", Value::Flag(false)),
        ("shape", Value::Text("curve")),
        ("pacing", Value::Flag(true)),
    ];
    let Example { pause, paced, shape, pacing, .. } = example(&others).unwrap();
    assert_eq!((pause, paced, shape, pacing), (Span::from_secs(1), false, Shape::Curve, true));

    for refused in [
        ("kept", Value::Number(4.1)),
        ("kept", Value::Text("2")),
        ("pause", Value::Text("2 s")),
        ("shape", Value::Text("circle")),
        ("share", Value::Number(0.0)),
    ] {
        assert_eq!(example(&[refused]).unwrap_err().code(), Code::ParameterValue, "{refused:?}");
    }
}

#[test]
fn a_preset_stays_in_its_place_and_the_first_of_two_names_holds() {
    const KEPT: Parameter = Example::LIST.get("kept").preset(Value::Number(1.5)).source("elsewhere");

    let list = Example::LIST.preset("rounds", Value::Number(5.0)).all;
    assert_eq!(list.map(|one| one.name), Example::LIST.all.map(|one| one.name));
    assert_eq!((list[1].default, list[0].default), (Value::Number(5.0), Value::Number(2.0)));

    let entry = Entry { own: &[&[KEPT], &Example::LIST.all], frame: &[], ..*entry("reno").unwrap() };
    let kept: Vec<_> = entry.parameters().filter(|one| one.name == "kept").collect();
    assert_eq!(kept.len(), 1);
    assert_eq!((kept[0].default, kept[0].source), (Value::Number(1.5), "elsewhere"));
}

/// Every entry can be built with both ends of every domain. Every default is in its domain. Names are unique, and no
/// text is empty.
#[test]
fn every_entry_builds_at_the_ends_of_its_domains() {
    for (i, entry) in entries().iter().enumerate() {
        assert!(entries()[..i].iter().all(|other| other.name != entry.name), "{} twice", entry.name);
        for text in [entry.name, entry.summary, entry.equations, entry.limits] {
            assert!(!text.is_empty(), "{entry:?} has an empty text");
        }
        assert_eq!(
            entry.is_stand_in(),
            entry.limits.contains(STAND_IN),
            "{entry:?}: only one text names the stand-in"
        );
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
