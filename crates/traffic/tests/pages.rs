// SPDX-License-Identifier: MIT OR Apache-2.0
//! Transfers, exchanges and pages on a simple path, compared with times computed by hand.
//!
//! The path has 8 Mbit/s and a round trip of 100 ms. 1 kB takes 1 ms, so 100 kB take as long as a round trip.

mod bed;

use bed::Bed;
use bentpipe_traffic::{
    EmptyPath, ExchangeModel, Experience, Law, Model, Object, Objects, PageModel, Protocol, Tls,
};
use units::{Bytes, Span};

/// A document, and four images that wait for it.
const FIVE: [(&str, u64, &[&str], u64); 5] = [
    ("html", 10, &[], 0),
    ("a", 30, &["html"], 0),
    ("b", 30, &["html"], 0),
    ("c", 30, &["html"], 0),
    ("d", 30, &["html"], 0),
];

const HTTP1: Protocol = Protocol::Http1 { connections: 2 };

fn ms(ms: u64) -> Span {
    Span::from_millis(ms)
}

fn path(bed: &Bed) -> EmptyPath {
    EmptyPath { rate: bed.rate, rtt: bed.rtt, opening: bed.rtt }
}

/// Returns a page of the given objects. Each object is (name, kB, after, think time in ms).
fn page(objects: &[(&str, u64, &[&str], u64)], protocol: Protocol, wait: Span) -> Model {
    let object = |&(name, kb, after, think): &(&str, u64, &[&str], u64)| Object {
        name: name.to_owned(),
        size: Bytes::new(kb * 1_000),
        after: after.iter().map(|&name| name.to_owned()).collect(),
        think: ms(think),
    };
    let objects = Objects::Listed(objects.iter().map(object).collect());
    Model::Page(PageModel { protocol, wait, ..PageModel::of(objects) })
}

/// Loads the page. Returns its load time, and for each request the pair (ms since the beginning, connection).
fn load(model: &Model) -> (Span, Vec<(u64, u8)>) {
    model.check().expect("it is a page");
    let mut bed = Bed::new(8, 100);
    let mut visit = model.visit(1);
    let (took, experience) = bed.run(&mut *visit);
    assert_eq!(experience.took(), Some(took), "{experience:?}");
    let ideal = visit.ideal(path(&bed)).expect("a page has one");
    assert!(ideal <= took, "ideal {ideal}, took {took}");
    assert!(bed.opened <= model.connections() as usize);
    (took, bed.asked.iter().map(|&(at, on, _)| ((at.nanos() - 1_000_000_000) / 1_000_000, on)).collect())
}

/// Expected: 100 ms for the handshake, 50 ms for the request, 50 ms for 50 kB, and 50 ms for the propagation of the
/// answer.
#[test]
fn a_transfer_takes_two_round_trips_and_its_bytes() {
    let model = Model::Transfer { size: Law::Constant(50e3) };
    let mut bed = Bed::new(8, 100);
    let mut visit = model.visit(1);
    let (took, experience) = bed.run(&mut *visit);
    assert_eq!(took, ms(250));
    // The transmission of the first byte takes 1 µs.
    let first_byte = Some(ms(200) + Span::from_micros(1));
    assert_eq!(
        experience,
        Experience::Transfer { bytes: Bytes::new(50_000), first_byte, took: Some(ms(250)) }
    );
    assert_eq!(visit.ideal(path(&bed)), Some(ms(250)));
}

/// Expected: before the transfer, the TLS handshake takes one round trip, 7 ms for the signature, and 4 ms for 4 kB.
#[test]
fn tls_takes_a_round_trip_more() {
    let tls = Tls { wait: ms(7), ..Tls::COMMON };
    let model = Model::Secured { tls, inner: Box::new(Model::Transfer { size: Law::Constant(50e3) }) };
    let mut bed = Bed::new(8, 100);
    let mut visit = model.visit(1);
    let (took, experience) = bed.run(&mut *visit);
    assert_eq!((took, experience.took()), (ms(361), Some(ms(361))));
    assert_eq!(experience.bytes(), Bytes::new(50_000));
    assert_eq!(bed.asked.len(), 2);
    assert_eq!(visit.ideal(path(&bed)), Some(ms(361)));
}

