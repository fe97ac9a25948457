// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::rig::Rig;
use crate::{Course, Delay, LinkSpec, Parcel, Piece, Service};
use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};

/// 1 Mbit/s, 5000 bytes in a superframe of 40 ms.
const CARRIER: Carrier = Carrier {
    rate: kbit(1000),
    superframe: Span::from_millis(40),
    latency: Span::from_millis(560),
    sharing: Sharing::MaxMin,
};
const NOTHING: Dama = Dama {
    superframe: CARRIER.superframe,
    latency: CARRIER.latency,
    cra: kbit(0),
    rbdc: kbit(0),
    vbdc: kbit(0),
    fca: 0.0,
    random: None,
    carrier: Some(0),
};
const VBDC: Dama = Dama { vbdc: kbit(1000), ..NOTHING };
const RBDC: Dama = Dama { rbdc: kbit(1000), ..NOTHING };

const fn kbit(kbit_per_s: u64) -> Rate {
    Rate::from_bits_per_s(1000 * kbit_per_s)
}

fn at(ms: f64) -> Time {
    Time::from_secs_f64(ms / 1e3)
}

fn config(dama: Dama) -> Config {
    let spec = LinkSpec { rate: Some(CARRIER.rate), dama: Some(dama), ..LinkSpec::IDEAL };
    Config { spec, delay: Delay::Constant(Span::ZERO), course: None }
}

/// Terminals on one carrier, each with its own packets; no propagation delay.
struct Cell {
    rigs: Vec<Rig>,
    plan: Arc<Mutex<Plan>>,
    /// Bytes that arrived of each, and when and which packets.
    bytes: Vec<u64>,
    order: Vec<Vec<(u32, f64)>>,
}

impl Cell {
    fn new(carrier: Carrier, terminals: &[Dama]) -> Self {
        let terminals: Vec<_> = terminals.iter().map(|&dama| (dama, None)).collect();
        Self::paced(carrier, &terminals)
    }

    /// Of terminals that have a rate of their own over time.
    fn paced(carrier: Carrier, terminals: &[(Dama, Option<RateSchedule>)]) -> Self {
        let pace = |rate: RateSchedule| Pace { clear: rate.highest().unwrap_or_default(), rate };
        let places = carrier.terminals(terminals.iter().cloned().map(|(dama, rate)| (dama, rate.map(pace))));
        let plan = places[0].plan.clone();
        let link = |(dama, terminal)| Rig::of(Link::on_carrier(&config(dama), 1, terminal));
        let rigs: Vec<Rig> = terminals.iter().map(|(dama, _)| *dama).zip(places).map(link).collect();
        let count = rigs.len();
        Self { rigs, plan, bytes: vec![0; count], order: vec![Vec::new(); count] }
    }

    /// Handles what is due by `until`, of all of them in order of time; every plan is checked.
    fn run(&mut self, until: Time) {
        let due = |rig: &Rig| rig.link.next_event().filter(|&due| due <= until);
        while let Some((time, who)) =
            self.rigs.iter().enumerate().filter_map(|(who, rig)| Some((due(rig)?, who))).min()
        {
            for (when, arrival) in self.rigs[who].run(time) {
                self.bytes[who] += u64::from(arrival.parcel.size);
                self.order[who].push((arrival.parcel.handle, when.nanos() as f64 / 1e6));
            }
            self.check();
        }
    }

    /// What is handed out fits, no stretch lies upon another, and while somebody asked for more nothing is left.
    fn check(&self) {
        let plan = self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        let taken: u64 = plan.places.iter().map(|place| place.slots).sum();
        assert!(taken <= plan.carrier.capacity(), "{plan:?}");
        let short = |place: &&Place| {
            let (given, claim) = (place.given, place.claim);
            place.rate > kbit(0) && given.rate + given.volume < claim.rate + claim.volume
        };
        assert!(taken == plan.carrier.capacity() || plan.places.iter().find(short).is_none(), "{plan:?}");
        for pair in plan.places.windows(2) {
            let ends = pair[0].begins + plan.carrier.rate.time_for(Bytes::new(pair[0].slots));
            assert!(pair[1].begins.nanos().abs_diff(ends.nanos()) <= 1, "{plan:?}");
        }
        // At its own rate it sends in its time what it is given.
        for place in plan.places.iter().filter(|place| place.given.bytes() > 0) {
            let (own, whole) = (place.rate, plan.carrier.rate);
            let (lasts, there) =
                (own.time_for(Bytes::new(place.given.bytes())), whole.time_for(Bytes::new(place.slots)));
            // A byte may have begun in the superframe before.
            let begun = if own == whole { Span::ZERO } else { own.time_for(Bytes::new(1)) };
            assert!(lasts.nanos() <= there.nanos() + begun.nanos() + 1, "{plan:?}");
        }
    }

