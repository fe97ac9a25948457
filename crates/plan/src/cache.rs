// SPDX-License-Identifier: MIT OR Apache-2.0
//! A cache of satellite networks, for later runs over the same network.
//!
//! A comparison of controllers runs over the same satellites many times. The routes of a thousand satellites need
//! several times as much CPU time as the packets of two flows. If satellites, sites, pairs, duration and contents of
//! catalogues are the same, the network is copied from the cache. The copy equals a newly computed network, so results
//! do not depend on the cache. The cache holds the networks that were requested last, up to a total of [`MOST_BYTES`].
//!
//! Catalogues are compared byte by byte.

use crate::PlanError;
use link::Delay;
use std::sync::{Mutex, PoisonError};
use topology::{ConstellationSpec, LinkPlan, Network, Orbits, RouteEntry, Site};
use units::{Span, input};

/// Largest total size of all networks in the cache.
const MOST_BYTES: usize = 64 << 20;

/// Everything that a network depends on.
#[derive(PartialEq)]
struct CacheKey {
    spec: ConstellationSpec,
    sites: Vec<Site>,
    pairs: Vec<(u16, u16)>,
    length: Span,
    catalogues: Vec<String>,
}

struct Entry {
    asked: CacheKey,
    network: Network,
    bytes: usize,
}

/// The cached networks. The network that was requested last is at the end.
static CACHE: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

/// Returns the network of `spec` from zero to `length`, from the cache or from `lay`.
///
/// # Errors
/// The same as for `lay`. Failures are not cached.
pub(crate) fn network(
    spec: &ConstellationSpec,
    sites: &[Site],
    pairs: &[(u16, u16)],
    length: Span,
    lay: impl FnOnce() -> Result<Network, PlanError>,
) -> Result<Network, PlanError> {
    let Some(catalogues) = catalogues(spec) else { return lay() };
    let (spec, sites, pairs) = (spec.clone(), sites.to_vec(), pairs.to_vec());
    let asked = CacheKey { spec, sites, pairs, length, catalogues };
    {
        let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = cache.iter().position(|kept| kept.asked == asked) {
            let found = cache.remove(place);
            let network = found.network.clone();
            cache.push(found);
            return Ok(network);
        }
    }
    // The lock is not held here: if two threads request the same network at once, both lay it out.
    let network = lay()?;
    let bytes = weight(&network) + asked.catalogues.iter().map(String::len).sum::<usize>();
    if bytes <= MOST_BYTES {
        let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        cache.retain(|kept| kept.asked != asked);
        cache.push(Entry { asked, network: network.clone(), bytes });
        while cache.iter().map(|kept| kept.bytes).sum::<usize>() > MOST_BYTES {
            cache.remove(0);
        }
    }
    Ok(network)
}

/// Returns the current contents of the catalogues; `None` if one cannot be read. Then the layout of the network reports
/// the reason.
fn catalogues(spec: &ConstellationSpec) -> Option<Vec<String>> {
    let files = spec.shells.iter().filter_map(|shell| match &shell.orbits {
        Orbits::Catalogue { file, .. } => Some(file),
        Orbits::Walker(_) | Orbits::Elements { .. } => None,
    });
    files.map(|file| input::read(file, input::DATA).ok()).collect()
}

/// Returns the approximate size of a network in memory: the parts that grow with time, and the links.
fn weight(network: &Network) -> usize {
    let pieces = network.paths.iter().flat_map(|path| &path.pieces);
    let curves = network.links.iter().map(|link| curve(Some(&link.config.delay)));
    let updates = network.updates.iter().map(|update| update.entries.len() * size_of::<RouteEntry>());
    let seen = network.seen.iter().map(|(_, seen)| size_of_val(&*seen.looks) + size_of_val(seen));
    network.links.len() * (size_of::<LinkPlan>() + LINK_NAME)
        + seen.sum::<usize>()
        + curves.sum::<usize>()
        + updates.sum::<usize>()
        + pieces.map(|piece| PIECE + curve(piece.delay.as_ref())).sum::<usize>()
}

/// Size of a link's name with its allocation, in bytes.
const LINK_NAME: usize = 64;
/// Size of a piece of a path without its curve, in bytes. The list of links has a separate allocation.
const PIECE: usize = 128;

