// SPDX-License-Identifier: MIT OR Apache-2.0

use super::{LinkStates, Weather};
use plan::Plan;
use scenario::{LinkState, Scenario};
use std::collections::BTreeMap;
use units::{Rate, Span, Time};

fn at(seconds: u64) -> Time {
    Time::ZERO + Span::from_secs(seconds)
}

/// Returns the states of a link with a budget in clear sky.
fn clear() -> LinkStates {
    let text = r#"
duration = "1 s"
flows = [{ controller = "reno" }]
[network.dumbbell]
rtt = "600 ms"
budget = { bandwidth = "36 MHz", down = { frequency = "12 GHz", eirp = "50 dBW", g_over_t = "20 dB/K", elevation = "40 deg" } }
"#;
    let scenario = Scenario::from_toml(text, "clear.toml").expect("a sound scenario");
    let mut states = Plan::new(&scenario).expect("a plain network").states;
    let state = states[&0].intervals[0].state;
    assert!(state.modcod.is_some() && state.fade_db == 0.0);
    assert_eq!(states[&0].intervals.len(), 1, "nothing changes");
    states.remove(&0).expect("it has a budget")
}

/// Returns 5 Mbit/s until `outage_s`, and then an outage until `end_s`, in which the link is `missing_db` below the
/// lowest MODCOD.
fn states(outage_s: u64, end_s: u64, missing_db: f64) -> LinkStates {
    let clear = clear();
    let up = LinkState { rate: Rate::from_bits_per_s(5_000_000), ..clear.intervals[0].state };
    let down = LinkState { modcod: None, rate: Rate::default(), missing_db, from_s: outage_s as f64, ..up };
    let mut states = clear.emptied();
    states.add([up, down].into_iter(), at(end_s), []);
    states
}

/// The measured time is one minute, from 30 s to 90 s. It contains the rest of a first outage (20 s to 50 s), a second
/// outage until 60 s, and 5 Mbit/s for half of the time.
#[test]
fn sums_are_of_the_measured_time() {
    let mut states = states(20, 50, 3.0);
    let second = LinkState { missing_db: 1.0, from_s: 50.0, ..states.intervals[1].state };
    let fine = LinkState { from_s: 60.0, ..states.intervals[0].state };
    states.add([second, fine].into_iter(), at(100), [(at(10), at(12)), (at(60), at(61))]);
    let mut weather = Weather::new(BTreeMap::from([(4, states)]), at(30)).expect("a link");
    let mut rows = 0;
    weather.forget(at(55), at(90), |_, _| rows += 1);
    assert_eq!(rows, 2, "what lasts is kept");
    weather.forget(Time::MAX, at(90), |_, interval| assert!(interval.until <= at(90)));
    let sums = weather.summary(4).expect("it was there");
    assert_eq!((sums.there_s, sums.outage_s, sums.missing_db), (60.0, 30.0, Some(3.0)));
    assert_eq!((sums.mean_mbit_s, sums.frames_lost_s), (2.5, 1.0));
    assert_eq!(weather.summary(5), None);
}

/// A page replaces the states from 50 s on. An interval that continues across the page stays one interval.
#[test]
fn pages_put_together_are_one() {
    let mut weather = Weather::new(BTreeMap::from([(0, states(50, 60, 3.0))]), Time::ZERO).expect("a link");
    weather.turn(BTreeMap::from([(0, states(55, 70, 3.0)), (1, states(65, 70, 3.0))]), at(50));
    let mut rows = Vec::new();
    weather.forget(Time::MAX, at(70), |link, one| {
        rows.push((link, one.from, one.until, one.state.modcod.is_some()));
    });
    let of =
        |link| rows.iter().filter(|row| row.0 == link).map(|row| (row.1, row.2, row.3)).collect::<Vec<_>>();
    assert_eq!(of(0), [(at(0), at(55), true), (at(55), at(70), false)]);
    assert_eq!(of(1), [(at(50), at(65), true), (at(65), at(70), false)]);
}