    /// Packets of 500 bytes at these rates, kbit/s, for so long: bytes of each that arrive in the second half.
    fn load(&mut self, rates: &[f64], seconds: f64) -> Vec<f64> {
        let mut offers: Vec<(f64, usize)> = Vec::new();
        for (who, &rate) in rates.iter().enumerate().filter(|&(_, &rate)| rate > 0.0) {
            let apart = 4000.0 / rate;
            let count = (seconds * 1e3 / apart) as u32;
            offers.extend((0..count).map(|number| (1.0 + apart * f64::from(number), who)));
        }
        offers.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut halfway = vec![0; rates.len()];
        for (handle, (time, who)) in (0..).zip(offers) {
            if time < seconds * 500.0 {
                halfway.clone_from(&self.bytes);
            }
            self.run(at(time));
            let _ = self.rigs[who].offer(at(time), Parcel { handle, size: 500, site: 0 });
        }
        let each = self.bytes.iter().zip(halfway);
        each.map(|(all, before)| (all - before) as f64 * 8.0 / (seconds * 500.0)).collect()
    }
}

/// Demands of 2, 2.6, 4 and 5 on a link of 10 get 2, 2.6, 2.7 and 2.7 (Keshav, An Engineering Approach to Computer Networking,
/// section 9.2); in proportion each has 10/13.6 of what it asks for.
#[test]
fn a_textbook_example() {
    let asked = vec![2000, 2600, 4000, 5000];
    assert_eq!(Sharing::MaxMin.split(10_000, asked.clone(), 0), [2000, 2600, 2700, 2700]);
    // 1470.6, 1911.8, 2941.2 and 3676.5 with 2 bytes over, which go to the first two, or to others in their turn.
    assert_eq!(Sharing::Proportional.split(10_000, asked.clone(), 0), [1471, 1912, 2941, 3676]);
    assert_eq!(Sharing::Proportional.split(10_000, asked, 3), [1471, 1911, 2941, 3677]);
    for sharing in [Sharing::MaxMin, Sharing::Proportional] {
        assert_eq!(sharing.split(9, vec![4, 0, 5], 1), [4, 0, 5]);
        assert_eq!(sharing.split(0, vec![4, 5], 1), [0, 0]);
    }
}

/// Max-min by its definition: of all ways to hand out whole bytes the one whose least is greatest, then its next, and so on.
#[test]
fn max_min_by_its_definition() {
    for free in 0..9_u64 {
        for asked in (0..343_u64).map(|n| vec![n % 7, n / 7 % 7, n / 49]) {
            let mut best = vec![0; 3];
            for one in 0..=asked[0].min(free) {
                for other in 0..=asked[1].min(free - one) {
                    let mut sorted = vec![one, other, asked[2].min(free - one - other)];
                    sorted.sort_unstable();
                    best = best.max(sorted);
                }
            }
            let mut got = Sharing::MaxMin.split(free, asked.clone(), (free % 3) as usize);
            assert!(got.iter().zip(&asked).all(|(got, asked)| got <= asked), "{free} {asked:?} {got:?}");
            got.sort_unstable();
            assert_eq!(got, best, "{free} {asked:?}");
        }
    }
}

