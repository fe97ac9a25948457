// SPDX-License-Identifier: MIT OR Apache-2.0
//! Constellations by name.
//!
//! All count-limited queues hold packets that wait; the one in transmission is not counted.

use crate::{
    Access, ConstellationSpec, Handover, InFlight, IslPattern, IslSpec, LinkSpec, Orbits, Policy, RouteTimes,
    Shell, TopologyError, Visibility,
};
use link::{Impairment, Queue, QueueLimit};
use orbit::{Walker, WalkerPattern};
use units::{Angle, Distance, Rate, Span};

/// A constellation that is known by name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// One sentence: what it is and what is chosen rather than known.
    pub description: &'static str,
    /// Where its numbers come from.
    pub source: &'static str,
    make: fn() -> ConstellationSpec,
}

impl Preset {
    /// The constellation.
    pub fn spec(&self) -> ConstellationSpec {
        (self.make)()
    }
}

/// All presets.
pub const ALL: &[Preset] = &[
    Preset {
        name: "iridium",
        description: "Iridium as ns-2 and the Hybla-IM paper lay it out: 6x11 satellites at 780 km, 86.4 deg, planes \
                      31.6 deg apart and half a slot out of step, 22 deg seam without links, links between planes to \
                      the nearest satellite and off beyond 60 deg of latitude",
        source: "Hybla-IM paper, table 2; ns-2 tcl/ex/sat-iridium.tcl and sat-iridium-nodes.tcl (after Pattan 1997)",
        make: iridium,
    },
    Preset {
        name: "iridium-next",
        description: "Iridium NEXT as flown in 2019: 6x11 satellites at 777.7 km, 86.396 deg, each plane 15.06 deg \
                      ahead of the last (not exactly half a slot); user links of Iridium Certus (704 kbit/s), \
                      25 Mbit/s between satellites is a choice",
        source: "fit to the two-line elements of 66 satellites on station, 2019-03-09; Certus data rate: FFI 20/01338",
        make: iridium_next,
    },
    Preset {
        name: "starlink-550",
        description: "Starlink's first shell as filed: 72x22 satellites at 550 km, 53 deg, planes half a slot out of \
                      step (as Hypatia lays it out; flown are 18 slots a plane), links to the neighbours in the plane \
                      and to the nearest satellite of each neighbouring plane; user rates are US medians of 2025, \
                      10 Gbit/s between satellites and the queues are choices",
        source: "FCC SAT-MOD-20200417-00037; Hypatia main_starlink_550.py; Ookla 2025 (117.7/16.9 Mbit/s)",
        make: starlink_550,
    },
    Preset {
        name: "starlink-flown",
        description: "Starlink's 53 deg shell as flown: 72 planes of 18 slots (not the 22 filed) at 547 km, 53.05 deg, \
                      neighbouring planes 12.5 deg out of step (Walker 1296/72/45); rates and queues as starlink-550",
        source: "two-line elements of 2022-09-14: RAAN step 5.00 deg, 20 deg slots, phase 12.50 deg",
        make: starlink_flown,
    },
    Preset {
        name: "starlink",
        description: "Starlink Gen1 as filed, all five shells (4408 satellites): 72x22 at 550 km 53.0 deg, 72x22 at \
                      540 km 53.2 deg, 36x20 at 570 km 70 deg, 6x58 and 4x43 at 560 km 97.6 deg; the phases are not \
                      filed: 12.5 deg (as flown) for the first two, none for the others; no links between shells",
        source: "FCC SAT-MOD-20200417-00037; phases: two-line elements of 2022-09-14",
        make: starlink,
    },
    Preset {
        name: "starlink-gen2",
        description: "Starlink Gen2 as filed, nine shells (29,988 satellites) from 340 to 614 km; phases are not filed: \
                      none",
        source: "FCC SAT-AMD-20210818-00105 (as listed by LEOCraft and celestial; 530 km: 28x120)",
        make: starlink_gen2,
    },
    Preset {
        name: "kuiper",
        description: "Amazon Kuiper (Leo) as filed, three shells (3236 satellites): 34x34 at 630 km 51.9 deg, 36x36 at \
                      610 km 42 deg, 28x28 at 590 km 33 deg; minimum elevation 35 deg; planes half a slot out of step, \
                      rates and queues are choices",
        source: "FCC SAT-LOA-20190704-00057; Hypatia main_kuiper_630.py",
        make: kuiper,
    },
    Preset {
        name: "telesat",
        description: "Telesat Lightspeed as filed, two shells (1671 satellites): 27x13 at 1015 km 98.98 deg and 40x33 \
                      at 1325 km 50.88 deg; minimum elevation 10 deg; planes half a slot out of step, rates and queues \
                      are choices",
        source: "FCC SAT-MPL-20200526-00053; Hypatia main_telesat_1015.py",
        make: telesat,
    },
    Preset {
        name: "oneweb",
        description: "OneWeb: 12 polar planes of 49 at 1200 km, 87.9 deg, 15.2 deg apart, no links between satellites; \
                      minimum elevation 15 deg; user rates of its service level (100/20 Mbit/s)",
        source: "two-line elements of 2025-01-29 (RAAN steps 15.14 to 15.29 deg); TMA 2025 (service level)",
        make: oneweb,
    },
    Preset {
        name: "oneweb-staggered",
        description: "OneWeb with its planes at different heights, evenly from 1178 to 1218 km: planes drift against \
                      each other, so no phase between them lasts: all begin in step; otherwise as oneweb",
        source: "two-line elements of 2025-01-29: 1178 to 1218 km",
        make: oneweb_staggered,
    },
    Preset {
        name: "o3b",
        description: "O3b mPOWER: 13 satellites over the equator at 8062 km, no links between satellites; minimum \
                      elevation 5 deg; the number of satellites and the rates are choices",
        source: "SES (8062 km, 11 to 13 satellites)",
        make: o3b,
    },
    Preset {
        name: "geo",
        description: "Nine geostationary satellites: EchoStar XXIV (95.2 W), EchoStar XIX (97.1 W), ViaSat-3 F1 \
                      (88.9 W), ViaSat-2 (69.9 W), SES-17 (67.1 W), Konnect VHTS (2.7 E), KA-SAT (9 E), GX1 (62.6 E), \
                      and one at 180 E so that the Pacific is covered; minimum elevation 10 deg, 50/10 Mbit/s",
        source: "slots as published by the operators, 180 E is a choice; rates: picoquic's satellite tests",
        make: geo,
    },
    Preset {
        name: "hypatia-kuiper-630",
        description: "Kuiper's first shell exactly as Hypatia lays it out: 34x34 as two-line elements of 14.80 \
                      revolutions a day by SGP4, satellite j linked to j of the next plane, ground links by range \
                      (1260 km, flat Earth: 27.3 deg of elevation) and not by elevation, 10 Mbit/s everywhere, 100 packets, \
                      routes every 100 ms",
        source: "Hypatia paper/satellite_networks_state/main_kuiper_630.py; S. Kassing and others, IMC 2020",
        make: hypatia_kuiper,
    },
    Preset {
        name: "hypatia-starlink-550",
        description: "Starlink's first shell exactly as Hypatia lays it out: 72x22, 15.19 revolutions a day, ground links \
                      within 1089.7 km; the rest as hypatia-kuiper-630",
        source: "Hypatia paper/satellite_networks_state/main_starlink_550.py; S. Kassing and others, IMC 2020",
        make: hypatia_starlink,
    },
    Preset {
        name: "hypatia-telesat-1015",
        description: "Telesat's polar shell exactly as Hypatia lays it out: 27x13, 13.66 revolutions a day, ground links \
                      within 5845 km, which reaches below the horizon (3739 km); the rest as hypatia-kuiper-630",
        source: "Hypatia paper/satellite_networks_state/main_telesat_1015.py; S. Kassing and others, IMC 2020",
        make: hypatia_telesat,
    },
];

