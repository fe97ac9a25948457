// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::rig::Rig;
use crate::{Course, Delay, LinkSpec, Parcel, Piece, Service};
use random::{Draw as _, SeedableRng as _, Xoshiro256PlusPlus};

/// At 1 Mbit/s, a superframe of 40 ms carries 5000 bytes.
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

/// Terminals on one carrier, each with its own packets. There is no propagation delay.
struct Cell {
    rigs: Vec<Rig>,
    plan: Arc<Mutex<Plan>>,
    /// For each terminal, the number of bytes that arrived, and which packets arrived at which time.
    bytes: Vec<u64>,
    order: Vec<Vec<(u32, f64)>>,
}

impl Cell {
    fn new(carrier: Carrier, terminals: &[Dama]) -> Self {
        let terminals: Vec<_> = terminals.iter().map(|&dama| (dama, None)).collect();
        Self::paced(carrier, &terminals)
    }

    /// Creates terminals, each of which may have its own rate over time.
    fn paced(carrier: Carrier, terminals: &[(Dama, Option<RateSchedule>)]) -> Self {
        let pace = |rate: RateSchedule| Pace { clear: rate.highest().unwrap_or_default(), rate };
        let places = carrier.terminals(terminals.iter().cloned().map(|(dama, rate)| (dama, rate.map(pace))));
        let plan = places[0].plan.clone();
        let link = |(dama, terminal)| Rig::of(Link::on_carrier(&config(dama), 1, terminal));
        let rigs: Vec<Rig> = terminals.iter().map(|(dama, _)| *dama).zip(places).map(link).collect();
        let count = rigs.len();
        Self { rigs, plan, bytes: vec![0; count], order: vec![Vec::new(); count] }
    }

    /// Handles all events until `until`, for all terminals in order of time. Every plan is checked.
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

    /// Asserts that the grants fit into the superframe and do not overlap. While a terminal has requested more than it
    /// got, no capacity may be left.
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
        // Each terminal can send the granted bytes at its own rate within its time.
        for place in plan.places.iter().filter(|place| place.given.bytes() > 0) {
            let (own, whole) = (place.rate, plan.carrier.rate);
            let (lasts, there) =
                (own.time_for(Bytes::new(place.given.bytes())), whole.time_for(Bytes::new(place.slots)));
            // A part of a byte may come from an earlier superframe.
            let begun = if own == whole { Span::ZERO } else { own.time_for(Bytes::new(1)) };
            assert!(lasts.nanos() <= there.nanos() + begun.nanos() + 1, "{plan:?}");
        }
    }

    /// Offers packets of 500 bytes at these rates (kbit/s) for a duration. Returns the rate of each terminal in the
    /// second half, in kbit/s.
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

/// On a link of 10, demands of 2, 2.6, 4 and 5 get 2, 2.6, 2.7 and 2.7 (Keshav, An Engineering Approach to Computer
/// Networking, section 9.2). With proportional sharing, each demand gets 10/13.6 of its request.
#[test]
fn a_textbook_example() {
    let asked = vec![2000, 2600, 4000, 5000];
    assert_eq!(Sharing::MaxMin.split(10_000, asked.clone(), 0), [2000, 2600, 2700, 2700]);
    // The shares are 1470.6, 1911.8, 2941.2 and 3676.5. Two bytes are left over by rounding. They go to the first two
    // terminals, or to the next terminals in turn.
    assert_eq!(Sharing::Proportional.split(10_000, asked.clone(), 0), [1471, 1912, 2941, 3676]);
    assert_eq!(Sharing::Proportional.split(10_000, asked, 3), [1471, 1911, 2941, 3677]);
    for sharing in [Sharing::MaxMin, Sharing::Proportional] {
        assert_eq!(sharing.split(9, vec![4, 0, 5], 1), [4, 0, 5]);
        assert_eq!(sharing.split(0, vec![4, 5], 1), [0, 0]);
    }
}

/// Max-min fairness by its definition: among all divisions into whole bytes, the smallest share is as large as
/// possible, then the second smallest share, and so on.
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

/// A terminal that is alone on a shared carrier behaves like a terminal with its own carrier. Each packet arrives at
/// the same time, for any categories and for random packets with pauses.
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

/// With RBDC, requests of 200, 500 and 900 kbit/s on 1000 kbit/s get 200, 400 and 400. A terminal requests again what
/// it did not get, and its queue grows. These rates therefore hold as long as the load.
#[test]
fn demands_beyond_the_carrier_fill_it_like_water() {
    for dama in [RBDC, VBDC, Dama { vbdc: kbit(1000), ..RBDC }] {
        let got = Cell::new(CARRIER, &[dama; 3]).load(&[200.0, 500.0, 900.0], 60.0);
        for (got, expected) in got.iter().zip([200.0, 400.0, 400.0]) {
            // The tolerance is one superframe's capacity and one fragmented packet.
            assert!((got - expected).abs() < 2.0, "{dama:?}: {got} {expected}");
        }
    }
}