/// A terminal alone on a carrier that others may share is a terminal with a carrier of its own: each packet arrives when it
/// did, for any categories and packets that come by chance, with pauses.
#[test]
fn alone_it_is_as_on_a_carrier_of_its_own() {
    let all = Dama { cra: kbit(37), rbdc: kbit(333), vbdc: kbit(501), fca: 0.3, ..NOTHING };
    for dama in [VBDC, RBDC, all, Dama { cra: kbit(100), ..NOTHING }, Dama { fca: 0.7, ..NOTHING }] {
        for sharing in [Sharing::MaxMin, Sharing::Proportional] {
            let mut cell = Cell::new(Carrier { sharing, ..CARRIER }, &[dama]);
            let mut own = Rig::new(&config(Dama { carrier: None, ..dama }), 1);
            let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
            let mut now = 0.0;
            for handle in 0..600 {
                let pause = if handle % 100 == 0 { 3000.0 } else { 20.0 };
                now += pause * (random.word() >> 11) as f64 / 2f64.powi(53);
                let parcel = Parcel { handle, size: 40 + (random.word() % 1400) as u16, site: 0 };
                cell.run(at(now));
                let _ = cell.rigs[0].offer(at(now), parcel);
                own.offer(at(now), parcel);
            }
            cell.run(at(now + 60_000.0));
            let own = own.order(at(now + 60_000.0));
            assert_eq!(cell.order[0], own, "{dama:?}");
            assert_eq!(own.len(), 600);
        }
    }
}

/// Of 1000 kbit/s that are asked for by rate: 200 and 400 and 400 where 200, 500 and 900 are asked for. What a terminal asks for
/// and does not get it asks for again, and its queue grows, so the rates hold as long as the load does.
#[test]
fn demands_beyond_the_carrier_fill_it_like_water() {
    for dama in [RBDC, VBDC, Dama { vbdc: kbit(1000), ..RBDC }] {
        let got = Cell::new(CARRIER, &[dama; 3]).load(&[200.0, 500.0, 900.0], 60.0);
        for (got, expected) in got.iter().zip([200.0, 400.0, 400.0]) {
            // To a superframe's worth, and the packet that is cut.
            assert!((got - expected).abs() < 2.0, "{dama:?}: {got} {expected}");
        }
    }
}

/// By rate up to a limit, so that what is asked for stays as it is: 300 and 900 in proportion on 1000 are 250 and 750; 100 and 1000
/// are 1000 times 1/11 and 10/11.
#[test]
fn demands_beyond_the_carrier_in_proportion() {
    let carrier = Carrier { sharing: Sharing::Proportional, ..CARRIER };
    for (limits, expected) in [([300, 900], [250.0, 750.0]), ([100, 1000], [90.909, 909.091])] {
        let terminals = limits.map(|limit| Dama { rbdc: kbit(limit), ..NOTHING });
        let got = Cell::new(carrier, &terminals).load(&[1200.0, 1200.0], 60.0);
        for (got, expected) in got.iter().zip(expected) {
            assert!((got - expected).abs() < 2.0, "{got} {expected}");
        }
    }
}

/// Each category is served before the next, whosever it is. 1000 kbit/s: 100 are assigned to the first for good; the second
/// asks for 600 by rate; of 300 that are left the third gets all by volume and the fourth nothing of what is free.
#[test]
fn categories_go_in_order() {
    let cra = Dama { cra: kbit(100), ..NOTHING };
    let rate = Dama { rbdc: kbit(600), ..NOTHING };
    let free = Dama { fca: 1.0, ..NOTHING };
    for sharing in [Sharing::MaxMin, Sharing::Proportional] {
        let mut cell = Cell::new(Carrier { sharing, ..CARRIER }, &[free, VBDC, rate, cra]);
        let got = cell.load(&[1500.0; 4], 40.0);
        for (got, expected) in got.iter().zip([0.0, 300.0, 600.0, 100.0]) {
            assert!((got - expected).abs() < 2.0, "{got} {expected}");
        }
    }
}

