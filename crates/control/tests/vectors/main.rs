// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs the language-neutral cases of `vectors/` (format: `vectors/README.md`) on the platforms of `profiles.toml`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cases;
mod expect;
mod profile;
mod run;
mod segments;

use bentpipe_control::Controller;
use bentpipe_control::catalogue::{self, Value};
use cases::{Case, File, parameters};
use profile::Profile;
use run::differences;
use segments::cubic::{Cubic, Parameters};
use segments::reno::Reno;
use segments::{Choices, Sender};

/// Returns the differences of Bentpipe's controllers on the platform of `profile`, for all cases that apply to this
/// platform.
fn ours(ground: &str, profile: &Profile) -> Vec<String> {
    let mut failures = Vec::new();
    for (name, file) in cases::files() {
        for case in file.cases.iter().filter(|case| !case.not_on.contains_key(ground)) {
            let controller = catalogue::build(&file.controller, &parameters(case)).unwrap();
            let found = differences(profile, case, controller).into_iter();
            failures.extend(found.map(|difference| format!("{name}: {difference}")));
        }
    }
    failures
}

#[test]
fn every_case_of_every_file() {
    let failures = ours("float", &Profile::all()["float"]);
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn every_case_of_every_file_on_datagrams_of_1200_bytes() {
    let datagrams = &Profile::all()["datagrams"];
    // Bentpipe's controllers use real numbers and round a command once, in every case. The tolerance is one byte for
    // the command, and one byte for the given bytes in flight.
    let tolerance_segments = 2.0 / f64::from(datagrams.mss);
    let failures = ours("datagrams", &Profile { tolerance_segments, ..datagrams.clone() });
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// A function that returns an integer twin of the controller of a file, with the parameters of a case. `None` if the
/// twin does not implement a parameter.
type Twin = fn(&Case) -> Option<Box<dyn Controller>>;

/// Reno in whole segments.
fn reno(case: &Case) -> Option<Box<dyn Controller>> {
    reno_with(case, Reno::AS_PUBLISHED)
}

fn reno_with(case: &Case, module: Reno) -> Option<Box<dyn Controller>> {
    let mut choices = Choices { growth_limit: 1, byte_counting: true };
    for parameter in parameters(case) {
        match parameter {
            ("growth_limit", Value::Number(limit)) => choices.growth_limit = limit as u64,
            ("byte_counting", Value::Flag(yes)) => choices.byte_counting = yes,
            // The network stack is responsible for pacing.
            ("pacing", _) => {}
            _ => return None,
        }
    }
    Some(Box::new(Sender::new(module, choices)))
}

/// CUBIC in whole segments.
fn cubic(case: &Case) -> Option<Box<dyn Controller>> {
    cubic_with(case, Parameters::LINUX)
}

fn cubic_with(case: &Case, mut module: Parameters) -> Option<Box<dyn Controller>> {
    for parameter in parameters(case) {
        match parameter {
            ("fast_convergence", Value::Flag(yes)) => module.fast_convergence = yes,
            ("pacing", _) => {}
            _ => return None,
        }
    }
    let choices = Choices { growth_limit: u64::MAX, byte_counting: true };
    Some(Box::new(Sender::new(Cubic::new(module), choices)))
}

/// Returns the differences of `twin` for each case of the file `name`; `None` if the twin does not implement a
/// parameter of the case.
fn twins(name: &str, twin: Twin) -> Vec<(Case, Option<Vec<String>>)> {
    let profile = &Profile::all()["segments"];
    let file: File = cases::read(name);
    let answers = |case: &Case| twin(case).map(|controller| differences(profile, case, controller));
    file.cases.into_iter().map(|case| (answers(&case), case)).map(|(found, case)| (case, found)).collect()
}

#[test]
fn reno_and_cubic_in_whole_segments() {
    for (name, twin) in [("reno.toml", reno as Twin), ("cubic.toml", cubic)] {
        for (case, found) in twins(name, twin) {
            if !case.not_on.contains_key("segments") {
                let found =
                    found.unwrap_or_else(|| panic!("{name}: {}: a parameter is not implemented", case.name));
                assert!(found.is_empty(), "{name}:\n{}", found.join("\n"));
            }
        }
    }
}

/// Checks that the tolerances do not accept wrong twins.
#[test]
fn a_broken_twin_fails() {
    let broken: [(&str, &str, Twin); 6] = [
        ("reno.toml", "keeps a third", |case| reno_with(case, Reno { divisor: 3, ..Reno::AS_PUBLISHED })),
        ("reno.toml", "keeps everything", |case| reno_with(case, Reno { divisor: 1, ..Reno::AS_PUBLISHED })),
        ("reno.toml", "grows half as fast", |case| {
            reno_with(case, Reno { slowness: 2, ..Reno::AS_PUBLISHED })
        }),
        ("cubic.toml", "keeps half", |case| cubic_with(case, Parameters { beta: 512, ..Parameters::LINUX })),
        ("cubic.toml", "doubles C", |case| {
            cubic_with(case, Parameters { bic_scale: 82, ..Parameters::LINUX })
        }),
        ("cubic.toml", "halves C", |case| {
            cubic_with(case, Parameters { bic_scale: 20, ..Parameters::LINUX })
        }),
    ];
    for (name, what, twin) in broken {
        let held = |(case, found): &(Case, Option<Vec<String>>)| {
            case.not_on.contains_key("segments") || found.as_ref().is_some_and(Vec::is_empty)
        };
        assert!(!twins(name, twin).iter().all(held), "{name}: a twin that {what} passes");
    }
}

/// A case that is excluded on a platform must fail on this platform. No exclusion can therefore remain after its cause
/// has been removed.
#[test]
fn what_is_left_out_could_not_be_held() {
    let profiles = Profile::all();
    let datagrams = &profiles["datagrams"];
    for (name, file) in cases::files() {
        for case in &file.cases {
            for (ground, why) in &case.not_on {
                assert!(profiles.contains_key(ground), "{name}: {}: no platform {ground}", case.name);
                assert!(!why.is_empty(), "{name}: {}: no reason is given for {ground}", case.name);
                let found = match (ground.as_str(), name.as_str()) {
                    ("datagrams", _) => {
                        let ours = catalogue::build(&file.controller, &parameters(case)).unwrap();
                        Some(differences(datagrams, case, ours))
                    }
                    ("segments", "reno.toml") => {
                        reno(case).map(|twin| differences(&profiles[ground], case, twin))
                    }
                    ("segments", "cubic.toml") => {
                        cubic(case).map(|twin| differences(&profiles[ground], case, twin))
                    }
                    _ => panic!("{name}: {}: no controller runs this case on {ground}", case.name),
                };
                assert!(
                    found.is_none_or(|found| !found.is_empty()),
                    "{name}: {} passes on {ground}",
                    case.name
                );
            }
        }
    }
}
