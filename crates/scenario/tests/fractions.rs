// SPDX-License-Identifier: MIT OR Apache-2.0
//! Probabilities and fractions, as numbers and in percent.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_scenario::Scenario;

fn with(link: &str) -> Result<Scenario, String> {
    let text = format!(
        "duration = \"10 s\"\n[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"50 ms\"\n{link}\n[[flows]]\ncontroller = \"cubic\"\n"
    );
    Scenario::from_toml(&text, "a.toml").map_err(|error| error.to_string())
}

/// The resolved text of a value in percent equals that of the same value as a number.
#[test]
fn percent_is_the_number() {
    for (percent, number) in [
        ("loss.per = \"0.5 %\"", "loss.per = 0.005"),
        ("loss.per = \"0.7%\"", "loss.per = 0.007"),
        ("loss.per = \"1e-2 %\"", "loss.per = 1e-4"),
        ("loss.per = \"100 %\"", "loss.per = 1.0"),
        ("loss.per = \"0 %\"", "loss.per = 0"),
        (
            "loss.bursts = { to_bad = \"3.3 %\", to_good = \"84 %\", loss = \"14 %\" }",
            "loss.bursts = { to_bad = 0.033, to_good = 0.84, loss = 0.14 }",
        ),
        (
            "loss.chain.states = [{ lasts = \"20 s\" }, { lasts = \"1 s\", loss = \"30 %\", next = [\"100 %\", 0] }]",
            "loss.chain.states = [{ lasts = \"20 s\" }, { lasts = \"1 s\", loss = 0.3, next = [1.0, 0] }]",
        ),
        ("loss.netem = { p13 = \"1 %\", p31 = \"25 %\" }", "loss.netem = { p13 = 0.01, p31 = 0.25 }"),
        (
            "loss.steps = [{ at = \"1 s\", per = \"1 %\", ramp_to = \"2 %\" }, { at = \"5 s\", per = \"0 %\" }]",
            "loss.steps = [{ at = \"1 s\", per = 0.01, ramp_to = 0.02 }, { at = \"5 s\", per = 0 }]",
        ),
        (
            "queue = { discipline = \"red\", max_p = \"2 %\" }",
            "queue = { discipline = \"red\", max_p = 0.02 }",
        ),
    ] {
        let [percent, number] = [percent, number].map(|link| with(link).unwrap().to_toml(""));
        assert_eq!(percent, number);
    }
}

#[test]
fn what_is_no_fraction() {
    for (link, said) in [
        ("loss.per = 5", "5 is too large: it must be within 0 and 1 (write \"5 %\" or 0.05)"),
        ("loss.per = 0.5e3", "0.5e3 is too large: it must be within 0 and 1"),
        ("loss.per = \"150 %\"", "\"150 %\" is too large: it must be within 0 % and 100 %"),
        ("loss.per = \"-1 %\"", "\"-1 %\" is too small: it must be within 0 % and 100 %"),
        (
            "loss.per = \"0.5\"",
            "cannot read \"0.5\" as a fraction: the unit is missing (write \"0.5 %\", or 0.5 without quotes)",
        ),
        ("loss.per = \"0,5 %\"", "cannot read \"0,5 %\" as a fraction: a decimal comma (write \"0.5 %\")"),
        (
            "loss.per = \"5 ppm\"",
            "cannot read \"5 ppm\" as a fraction: unknown unit `ppm`; the unit is % (write \"5 %\")",
        ),
        (
            "loss.per = \"high\"",
            "cannot read \"high\" as a fraction: it does not start with a number (write \"0.5 %\" or 0.005)",
        ),
        (
            "loss.per = true",
            "true is not allowed here: the value must be a number, or a fraction in percent (write per = 0.005 or per = \"0.5 %\")",
        ),
    ] {
        assert_eq!(with(link).unwrap_err(), format!("a.toml:5: network.dumbbell.loss.per: {said}"));
    }
}

#[test]
fn a_number_without_its_unit_gets_the_usual_unit_of_its_key() {
    let whole = |text: &str| Scenario::from_toml(text, "a.toml").unwrap_err().to_string();
    let spans = "units are ns, us, ms, s, min, h, d";
    let network =
        "network.dumbbell = { rate = \"1 Mbit/s\", rtt = \"50 ms\" }\nflows = [{ controller = \"cubic\" }]\n";
    for duration in ["5", "\"5\""] {
        assert_eq!(
            whole(&format!("duration = {duration}\n{network}")),
            format!(
                "a.toml:1: duration: {} has no unit: the value must be a time span with its unit (write duration = \"5 s\"; {spans})",
                duration.trim_matches('"')
            )
        );
    }
    assert_eq!(
        with("rate = 1").unwrap_err().lines().next(),
        Some("a.toml:5: this is not TOML: duplicate key")
    );
    let budget = "[network.dumbbell]\nrtt = \"500 ms\"\n[network.dumbbell.budget]\nbandwidth = 54\n\
                  down = { frequency = \"19 GHz\", eirp = \"58 dBm\", g_over_t = \"17 dB/K\" }\n[[flows]]\ncontroller = \"cubic\"\n";
    let said = whole(budget);
    assert!(said.contains("(write bandwidth = \"54 MHz\"; units are Hz, kHz, MHz, GHz)"), "{said}");
    assert!(said.contains("unknown unit `dBm`; units are dBW (write \"28 dBW\")"), "{said}");
}
