// SPDX-License-Identifier: MIT OR Apache-2.0
//! Positions of a constellation at one time. The result is the number of satellites per second (items per second).

use divan::Bencher;
use divan::counter::ItemsCount;
use orbit::{Catalogue, Fleet, FleetOptions, OnBad, Satellites, Walker};
use units::{Angle, Distance, Time};

fn main() {
    divan::main();
}

fn shell(side: u32) -> Walker {
    Walker {
        phase: Angle::from_deg(12.5),
        ..Walker::delta(side, side, Distance::from_km(550.0), Angle::from_deg(53.0))
    }
}

fn all(bencher: Bencher<'_, '_>, satellites: &Satellites) {
    let (mut positions, mut second) = (Vec::new(), 0_u64);
    bencher.counter(ItemsCount::new(satellites.len())).bench_local(|| {
        second += 1;
        satellites.positions(Time::from_nanos(second * 1_000_000_000), &mut positions).is_ok()
    });
}

/// 75 planes of 75.
#[divan::bench]
fn walker(bencher: Bencher<'_, '_>) {
    all(bencher, &Satellites::Walker(shell(75)));
}

/// The same satellites one by one, each with the trigonometry of its plane.
#[divan::bench]
fn walker_one_by_one(bencher: Bencher<'_, '_>) {
    let shell = shell(75);
    let mut second = 0_u64;
    bencher.counter(ItemsCount::new(shell.len())).bench_local(|| {
        second += 1;
        let at = Time::from_nanos(second * 1_000_000_000);
        (0..shell.len()).map(|index| shell.position(index, at)[0]).sum::<f64>()
    });
}

/// 84 planes of 84 by SGP4: as many as Starlink flew in 2025.
#[divan::bench]
fn sgp4(bencher: Bencher<'_, '_>) {
    let fleet = Fleet::from_walker(&shell(84), 15.06, 1e-7, "2025-01-29T00:00:00Z");
    all(bencher, &Satellites::Sgp4(fleet.expect("a circular orbit at 550 km can be flown")));
}

/// The planes of a catalogue of 3023 satellites.
#[divan::bench]
fn planes(bencher: Bencher<'_, '_>) {
    let shipped = "a catalogue that is shipped can be flown";
    let catalogue = Catalogue::read(include_str!("../../../data/starlink_2022-09-14.tle")).expect(shipped);
    let options = FleetOptions { on_bad: OnBad::Skip, ..FleetOptions::default() };
    let (fleet, _) = Fleet::from_catalogue(&catalogue, options).expect(shipped);
    bencher
        .counter(ItemsCount::new(fleet.len()))
        .bench_local(|| orbit::planes::find(&fleet, Time::ZERO).is_ok());
}
