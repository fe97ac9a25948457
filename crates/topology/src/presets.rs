// SPDX-License-Identifier: MIT OR Apache-2.0
//! Built-in constellations by name.

mod layouts;

use crate::{ConstellationSpec, TopologyError};

/// A built-in constellation.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Name of the preset.
    pub name: &'static str,
    /// Description in one sentence, including the values that are choices.
    pub description: &'static str,
    /// Source of the numbers.
    pub source: &'static str,
    make: fn() -> ConstellationSpec,
}

impl Preset {
    /// Returns the constellation.
    pub fn spec(&self) -> ConstellationSpec {
        (self.make)()
    }
}

/// All presets.
pub const ALL: &[Preset] = &[
    Preset {
        name: "iridium",
        description: "Iridium as in ns-2 and in the Hybla-IM paper: 6x11 satellites at 780 km, 86.4 deg, planes 31.6 \
        deg apart and half a slot out of phase, a 22 deg seam without links; each satellite is linked to the nearest \
        satellite of each neighbouring plane, except beyond 60 deg of latitude",
        source: "Hybla-IM paper, table 2; ns-2 tcl/ex/sat-iridium.tcl and sat-iridium-nodes.tcl (after Pattan 1997)",
        make: layouts::iridium,
    },
    Preset {
        name: "iridium-next",
        description: "Iridium NEXT as in 2019: 6x11 satellites at 777.7 km, 86.396 deg, each plane 15.06 deg ahead of \
        the previous plane (not exactly half a slot); user links of Iridium Certus (704 kbit/s); 25 Mbit/s between \
        satellites is a choice",
        source: "fitted to the two-line elements of the 66 satellites in service, 2019-03-09; Certus data rate: FFI 20/01338",
        make: layouts::iridium_next,
    },
    Preset {
        name: "starlink-550",
        description: "Starlink's first shell as filed: 72x22 satellites at 550 km, 53 deg, planes half a slot out of \
        phase (as in Hypatia; the real planes have 18 slots); each satellite is linked to its neighbours in the plane \
        and to the nearest satellite of each neighbouring plane; user rates are US medians of 2025; 10 Gbit/s between \
        satellites and the queues are choices",
        source: "FCC SAT-MOD-20200417-00037; Hypatia main_starlink_550.py; Ookla 2025 (117.7/16.9 Mbit/s)",
        make: layouts::starlink_550,
    },
    Preset {
        name: "starlink-flown",
        description: "Starlink's 53 deg shell as launched: 72 planes of 18 slots (not 22 as filed) at 547 km, 53.05 \
        deg, neighbouring planes 12.5 deg out of phase (Walker 1296/72/45); rates and queues as in starlink-550",
        source: "two-line elements of 2022-09-14: RAAN step 5.00 deg, 20 deg slots, phase 12.50 deg",
        make: layouts::starlink_flown,
    },
    Preset {
        name: "starlink",
        description: "Starlink Gen1 as filed, all five shells (4408 satellites): 72x22 at 550 km 53.0 deg, 72x22 at \
        540 km 53.2 deg, 36x20 at 570 km 70 deg, 6x58 and 4x43 at 560 km 97.6 deg; the filing gives no \
        phases: here they are 12.5 deg (as launched) for the first two shells, and 0 for the other shells; no links \
        between shells",
        source: "FCC SAT-MOD-20200417-00037; phases: two-line elements of 2022-09-14",
        make: layouts::starlink,
    },
    Preset {
        name: "starlink-gen2",
        description: "Starlink Gen2 as filed, nine shells (29,988 satellites) from 340 to 614 km; the filing \
                      gives no phases: here all are 0",
        source: "FCC SAT-AMD-20210818-00105 (as listed by LEOCraft and celestial; 530 km: 28x120)",
        make: layouts::starlink_gen2,
    },
    Preset {
        name: "kuiper",
        description: "Amazon Kuiper (Leo) as filed, three shells (3236 satellites): 34x34 at 630 km 51.9 deg, 36x36 \
        at 610 km 42 deg, 28x28 at 590 km 33 deg; minimum elevation 35 deg; planes half a slot out of phase; rates \
        and queues are choices",
        source: "FCC SAT-LOA-20190704-00057; Hypatia main_kuiper_630.py",
        make: layouts::kuiper,
    },
    Preset {
        name: "telesat",
        description: "Telesat Lightspeed as filed, two shells (1671 satellites): 27x13 at 1015 km 98.98 deg and 40x33 \
        at 1325 km 50.88 deg; minimum elevation 10 deg; planes half a slot out of phase; rates and queues are choices",
        source: "FCC SAT-MPL-20200526-00053; Hypatia main_telesat_1015.py",
        make: layouts::telesat,
    },
    Preset {
        name: "oneweb",
        description: "OneWeb: 12 polar planes of 49 at 1200 km, 87.9 deg, 15.2 deg apart, no inter-satellite links; \
        minimum elevation 15 deg; user rates as in OneWeb's service level (100/20 Mbit/s)",
        source: "two-line elements of 2025-01-29 (RAAN steps 15.14 to 15.29 deg); TMA 2025 (service level)",
        make: layouts::oneweb,
    },
    Preset {
        name: "oneweb-staggered",
        description: "OneWeb with its planes at different heights, evenly from 1178 to 1218 km: planes drift relative \
        to each other, so their phases change; all planes start in phase; all other values as in oneweb",
        source: "two-line elements of 2025-01-29: 1178 to 1218 km",
        make: layouts::oneweb_staggered,
    },
    Preset {
        name: "o3b",
        description: "O3b mPOWER: 13 satellites over the equator at 8062 km, no inter-satellite links; minimum \
        elevation 5 deg; the number of satellites and the rates are choices",
        source: "SES (8062 km, 11 to 13 satellites)",
        make: layouts::o3b,
    },
    Preset {
        name: "geo",
        description: "Nine geostationary satellites: EchoStar XXIV (95.2 W), EchoStar XIX (97.1 W), ViaSat-3 F1 \
                      (88.9 W), ViaSat-2 (69.9 W), SES-17 (67.1 W), Konnect VHTS (2.7 E), KA-SAT (9 E), GX1 (62.6 E), \
                      and one at 180 E so that the Pacific is covered; minimum elevation 10 deg, 50/10 Mbit/s",
        source: "slots as published by the operators, 180 E is a choice; rates: picoquic's satellite tests",
        make: layouts::geo,
    },
    Preset {
        name: "hypatia-kuiper-630",
        description: "Kuiper's first shell exactly as in Hypatia: 34x34 as two-line elements of 14.80 revolutions a \
        day by SGP4, each satellite linked to the satellite of the same number in the next plane, ground links \
        by range (1260 km, flat Earth: 27.3 deg of elevation) and not by elevation, 10 Mbit/s \
        everywhere, 100 packets, routes every 100 ms",
        source: "Hypatia paper/satellite_networks_state/main_kuiper_630.py; S. Kassing and others, IMC 2020",
        make: layouts::hypatia_kuiper,
    },
    Preset {
        name: "hypatia-starlink-550",
        description: "Starlink's first shell exactly as in Hypatia: 72x22, 15.19 revolutions a day, ground links \
        within 1089.7 km; all other values as in hypatia-kuiper-630",
        source: "Hypatia paper/satellite_networks_state/main_starlink_550.py; S. Kassing and others, IMC 2020",
        make: layouts::hypatia_starlink,
    },
    Preset {
        name: "hypatia-telesat-1015",
        description: "Telesat's polar shell exactly as in Hypatia: 27x13, 13.66 revolutions a day, ground links \
        within 5845 km, which reaches below the horizon (3739 km); all other values as in hypatia-kuiper-630",
        source: "Hypatia paper/satellite_networks_state/main_telesat_1015.py; S. Kassing and others, IMC 2020",
        make: layouts::hypatia_telesat,
    },
];

