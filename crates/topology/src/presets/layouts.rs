// SPDX-License-Identifier: MIT OR Apache-2.0
//! Orbits, links and rates of the built-in constellations.
//!
//! Queue limits in packets count waiting packets, not the packet in transmission.

use crate::turns::Shared;
use crate::{
    ConstellationSpec, Handover, InFlight, IslPattern, IslSpec, Orbits, Policy, RouteTimes, SatelliteChoice,
    Shell, Visibility,
};
use link::{LinkSpec, Queue, QueueLimit};
use orbit::{Walker, WalkerPattern};
use units::{Angle, Distance, Rate, Span};

fn link(bits_per_s: u64, queue_packets: u64) -> LinkSpec {
    LinkSpec {
        rate: Some(Rate::from_bits_per_s(bits_per_s)),
        queue: Queue::drop_tail(QueueLimit::Packets(queue_packets)),
        ..LinkSpec::IDEAL
    }
}

/// Returns a constellation of these shells. All other values are the defaults for a bent pipe.
fn constellation(name: &str, shells: Vec<Shell>, min_elevation_deg: f64) -> ConstellationSpec {
    ConstellationSpec {
        name: name.to_owned(),
        shells,
        isl: None,
        gateways: Vec::new(),
        pops: Vec::new(),
        attachments: Vec::new(),
        // Light in glass takes 1.47 times as long as in vacuum, and cables are seldom straight.
        fibre_factor: 1.5,
        masks: Vec::new(),
        shared: Shared::default(),
        terminals: Vec::new(),
        beams: Vec::new(),
        gso_exclusion: Angle::from_deg(0.0),
        feeder: link(10_000_000_000, 500),
        uplink: link(16_900_000, 500),
        downlink: link(117_700_000, 500),
        visibility: Visibility::Elevation(Angle::from_deg(min_elevation_deg)),
        choice: SatelliteChoice { policy: Policy::LowestDelay, slot: None, hysteresis: Angle::from_deg(0.0) },
        handover: Handover::default(),
        // Starlink reassigns its satellites every 15 s.
        route_step: Span::from_secs(15),
        route_times: RouteTimes::Steps,
        offset: Span::ZERO,
        in_flight: InFlight::Forward,
    }
}

/// Returns links to the neighbours in the plane and in the neighbouring planes.
fn grid(link: LinkSpec) -> IslSpec {
    IslSpec {
        link,
        pattern: IslPattern::Grid,
        intra_plane: true,
        inter_plane: true,
        shift: None,
        inter_shell: false,
        cross_seam: false,
        latitude_limit: None,
        max_range: None,
    }
}

/// Phase between the planes of a shell.
#[derive(Clone, Copy)]
enum Phase {
    /// Odd planes are half a slot ahead.
    Half,
    /// Each plane is this many degrees ahead of the plane before.
    Deg(f64),
}

fn walker(planes: u32, per_plane: u32, altitude_km: f64, inclination_deg: f64, phase: Phase) -> Walker {
    let (phase_deg, alternate_half_slot) = match phase {
        Phase::Half => (0.0, true),
        Phase::Deg(deg) => (deg, false),
    };
    Walker {
        planes,
        per_plane,
        altitude: Distance::from_km(altitude_km),
        inclination: Angle::from_deg(inclination_deg),
        pattern: WalkerPattern::Delta,
        first_node: Angle::from_deg(0.0),
        phase: Angle::from_deg(phase_deg),
        alternate_half_slot,
    }
}

fn star(walker: &Walker, spacing_deg: f64) -> Walker {
    Walker { pattern: WalkerPattern::Star { spacing: Angle::from_deg(spacing_deg) }, ..walker.clone() }
}

fn shell(name: &str, walker: Walker) -> Shell {
    Shell { name: name.to_owned(), orbits: Orbits::Walker(walker) }
}

pub(super) fn iridium() -> ConstellationSpec {
    let walker = star(&walker(6, 11, 780.0, 86.4, Phase::Half), 31.6);
    let isl = grid(link(25_000_000, 50));
    ConstellationSpec {
        isl: Some(IslSpec { latitude_limit: Some(Angle::from_deg(60.0)), ..isl }),
        uplink: link(1_500_000, 50),
        downlink: link(1_500_000, 50),
        // ns-2: term_handoff_int_ and sat_handoff_int_ are 10 s.
        route_step: Span::from_secs(10),
        ..constellation("iridium", vec![shell("iridium", walker)], 8.2)
    }
}

