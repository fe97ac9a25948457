// SPDX-License-Identifier: MIT OR Apache-2.0
//! A network that is computed page by page contains exactly the same numbers as a network that is computed at once. It
//! can continue without end.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bentpipe_topology as topology;
use link::{Course, Delay, Service};
use std::collections::{BTreeMap, VecDeque};
use topology::{
    Almanac, Attachment, ConstellationSpec, During, Gateway, Handover, IslPattern, LinkPlan, Network, Orbits,
    Page, Path, Policy, RouteTimes, RouteUpdate, SatelliteChoice, Shell, Site, Slot, Visibility,
    constellation, presets, sites,
};
use units::{Angle, Rate, Span, Time};

/// A network, and the pairs of sites with traffic.
struct Case {
    spec: ConstellationSpec,
    sites: Vec<Site>,
    pairs: Vec<(u16, u16)>,
}

fn secs(secs: u64) -> Time {
    Time::from_nanos(secs * 1_000_000_000)
}

fn site(name: &str) -> Site {
    sites::find(name).unwrap()
}

fn named(name: &str, place: &str) -> Site {
    Site { name: name.to_owned(), ..site(place) }
}

fn iridium() -> Case {
    Case {
        spec: presets::find("iridium").unwrap(),
        sites: vec![site("Berkeley"), site("Boston"), site("London")],
        pairs: vec![(0, 1), (0, 2)],
    }
}

/// Iridium with routes that follow events, and with handovers that lose packets. One site keeps the satellite that
/// stays in view longest.
fn iridium_with_events() -> Case {
    let mut case = iridium();
    case.spec.route_times = RouteTimes::Events;
    case.spec.choice =
        SatelliteChoice { policy: Policy::LongestVisible, slot: None, hysteresis: Angle::from_deg(0.0) };
    case.spec.handover = Handover { outage: Span::from_secs(3), during: During::Lose };
    case
}

/// A path over a dish, a satellite, a gateway, a home and a server, with slots, hysteresis, and handovers during which
/// packets wait.
fn bent_pipe() -> Case {
    let gateway = |name, place, pop| Gateway {
        site: named(name, place),
        pop: Some(pop),
        visibility: None,
        mask: None,
        gso_exclusion: None,
    };
    let spec = ConstellationSpec {
        isl: None,
        choice: SatelliteChoice {
            policy: Policy::HighestElevation,
            slot: Some(Slot { period: Span::from_secs(15), phase: Span::from_secs(12) }),
            hysteresis: Angle::from_deg(5.0),
        },
        handover: Handover { outage: Span::from_millis(700), during: During::Hold },
        route_step: Span::from_secs(1),
        pops: vec![named("Madrid PoP", "40.4, -3.7"), named("London PoP", "51.5, -0.1")],
        gateways: vec![
            gateway("Villenave", "44.8, -0.6", 0),
            gateway("Lepe", "37.3, -7.2", 0),
            gateway("Chalfont", "51.6, -0.6", 1),
        ],
        attachments: vec![
            ("Madrid".to_owned(), Attachment::Home(0)),
            ("server".to_owned(), Attachment::Fibre),
        ],
        ..presets::find("starlink").unwrap()
    };
    Case { spec, sites: vec![site("Madrid"), named("server", "51.5, -0.1")], pairs: vec![(1, 0)] }
}

fn catalogue(file: &str) -> Vec<Shell> {
    let file = format!("{}/../../data/{file}", env!("CARGO_MANIFEST_DIR")).into();
    let orbits = Orbits::Catalogue {
        file,
        start: None,
        oldest: None,
        skip_unusable: true,
        objects: topology::Objects::All,
    };
    vec![Shell { name: "catalogue".to_owned(), orbits }]
}