/// With RBDC and a limit, requests stay constant. In proportion, 300 and 900 on 1000 kbit/s get 250 and 750. Requests
/// of 100 and 1000 get 1/11 and 10/11 of 1000.
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

/// Each category is served for all terminals before the next category. The carrier has 1000 kbit/s. The first terminal
/// has a CRA of 100 kbit/s, and the second requests 600 kbit/s by rate. Of the remaining 300 kbit/s, the third gets
/// everything by volume, and the fourth gets no free capacity.
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

/// A constant assignment is granted in every superframe, accurate to the byte, regardless of the requests of other
/// terminals. 123.4 kbit/s are 617 bytes per superframe.
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

/// Equal terminals get equal shares. All of them together get what a single terminal with their total load gets.
#[test]
fn equals_get_equal_parts() {
    for sharing in [Sharing::MaxMin, Sharing::Proportional] {
        for dama in [VBDC, RBDC, Dama { cra: kbit(50), rbdc: kbit(200), ..VBDC }] {
            let got = Cell::new(Carrier { sharing, ..CARRIER }, &[dama; 5]).load(&[400.0; 5], 40.0);
            let one = Dama { cra: kbit(5 * dama.cra.bits_per_s() / 1000), ..dama };
            let alone = Cell::new(CARRIER, &[one]).load(&[2000.0], 40.0);
            assert!((got.iter().sum::<f64>() - alone[0]).abs() < 1.0, "{dama:?}: {got:?} {alone:?}");
            for each in &got {
                // A packet of 500 bytes in 20 s is 0.2 kbit/s. The tolerance is two packets.
                assert!((each - alone[0] / 5.0).abs() <= 0.4, "{dama:?}: {got:?}");
            }
        }
    }
}

/// If shares of free capacity sum to more than 1, they are scaled down. Shares of 1 and 0.5 get two thirds and one
/// third of 1000 kbit/s. Shares of 0.2 and 0.5 get exactly these fractions.
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

/// Creates a rate over time. Each step is a time in seconds, and the rate in kbit/s from this time on.
fn over_time(steps: &[(f64, u64)]) -> RateSchedule {
    let pieces = steps.iter().map(|&(from, rate)| Piece::constant(at(from * 1e3), kbit(rate)));
    RateSchedule::new(pieces.collect()).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the goodput of terminals with these rates on 1000 kbit/s, for this offered load.
fn paced(terminals: &[(Dama, u64)], offered: &[f64], sharing: Sharing) -> Vec<f64> {
    let terminals = terminals.iter().map(|&(dama, rate)| (dama, Some(over_time(&[(0.0, rate)]))));
    Cell::paced(Carrier { sharing, ..CARRIER }, &terminals.collect::<Vec<_>>()).load(offered, 60.0)
}

fn close(got: &[f64], expected: &[f64]) {
    assert_eq!(got.len(), expected.len());
    for (one, wanted) in got.iter().zip(expected) {
        // The tolerance is one superframe's capacity and one fragmented packet.
        assert!((one - wanted).abs() < 2.0, "{got:?} {expected:?}");
    }
}

/// Each terminal gets the same time. Half of the time carries 500 kbit/s at the carrier's rate, and 250 kbit/s at half
/// of this rate. A third of the time carries 333.3 kbit/s, and 83.3 kbit/s at a quarter of the rate. The other
/// terminals get the same as without a slower terminal.
#[test]
fn who_is_slower_gets_less_in_the_same_time() {
    for dama in [RBDC, VBDC, Dama { vbdc: kbit(1000), ..RBDC }] {
        close(&paced(&[(dama, 1000), (dama, 500)], &[1200.0; 2], Sharing::MaxMin), &[500.0, 250.0]);
        let three = [(dama, 1000), (dama, 250), (dama, 1000)];
        close(&paced(&three, &[1200.0; 3], Sharing::MaxMin), &[333.3, 83.3, 333.3]);
    }
}

/// At half the rate, 100 kbit/s need a fifth of the time, and the other terminal gets four fifths. At the full rate,
/// 300 kbit/s leave seven tenths of the time, which carry 350 kbit/s at half the rate.
#[test]
fn what_one_leaves_the_other_has() {
    for dama in [RBDC, VBDC] {
        let two = [(dama, 500), (dama, 1000)];
        close(&paced(&two, &[100.0, 1200.0], Sharing::MaxMin), &[100.0, 800.0]);
        close(&paced(&two, &[1200.0, 300.0], Sharing::MaxMin), &[350.0, 300.0]);
        // No terminal lacks capacity: at half the rate, 200 kbit/s need four tenths of the time.
        close(&paced(&two, &[200.0, 600.0], Sharing::MaxMin), &[200.0, 600.0]);
    }
}

/// At 300 bit/s, half of the time carries 0.75 bytes per superframe. These fractions add up to 150 bit/s, which are
/// 3.75 packets in 100 s.
#[test]
fn less_than_a_byte_adds_up() {
    let slow = Piece::constant(Time::ZERO, Rate::from_bits_per_s(300));
    let slow = RateSchedule::new(vec![slow]).unwrap_or_else(|error| panic!("{error}"));
    let mut cell = Cell::paced(CARRIER, &[(VBDC, Some(slow)), (VBDC, None)]);
    let got = cell.load(&[1.0, 1200.0], 200.0);
    assert!((0.11..0.17).contains(&got[0]), "{got:?}");
    assert!((got[1] - 500.0).abs() < 2.0, "{got:?}");
}

/// The CRA gets the time that it needs at the rate in clear sky, even if the terminal never has this rate. At 800
/// kbit/s, a CRA of 400 gets half of the time, which carries 250 kbit/s at 500 kbit/s. The other terminal gets its 500
/// kbit/s. If the time were computed at 500 kbit/s, the CRA would take 0.8 of the time.
#[test]
fn a_constant_assignment_does_not_know_the_weather_to_come() {
    let cra = |rate| Dama { cra: kbit(rate), ..NOTHING };
    let pace = Pace { rate: over_time(&[(0.0, 500)]), clear: kbit(800) };
    let mut terminals = CARRIER.terminals([(cra(500), None), (cra(400), Some(pace))]);
    let stretches = [terminals[0].turn(at(0.0), 9000), terminals[1].turn(at(0.0), 9000)];
    assert_eq!(stretches.map(|stretch| stretch.bytes), [2500, 1250]);
}

/// With proportional sharing, each terminal gets the same fraction of its request. 600 kbit/s need 0.6 of the time, and
/// 1.2 of the time at half the rate. Each request gets 1/1.8 of its time, which carries 333.3 kbit/s. A slow terminal
/// therefore reduces the rate of all terminals.
#[test]
fn in_proportion_all_pay_for_the_slowest() {
    let dama = Dama { rbdc: kbit(600), ..NOTHING };
    close(&paced(&[(dama, 1000), (dama, 500)], &[1200.0; 2], Sharing::Proportional), &[333.3, 333.3]);
}

/// A CRA of 200 kbit/s is also granted at half the rate, and then takes 0.4 of the time. If CRAs of 600 and 400 fill
/// the carrier, and the second terminal falls to half the rate, it keeps 0.4 of the time, which carry 200 kbit/s. It
/// takes nothing from the 0.6 of the first terminal.
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
    // With CRAs of 300 and 400, 0.3 of the time is left. The second terminal takes all of it, so 0.7 of the time carry
    // 350 kbit/s.
    let mut cell = Cell::paced(CARRIER, &[(cra(300), None), (cra(400), Some(fades))]);
    close(&cell.load(&[700.0; 2], 60.0), &[300.0, 350.0]);
}