/// Three answers of 20 kB, each after 30 ms of processing. Expected: 100 + 30 + 20 = 150 ms for each answer, two think
/// times of 400 ms, and a handshake.
#[test]
fn an_exchange_thinks_between_its_requests() {
    let constant = Law::Constant;
    let model = Model::Exchange(ExchangeModel {
        request: constant(500.0),
        answer: constant(20e3),
        wait: constant(0.03),
        count: constant(3.0),
        think: constant(0.4),
    });
    let mut bed = Bed::new(8, 100);
    let mut visit = model.visit(1);
    let (took, experience) = bed.run(&mut *visit);
    let expected = Experience::Exchange {
        requests: 3,
        answered: 3,
        bytes: Bytes::new(60_000),
        mean: Some(ms(150)),
        worst: Some(ms(150)),
        took: Some(ms(1_350)),
    };
    assert_eq!((took, experience), (ms(1_350), expected));
    assert_eq!(visit.ideal(path(&bed)), Some(ms(1_350)));
    assert_eq!(model.mean_bytes(), Some(60e3));
}

/// The document (10 kB), and four images of 30 kB that wait for the document, over HTTP/2:
///
/// ```text
/// 100 connection open, document requested; 150 request at the server; 160 sent; 210 arrived: all four images requested
/// 260 requests at the server; 120 kB are sent until 380; 430 arrived
/// ```
#[test]
fn http_2_asks_for_all_that_it_knows() {
    let (took, asked) = load(&page(&FIVE, Protocol::Http2, Span::ZERO));
    assert_eq!(took, ms(430));
    assert_eq!(asked, [(100, 0), (210, 0), (210, 0), (210, 0), (210, 0)]);
}

/// The same page with two connections and one request at a time on each connection:
///
/// ```text
/// 210 document arrived: a requested on connection 0; connection 1 is opened, since b, c, d wait
/// 260 a at the server, sent until 290, arrived at 340: c requested on connection 0 (b was taken at 310)
/// 310 connection 1 open: b requested; 360 at the server, sent until 390, arrived at 440: d requested on connection 1
/// 340 c requested on connection 0: 390 at the server, sent from 390 to 420, arrived at 470
/// 440 d requested on connection 1: 490 at the server, sent until 520, arrived at 570
/// ```
#[test]
fn http_1_takes_turns_on_its_connections() {
    let (took, asked) = load(&page(&FIVE, HTTP1, Span::ZERO));
    assert_eq!(took, ms(570));
    assert_eq!(asked, [(100, 0), (210, 0), (310, 1), (340, 0), (440, 1)]);
}

/// A script that the browser runs for 40 ms, and the data that the script loads. The server processes each request for
/// 5 ms:
///
/// ```text
/// 100 html requested: 150 at the server, sent from 155 to 165, arrived at 215
/// 215 script requested: 265 at the server, sent from 270 to 280, arrived at 330
/// 370 data requested: 420 at the server, sent from 425 to 525, arrived at 575
/// ```
#[test]
fn a_chain_takes_its_round_trips_and_its_thinking() {
    let objects = [
        ("html", 10, &[][..], 0),
        ("data", 100, &["html", "script"][..], 40),
        ("script", 10, &["html"][..], 0),
    ];
    for protocol in [HTTP1, Protocol::Http2] {
        let model = page(&objects, protocol, ms(5));
        let (took, asked) = load(&model);
        assert_eq!(took, ms(575));
        assert_eq!(asked, [(100, 0), (215, 0), (370, 0)]);
        // If the page consists of the chain alone, the load time equals the bound.
        let ideal =
            model.visit(1).ideal(EmptyPath { rate: Bed::new(8, 100).rate, rtt: ms(100), opening: ms(100) });
        assert_eq!(ideal, Some(ms(575)));
    }
}