/// A constant assignment is there in every superframe, to the byte, whatever others ask for: 123.4 kbit/s are 617 bytes.
#[test]
fn a_constant_assignment_is_exact() {
    let cra = Dama { cra: Rate::from_bits_per_s(123_400), ..NOTHING };
    let mut cell = Cell::new(CARRIER, &[VBDC, cra, RBDC]);
    for superframe in 1..200_u64 {
        let now = at(40.0 * superframe as f64);
        cell.run(now);
        for who in 0..3 {
            for number in 0..5 {
                let handle = (superframe * 5 + number) as u32;
                let _ = cell.rigs[who].offer(now, Parcel { handle, size: 1500, site: 0 });
            }
        }
        let plan = cell.plan.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!((plan.frame, plan.places[1].given), (superframe, Given { cra: 617, ..Given::default() }));
    }
}

/// Terminals that are alike get alike, and all of them together what one has by itself, whose load is theirs.
#[test]
fn equals_get_equal_parts() {
    for sharing in [Sharing::MaxMin, Sharing::Proportional] {
        for dama in [VBDC, RBDC, Dama { cra: kbit(50), rbdc: kbit(200), ..VBDC }] {
            let got = Cell::new(Carrier { sharing, ..CARRIER }, &[dama; 5]).load(&[400.0; 5], 40.0);
            let one = Dama { cra: kbit(5 * dama.cra.bits_per_s() / 1000), ..dama };
            let alone = Cell::new(CARRIER, &[one]).load(&[2000.0], 40.0);
            assert!((got.iter().sum::<f64>() - alone[0]).abs() < 1.0, "{dama:?}: {got:?} {alone:?}");
            for each in &got {
                // 200 kbit/s to a packet of 500 bytes in 20 s.
                assert!((each - alone[0] / 5.0).abs() <= 0.4, "{dama:?}: {got:?}");
            }
        }
    }
}

/// Shares of free capacity that sum up to more than 1 are scaled down: 1 and 0.5 are two thirds and one third of 1000 kbit/s; 0.2 and
/// 0.5 are what they say.
#[test]
fn free_capacity_is_handed_out_once() {
    for (shares, expected) in [([1.0, 0.5], [666.7, 333.3]), ([0.2, 0.5], [200.0, 500.0])] {
        let terminals = shares.map(|fca| Dama { fca, ..NOTHING });
        let got = Cell::new(CARRIER, &terminals).load(&[1200.0, 1200.0], 20.0);
        for (got, expected) in got.iter().zip(expected) {
            assert!((got - expected).abs() < 2.0, "{got} {expected}");
        }
    }
}

/// A rate from each of these times on, in seconds and kbit/s.
fn over_time(steps: &[(f64, u64)]) -> RateSchedule {
    let pieces = steps.iter().map(|&(from, rate)| Piece::constant(at(from * 1e3), kbit(rate)));
    RateSchedule::new(pieces.collect()).unwrap_or_else(|error| panic!("{error}"))
}

/// The goodput of terminals, each with its rate, on 1000 kbit/s, where this is offered.
fn paced(terminals: &[(Dama, u64)], offered: &[f64], sharing: Sharing) -> Vec<f64> {
    let terminals = terminals.iter().map(|&(dama, rate)| (dama, Some(over_time(&[(0.0, rate)]))));
    Cell::paced(Carrier { sharing, ..CARRIER }, &terminals.collect::<Vec<_>>()).load(offered, 60.0)
}

fn close(got: &[f64], expected: &[f64]) {
    assert_eq!(got.len(), expected.len());
    for (one, wanted) in got.iter().zip(expected) {
        // To a superframe's worth, and the packet that is cut.
        assert!((one - wanted).abs() < 2.0, "{got:?} {expected:?}");
    }
}

/// As much time for each: half of it carries 500 kbit/s at the carrier's rate and 250 at half of that; a third 333.3, and 83.3 at
/// a quarter. The others have what they have where nobody is slower.
#[test]
fn who_is_slower_gets_less_in_the_same_time() {
    for dama in [RBDC, VBDC, Dama { vbdc: kbit(1000), ..RBDC }] {
        close(&paced(&[(dama, 1000), (dama, 500)], &[1200.0; 2], Sharing::MaxMin), &[500.0, 250.0]);
        let three = [(dama, 1000), (dama, 250), (dama, 1000)];
        close(&paced(&three, &[1200.0; 3], Sharing::MaxMin), &[333.3, 83.3, 333.3]);
    }
}