pub(super) fn iridium_next() -> ConstellationSpec {
    let walker = star(&walker(6, 11, 777.7, 86.396, Phase::Deg(15.06)), 31.6);
    ConstellationSpec {
        name: "iridium-next".to_owned(),
        shells: vec![shell("iridium-next", walker)],
        uplink: link(704_000, 50),
        downlink: link(704_000, 50),
        ..iridium()
    }
}

pub(super) fn starlink_550() -> ConstellationSpec {
    let shells = vec![shell("starlink-550", walker(72, 22, 550.0, 53.0, Phase::Half))];
    ConstellationSpec {
        isl: Some(grid(link(10_000_000_000, 500))),
        ..constellation("starlink-550", shells, 25.0)
    }
}

/// Phase of Starlink's 53 degree planes as launched, in degrees: 45 x 360 / (72 x 18).
const STARLINK_PHASE_DEG: f64 = 12.5;

pub(super) fn starlink_flown() -> ConstellationSpec {
    let walker = walker(72, 18, 547.0, 53.05, Phase::Deg(STARLINK_PHASE_DEG));
    ConstellationSpec {
        name: "starlink-flown".to_owned(),
        shells: vec![shell("starlink-flown", walker)],
        ..starlink_550()
    }
}

pub(super) fn starlink() -> ConstellationSpec {
    let flown = || Phase::Deg(STARLINK_PHASE_DEG);
    ConstellationSpec {
        name: "starlink".to_owned(),
        shells: vec![
            shell("starlink 550 km 53.0 deg", walker(72, 22, 550.0, 53.0, flown())),
            shell("starlink 540 km 53.2 deg", walker(72, 22, 540.0, 53.2, flown())),
            shell("starlink 570 km 70 deg", walker(36, 20, 570.0, 70.0, Phase::Deg(0.0))),
            shell("starlink 560 km 97.6 deg, 6 planes", walker(6, 58, 560.0, 97.6, Phase::Deg(0.0))),
            shell("starlink 560 km 97.6 deg, 4 planes", walker(4, 43, 560.0, 97.6, Phase::Deg(0.0))),
        ],
        ..starlink_550()
    }
}

pub(super) fn starlink_gen2() -> ConstellationSpec {
    let shells = [
        (48, 110, 340.0, 53.0),
        (48, 110, 345.0, 46.0),
        (48, 110, 350.0, 38.0),
        (30, 120, 360.0, 96.9),
        (28, 120, 525.0, 53.0),
        (28, 120, 530.0, 43.0),
        (28, 120, 535.0, 33.0),
        (12, 12, 604.0, 148.0),
        (18, 18, 614.0, 115.7),
    ];
    let shell = |(planes, per_plane, km, deg): (u32, u32, f64, f64)| {
        shell(
            &format!("starlink-gen2 {km} km {deg} deg"),
            walker(planes, per_plane, km, deg, Phase::Deg(0.0)),
        )
    };
    ConstellationSpec {
        name: "starlink-gen2".to_owned(),
        shells: shells.into_iter().map(shell).collect(),
        ..starlink_550()
    }
}

pub(super) fn kuiper() -> ConstellationSpec {
    let shells = vec![
        shell("kuiper 630 km", walker(34, 34, 630.0, 51.9, Phase::Half)),
        shell("kuiper 610 km", walker(36, 36, 610.0, 42.0, Phase::Half)),
        shell("kuiper 590 km", walker(28, 28, 590.0, 33.0, Phase::Half)),
    ];
    ConstellationSpec { isl: Some(grid(link(10_000_000_000, 500))), ..constellation("kuiper", shells, 35.0) }
}

pub(super) fn telesat() -> ConstellationSpec {
    let shells = vec![
        shell("telesat 1015 km", walker(27, 13, 1015.0, 98.98, Phase::Half)),
        shell("telesat 1325 km", walker(40, 33, 1325.0, 50.88, Phase::Half)),
    ];
    ConstellationSpec { isl: Some(grid(link(10_000_000_000, 500))), ..constellation("telesat", shells, 10.0) }
}

/// Angle between neighbouring planes of OneWeb, in degrees.
const ONEWEB_SPACING_DEG: f64 = 15.2;

