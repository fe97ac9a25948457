// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads and writes the inter-satellite links.

use super::key::at;
use crate::ScenarioError;
use crate::check::Source;
use crate::format::{self, Isl, IslTable, MovingLink};
use crate::text::{Q, Unlimited};
use topology::{IslPattern, IslSpec};
use units::{Angle, Code};

/// Default number of links per satellite if each satellite links to the nearest ones: the same number as in a grid.
const TERMINALS: u32 = 4;

/// Settings of the constellation that concern inter-satellite links.
#[derive(Clone, Copy)]
pub struct Rules {
    pub latitude_limit: Option<Unlimited<Angle>>,
    pub cross_seam: Option<bool>,
    /// Number of shells.
    pub shells: usize,
    /// Whether the satellites of a shell are computed from a formula, and not read from a catalogue.
    pub laid_out: bool,
}

/// Reads the links in the file, or else returns `base`; `None` if there are no links.
pub fn read(
    links: Option<Isl>,
    base: Option<&IslSpec>,
    rules: Rules,
    source: &Source<'_>,
) -> Result<Option<IslSpec>, ScenarioError> {
    let path = &at("isl");
    let none = match links {
        Some(Isl::Switch(flag)) => !flag,
        Some(Isl::Links(_)) => false,
        None => base.is_none(),
    };
    if none {
        if rules.latitude_limit.is_some() || rules.cross_seam.is_some() {
            let message = "`isl_latitude_limit` and `cross_seam` are for inter-satellite links, but this \
                constellation has no such links";
            return Err(source
                .error(Code::ScenarioValue, path, message)
                .fix("write isl = { rate = \"25 Mbit/s\" }"));
        }
        return Ok(None);
    }
    let table = match links {
        Some(Isl::Links(table)) => table,
        _ => IslTable::default(),
    };
    let pattern = pattern(table.pattern, table.terminals, table.pairs, base, source, path)?;
    let grid = [
        (format!("{path}.shift"), table.shift.is_some()),
        (format!("{path}.intra_plane"), table.intra_plane.is_some()),
        (format!("{path}.inter_plane"), table.inter_plane.is_some()),
        (at("isl_latitude_limit"), rules.latitude_limit.is_some()),
        (at("cross_seam"), rules.cross_seam.is_some()),
    ];
    if pattern != IslPattern::Grid
        && let Some((key, _)) = grid.iter().find(|(_, there)| *there)
    {
        let message = "this key is for the links of a grid, but this constellation has another pattern";
        return Err(source
            .error(Code::ScenarioValue, key, message)
            .fix("remove this key, or write pattern = \"grid\" without `pairs`"));
    }
    if table.shift.is_some() && !rules.laid_out {
        let message = "`shift` counts slots of a Walker shell, but the planes of a catalogue have no slots";
        return Err(source
            .error(Code::ScenarioValue, &format!("{path}.shift"), message)
            .fix("remove `shift`: in each neighbouring plane, a satellite is then linked to the satellite with the \
                  smallest mean distance"));
    }
    if table.inter_shell == Some(true) && rules.shells < 2 {
        let message =
            "this key links satellites of different shells, but this constellation has only one shell";
        return Err(source
            .error(Code::ScenarioValue, &format!("{path}.inter_shell"), message)
            .fix("remove this key, or add a second entry to `shells`"));
    }
    table.link.sight.refuse_in_space(source, path)?;
    let link = table.link.read(base.map(|isl| &isl.link), source, path)?;
    let inter_shell = table.inter_shell.unwrap_or(base.is_some_and(|isl| isl.inter_shell));
    let max_range = table.max_range.map_or(base.and_then(|isl| isl.max_range), |Q(Unlimited(range))| range);
    // The preset's settings of a grid do not apply to other patterns.
    let base = base.filter(|_| pattern == IslPattern::Grid);
    Ok(Some(IslSpec {
        link,
        shift: table.shift.or(base.and_then(|isl| isl.shift)),
        inter_shell,
        intra_plane: table.intra_plane.unwrap_or(base.is_none_or(|isl| isl.intra_plane)),
        inter_plane: table.inter_plane.unwrap_or(base.is_none_or(|isl| isl.inter_plane)),
        cross_seam: rules.cross_seam.unwrap_or(base.is_some_and(|isl| isl.cross_seam)),
        latitude_limit: rules.latitude_limit.map_or(base.and_then(|isl| isl.latitude_limit), |limit| limit.0),
        max_range,
        pattern,
    }))
}

fn pattern(
    word: Option<format::Pattern>,
    terminals: Option<u32>,
    pairs: Option<Vec<Vec<u32>>>,
    base: Option<&IslSpec>,
    source: &Source<'_>,
    path: &str,
) -> Result<IslPattern, ScenarioError> {
    let old = base.map_or(IslPattern::Grid, |isl| isl.pattern.clone());
    if let Some(pairs) = pairs {
        let pair = |(index, pair): (usize, Vec<u32>)| {
            let [a, b] = *pair.as_slice() else {
                let message = "a link connects two satellites, so an entry of `pairs` must have two numbers";
                return Err(source
                    .error(Code::ScenarioValue, &format!("{path}.pairs[{index}]"), message)
                    .fix("write [0, 1]"));
            };
            Ok((a, b))
        };
        return Ok(IslPattern::List(pairs.into_iter().enumerate().map(pair).collect::<Result<_, _>>()?));
    }
    let nearest = match word {
        Some(word) => matches!(word, format::Pattern::Nearest),
        None => matches!(old, IslPattern::Nearest { .. }),
    };
    if terminals.is_some() && !nearest {
        let message = "`terminals` has an effect only with pattern = \"nearest\"";
        return Err(source
            .error(Code::ScenarioValue, &format!("{path}.terminals"), message)
            .fix("remove `terminals`, or write pattern = \"nearest\""));
    }
    Ok(match (word, old) {
        (Some(format::Pattern::Grid), _) => IslPattern::Grid,
        (Some(format::Pattern::Nearest) | None, IslPattern::Nearest { terminals: old }) => {
            IslPattern::Nearest { terminals: terminals.unwrap_or(old) }
        }
        (Some(format::Pattern::Nearest), _) => {
            IslPattern::Nearest { terminals: terminals.unwrap_or(TERMINALS) }
        }
        (None, old) => old,
    })
}

impl Isl {
    /// Returns the text form of these links.
    pub fn of(links: Option<&IslSpec>) -> Self {
        let Some(isl) = links else { return Self::Switch(false) };
        let grid = isl.pattern == IslPattern::Grid;
        let (pattern, terminals, pairs) = match &isl.pattern {
            IslPattern::Grid => (Some(format::Pattern::Grid), None, None),
            IslPattern::Nearest { terminals } => (Some(format::Pattern::Nearest), Some(*terminals), None),
            IslPattern::List(pairs) => (None, None, Some(pairs.iter().map(|&(a, b)| vec![a, b]).collect())),
        };
        Self::Links(IslTable {
            link: MovingLink::of(&isl.link),
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
}