/// The names of all presets.
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|preset| preset.name)
}

/// The constellation of that name.
///
/// # Errors
/// [`TopologyError::PresetUnknown`] with the nearest name.
pub fn find(name: &str) -> Result<ConstellationSpec, TopologyError> {
    if let Some(preset) = ALL.iter().find(|preset| preset.name == name) {
        return Ok(preset.spec());
    }
    let wanted = name.to_lowercase();
    let likeness = |known: &&str| strsim::jaro_winkler(known, &wanted);
    let nearest =
        names().max_by(|a, b| likeness(a).total_cmp(&likeness(b))).filter(|name| likeness(name) > 0.6);
    Err(TopologyError::PresetUnknown { name: name.to_owned(), nearest })
}

fn link(bits_per_s: u64, queue_packets: u64) -> LinkSpec {
    LinkSpec {
        rate: Some(Rate::from_bits_per_s(bits_per_s)),
        queue: Queue::drop_tail(QueueLimit::Packets(queue_packets)),
        loss: Impairment::None,
        reorder: false,
        warning: None,
    }
}

/// A constellation of these shells; what is left to say is the rule of a bent pipe.
fn constellation(name: &str, shells: Vec<Shell>, min_elevation_deg: f64) -> ConstellationSpec {
    ConstellationSpec {
        name: name.to_owned(),
        shells,
        isl: None,
        gateways: Vec::new(),
        pops: Vec::new(),
        attachments: Vec::new(),
        // Light in glass takes 1.47 times as long; cables are seldom straight.
        fibre_factor: 1.5,
        feeder: link(10_000_000_000, 500),
        uplink: link(16_900_000, 500),
        downlink: link(117_700_000, 500),
        visibility: Visibility::Elevation(Angle::from_deg(min_elevation_deg)),
        access: Access { policy: Policy::LowestDelay, slot: None, hysteresis: Angle::from_deg(0.0) },
        handover: Handover::default(),
        // Starlink reassigns its satellites every 15 s.
        route_step: Span::from_secs(15),
        route_times: RouteTimes::Steps,
        offset: Span::ZERO,
        in_flight: InFlight::Forward,
    }
}