/// 100 kbit/s at half the rate need a fifth of the time, and four are the other's. 300 at the whole rate leave seven tenths, which
/// carry 350.
#[test]
fn what_one_leaves_the_other_has() {
    for dama in [RBDC, VBDC] {
        let two = [(dama, 500), (dama, 1000)];
        close(&paced(&two, &[100.0, 1200.0], Sharing::MaxMin), &[100.0, 800.0]);
        close(&paced(&two, &[1200.0, 300.0], Sharing::MaxMin), &[350.0, 300.0]);
        // Nobody is in want: 200 need four tenths.
        close(&paced(&two, &[200.0, 600.0], Sharing::MaxMin), &[200.0, 600.0]);
    }
}

/// Half of the time carries 0.75 bytes a superframe at 300 bit/s, which add up to 150 bit/s: 3.75 packets in 100 s.
#[test]
fn less_than_a_byte_adds_up() {
    let slow = Piece::constant(Time::ZERO, Rate::from_bits_per_s(300));
    let slow = RateSchedule::new(vec![slow]).unwrap_or_else(|error| panic!("{error}"));
    let mut cell = Cell::paced(CARRIER, &[(VBDC, Some(slow)), (VBDC, None)]);
    let got = cell.load(&[1.0, 1200.0], 200.0);
    assert!((0.11..0.17).contains(&got[0]), "{got:?}");
    assert!((got[1] - 500.0).abs() < 2.0, "{got:?}");
}

/// What is assigned has time for the rate in clear sky, though the schedule never has it: 400 kbit/s at 800 have half of the time, and
/// carry 250 at 500; the other's 500 are there. The time of 400 at 500 would be 0.8 of it.
#[test]
fn a_constant_assignment_does_not_know_the_weather_to_come() {
    let cra = |rate| Dama { cra: kbit(rate), ..NOTHING };
    let pace = Pace { rate: over_time(&[(0.0, 500)]), clear: kbit(800) };
    let mut terminals = CARRIER.terminals([(cra(500), None), (cra(400), Some(pace))]);
    let stretches = [terminals[0].turn(at(0.0), 9000), terminals[1].turn(at(0.0), 9000)];
    assert_eq!(stretches.map(|stretch| stretch.bytes), [2500, 1250]);
}

/// In proportion each has the same part of what it asks for: 600 kbit/s need 0.6 of the time and, at half the rate, 1.2; each gets
/// 1/1.8 of it, 333.3 kbit/s. So all pay.
#[test]
fn in_proportion_all_pay_for_the_slowest() {
    let dama = Dama { rbdc: kbit(600), ..NOTHING };
    close(&paced(&[(dama, 1000), (dama, 500)], &[1200.0; 2], Sharing::Proportional), &[333.3, 333.3]);
}

/// A constant assignment of 200 kbit/s is there at half the rate, too, and takes 0.4 of the time. Where 600 and 400 fill the carrier
/// the one that falls to half keeps its 0.4, which carry 200, and takes nothing of the other's 0.6.
#[test]
fn a_constant_assignment_keeps_its_time() {
    let cra = |rate| Dama { cra: kbit(rate), ..NOTHING };
    let two = [(cra(200), 500), (VBDC, 1000)];
    close(&paced(&two, &[300.0, 1200.0], Sharing::MaxMin), &[200.0, 600.0]);
    let fades = over_time(&[(0.0, 1000), (10.0, 500)]);
    for sharing in [Sharing::MaxMin, Sharing::Proportional] {
        let terminals = [(cra(600), None), (cra(400), Some(fades.clone()))];
        let mut cell = Cell::paced(Carrier { sharing, ..CARRIER }, &terminals);
        close(&cell.load(&[700.0; 2], 60.0), &[600.0, 200.0]);
    }
    // With 300 and 400 there is 0.3 more than the two are assigned, of which the second takes all: 0.7 carry 350.
    let mut cell = Cell::paced(CARRIER, &[(cra(300), None), (cra(400), Some(fades))]);
    close(&cell.load(&[700.0; 2], 60.0), &[300.0, 350.0]);
}

