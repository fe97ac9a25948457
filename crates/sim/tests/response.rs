// SPDX-License-Identifier: MIT OR Apache-2.0
//! Response functions: the mean window under random loss, against the tables of the RFCs and closed forms.
//!
//! One flow, a link so fast that it never queues, Bernoulli loss on the data path. The mean window is Little's law:
//! packets sent per second times the round-trip time.

use sim::Options;

/// Mean window in segments over `seconds`, after a warm-up of a tenth.
fn mean_window(controller: &str, rtt_ms: u32, loss: f64, seconds: u32) -> f64 {
    let text = format!(
        r#"
name = "response function"
duration = "{seconds} s"
warm_up = "{} s"

[network.dumbbell]
rate = "100 Gbit/s"
rtt = "{rtt_ms} ms"
queue = "unlimited"
loss = {{ per = {loss} }}
reverse = {{ rate = "100 Gbit/s", queue = "unlimited", loss = {{ per = 0.0 }} }}

[[flows]]
controller = {controller}

[record]
interval = "off"
events = false
"#,
        seconds / 10
    );
    let scenario = scenario::Scenario::from_toml(&text, "response.toml").unwrap_or_else(|error| panic!("{error}"));
    let outcome = sim::run(&scenario, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    let flow = &outcome.summary.flows[0];
    let measured_s = f64::from(seconds) * 0.9;
    assert!(flow.losses_detected > 300, "{} losses are too few for a mean", flow.losses_detected);
    flow.sent_packets as f64 / measured_s * f64::from(rtt_ms) / 1e3
}

/// Asserts that `measured` is within `percent` of `theory`.
fn close(what: &str, measured: f64, theory: f64, percent: f64) {
    let deviation = (measured / theory - 1.0) * 100.0;
    assert!(
        deviation.abs() <= percent,
        "{what}: measured {measured:.1}, theory {theory:.1}, deviation {deviation:+.1} %"
    );
}

#[test]
fn reno_follows_the_table_of_rfc_3649() {
    // RFC 3649, section 3 (w = 1.2/sqrt p): p = 1e-3: 38, 1e-4: 120. Under independent losses the mean is known to
    // lie above that of periodic losses by up to 7 % (Ott, Kemperman, Mathis 1996: 1.31/sqrt p), inside 10 %.
    close("Reno at 1e-3", mean_window(r#""reno""#, 100, 1e-3, 2500), 38.0, 10.0);
    close("Reno at 1e-4", mean_window(r#""reno""#, 100, 1e-4, 6000), 120.0, 10.0);
}

#[test]
fn cubic_follows_the_tables_of_rfc_9438() {
    // RFC 9438 table 1 (RTT 0.1 s, C = 0.4): p = 1e-4: 187, 1e-5: 1054.
    let cubic = r#"{ name = "cubic", slow_start = "classic", fast_convergence = false }"#;
    close("CUBIC at 1e-4", mean_window(cubic, 100, 1e-4, 6000), 187.0, 10.0);
    // Table 2 (RTT 0.01 s): p = 1e-3: 38 (the Reno-friendly region).
    close("CUBIC at 1e-3, 10 ms", mean_window(cubic, 10, 1e-3, 500), 38.0, 10.0);
}

#[test]
fn hybla_is_independent_of_the_round_trip() {
    // Caini and Firrincieli 2004: rate = sqrt(1.5/p)/RTT0 for every RTT; p = 1e-3, RTT0 = 25 ms: 1549 segments/s.
    let hybla = r#"{ name = "hybla", rho_rtt = "min" }"#;
    for rtt_ms in [25, 100, 300] {
        let rate = mean_window(hybla, rtt_ms, 1e-3, 1200) * 1e3 / f64::from(rtt_ms);
        close(&format!("Hybla at {rtt_ms} ms"), rate, (1.5f64 / 1e-3).sqrt() / 0.025, 15.0);
    }
}
