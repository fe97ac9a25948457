// SPDX-License-Identifier: MIT OR Apache-2.0
//! Many connections between two hosts, compared with values that can be computed without a simulator.

#[path = "shared/line.rs"]
mod line;

use hosts::application::Application;
use hosts::{Metered, VisitRow};
use line::{Line, World};
use link::{Discipline, Drr, Queue, QueueLimit};
use traffic::{Arrivals, Begin, Experience, Law, Model};
use units::{Bytes, Span, Time};

fn config() -> tcp::Config {
    tcp::Config { setup: tcp::Setup::Handshake, ..tcp::Config::default() }
}

/// Transfers that start at `arrivals` for `seconds`.
fn transfers(size: Law, arrivals: Arrivals, seconds: u64) -> Application {
    Application {
        begin: Begin::Open(arrivals),
        model: Model::Transfer { size },
        start: Time::ZERO,
        stop: Some(Time::ZERO + Span::from_secs(seconds)),
        seed: 7,
        shaken: false,
        path: None,
    }
}

/// Runs a single transfer.
fn alone(bytes: f64, line: &Line, config: &tcp::Config) -> VisitRow {
    let once = transfers(Law::Constant(bytes), Arrivals::Regular { per_s: 1.0 }, 1);
    let mut world = World::new(line, once, config, "reno");
    let rows = world.run(30);
    assert_eq!((rows.len(), world.alive()), (1, [0, 0, 0]));
    rows[0].clone()
}

fn first_byte(row: &VisitRow) -> Option<Span> {
    let Experience::Transfer { first_byte, .. } = row.experience else { panic!("{row:?}") };
    first_byte
}

/// SYN, SYN-ACK, request, answer: four times 50 ms. At 10 Mbit/s, add the transmission time of each packet: 60 bytes
/// for SYN and for SYN-ACK; 52 bytes for an acknowledgement before the request of 400 + 52; 52 bytes for another one
/// before the answer of 1000 + 52.
#[test]
fn the_first_byte_takes_two_round_trips() {
    let row = alone(1000.0, &Line::of(None, 50), &config());
    assert_eq!((first_byte(&row), row.experience.took()), (Some(Span::from_millis(200)), first_byte(&row)));
    assert_eq!((row.ideal, row.slow_down()), (Some(Span::from_millis(200)), Some(1.0)));
    let bits = 8 * (60 + 60 + 52 + 452 + 52 + 1052);
    let row = alone(1000.0, &Line::of(Some(10), 50), &config());
    assert_eq!(first_byte(&row), Some(Span::from_millis(200) + Span::from_nanos(bits * 100)));
    // With Fast Open, the SYN contains the request (RFC 7413). Without a handshake, the request leaves at once.
    for setup in [tcp::Setup::FastOpen, tcp::Setup::None] {
        let row = alone(1000.0, &Line::of(None, 50), &tcp::Config { setup, ..config() });
        assert_eq!(row.experience.took(), Some(Span::from_millis(100)), "{setup:?}");
    }
}

/// Slow start, worked out by hand: 10 segments (RFC 6928), then 20, 40 and the last 30 of 100, at intervals of one
/// round trip from the second flight on. With one acknowledgement per two segments, the window grows by half: 10, 15,
/// 22, 33, 20.
#[test]
fn a_small_transfer_takes_the_rounds_of_slow_start() {
    let line = Line::of(None, 50);
    let row = alone(144_800.0, &line, &config());
    assert_eq!(row.experience.took(), Some(Span::from_millis(500)));
    let delayed = tcp::DelayedAck::Every { segments: 2, at_most: Span::from_millis(200) };
    let row = alone(144_800.0, &line, &tcp::Config { delayed_ack: Some(delayed), ..config() });
    let took = row.experience.took().map(|took| took.nanos() / 1_000_000);
    assert_eq!(took, Some(600));
    // 14,480 bytes are 10 segments, which take one round trip. One more byte takes two round trips.
    for (bytes, ms) in [(14_480.0, 200), (14_481.0, 300)] {
        assert_eq!(alone(bytes, &line, &config()).experience.took(), Some(Span::from_millis(ms)));
    }
}

fn poisson(per_s: f64) -> Arrivals {
    Arrivals::Poisson { per_s }
}

/// With any losses, all bytes arrive, all connections end, and none of their memory remains. Memory depends on the
/// number of open connections.
#[test]
fn connections_leave_nothing_behind() {
    let line = Line { loss: 0.03, ..Line::of(Some(50), 30) };
    for recovery in [tcp::Recovery::NewReno, tcp::Recovery::Sack, tcp::Recovery::RackTlp] {
        let sizes = Law::Pareto { least: 300.0, shape: 1.3, most: Some(3e6) };
        let config = tcp::Config { recovery, ..config() };
        let mut world = World::new(&line, transfers(sizes, poisson(40.0), 20), &config, "cubic");
        let rows = world.run(10_000);
        assert!((600..1000).contains(&rows.len()), "{}", rows.len());
        assert_eq!(world.alive(), [0, 0, 0]);
        let places = world.places();
        assert!(places.into_iter().all(|places| places < 100), "{places:?} for {} connections", rows.len());
        assert_eq!(world.0.packets(), 0);
        let bytes: u64 = rows.iter().map(|row| row.experience.bytes().get()).sum();
        assert_eq!(rows.iter().map(|row| row.received.get()).sum::<u64>(), bytes);
        let received = world.0.endpoints()[1].received();
        assert_eq!(received.delivered, Bytes::new(bytes));
        let sent = world.0.endpoints()[0].totals();
        let dropped: u64 = sent.dropped.iter().sum();
        assert_eq!(sent.sent_packets, received.packets + dropped);
        assert!(sent.retransmitted > 0 && sent.verdicts.error_as_congestion > 0);
        assert_eq!(world.0.next_event(), None, "nothing is due any more");
    }
}