/// Fewest letters of a name that is looked for inside other names.
const SHORTEST: usize = 3;

/// Returns the names of all presets.
pub fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|preset| preset.name)
}

/// Returns the constellation with this name.
///
/// # Errors
/// [`TopologyError::PresetUnknown`] with the most similar name.
pub fn find(name: &str) -> Result<ConstellationSpec, TopologyError> {
    if let Some(preset) = ALL.iter().find(|preset| preset.name == name) {
        return Ok(preset.spec());
    }
    Err(TopologyError::PresetUnknown {
        name: name.to_owned(),
        nearest: containing(name).or_else(|| nearest(name)),
    })
}

/// Returns the constellation whose name contains the whole `name`, if there is one.
pub fn containing(name: &str) -> Option<&'static str> {
    let wanted = name.to_lowercase();
    names().find(|known| wanted.len() >= SHORTEST && known.contains(&wanted))
}

/// Returns the constellation with the most similar name, if a name is similar.
fn nearest(name: &str) -> Option<&'static str> {
    let wanted = units::beginning(name).to_lowercase();
    let likeness = |known: &&str| strsim::jaro_winkler(known, &wanted);
    names().max_by(|a, b| likeness(a).total_cmp(&likeness(b))).filter(|name| likeness(name) > 0.6)
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
        let error = find("kuiper-630").unwrap_err();
        assert!(matches!(error, TopologyError::PresetUnknown { nearest: Some("hypatia-kuiper-630"), .. }));
        assert!(matches!(find("42").unwrap_err(), TopologyError::PresetUnknown { nearest: None, .. }));
    }
}
