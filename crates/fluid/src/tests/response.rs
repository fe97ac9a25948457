// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares response functions with tables of RFCs and papers.

use super::{ask, near};

/// Returns the windows of `controller` at the loss rates `p`.
fn windows(controller: &str, p: &[f64], rtt_ms: f64) -> Vec<f64> {
    let answer = ask("response", &[("packet_error_rate", p), ("rtt_ms", &[rtt_ms])]);
    let (names, all) = (answer.words_of("controller"), answer.column("window_segments"));
    (0..all.len()).filter(|row| names[*row] == controller).map(|row| all[row]).collect()
}

/// Expected: the values of RFC 9438, table 1 (RTT 0.1 s), for HSTCP and CUBIC, and of RFC 3649, table 4, for loss rates
/// from 1e-9 to 1e-2.
#[test]
fn the_tables_of_the_rfcs() {
    let p = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];
    let cubic = [12.0, 38.0, 187.0, 1054.0, 5926.0, 33_325.0, 187_400.0];
    let hstcp = [12.0, 38.0, 263.0, 1795.0, 12_280.0, 83_981.0, 574_356.0];
    for (controller, table) in [("CUBIC", cubic), ("HSTCP", hstcp)] {
        for (window, expected) in windows(controller, &p, 100.0).iter().zip(table) {
            near(*window, expected, (0.001 * expected).max(0.5));
        }
    }
    // RFC 9438, table 2 (RTT 0.01 s)
    let short = windows("CUBIC", &[1e-4, 1e-6, 1e-8], 10.0);
    for (window, expected) in short.iter().zip([120.0, 1200.0, 33_325.0]) {
        near(*window, expected, (0.001 * expected).max(0.5));
    }
}

/// Expected: 1.2247/sqrt(p) (Mathis et al. 1997), 0.08/p (Kelly 2003), and 4899 segments/s for Hybla at p = 1e-4 with
/// any RTT.
#[test]
fn reno_stcp_hybla_geo_reno() {
    near(windows("Reno", &[1e-4], 100.0)[0], 122.47, 0.01);
    near(windows("STCP", &[1e-3], 100.0)[0], 80.0, 1e-9);
    near(windows("STCP", &[1e-1], 100.0)[0], 3.873, 0.001);
    for rtt_ms in [25.0, 100.0, 550.0] {
        near(windows("Hybla", &[1e-4], rtt_ms)[0] / (rtt_ms / 1e3), 4899.0, 0.5);
    }
    // Geo-Reno has sqrt(21.5) = 4.637 times Reno's window.
    near(windows("Geo-Reno", &[1e-4], 100.0)[0], 122.47 * 4.637, 0.1);
}

/// Expected: deterministic epochs with the paper's constants, computed separately before this model was written. The
/// numbers are p and the mean window, for W_max from 100 to 1e5.
#[test]
fn bic() {
    for (p, window) in [(8.5e-4, 97.9), (6.39e-5, 978.8), (2.06e-6, 9508.0), (2.64e-8, 93_926.0)] {
        near(windows("BIC", &[p], 100.0)[0], window, 0.01 * window);
    }
}

/// Expected, computed by hand for beta = 1/2 and an epoch of 11 s at 100 ms. The growth is 1 + 10 + 500 + 1000/12 =
/// 594.3 /0.1 s = 5943 segments, so a loss reduces W from 11 887 to 5943. The epoch sends 5943 * 110 segments, plus the
/// integral of the growth, (1/RTT^2) (1/2 + 10 + 50 + 5000/3 + 10^4/48) = 193 500.
#[test]
fn h_tcp() {
    let sent = 5943.3 * 110.0 + (0.5 + 10.0 + 50.0 + 5000.0 / 3.0 + 10_000.0 / 48.0) * 100.0;
    let answer = ask("response", &[("packet_error_rate", &[1.0 / sent]), ("h_tcp_kept", &[0.5])]);
    let row = answer.words_of("controller").iter().position(|name| name == "H-TCP").unwrap_or(0);
    near(answer.column("window_segments")[row], sent / 110.0, 0.001 * sent / 110.0);
}

/// Expected at A-LIAD's own loss rate: 1e8/N segments per round trip and R = 6.33e7 segments/s. The sign in the bracket
/// changes these values by up to 0.6 %.
#[test]
fn a_liad() {
    for rtt_ms in [75.0, 300.0] {
        near(windows("A-LIAD", &[1e-8], rtt_ms)[0] / (rtt_ms / 1e3) / 6.33e7, 1.0, 0.03);
    }
    assert!(windows("A-LIAD", &[0.1], 600.0)[0].is_nan(), "an epoch shorter than a round trip has no value");
}

/// Expected, computed by hand: RFC 9438's 1.054 (RTT/p)^0.75 equals 1.2/sqrt(p) at p = (1.054/1.2)^4 RTT^3 = 5.95e-4
/// for 100 ms. RFC 3649's function equals Reno's at 1e-3.
#[test]
fn where_the_branches_meet() {
    let answer = ask("response", &[]);
    near(answer.value("cubic_leaves_reno_below_packet_error_rate"), 5.95e-4, 0.01e-4);
    near(answer.value("hstcp_leaves_reno_below_packet_error_rate"), 1.03e-3, 0.01e-3);
    near(answer.value("stcp_leaves_reno_below_packet_error_rate"), 0.005, 1e-12);
}