fn curve(delay: Option<&Delay>) -> usize {
    match delay {
        Some(Delay::Curve(curve)) => size_of_val(curve.knots_ns()),
        Some(Delay::Steps(steps)) => size_of_val(&**steps),
        Some(Delay::Constant(_) | Delay::Trace(_)) | None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{CACHE, MOST_BYTES, network, weight};
    use crate::PlanError;
    use std::cell::Cell;
    use std::fs;
    use topology::{Almanac, ConstellationSpec, IslPattern, Network, Orbits, Shell, presets, sites};
    use units::{Span, Time};

    const PAIR: [(u16, u16); 1] = [(0, 1)];

    /// Requests a network with Berkeley and Boston. Returns it, and whether it had to be computed.
    fn ask(spec: &ConstellationSpec, length: Span) -> (Network, bool) {
        let sites = ["Berkeley", "Boston"].map(|name| sites::find(name).expect("a site of the list"));
        let laid = Cell::new(false);
        let network = network(spec, &sites, &PAIR, length, || {
            laid.set(true);
            let (mut almanac, mut network) = Almanac::open(spec, &sites, &PAIR)?;
            network.turn_to(almanac.end(Time::ZERO, Time::ZERO + length, &topology::never)?);
            Ok(network)
        });
        (network.expect("Iridium serves both"), laid.get())
    }

    fn iridium() -> ConstellationSpec {
        presets::find("iridium").expect("a preset")
    }

    #[test]
    fn the_same_sky_is_laid_out_once() {
        let (first, laid) = ask(&iridium(), Span::from_secs(61));
        assert!(laid);
        let (again, laid) = ask(&iridium(), Span::from_secs(61));
        assert!(!laid);
        assert_eq!(first, again);
        let (_, laid) = ask(&iridium(), Span::from_secs(62));
        assert!(laid, "it is longer");
        let mut other = iridium();
        other.route_step = Span::from_secs(2);
        let (_, laid) = ask(&other, Span::from_secs(61));
        assert!(laid, "routes are found at other times");
    }

    #[test]
    fn what_failed_is_asked_again() {
        let fails = || network(&iridium(), &[], &[], Span::from_secs(1), || Err(PlanError::Interrupted));
        assert!(fails().is_err());
        assert!(fails().is_err());
    }

    #[test]
    fn a_catalogue_that_was_changed_is_another_sky() {
        let folder = std::env::temp_dir().join(format!("bentpipe-cache-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder of our own");
        let file = folder.join("sky.tle");
        let text = include_str!("../../../data/oneweb_2022-09-14.tle");
        let mut spec = iridium();
        spec.isl.as_mut().expect("Iridium has links between satellites").pattern =
            IslPattern::Nearest { terminals: 4 };
        spec.shells = vec![Shell {
            name: "from a file".to_owned(),
            orbits: Orbits::Catalogue {
                file: file.clone(),
                start: None,
                oldest: None,
                skip_unusable: false,
                objects: topology::Objects::default(),
            },
        }];
        fs::write(&file, text).expect("a file of our own");
        assert!(ask(&spec, Span::from_secs(3)).1);
        assert!(!ask(&spec, Span::from_secs(3)).1);
        fs::write(&file, text.replace("ONEWEB-0012", "OneWeb-0012")).expect("a file of our own");
        assert!(ask(&spec, Span::from_secs(3)).1);
        fs::remove_dir_all(&folder).expect("it is ours");
    }

    #[test]
    fn the_shelf_holds_no_more_than_its_bound() {
        let (network, _) = ask(&iridium(), Span::from_secs(600));
        let curves: usize = network.links.len() * 600 * size_of::<f64>();
        let counted = weight(&network);
        assert!(counted > curves / 20 && counted < 20 * curves, "{counted} beside {curves}");
        for second in 601..660 {
            ask(&iridium(), Span::from_secs(second));
        }
        let cache = CACHE.lock().expect("no test panics while it holds it");
        assert!(cache.iter().map(|kept| kept.bytes).sum::<usize>() <= MOST_BYTES);
        assert!(!cache.is_empty());
    }
}