/// The elements are three days old. After two minutes, STARLINK-1952 is below 122 km (by `sgp4` 2.27, 263,000 s after
/// the newest epoch).
fn leaving() -> Case {
    let spec = ConstellationSpec {
        shells: catalogue("starlink_2022-09-14.tle"),
        isl: None,
        offset: Span::from_secs(262_880),
        route_step: Span::from_secs(10),
        ..presets::find("starlink-550").unwrap()
    };
    Case { spec, sites: vec![site("London"), site("Paris")], pairs: vec![(0, 1)] }
}

/// Element sets propagated by SGP4. Each satellite is linked to the nearest satellites, which change over time.
fn oneweb() -> Case {
    let mut spec = ConstellationSpec {
        shells: catalogue("oneweb_2022-09-14.tle"),
        route_step: Span::from_millis(2500),
        visibility: Visibility::Elevation(Angle::from_deg(15.0)),
        ..presets::find("starlink-550").unwrap()
    };
    spec.isl.as_mut().unwrap().pattern = IslPattern::Nearest { terminals: 4 };
    Case { spec, sites: vec![site("London"), site("Boston")], pairs: vec![(0, 1)] }
}

/// Mean elements propagated by SGP4, as in Hypatia.
fn hypatia() -> Case {
    let spec = presets::find("hypatia-kuiper-630").unwrap();
    Case { spec, sites: vec![site("London"), site("Quito")], pairs: vec![(0, 1)] }
}

/// Returns the outages of a link: start and end.
fn outages(course: &Course) -> BTreeMap<Time, Time> {
    let mut steps: Vec<(Time, bool)> = course.cut.to_vec();
    if let Some(Service::Schedule(schedule)) = &course.service {
        let down = Rate::from_bits_per_s(0);
        steps.extend(schedule.pieces().iter().map(|piece| (piece.from, piece.start == down)));
    }
    steps.windows(2).filter(|pair| pair[0].1).map(|pair| (pair[0].0, pair[1].0)).collect()
}

/// The joined content of all pages of a run.
#[derive(Default)]
struct Joined {
    links: Vec<LinkPlan>,
    updates: Vec<RouteUpdate>,
    notes: Vec<String>,
    /// For each pair of ends, the pieces of the path: start, and links.
    pieces: BTreeMap<(u16, u16), BTreeMap<Time, Vec<u32>>>,
    outages: BTreeMap<u32, BTreeMap<Time, Time>>,
    /// Number of compared delays.
    compared: usize,
}

/// Returns times within an interval: its ends, knots, and other times.
fn moments(from: Time, until: Time) -> impl Iterator<Item = Time> {
    let step = 437_000_000;
    let between = (0..).map(move |at| from + Span::from_nanos(at * step)).take_while(move |&at| at < until);
    between.chain([Time::from_nanos(until.nanos() - 1)])
}

fn same_delay(one: &Delay, other: &Delay, at: Time, what: &str) {
    assert_eq!(one.at(at), other.at(at), "{what} at {at}");
}

impl Joined {
    fn add(&mut self, page: &Page, since: Time, whole: &Network) {
        assert_eq!(page.first_link as usize, self.links.len());
        for (link, course) in &page.courses {
            self.outages.entry(*link).or_default().extend(outages(course));
        }
        for (number, plan) in (page.first_link..).zip(&page.links) {
            let intervals = plan.config.course.as_deref().map(outages).unwrap_or_default();
            self.outages.entry(number).or_default().extend(intervals);
        }
        let new = (page.first_link..).zip(page.links.iter().map(|plan| &plan.config.delay));
        let old = page.delays.iter().map(|(link, delay)| (*link, delay));
        for (link, delay) in old.chain(new.clone()) {
            let Some(other) = whole.links.get(link as usize) else { continue };
            for at in moments(since, page.until) {
                same_delay(delay, &other.config.delay, at, &other.name);
                self.compared += 1;
            }
        }
        // A link may have ended on a page that is not over yet. It still gets packets, which leave it later.
        let gone = self.updates.iter().filter(|update| update.at >= since).flat_map(|update| &update.down);
        for link in gone {
            assert!(page.delays.iter().any(|(number, _)| number == link), "{link} since {since}");
        }
        for path in &page.paths {
            let other = whole.path(path.from, path.to).unwrap();
            let pieces = self.pieces.entry((path.from, path.to)).or_default();
            pieces.extend(path.pieces.iter().map(|piece| (piece.from, piece.links.clone())));
            assert!(path.knows(since) && !path.knows(page.until));
            for at in moments(since, page.until).filter(|&at| other.knows(at)) {
                assert_eq!(path.piece(at).links, other.piece(at).links, "{at}");
                assert_eq!(path.delay(at), other.delay(at), "{at}");
                self.compared += 1;
            }
        }
        self.links.extend(page.links.iter().cloned());
        self.updates.extend(page.updates.iter().cloned());
        self.notes.extend(page.notes.iter().cloned());
    }
}