/// Free capacity is time as well: half of it carries 500 kbit/s, and 125 at a quarter of the rate.
#[test]
fn free_time_is_handed_out() {
    let fca = Dama { fca: 0.5, ..NOTHING };
    close(&paced(&[(fca, 1000), (fca, 250)], &[1200.0; 2], Sharing::MaxMin), &[500.0, 125.0]);
}

/// From 10 s on a quarter of the rate: 125 kbit/s in half of the time. In an outage from 10 s to 50 s the other has all; what
/// was asked for is granted when that is over.
#[test]
fn the_rate_of_a_terminal_moves() {
    for dama in [RBDC, VBDC] {
        let two =
            |steps: &[(f64, u64)]| Cell::paced(CARRIER, &[(dama, Some(over_time(steps))), (dama, None)]);
        close(&two(&[(0.0, 1000), (10.0, 250)]).load(&[1200.0; 2], 60.0), &[125.0, 500.0]);
        let mut cell = two(&[(0.0, 1000), (10.0, 0), (50.0, 1000)]);
        // Of the last 30 s 20 are without it; what is left of the time is shared.
        close(&cell.load(&[1200.0; 2], 60.0), &[500.0 / 3.0, (2.0 * 1000.0 + 500.0) / 3.0]);
    }
}

/// Alone on a carrier, at a rate of its own, a terminal is one with a slower carrier of its own, whose code knows nothing of this
/// one's: each packet arrives when it did.
#[test]
fn alone_and_slower_it_is_as_on_a_slower_carrier_of_its_own() {
    let mixed = Dama { cra: kbit(37), rbdc: kbit(333), vbdc: kbit(501), ..NOTHING };
    let steps = over_time(&[(0.0, 500), (4.0, 1000), (5.0, 0), (6.0, 125), (9.0, 250)]);
    for dama in [VBDC, RBDC, mixed, Dama { cra: kbit(100), ..NOTHING }] {
        let mut cell = Cell::paced(CARRIER, &[(dama, Some(steps.clone()))]);
        let service = Some(Service::Schedule(steps.clone()));
        let course = Some(Arc::new(Course { service, ..Course::default() }));
        let mut own = Rig::new(&Config { course, ..config(Dama { carrier: None, ..dama }) }, 1);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut now = 0.0;
        for handle in 0..600 {
            let pause = if handle % 100 == 0 { 3000.0 } else { 20.0 };
            now += pause * (random.word() >> 11) as f64 / 2f64.powi(53);
            let parcel = Parcel { handle, size: 40 + (random.word() % 1400) as u16, site: 0 };
            cell.run(at(now));
            let _ = cell.rigs[0].offer(at(now), parcel);
            own.offer(at(now), parcel);
        }
        cell.run(at(now + 300_000.0));
        let own = own.order(at(now + 300_000.0));
        assert_eq!(cell.order[0], own, "{dama:?}");
        assert_eq!(own.len(), 600);
    }
}

/// What one terminal leaves idle for an hour another one has; when it comes back it finds its share.
#[test]
fn who_was_away_comes_back() {
    let mut cell = Cell::new(CARRIER, &[VBDC, VBDC]);
    let hour = 3_600_000.0;
    for (from, who) in [(1.0, 0), (hour, 1), (2.0 * hour, 0)] {
        cell.run(at(from));
        for handle in 0..10 {
            let _ = cell.rigs[who].offer(at(from), Parcel { handle, size: 500, site: 0 });
        }
        cell.run(at(from + 5000.0));
    }
    // 10 packets are one superframe's capacity; asked for when the next one begins, granted 14 later.
    let expected = |from: f64| (0..10).map(move |n| from + 4.0 * f64::from(n + 1));
    let times = |who: usize| cell.order[who].iter().map(|&(_, time)| time).collect::<Vec<_>>();
    assert_eq!(times(0), expected(600.0).chain(expected(2.0 * hour + 600.0)).collect::<Vec<_>>());
    assert_eq!(times(1), expected(hour + 600.0).collect::<Vec<_>>());
}
