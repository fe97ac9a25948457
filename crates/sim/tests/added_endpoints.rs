// SPDX-License-Identifier: MIT OR Apache-2.0
//! Endpoints that are added to a run in progress: they share the links, and the tables keep their shape.

use engine::{Attachment, NO_LINK};
use hosts::{AnyEndpoint, CbrSink, CbrSource, Metered};
use plan::{Plan, never};
use scenario::Scenario;
use sim::{Session, Settings};
use units::{Bytes, Rate, Span, Time};

fn at(seconds: u64) -> Time {
    Time::ZERO + Span::from_secs(seconds)
}

/// Returns a session with a Reno flow over 10 Mbit/s.
fn session() -> Session {
    let text = "duration = \"60 s\"\nnetwork.dumbbell = { rate = \"10 Mbit/s\", rtt = \"50 ms\" }\n\
                flows = [{ controller = \"reno\" }]\n";
    let scenario = Scenario::from_toml(text, "added.toml").unwrap_or_else(|error| panic!("{error}"));
    let plan = Plan::of_run(&scenario, &never).unwrap_or_else(|error| panic!("{error}"));
    Session::new(plan, Settings::default(), engine::NoObserver, &never)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the number of bytes that an endpoint received.
fn received(session: &Session, endpoint: usize) -> u64 {
    session.engine().endpoints()[endpoint].received().delivered.get()
}

fn advance(session: &mut Session, seconds: u64) {
    session.advance(at(seconds), &never).unwrap_or_else(|error| panic!("{error}"));
}

/// Datagrams at 6 Mbit/s are added at 20 s and stop at 40 s. Both directions of the dumbbell connect sites 0 and 1.
#[test]
fn a_flow_that_joins_takes_its_share_and_leaves_it() {
    let mut session = session();
    advance(&mut session, 20);
    let mut alone = session.fork().unwrap_or_else(|error| panic!("{error}"));
    let attached = |peer, site| Attachment { peer, site, up: NO_LINK, down: NO_LINK };
    let (rate, packet) = (Rate::from_bits_per_s(6_000_000), Bytes::new(1500));
    let source = CbrSource::new(rate, packet, at(20), Some(at(40)));
    let sender = session.add_endpoint(AnyEndpoint::CbrSource(source), attached(3, 0));
    let sink = AnyEndpoint::CbrSink(CbrSink::default());
    let receiver = session.add_endpoint(sink, attached(2, 1));
    assert_eq!((sender, receiver), (2, 3));
    let mbit_s = |bytes: u64| bytes as f64 * 8e-6 / 20.0;
    let mut of_tcp = vec![received(&session, 1)];
    for end in [40, 60] {
        advance(&mut session, end);
        of_tcp.push(received(&session, 1));
    }
    let [beside, after] = [0, 1].map(|part| mbit_s(of_tcp[part + 1] - of_tcp[part]));
    let datagrams = mbit_s(received(&session, receiver));
    // Payload and headers of all arrivals are at most 10 Mbit/s.
    assert!(datagrams > 5.0 && datagrams <= 6.0, "{datagrams}");
    assert!(beside > 1.5 && beside <= 10.0 - datagrams, "{beside}");
    assert!(after > 8.0, "{after}");
    // In the copy without the added endpoint, the flow has the whole link.
    let before = received(&alone, 1);
    advance(&mut alone, 40);
    assert!(mbit_s(received(&alone, 1) - before) > 8.0);
    assert_eq!(alone.engine().endpoints().len(), 2);
    session.engine().check_conservation().unwrap_or_else(|error| panic!("{error}"));
}