/// Computes a case in pages, and compares each page with the network that was computed at once. Returns the joined
/// content of the pages.
fn join(case: &Case, whole: &Network, until: Time, page_s: u64) -> Joined {
    let (mut almanac, network) = Almanac::open(&case.spec, &case.sites, &case.pairs).unwrap();
    assert_eq!((&network.nodes, &network.sites), (&whole.nodes, &whole.sites));
    assert_eq!((&network.aliases, &network.distance_m), (&whole.aliases, &whole.distance_m));
    let mut joined = Joined { notes: network.notes, ..Joined::default() };
    // The last half page is kept.
    let (mut since, mut to) = (Time::ZERO, Time::ZERO);
    while almanac.laid() < until {
        to = until.min(to + Span::from_secs(page_s));
        let page = almanac.extend(since, to, &topology::never).unwrap();
        joined.add(&page, since, whole);
        since = Time::from_nanos(page.until.nanos() - (page_s * 500_000_000).min(page.until.nanos()));
    }
    joined
}

fn pieces(path: &Path) -> BTreeMap<Time, Vec<u32>> {
    path.pieces.iter().map(|piece| (piece.from, piece.links.clone())).collect()
}

/// Compares pages of 7, 10 and 60 seconds with the whole run.
fn pages_are_the_whole(case: &Case, duration: Span) {
    let whole = constellation::build(&case.spec, &case.sites, &case.pairs, duration).unwrap();
    for page_s in [7, 10, 60] {
        let joined = join(case, &whole, Time::ZERO + duration, page_s);
        assert!(joined.compared > 5_000, "{}", joined.compared);
        assert_eq!(joined.updates, whole.updates);
        assert_eq!(joined.notes, whole.notes);
        let ends = |link: &LinkPlan| (link.name.clone(), link.from, link.to, link.config.spec.clone());
        assert!(joined.links.iter().map(ends).eq(whole.links.iter().map(ends)));
        for path in &whole.paths {
            assert_eq!(joined.pieces[&(path.from, path.to)], pieces(path));
        }
        for (number, link) in (0..).zip(&whole.links) {
            let intervals = link.config.course.as_deref().map(outages).unwrap_or_default();
            assert_eq!(joined.outages[&number], intervals, "{}", link.name);
        }
    }
}

#[test]
fn pages_over_iridium() {
    pages_are_the_whole(&iridium(), Span::from_secs(300));
}

#[test]
fn pages_under_a_bent_pipe_with_slots_hysteresis_and_outages() {
    let case = bent_pipe();
    pages_are_the_whole(&case, Span::from_secs(300));
    // The case is not trivial: there are handovers, and they cause outages.
    let whole = constellation::build(&case.spec, &case.sites, &case.pairs, Span::from_secs(300)).unwrap();
    assert!(whole.paths[0].pieces.len() > 5);
    assert!(whole.links.iter().filter(|link| link.config.course.is_some()).count() > 5);
}

#[test]
fn pages_under_real_satellites() {
    pages_are_the_whole(&oneweb(), Span::from_secs(300));
}