/// Links to the neighbours in the plane and in the planes beside it.
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

/// How the planes of a shell stand to each other.
#[derive(Clone, Copy)]
enum Phase {
    /// Odd planes half a slot ahead.
    Half,
    /// Each plane so many degrees ahead of the last.
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

fn iridium() -> ConstellationSpec {
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

fn iridium_next() -> ConstellationSpec {
    let walker = star(&walker(6, 11, 777.7, 86.396, Phase::Deg(15.06)), 31.6);
    ConstellationSpec {
        name: "iridium-next".to_owned(),
        shells: vec![shell("iridium-next", walker)],
        uplink: link(704_000, 50),
        downlink: link(704_000, 50),
        ..iridium()
    }
}

fn starlink_550() -> ConstellationSpec {
    let shells = vec![shell("starlink-550", walker(72, 22, 550.0, 53.0, Phase::Half))];
    ConstellationSpec {
        isl: Some(grid(link(10_000_000_000, 500))),
        ..constellation("starlink-550", shells, 25.0)
    }
}

/// Phase of Starlink's 53 degree planes as flown: 45 x 360 / (72 x 18) degrees.
const STARLINK_PHASE_DEG: f64 = 12.5;

fn starlink_flown() -> ConstellationSpec {
    let walker = walker(72, 18, 547.0, 53.05, Phase::Deg(STARLINK_PHASE_DEG));
    ConstellationSpec {
        name: "starlink-flown".to_owned(),
        shells: vec![shell("starlink-flown", walker)],
        ..starlink_550()
    }
}

fn starlink() -> ConstellationSpec {
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

fn starlink_gen2() -> ConstellationSpec {
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

fn kuiper() -> ConstellationSpec {
    let shells = vec![
        shell("kuiper 630 km", walker(34, 34, 630.0, 51.9, Phase::Half)),
        shell("kuiper 610 km", walker(36, 36, 610.0, 42.0, Phase::Half)),
        shell("kuiper 590 km", walker(28, 28, 590.0, 33.0, Phase::Half)),
    ];
    ConstellationSpec { isl: Some(grid(link(10_000_000_000, 500))), ..constellation("kuiper", shells, 35.0) }
}

fn telesat() -> ConstellationSpec {
    let shells = vec![
        shell("telesat 1015 km", walker(27, 13, 1015.0, 98.98, Phase::Half)),
        shell("telesat 1325 km", walker(40, 33, 1325.0, 50.88, Phase::Half)),
    ];
    ConstellationSpec { isl: Some(grid(link(10_000_000_000, 500))), ..constellation("telesat", shells, 10.0) }
}

/// Angle between neighbouring planes of OneWeb, degrees.
const ONEWEB_SPACING_DEG: f64 = 15.2;

fn oneweb() -> ConstellationSpec {
    let walker = star(&walker(12, 49, 1200.0, 87.9, Phase::Half), ONEWEB_SPACING_DEG);
    ConstellationSpec {
        uplink: link(20_000_000, 500),
        downlink: link(100_000_000, 500),
        ..constellation("oneweb", vec![shell("oneweb", walker)], 15.0)
    }
}

fn oneweb_staggered() -> ConstellationSpec {
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

fn o3b() -> ConstellationSpec {
    ConstellationSpec {
        uplink: link(100_000_000, 500),
        downlink: link(500_000_000, 500),
        ..constellation("o3b", vec![shell("o3b", walker(1, 13, 8062.0, 0.0, Phase::Deg(0.0)))], 5.0)
    }
}

fn geo() -> ConstellationSpec {
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

/// A shell as Hypatia writes it down; `cone_km`: radius of a satellite's footprint on a flat Earth.
fn hypatia(name: &str, walker: Walker, mean_motion: f64, cone_km: f64) -> ConstellationSpec {
    let range_km = cone_km.hypot(walker.altitude.km());
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

fn hypatia_kuiper() -> ConstellationSpec {
    // Hypatia: h / tan(30 deg).
    let cone_km = 630.0 / 30.0_f64.to_radians().tan();
    hypatia("hypatia-kuiper-630", walker(34, 34, 630.0, 51.9, Phase::Half), 14.80, cone_km)
}

fn hypatia_starlink() -> ConstellationSpec {
    // The filing's 940.7 km.
    hypatia("hypatia-starlink-550", walker(72, 22, 550.0, 53.0, Phase::Half), 15.19, 940.7)
}

fn hypatia_telesat() -> ConstellationSpec {
    // Hypatia: h / tan(10 deg).
    let cone_km = 1015.0 / 10.0_f64.to_radians().tan();
    hypatia("hypatia-telesat-1015", walker(27, 13, 1015.0, 98.98, Phase::Half), 13.66, cone_km)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use units::Code;

    #[test]
    fn every_preset_is_found_under_its_own_name() {
        for preset in ALL {
            assert_eq!(find(preset.name).unwrap().name, preset.name);
        }
    }

    #[test]
    fn a_wrong_name_gets_the_nearest() {
        let error = find("Irridium").unwrap_err();
        assert_eq!(error.code(), Code::PresetUnknown);
        assert_eq!(
            error.to_string(),
            "cannot find the constellation \"Irridium\" (did you mean \"iridium\"?)"
        );
        assert!(matches!(find("42").unwrap_err(), TopologyError::PresetUnknown { nearest: None, .. }));
    }
}
