// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares the search by cells with a check of every satellite.

use super::*;
use orbit::{Satellites, Walker};
use units::{Angle, Distance, Span, Time};

fn deg(deg: f64) -> Angle {
    Angle::from_deg(deg)
}

#[test]
fn cells_leave_no_satellite_out() {
    let shell = |planes, per_plane, km, inclination| {
        Satellites::Walker(Walker {
            phase: deg(3.0),
            ..Walker::delta(planes, per_plane, Distance::from_km(km), deg(inclination))
        })
    };
    let mut positions = Vec::new();
    // Low orbits, lower orbits, medium orbits (always checked), and geostationary orbits.
    for satellites in [
        shell(30, 30, 550.0, 88.0),
        shell(20, 20, 1300.0, 40.0),
        shell(3, 8, 8062.0, 5.0),
        shell(4, 1, 35_786.0, 0.0),
    ] {
        let mut part = Vec::new();
        satellites.positions(Time::ZERO + Span::from_secs(777), &mut part).unwrap_or_else(|e| panic!("{e}"));
        positions.extend(part);
    }
    let below_m = sorted_below(&positions);
    let mut cells = Cells::default();
    cells.sort(&positions, below_m);
    let (mut seen, mut sightings) = (Vec::new(), 0);
    for rule in [
        Visibility::Elevation(deg(0.0)),
        Visibility::Elevation(deg(10.0)),
        Visibility::Elevation(deg(25.0)),
        Visibility::Elevation(deg(60.0)),
        Visibility::Range(Distance::from_km(1260.0)),
        Visibility::Range(Distance::from_km(5845.0)),
    ] {
        for latitude in [-90.0, -89.0, -53.0, -7.0, 0.0, 33.3, 60.0, 81.5, 90.0] {
            for longitude in [-180.0, -179.5, -91.0, 0.0, 2.0, 123.4, 179.9] {
                let ground = Ground::new(deg(latitude), deg(longitude));
                Observer::new(ground, rule, below_m).see(&cells, &positions, &mut seen);
                let all = positions.iter().enumerate().filter(|&(_, &position)| {
                    let (range_m, _) = ground.look(position);
                    match rule {
                        Visibility::Elevation(least) => ground.elevation(position).deg() >= least.deg(),
                        Visibility::Range(most) => range_m <= most.m(),
                    }
                });
                let all: Vec<u32> = all.map(|(satellite, _)| satellite as u32).collect();
                let found: Vec<u32> = seen.iter().map(|sighting| sighting.satellite).collect();
                assert_eq!(found, all, "{rule:?} at {latitude} {longitude}");
                sightings += all.len();
            }
        }
    }
    assert!(sightings > 5000, "{sightings}");
}
