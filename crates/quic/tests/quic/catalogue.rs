// SPDX-License-Identifier: MIT OR Apache-2.0
//! The controllers of the catalogue that run over each library, and the missing signals of all other controllers.

use bentpipe_quic::control::{PathState, Signals, catalogue};
use bentpipe_quic::units::{Code, Span};
use bentpipe_quic::{Hints, Library, Refused, Setup};

fn hints() -> Hints {
    let propagation_rtt = Some(Span::from_millis(40));
    Hints::new(PathState { propagation_rtt, distance_m: Some(5e6), ..PathState::default() })
}

/// Returns the names of the controllers that `library` refuses, each with the missing signals.
fn refused(library: Library, hints: Option<&Hints>) -> Vec<(&'static str, Signals)> {
    let missing = |name| {
        let setup = Setup::new(name, &[]).unwrap();
        let setup = match hints {
            Some(hints) => setup.hints(hints.clone()),
            None => setup,
        };
        match setup.degraded(library) {
            Ok(_) => None,
            Err(Refused::Signals { controller, missing, .. }) => {
                assert_eq!(controller, name);
                Some((name, missing))
            }
            Err(error) => panic!("{name}: {error}"),
        }
    };
    catalogue::entries().iter().filter_map(|entry| missing(entry.name)).collect()
}

/// Controllers that require signals which QUIC, or noq, does not have: counts of marks, low-priority probes, arrival
/// times, warnings of routers (RFC 9000, section 19.3; noq-proto's trait).
const NEVER: [(&str, Signals); 8] = [
    ("dctcp", Signals::ECN),
    ("prague", Signals::ECN),
    ("jersey", Signals::CONGESTION_WARNING),
    ("nj", Signals::CONGESTION_WARNING.and(Signals::ONE_WAY_DELAY)),
    ("peach", Signals::PROBE),
    ("peach-plus", Signals::PROBE),
    ("cherry", Signals::PROBE),
    ("ledbat", Signals::ONE_WAY_DELAY),
];

/// Controllers that are refused without hints and run with hints.
const BY_HINTS: [(&str, Signals); 6] = [
    ("hybla-im", Signals::PROPAGATION),
    ("hybla-im-literal", Signals::PROPAGATION),
    ("geo-reno", Signals::DISTANCE),
    ("leocc", Signals::PATH_CHANGE),
    ("satcp", Signals::PATH_CHANGE),
    ("starquic", Signals::PATH_CHANGE),
];

#[test]
fn noq_refuses_what_it_cannot_run_and_says_why() {
    let mut found = refused(Library::Noq, None);
    let mut expected = [&NEVER[..], &BY_HINTS[..]].concat();
    found.sort_unstable_by_key(|(name, _)| *name);
    expected.sort_unstable_by_key(|(name, _)| *name);
    assert_eq!(found, expected);
    assert!(catalogue::entries().len() - found.len() >= 36);
}

#[test]
fn hints_bring_six_back() {
    assert_eq!(refused(Library::Noq, Some(&hints())), NEVER);
    assert!(catalogue::entries().len() - NEVER.len() >= 42);
}

/// quinn does not report single packets. Without pacing, controllers that pace run degraded.
#[test]
fn quinn_and_s2n_lack_more_or_other_signals() {
    let lacking = |library, name| {
        let found = refused(library, Some(&hints())).into_iter().find(|(one, _)| *one == name);
        found.map_or(Signals::NONE, |(_, missing)| missing)
    };
    assert_eq!(lacking(Library::Quinn, "vivace"), Signals::PER_PACKET);
    assert_eq!(lacking(Library::Quinn, "dctcp"), Signals::ECN);
    assert_eq!(lacking(Library::S2n, "dctcp"), Signals::NONE);
    let degraded = |library, name| Setup::new(name, &[]).unwrap().degraded(library).unwrap();
    assert_eq!(degraded(Library::Quinn, "bbr1"), Signals::PACING | Signals::UNDO);
    assert_eq!(degraded(Library::Quinn, "copa"), Signals::PACING);
    assert_eq!(degraded(Library::Quinn, "reno"), Signals::UNDO);
    assert_eq!(degraded(Library::Noq, "bbr1"), Signals::NONE);
    assert_eq!(degraded(Library::Noq, "cubic"), Signals::NONE);
}

#[test]
fn refusals_are_messages_with_the_fix() {
    let said = |name| Setup::new(name, &[]).unwrap().noq().unwrap_err();
    assert_eq!(
        said("dctcp").to_string(),
        "controller \"dctcp\" needs ECN marks, which noq does not provide (choose another controller)"
    );
    assert_eq!(
        said("satcp").to_string(),
        "controller \"satcp\" needs path-change announcements, which noq does not provide (pass these signals to Setup::hints, \
         or choose another controller)"
    );
    assert_eq!(said("satcp").code(), Code::SignalMissing);
    let error = Setup::new("cubik", &[]).unwrap_err();
    assert!(
        error.to_string().starts_with("no controller is called `cubik` (did you mean `cubic`?"),
        "{error}"
    );
    assert_eq!(error.code(), Code::ControllerUnknown);
    let error = Setup::new("cubic", &[("beta", catalogue::Value::Number(2.0))]).unwrap_err();
    assert_eq!(error.code(), Code::ParameterValue);
}