pub(super) fn oneweb() -> ConstellationSpec {
    let walker = star(&walker(12, 49, 1200.0, 87.9, Phase::Half), ONEWEB_SPACING_DEG);
    ConstellationSpec {
        uplink: link(20_000_000, 500),
        downlink: link(100_000_000, 500),
        ..constellation("oneweb", vec![shell("oneweb", walker)], 15.0)
    }
}

pub(super) fn oneweb_staggered() -> ConstellationSpec {
    let plane = |plane: u32| {
        let altitude_km = 1178.0 + 40.0 / 11.0 * f64::from(plane);
        let one = walker(1, 49, altitude_km, 87.9, Phase::Deg(0.0));
        let first_node = Angle::from_deg(f64::from(plane) * ONEWEB_SPACING_DEG);
        shell(&format!("oneweb plane {}", plane + 1), Walker { first_node, ..one })
    };
    ConstellationSpec {
        name: "oneweb-staggered".to_owned(),
        shells: (0..12).map(plane).collect(),
        ..oneweb()
    }
}

pub(super) fn o3b() -> ConstellationSpec {
    ConstellationSpec {
        uplink: link(100_000_000, 500),
        downlink: link(500_000_000, 500),
        ..constellation("o3b", vec![shell("o3b", walker(1, 13, 8062.0, 0.0, Phase::Deg(0.0)))], 5.0)
    }
}

pub(super) fn geo() -> ConstellationSpec {
    let slots = [
        ("EchoStar XXIV", -95.2),
        ("EchoStar XIX", -97.1),
        ("ViaSat-3 F1", -88.9),
        ("ViaSat-2", -69.9),
        ("SES-17", -67.1),
        ("Konnect VHTS", 2.7),
        ("KA-SAT", 9.0),
        ("GX1", 62.6),
        ("GEO 180 E", 180.0),
    ];
    let shell = |(name, east_deg): (&str, f64)| {
        let one = walker(1, 1, 35_786.0, 0.0, Phase::Deg(0.0));
        shell(name, Walker { first_node: Angle::from_deg(east_deg), ..one })
    };
    ConstellationSpec {
        uplink: link(10_000_000, 500),
        downlink: link(50_000_000, 500),
        route_step: Span::from_secs(600),
        ..constellation("geo", slots.into_iter().map(shell).collect(), 10.0)
    }
}

/// Returns a shell as in Hypatia. `cone_km` is the radius of a satellite's footprint on a flat Earth.
fn hypatia(name: &str, mut walker: Walker, mean_motion: f64, cone_km: f64) -> ConstellationSpec {
    // The range follows from the altitude in the name of the shell. The satellites are at the altitude that follows
    // from their mean motion.
    let range_km = cone_km.hypot(walker.altitude.km());
    walker.altitude = Walker::altitude_of(mean_motion);
    let shell = Shell {
        name: name.to_owned(),
        orbits: Orbits::Elements {
            walker,
            mean_motion,
            eccentricity: 1e-7,
            epoch: "2000-01-01T00:00:00Z".to_owned(),
        },
    };
    let ten = || link(10_000_000, 100);
    let isl = grid(ten());
    ConstellationSpec {
        isl: Some(IslSpec { shift: Some(0), ..isl }),
        uplink: ten(),
        downlink: ten(),
        visibility: Visibility::Range(Distance::from_km(range_km)),
        route_step: Span::from_millis(100),
        ..constellation(name, vec![shell], 0.0)
    }
}

pub(super) fn hypatia_kuiper() -> ConstellationSpec {
    // Hypatia: h / tan(30 deg).
    let cone_km = 630.0 / 30.0_f64.to_radians().tan();
    hypatia("hypatia-kuiper-630", walker(34, 34, 630.0, 51.9, Phase::Half), 14.80, cone_km)
}

pub(super) fn hypatia_starlink() -> ConstellationSpec {
    // The filing has 940.7 km.
    hypatia("hypatia-starlink-550", walker(72, 22, 550.0, 53.0, Phase::Half), 15.19, 940.7)
}

pub(super) fn hypatia_telesat() -> ConstellationSpec {
    // Hypatia: h / tan(10 deg).
    let cone_km = 1015.0 / 10.0_f64.to_radians().tan();
    hypatia("hypatia-telesat-1015", walker(27, 13, 1015.0, 98.98, Phase::Half), 13.66, cone_km)
}
