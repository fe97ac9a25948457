// SPDX-License-Identifier: MIT OR Apache-2.0
//! Planes of real fleets.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_orbit as orbit;
use orbit::{Fleet, Plane, planes};
use units::Time;

const STARLINK: &str = include_str!("../../../data/starlink_2022-09-14.tle");
const ONEWEB: &str = include_str!("../../../data/oneweb_2022-09-14.tle");

#[test]
fn explore() {
    for text in [STARLINK, ONEWEB] {
        let (fleet, notes) = Fleet::from_catalogue(
            text,
            orbit::FleetOptions { on_bad: orbit::OnBad::Skip, ..Default::default() },
        )
        .unwrap();
        for n in notes {
            println!("NOTE {n}");
        }
        for p in planes::find(&fleet, Time::ZERO).unwrap() {
            println!(
                "{:.3} {:.2} {:.2} {}",
                p.inclination.deg(),
                p.altitude.km(),
                p.node.deg(),
                p.members.len()
            );
        }
    }
}