#[test]
fn pages_while_satellites_leave() {
    let case = leaving();
    pages_are_the_whole(&case, Span::from_secs(200));
    let whole = constellation::build(&case.spec, &case.sites, &case.pairs, Span::from_secs(200)).unwrap();
    assert!(
        whole.notes.iter().any(|note| note.contains("during the run, because SGP4")),
        "{:?}",
        whole.notes
    );
}

#[test]
fn pages_under_mean_elements() {
    pages_are_the_whole(&hypatia(), Span::from_secs(60));
}

#[test]
fn pages_where_paths_change_between_steps() {
    // The steps are 10 s apart, so a run that ends at 1195 s ends between two steps.
    let case = iridium_with_events();
    let end = secs(1195);
    let whole = constellation::build(&case.spec, &case.sites, &case.pairs, end.since(Time::ZERO)).unwrap();
    let (mut almanac, mut at_once) = Almanac::open(&case.spec, &case.sites, &case.pairs).unwrap();
    at_once.turn_to(almanac.extend(Time::ZERO, end, &topology::never).unwrap());
    // The single page ends at the next step, and knows the changes before it.
    assert_eq!(before(&at_once.updates, end), whole.updates);
    // Some changes are between two steps.
    assert!(whole.updates.iter().any(|update| update.at.nanos() % 10_000_000_000 != 0));
    for page_s in [7, 10, 60] {
        let joined = join(&case, &at_once, end, page_s);
        assert_eq!(joined.updates, at_once.updates);
        for path in &at_once.paths {
            assert_eq!(joined.pieces[&(path.from, path.to)], pieces(path));
        }
        let mut interrupted = 0;
        for (number, link) in (0..).zip(&at_once.links) {
            let intervals = link.config.course.as_deref().map(outages).unwrap_or_default();
            assert_eq!(joined.outages[&number], intervals, "{}", link.name);
            interrupted += usize::from(!intervals.is_empty());
        }
        assert!(interrupted > 5, "{interrupted}");
    }
}

/// Returns the updates before a time.
fn before(updates: &[RouteUpdate], end: Time) -> Vec<RouteUpdate> {
    updates.iter().filter(|update| update.at < end).cloned().collect()
}

#[test]
fn a_run_knows_the_changes_between_its_last_step_and_its_end() {
    // The steps are 10 s apart. A longer run is the oracle.
    let case = iridium_with_events();
    let until =
        |s: u64| constellation::build(&case.spec, &case.sites, &case.pairs, Span::from_secs(s)).unwrap();
    let longest = until(640);
    let mut after_the_last_step = 0;
    for end in (8..600).step_by(37) {
        let run = until(end);
        assert_eq!(run.updates, before(&longest.updates, secs(end)), "{end} s");
        after_the_last_step += run.updates.iter().filter(|update| update.at > secs(end / 10 * 10)).count();
    }
    assert!(after_the_last_step > 1, "{after_the_last_step}");
}

#[test]
fn what_is_not_known_is_not_answered() {
    let case = iridium();
    let (mut almanac, mut network) = Almanac::open(&case.spec, &case.sites, &case.pairs).unwrap();
    network.turn_to(almanac.extend(Time::ZERO, secs(60), &topology::never).unwrap());
    network.turn_to(almanac.extend(secs(30), secs(90), &topology::never).unwrap());
    let path = network.path(0, 1).unwrap();
    assert_eq!((path.since, path.until), (secs(30), Time::from_nanos(secs(90).nanos() - 1)));
    assert_eq!(path.delay(secs(29)), None);
    assert!(path.delay(secs(30)).is_some());
    assert!(path.delay(Time::from_nanos(secs(90).nanos() - 1)).is_some());
    // A route may change at exactly this time.
    assert_eq!(path.delay(secs(90)), None);
    // In a run with an end, everything is known, including the last moment.
    let whole = constellation::build(&case.spec, &case.sites, &case.pairs, Span::from_secs(90)).unwrap();
    assert!(whole.path(0, 1).unwrap().delay(secs(90)).is_some());
    assert_eq!(whole.path(0, 1).unwrap().delay(secs(91)), None);
}