/// Pages whose answers alternate in frames, over a link that loses 3 %: all objects arrive, and no frames remain.
#[test]
fn frames_survive_losses() {
    let objects = traffic::Objects::Drawn {
        first: Law::Constant(10e3),
        others: Law::Constant(20.0),
        size: Law::Exponential { mean: 40e3 },
        stages: 3,
    };
    let listed = traffic::PageModel::of(objects);
    let model = Model::Page(traffic::PageModel { protocol: traffic::Protocol::Http2Interleaved, ..listed });
    let tls = traffic::Tls::COMMON;
    for model in [model.clone(), Model::Secured { tls, inner: Box::new(model) }] {
        let secured = if matches!(model, Model::Secured { .. }) { tls.answer.get() } else { 0 };
        let line = Line { loss: 0.03, ..Line::of(Some(50), 30) };
        let pages = Application { model, ..transfers(Law::Constant(1.0), poisson(1.0), 20) };
        let mut world = World::new(&line, pages, &config(), "cubic");
        let rows = world.run(10_000);
        assert!((10..40).contains(&rows.len()) && world.alive() == [0, 0, 0], "{}", rows.len());
        for row in rows {
            assert_eq!(row.received.get(), row.experience.bytes().get() + secured, "{row:?}");
            assert!(row.experience.took().is_some() && row.slow_down() >= Some(1.0), "{row:?}");
        }
    }
}

/// Some controllers send copies of data, or new data, as low-priority probes. A request is complete when its last byte
/// arrives, in any kind of packet. All visits end, and all bytes arrive.
#[test]
fn requests_that_come_in_probes_are_answered() {
    let objects = traffic::Objects::Drawn {
        first: Law::Constant(10e3),
        others: Law::Constant(10.0),
        size: Law::Exponential { mean: 40e3 },
        stages: 2,
    };
    let listed = traffic::PageModel::of(objects);
    let pages = Model::Page(traffic::PageModel { protocol: traffic::Protocol::Http2Interleaved, ..listed });
    for controller in ["peach", "peach-plus", "cherry"] {
        for model in [Model::Transfer { size: Law::Constant(30e3) }, pages.clone()] {
            let line = Line { loss: 0.05, ..Line::of(Some(50), 30) };
            let application = Application { model, ..transfers(Law::Constant(1.0), poisson(4.0), 20) };
            let mut world = World::new(&line, application, &config(), controller);
            let rows = world.run(3_000);
            assert!(rows.len() > 40 && world.alive() == [0, 0, 0], "{controller}: {}", rows.len());
            for row in rows {
                assert_eq!(row.received, row.experience.bytes(), "{controller}: {row:?}");
            }
        }
    }
}

/// The visits are the same for every controller. A repeated run gives the same numbers.
#[test]
fn visits_are_those_of_their_seed() {
    let run = |controller| {
        let line = Line { loss: 0.01, ..Line::of(Some(10), 25) };
        let sizes = Law::LogNormal { median: 20_000.0, sigma: 1.0 };
        World::new(&line, transfers(sizes, poisson(20.0), 20), &config(), controller).run(1000)
    };
    let what = |rows: &[VisitRow]| {
        let mut all: Vec<_> =
            rows.iter().map(|row| (row.number, row.began, row.experience.bytes())).collect();
        all.sort_unstable();
        all
    };
    let (reno, cubic, again) = (run("reno"), run("cubic"), run("reno"));
    assert_eq!(what(&reno), what(&cubic));
    assert_ne!(reno, cubic);
    assert_eq!(reno, again);
}

/// Users who think: the visits of each user are the same, whenever the network lets them start.
#[test]
fn users_have_visits_of_their_own() {
    let run = |mbit| {
        let think = Law::Exponential { mean: 2.0 };
        let application = Application {
            begin: Begin::Closed { users: 20, think },
            ..transfers(Law::Exponential { mean: 50_000.0 }, poisson(1.0), 100)
        };
        let mut world = World::new(&Line::of(Some(mbit), 20), application, &config(), "reno");
        let rows = world.run(1000);
        assert_eq!(world.alive(), [0, 0, 0]);
        let sizes = |user| {
            let own = rows.iter().filter(|row| row.user == Some(user));
            own.map(|row| row.experience.bytes()).collect::<Vec<_>>()
        };
        (0..20).map(sizes).collect::<Vec<_>>()
    };
    let (fast, slow) = (run(100), run(2));
    for (fast, slow) in fast.iter().zip(&slow) {
        let both = fast.len().min(slow.len());
        assert!(both > 10 && slow.len() <= fast.len());
        assert_eq!(fast[..both], slow[..both]);
    }
    // In 100 s, with a think time of 2 s and transfers of about 3 RTT and 4 ms, each user has about 47 visits.
    let turns: usize = fast.iter().map(Vec::len).sum();
    assert!((850..1050).contains(&turns), "{turns}");
}