/// Free capacity is also divided as time. Half of the time carries 500 kbit/s, and 125 kbit/s at a quarter of the rate.
#[test]
fn free_time_is_handed_out() {
    let fca = Dama { fca: 0.5, ..NOTHING };
    close(&paced(&[(fca, 1000), (fca, 250)], &[1200.0; 2], Sharing::MaxMin), &[500.0, 125.0]);
}

/// From 10 s on, the first terminal has a quarter of the rate, so half of the time carries 125 kbit/s. During an outage
/// from 10 s to 50 s, the second terminal gets all capacity. The requests of the first terminal are granted after the
/// outage.
#[test]
fn the_rate_of_a_terminal_moves() {
    for dama in [RBDC, VBDC] {
        let two =
            |steps: &[(f64, u64)]| Cell::paced(CARRIER, &[(dama, Some(over_time(steps))), (dama, None)]);
        close(&two(&[(0.0, 1000), (10.0, 250)]).load(&[1200.0; 2], 60.0), &[125.0, 500.0]);
        let mut cell = two(&[(0.0, 1000), (10.0, 0), (50.0, 1000)]);
        // The first terminal is absent in 20 of the last 30 s. In the other 10 s, the time is shared.
        close(&cell.load(&[1200.0; 2], 60.0), &[500.0 / 3.0, (2.0 * 1000.0 + 500.0) / 3.0]);
    }
}

/// A terminal with its own rate that is alone on a shared carrier behaves like a terminal with its own slower carrier.
/// The code of these two cases is different. Each packet arrives at the same time.
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

/// While a terminal is idle for an hour, another terminal uses its capacity. When the terminal sends again, it gets its
/// share.
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
    // Ten packets are the capacity of one superframe. They are requested at the start of the next superframe, and
    // granted 14 superframes later.
    let expected = |from: f64| (0..10).map(move |n| from + 4.0 * f64::from(n + 1));
    let times = |who: usize| cell.order[who].iter().map(|&(_, time)| time).collect::<Vec<_>>();
    assert_eq!(times(0), expected(600.0).chain(expected(2.0 * hour + 600.0)).collect::<Vec<_>>());
    assert_eq!(times(1), expected(hour + 600.0).collect::<Vec<_>>());
}