#[test]
#[should_panic(expected = "pages are added one by one")]
fn a_page_left_out_is_noticed() {
    let case = iridium();
    let (mut almanac, mut network) = Almanac::open(&case.spec, &case.sites, &case.pairs).unwrap();
    almanac.extend(Time::ZERO, secs(60), &topology::never).unwrap();
    network.turn_to(almanac.extend(secs(60), secs(120), &topology::never).unwrap());
}

#[test]
fn twenty_revolutions_in_bounded_memory() {
    // The period of Iridium is 6027 s. The pages reach one minute ahead, and a new page is computed every half minute.
    let mut case = iridium();
    case.spec.handover = Handover { outage: Span::from_secs(1), during: During::Lose };
    let end = 20 * 6027;
    let (mut almanac, mut network) = Almanac::open(&case.spec, &case.sites, &case.pairs).unwrap();
    let (mut now, mut forwarding, mut updates) = (0, BTreeMap::new(), VecDeque::new());
    let (mut most_knots, mut reroutes, mut interrupted) = (Vec::new(), 0, 0);
    while now < end {
        let page = almanac.extend(secs(now), secs(now + 60), &topology::never).unwrap();
        let knots = |delay: &Delay| match delay {
            Delay::Curve(curve) => curve.knots_ns().len(),
            other => unreachable!("satellites move: {other:?}"),
        };
        // The knots cover the time from now to a minute ahead, including the end, and two more knots for the
        // interpolation.
        let new = page.links.iter().map(|link| knots(&link.config.delay));
        let all: Vec<usize> = page.delays.iter().map(|(_, delay)| knots(delay)).chain(new).collect();
        assert!(all.iter().all(|&knots| knots <= 63));
        let of_paths =
            page.paths.iter().flat_map(|path| &path.pieces).filter_map(|piece| piece.delay.as_ref());
        let kept: usize = all.iter().sum::<usize>() + of_paths.map(knots).sum::<usize>();
        let revolution = now as usize / 6027;
        most_knots.resize(revolution + 1, 0);
        most_knots[revolution] = kept.max(most_knots[revolution]);
        assert!(page.paths.iter().all(|path| path.pieces.len() <= 8));
        assert!(page.courses.iter().all(|(_, course)| (1..=4).contains(&outages(course).len())));
        interrupted += page.courses.len();
        network.turn_to(page);
        // Pages reach ahead. An update is applied when its time has come.
        updates.extend(network.updates.drain(..));
        while let Some(update) = updates.pop_front_if(|update| update.at <= secs(now)) {
            reroutes += usize::from(!update.changed_paths.is_empty());
            for entry in &update.entries {
                forwarding.insert((entry.node, entry.site), entry.link);
            }
        }
        for from in 0..3 {
            // A packet that follows the table reaches its destination, over links whose delay is known now.
            let to = u16::from(from == 0);
            let (mut node, mut hops) = (network.sites[from], 0);
            while node != network.sites[to as usize] {
                let link = forwarding[&(node, to)].unwrap_or_else(|| panic!("no way at {now} s"));
                let plan = &network.links[link as usize];
                assert!(plan.config.delay.at(secs(now)) > Span::ZERO);
                (node, hops) = (plan.to, hops + 1);
                assert!(hops < 66);
            }
        }
        now += 30;
    }
    // Links: each satellite has links to four other satellites, and to each site, in both directions.
    assert!(network.links.len() <= 66 * 4 + 66 * 3 * 2, "{}", network.links.len());
    assert!(reroutes > 20 * 20 && interrupted > 20 * 20, "{reroutes} {interrupted}");
    // Apart from random variation, no later revolution needs more knots than the first revolutions.
    let first = *most_knots[..2].iter().max().unwrap() as f64;
    let most = *most_knots.iter().max().unwrap() as f64;
    assert!(most < 1.2 * first, "{most_knots:?}");
}
