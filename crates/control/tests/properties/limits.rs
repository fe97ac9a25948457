// SPDX-License-Identifier: MIT OR Apache-2.0
//! Growth after the application, the receiver or an idle period limited sending. RFC 7661, section 1, and RFC 9438,
//! section 5.8, describe the problems of a window that grows during this time.

use super::datagrams::{Connection, MOST_FLYING, Outside};
use super::{build, everything};
use bentpipe_control::catalogue::Value;
use units::Span;

/// Number of round trips over which growth is measured.
const ROUNDS: usize = 6;
/// Tolerance of a bound in datagrams. A window may be a whole number of datagrams.
const REST: f64 = 2.0;

/// Controllers whose window is a function of time. They do not count the time in which the window did not limit
/// sending. After a wait, they therefore continue as they would have continued without the wait.
const BY_TIME: &[&str] = &["cubic", "hybic", "satcp", "starquic", "h-tcp"];

/// Readings that count all time, as their sources do. They add at most one segment per acknowledged segment.
const READINGS: &[(&str, &str)] = &[("h-tcp", "6.1"), ("cubic-linux", "ns-2"), ("bic-linux", "ns-2")];

/// The limit of sending, and its duration.
#[derive(Clone, Copy, Debug)]
enum Why {
    Trickle,
    Receiver,
    Idle,
}

/// Returns a connection after one early loss. Its window needs few datagrams.
fn after_a_loss(name: &str, choice: Option<(&str, Value<'_>)>, rtt: Span) -> Connection {
    let mut connection = Connection::start(build(name, choice), 10, rtt, 1);
    connection.run_round();
    connection.lose();
    for _ in 0..40 {
        if connection.window() > 50.0 {
            connection.lose();
        }
    }
    for _ in 0..3 {
        connection.run_round();
    }
    connection
}

/// Returns the largest window after each of [`ROUNDS`] round trips, at most [`MOST_FLYING`].
fn peaks(connection: &mut Connection, before: f64) -> Vec<f64> {
    let mut peak = before;
    let mut peaks = vec![peak];
    for _ in 0..ROUNDS {
        connection.run_round();
        peak = peak.max(connection.window());
        peaks.push(peak);
        if peak > MOST_FLYING as f64 {
            break;
        }
    }
    peaks
}

fn limit(connection: &mut Connection, why: Why, span: Span, rtt: Span) {
    match why {
        Why::Trickle => {
            // The application writes at least a hundred datagrams, and at most 4000.
            connection.limit(Outside::Writes((span / 4000).max(Span::from_millis(80)).min(span / 100)));
            connection.run(span);
        }
        Why::Receiver => {
            connection.limit(Outside::Takes(2));
            connection.run(span.min(rtt * 2000));
        }
        Why::Idle => connection.pause(span),
    }
    connection.limit(Outside::Nothing);
}

/// The maximum growth in a round trip after a wait. It is the largest growth of the same controller without a wait. If
/// the window is not a function of time, a doubling is also allowed (RFC 5681, section 3.1).
fn bound(name: &str, by_all_time: bool, goes_on: &mut Connection) -> f64 {
    let before = goes_on.window();
    let usual = peaks(goes_on, before).windows(2).map(|pair| pair[1] / pair[0]).fold(1.0, f64::max);
    if BY_TIME.contains(&name) && !by_all_time { 1.1 * usual } else { usual.max(2.0) }
}

#[test]
fn time_in_which_the_path_was_not_asked_is_no_reason_to_grow() {
    let readings = READINGS.iter().map(|&(name, reading)| (name, Some(("reading", Value::Text(reading)))));
    let mut violent = Vec::new();
    for (name, choice) in everything().chain(readings) {
        let by_all_time = choice.is_some_and(|(key, _)| key == "reading");
        for rtt in [20, 100, 600].map(Span::from_millis) {
            for secs in [10, 600, 86_400] {
                for why in [Why::Trickle, Why::Receiver, Why::Idle] {
                    let mut waits = after_a_loss(name, choice, rtt);
                    let before = waits.window();
                    let bound = bound(name, by_all_time, &mut waits.clone());
                    limit(&mut waits, why, Span::from_secs(secs), rtt);
                    let from = before.max(waits.window());
                    let peaks = peaks(&mut waits, from);
                    if peaks.windows(2).any(|pair| pair[1] > bound * pair[0] + REST) {
                        violent.push(format!(
                            "{name} {choice:?} {rtt:?} {secs} s {why:?}: {peaks:.0?} over {bound:.2}"
                        ));
                    }
                }
            }
        }
    }
    assert!(violent.is_empty(), "{}", violent.join("\n"));
}
