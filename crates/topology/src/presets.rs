// SPDX-License-Identifier: MIT OR Apache-2.0
//! Constellations by name.
//!
//! All count-limited queues hold packets that wait; the one in transmission is not counted.

use crate::{ConstellationSpec, InFlight, IslSpec, LinkSpec, Orbits, TopologyError};
use link::{Impairment, QueueLimit};
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
        queue: QueueLimit::Packets(queue_packets),
        loss: Impairment::None,
        reorder: false,
        warning: None,
    }
}

fn iridium() -> ConstellationSpec {
    ConstellationSpec {
        name: "iridium".to_owned(),
        orbits: Orbits::Walker(Walker {
            planes: 6,
            per_plane: 11,
            altitude: Distance::from_km(780.0),
            inclination: Angle::from_deg(86.4),
            pattern: WalkerPattern::Star { spacing: Angle::from_deg(31.6) },
            phase: Angle::from_deg(0.0),
            alternate_half_slot: true,
        }),
        isl: Some(IslSpec {
            link: link(25_000_000, 50),
            intra_plane: true,
            inter_plane: true,
            cross_seam: false,
            latitude_limit: Some(Angle::from_deg(60.0)),
            max_range: None,
        }),
        uplink: link(1_500_000, 50),
        downlink: link(1_500_000, 50),
        min_elevation: Angle::from_deg(8.2),
        // ns-2: term_handoff_int_ and sat_handoff_int_ are 10 s.
        route_step: Span::from_secs(10),
        offset: Span::ZERO,
        in_flight: InFlight::Forward,
    }
}

fn iridium_next() -> ConstellationSpec {
    ConstellationSpec {
        name: "iridium-next".to_owned(),
        orbits: Orbits::Walker(Walker {
            planes: 6,
            per_plane: 11,
            altitude: Distance::from_km(777.7),
            inclination: Angle::from_deg(86.396),
            pattern: WalkerPattern::Star { spacing: Angle::from_deg(31.6) },
            phase: Angle::from_deg(15.06),
            alternate_half_slot: false,
        }),
        uplink: link(704_000, 50),
        downlink: link(704_000, 50),
        ..iridium()
    }
}

fn starlink_550() -> ConstellationSpec {
    ConstellationSpec {
        name: "starlink-550".to_owned(),
        orbits: Orbits::Walker(Walker {
            planes: 72,
            per_plane: 22,
            altitude: Distance::from_km(550.0),
            inclination: Angle::from_deg(53.0),
            pattern: WalkerPattern::Delta,
            phase: Angle::from_deg(0.0),
            alternate_half_slot: true,
        }),
        isl: Some(IslSpec {
            link: link(10_000_000_000, 500),
            intra_plane: true,
            inter_plane: true,
            cross_seam: false,
            latitude_limit: None,
            max_range: None,
        }),
        uplink: link(16_900_000, 500),
        downlink: link(117_700_000, 500),
        min_elevation: Angle::from_deg(25.0),
        // Starlink reassigns its satellites every 15 s.
        route_step: Span::from_secs(15),
        offset: Span::ZERO,
        in_flight: InFlight::Forward,
    }
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