/// M/G/1 with processor sharing (Kleinrock, Queueing Systems II, section 4.4): the mean slow-down of a job of any size
/// is 1 / (1 - rho), for any distribution of sizes. Round robin by packets over a link that the first window fills is
/// close to this.
#[test]
fn a_fair_link_slows_transfers_down_as_processor_sharing() {
    let queue = Queue { discipline: Discipline::Drr(Drr::default()), limit: QueueLimit::Unlimited };
    let line = Line { queue, delay: Span::from_micros(500), ..Line::of(Some(10), 0) };
    let (mean, load) = (144_800.0, 0.5);
    let bytes_per_s = 10e6 / 8.0 * 1448.0 / 1500.0;
    let two_round_trips = Span::from_millis(2);
    for sizes in [Law::Constant(mean), Law::Exponential { mean }] {
        let application = transfers(sizes.clone(), poisson(load * bytes_per_s / mean), 600);
        let rows = World::new(&line, application, &config(), "reno").run(2000);
        // The time before the first byte takes no turn.
        let slow_down = |row: &VisitRow| {
            let took = row.experience.took().unwrap_or_default().saturating_sub(two_round_trips);
            took.secs_f64() / (row.experience.bytes().get() as f64 / bytes_per_s)
        };
        let slow_down = rows.iter().map(slow_down).sum::<f64>() / rows.len() as f64;
        assert!((slow_down / 2.0 - 1.0).abs() < 0.1, "{sizes:?}: {slow_down}");
    }
}

/// Returns the load time of a page over 10 Mbit/s and 100 ms, with a window that never limits. The page has a document
/// of 1 kB, then objects of `large` and `small` bytes, and a last object of 1 kB after the small one.
fn page(protocol: traffic::Protocol, large: u64, small: u64) -> (Span, u64) {
    let object = |name: &str, size: u64, after: &[&str]| traffic::Object {
        name: name.to_owned(),
        size: Bytes::new(size),
        after: after.iter().map(|name| (*name).to_owned()).collect(),
        think: Span::ZERO,
    };
    let objects = vec![
        object("document", 1_000, &[]),
        object("large", large, &["document"]),
        object("small", small, &["document"]),
        object("last", 1_000, &["small"]),
    ];
    let listed = traffic::PageModel::of(traffic::Objects::Listed(objects));
    let application = Application {
        model: Model::Page(traffic::PageModel { protocol, ..listed }),
        ..transfers(Law::Constant(1.0), Arrivals::Regular { per_s: 1.0 }, 1)
    };
    let config = tcp::Config { initial_window: 5_000, ..config() };
    let mut world = World::new(&Line::of(Some(10), 50), application, &config, "reno");
    let rows = world.run(60);
    assert_eq!((rows.len(), world.alive()), (1, [0, 0, 0]));
    (rows[0].experience.took().unwrap_or_default(), rows[0].received.get())
}

/// Processor sharing of two objects on one connection (Kleinrock, J. ACM 14, 1967). If the answers alternate, the
/// smaller object is complete when both have sent its number of bytes, which is at twice its size. If the answers
/// follow each other, the smaller object is last. The object that waits for it arrives one round trip later, or when
/// the large object is complete. Each byte takes 1500/1448 of 0.8 us, including headers.
///
/// ```text
/// handshake, document    2 x 100 ms, and 60 + 60 + 52 + 452 + 52 + 1052 bytes: 201.4 ms
/// large 1 MB, small 100 kB, 828.7 ms and 82.9 ms on the link
/// in order      100 + 828.7 + 82.9, then 100 + 0.8 for the last:      1313.9 ms
/// in turns      100 + 828.7 + 82.9, the last came on the way:          1213 ms
/// ```
#[test]
fn objects_of_one_connection_share_it() {
    let near = |took: Span, ms: f64| (took.secs_f64() * 1e3 - ms).abs() < 8.0;
    let (in_order, bytes) = page(traffic::Protocol::Http2, 1_000_000, 100_000);
    assert!(near(in_order, 1_313.9) && bytes == 1_102_000, "{in_order}");
    let (in_turns, bytes) = page(traffic::Protocol::Http2Interleaved, 1_000_000, 100_000);
    assert!(near(in_turns, 1_213.5) && bytes == 1_102_000, "{in_turns}");
    // With equal sizes, both objects are complete at the end, in either order, and the last object arrives one round
    // trip later.
    let (alike, _) = page(traffic::Protocol::Http2Interleaved, 500_000, 500_000);
    assert!(near(alike, 201.4 + 100.0 + 828.7 + 100.8), "{alike}");
}
