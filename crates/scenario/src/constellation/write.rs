// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes the constellation of a scenario.

use crate::satellites::{self as text, Constellation, Isl};
use crate::text::{Q, Unlimited};
use orbit::{Walker, WalkerPattern};
use topology::{
    Attachment, ConstellationSpec, During, InFlight, IslPattern, IslSpec, Orbits, Policy, RouteTimes, Shell,
    Site, Visibility,
};

/// The constellation as a file says it, with every default written out.
pub fn write(spec: &ConstellationSpec, sites: &[Site]) -> Constellation {
    let place = |site: &Site| text::Place {
        name: site.name.clone(),
        latitude: Some(Q(site.latitude)),
        longitude: Some(Q(site.longitude)),
    };
    let pop = |pop: u16| spec.pops[usize::from(pop)].name.clone();
    let grid = spec.isl.as_ref().filter(|isl| isl.pattern == IslPattern::Grid);
    let mut constellation = Constellation {
        name: Some(spec.name.clone()),
        shells: Some(spec.shells.iter().map(write_shell).collect()),
        access: Some(text::Access {
            policy: Some(match spec.access.policy {
                Policy::LowestDelay => text::Policy::LowestDelay,
                Policy::HighestElevation => text::Policy::HighestElevation,
                Policy::Nearest => text::Policy::Nearest,
                Policy::LongestVisible => text::Policy::LongestVisible,
            }),
            slot: spec.access.slot.map(|slot| Q(slot.period)),
            phase: spec.access.slot.map(|slot| Q(slot.phase)),
            hysteresis: super::chooses_anew(&spec.access).then_some(Q(spec.access.hysteresis)),
        }),
        handover: Some(text::Handover {
            outage: Some(Q(spec.handover.outage)),
            during: Some(match spec.handover.during {
                During::Hold => text::During::Hold,
                During::Lose => text::During::Lose,
            }),
        }),
        route_step: Some(Q(spec.route_step)),
        route_times: Some(match spec.route_times {
            RouteTimes::Steps => text::RouteTimes::Steps,
            RouteTimes::Events => text::RouteTimes::Events,
        }),
        offset: Some(Q(spec.offset)),
        in_flight: Some(match spec.in_flight {
            InFlight::Forward => text::InFlight::Forward,
            InFlight::Drop => text::InFlight::Drop,
        }),
        isl_latitude_limit: grid.map(|isl| Q(Unlimited(isl.latitude_limit))),
        cross_seam: grid.map(|isl| isl.cross_seam),
        isl: Some(spec.isl.as_ref().map_or(Isl::Switch(false), write_isl)),
        uplink: Some(crate::write::medium(&spec.uplink)),
        downlink: Some(crate::write::medium(&spec.downlink)),
        feeder: Some(crate::write::medium(&spec.feeder)),
        fibre_factor: (!spec.pops.is_empty()).then_some(spec.fibre_factor),
        pops: Some(spec.pops.iter().map(place).collect()),
        gateways: Some(
            spec.gateways
                .iter()
                .map(|gateway| text::Gateway {
                    name: gateway.site.name.clone(),
                    latitude: Some(Q(gateway.site.latitude)),
                    longitude: Some(Q(gateway.site.longitude)),
                    pop: gateway.pop.map(pop),
                    min_elevation: match gateway.visibility {
                        Some(Visibility::Elevation(least)) => Some(Q(least)),
                        _ => None,
                    },
                })
                .collect(),
        ),
        sites: Some(
            sites
                .iter()
                .map(|site| {
                    let attachment = spec.attachment(&site.name);
                    text::Site {
                        name: site.name.clone(),
                        latitude: Some(Q(site.latitude)),
                        longitude: Some(Q(site.longitude)),
                        home: match attachment {
                            Attachment::Home(home) => Some(pop(home)),
                            _ => None,
                        },
                        fibre: Some(attachment == Attachment::Fibre),
                    }
                })
                .collect(),
        ),
        ..Constellation::default()
    };
    match spec.visibility {
        Visibility::Elevation(least) => constellation.min_elevation = Some(Q(least)),
        Visibility::Range(most) => constellation.max_slant_range = Some(Q(most)),
    }
    for shell in &spec.shells {
        if let Orbits::Catalogue { start, oldest, skip_unusable, .. } = &shell.orbits {
            constellation.start.clone_from(start);
            constellation.oldest = oldest.map(Q);
            constellation.unusable =
                Some(if *skip_unusable { text::Unusable::Skip } else { text::Unusable::Refuse });
        }
    }
    constellation
}

fn write_shell(shell: &Shell) -> text::Shell {
    let (walker, catalogue) = match &shell.orbits {
        Orbits::Walker(walker) => (Some(write_walker(walker)), None),
        Orbits::Elements { walker, mean_motion, eccentricity, epoch } => {
            let walker = text::Walker {
                mean_motion: Some(*mean_motion),
                eccentricity: Some(*eccentricity),
                epoch: Some(epoch.clone()),
                ..write_walker(walker)
            };
            (Some(walker), None)
        }
        Orbits::Catalogue { file, .. } => (None, Some(file.to_string_lossy().into_owned())),
    };
    text::Shell { name: Some(shell.name.clone()), walker, catalogue }
}

fn write_walker(walker: &Walker) -> text::Walker {
    text::Walker {
        planes: walker.planes,
        per_plane: walker.per_plane,
        altitude: Q(walker.altitude),
        inclination: Q(walker.inclination),
        spacing: match walker.pattern {
            WalkerPattern::Delta => None,
            WalkerPattern::Star { spacing } => Some(Q(spacing)),
        },
        first_node: Some(Q(walker.first_node)),
        phase: Some(Q(walker.phase)),
        alternate_half_slot: Some(walker.alternate_half_slot),
        mean_motion: None,
        eccentricity: None,
        epoch: None,
    }
}

fn write_isl(isl: &IslSpec) -> Isl {
    let link = crate::write::medium(&isl.link);
    let grid = isl.pattern == IslPattern::Grid;
    let (pattern, terminals, pairs) = match &isl.pattern {
        IslPattern::Grid => (Some(text::Pattern::Grid), None, None),
        IslPattern::Nearest { terminals } => (Some(text::Pattern::Nearest), Some(*terminals), None),
        IslPattern::List(pairs) => (None, None, Some(pairs.iter().map(|&(a, b)| vec![a, b]).collect())),
    };
    Isl::Links(text::IslTable {
        rate: link.rate,
        queue: link.queue,
        loss: link.loss,
        reorder: link.reorder,
        warn_above: link.warn_above,
        pattern,
        terminals,
        pairs,
        shift: isl.shift,
        inter_shell: Some(isl.inter_shell),
        intra_plane: grid.then_some(isl.intra_plane),
        inter_plane: grid.then_some(isl.inter_plane),
        max_range: Some(Q(Unlimited(isl.max_range))),
    })
}