/// Bounds computed by hand for the five objects above, which have 130 kB. The path has 8 Mbit/s and a round trip of 100
/// ms.
///
/// ```text
/// chain  100 + (100 + 10) + (100 + 30) = 340;   bytes  100 + 100 + 130 = 330
/// turns  100 + (5 x 100 + 130) / 2 = 415, with two connections
/// ```
#[test]
fn the_ideal_is_the_longest_of_three_bounds() {
    let path = EmptyPath { rate: Bed::new(8, 100).rate, rtt: ms(100), opening: ms(100) };
    let ideal = |protocol| page(&FIVE, protocol, Span::ZERO).visit(1).ideal(path);
    assert_eq!(ideal(Protocol::Http2), Some(ms(340)));
    assert_eq!(ideal(HTTP1), Some(ms(415)));
    // With a round trip of 10 ms, the bound of the bytes is 10 + 10 + 130. The bound of the chain is 10 + 20 + 40.
    let near = EmptyPath { rtt: ms(10), opening: ms(10), ..path };
    assert_eq!(page(&FIVE, Protocol::Http2, Span::ZERO).visit(1).ideal(near), Some(ms(150)));
}

/// Expected: the numbers of the Web Almanac for the median desktop page of 2024.
#[test]
fn the_median_page_has_the_medians_of_http_archive() {
    let page = PageModel::named("median-2024").expect("it is there");
    page.check().expect("it is a page");
    let Objects::Listed(objects) = &page.objects else { panic!("it is a list") };
    assert_eq!(objects.len(), 71);
    let of = |kinds: &[&str]| {
        let those = objects.iter().filter(|object| kinds.iter().any(|kind| object.name.starts_with(kind)));
        (those.clone().count(), those.map(|object| object.size.get()).sum::<u64>() / 1_024)
    };
    assert_eq!(of(&["document", "frame"]), (2, 18));
    assert_eq!(of(&["style"]), (8, 78));
    assert_eq!(of(&["script"]), (24, 613));
    assert_eq!(of(&["image"]), (18, 1_054));
    assert_eq!(of(&["font"]), (4, 131));
    assert_eq!(page.mean_bytes(), Some(2_652.0 * 1_024.0));
    assert_eq!(PageModel::named("median-1999"), None);
    // Over 600 ms and a very fast link: the handshake and three round trips.
    let mut bed = Bed::new(100_000, 600);
    let (took, _) = bed.run(&mut *Model::Page(page.clone()).visit(1));
    assert!(took > ms(2_400) && took < ms(2_402), "{took}");
    // With six connections, there are 71 requests, with at most six in each round trip.
    let page = PageModel { protocol: Protocol::Http1 { connections: 6 }, ..page };
    let mut bed = Bed::new(100_000, 600);
    let (took, _) = bed.run(&mut *Model::Page(page).visit(1));
    assert_eq!(bed.opened, 6);
    assert!(took >= ms(600 * (1 + 71_u64.div_ceil(6))), "{took}");
}

/// The means over many random pages equal the means of the distributions, and each stage waits for the previous stage.
#[test]
fn a_drawn_page_has_the_numbers_of_its_laws() {
    let model = Model::Page(PageModel::of(Objects::Drawn {
        first: Law::Constant(10e3),
        others: Law::Constant(9.0),
        size: Law::Exponential { mean: 20e3 },
        stages: 3,
    }));
    assert_eq!(model.mean_bytes(), Some(190e3));
    let mut sum = 0.0;
    for seed in 0..400 {
        let mut bed = Bed::new(1_000_000, 100);
        let (took, experience) = bed.run(&mut *model.visit(seed));
        // The load time is the handshake, the document and three stages.
        assert!(took >= ms(500) && took < ms(510), "{took}");
        sum += experience.bytes().get() as f64;
    }
    // The standard error of the mean of 400 sums of 9 exponential sizes is 3 kB.
    assert!((sum / 400.0 - 190e3).abs() < 9e3, "{}", sum / 400.0);
}
