// SPDX-License-Identifier: MIT OR Apache-2.0
//! Visits whose connections break. The tests check step by step what a visit requests again, at which time, and which
//! bytes count only once.

use bentpipe_traffic::{
    Act, ExchangeModel, Experience, Happened, Law, Model, Object, Objects, PageModel, Protocol, REQUEST, Tls,
    Visit,
};
use units::{Bytes, Span, Time};

/// Reports an event to the visit at a time in ms. Returns its actions.
fn told(visit: &mut dyn Visit, at_ms: u64, what: Happened) -> Vec<Act> {
    let mut acts = Vec::new();
    visit.happen(Time::ZERO + Span::from_millis(at_ms), what, &mut acts);
    acts
}

fn received(bytes: u64) -> Happened {
    Happened::Received { connection: 0, bytes }
}

fn ask(answer: u64) -> Act {
    Act::Ask { connection: 0, request: REQUEST, wait: Span::ZERO, answer: Bytes::new(answer) }
}

const BROKEN: Happened = Happened::Broken { connection: 0, wait: Span::from_secs(1) };

fn wakes_ms(visit: &dyn Visit) -> Option<u64> {
    let at = visit.next_timeout();
    (at < Time::MAX).then(|| at.nanos() / 1_000_000)
}

/// Of an answer of 1000 bytes, 400 arrive before the connection breaks at 2 s. Expected: one second later, the visit
/// opens the connection again and requests the complete answer. The reported number of bytes does not change until more
/// than 400 bytes have arrived.
#[test]
fn an_answer_begins_anew() {
    let mut visit = Model::Transfer { size: Law::Constant(1000.0) }.retrying(1);
    let visit = &mut *visit;
    assert_eq!(told(visit, 1000, Happened::Begun), [Act::Open]);
    assert_eq!(told(visit, 1100, Happened::Opened(0)), [ask(1000)]);
    assert_eq!(told(visit, 1200, received(400)), []);
    assert_eq!((told(visit, 2000, BROKEN), wakes_ms(visit)), (vec![], Some(3000)));
    assert_eq!((told(visit, 3000, Happened::Timeout), wakes_ms(visit)), (vec![Act::Reopen(0)], None));
    // The connection breaks again before it is open. The same request still waits.
    assert_eq!((told(visit, 3010, BROKEN), wakes_ms(visit)), (vec![], Some(4010)));
    assert_eq!(told(visit, 4010, Happened::Timeout), [Act::Reopen(0)]);
    assert_eq!(told(visit, 4100, Happened::Opened(0)), [ask(1000)]);
    assert_eq!(told(visit, 4200, received(300)), []);
    assert_eq!(told(visit, 4300, received(1000)), [Act::Close(0), Act::Done]);
    let span = |ms| Some(Span::from_millis(ms));
    let felt = Experience::Transfer { bytes: Bytes::new(1000), first_byte: span(200), took: span(3300) };
    assert_eq!(visit.experience(Time::from_secs_f64(9.0)), felt);
    assert_eq!(visit.retries(), 1);
    // The visit is complete.
    assert_eq!((told(visit, 4400, BROKEN), wakes_ms(visit)), (vec![], None));
}

/// Two answers of 100 bytes. If a connection breaks during the think time, the next request opens it again immediately.
/// If an answer is missing, the connection is opened again one second later. Complete answers are not requested again.
#[test]
fn what_is_whole_is_not_asked_for_again() {
    let law = Law::Constant;
    let model = ExchangeModel {
        request: law(REQUEST.get() as f64),
        answer: law(100.0),
        wait: law(0.0),
        count: law(2.0),
        think: law(5.0),
    };
    let mut visit = Model::Exchange(model).retrying(1);
    let visit = &mut *visit;
    assert_eq!(told(visit, 0, Happened::Begun), [Act::Open]);
    assert_eq!(told(visit, 100, Happened::Opened(0)), [ask(100)]);
    assert_eq!(told(visit, 200, received(100)), []);
    assert_eq!((told(visit, 300, BROKEN), wakes_ms(visit)), (vec![], Some(5200)));
    assert_eq!(told(visit, 5200, Happened::Timeout), [Act::Reopen(0)]);
    assert_eq!((told(visit, 5300, Happened::Opened(0)), visit.retries()), (vec![ask(100)], 0));
    assert_eq!(told(visit, 5400, received(99)), []);
    assert_eq!(told(visit, 5500, BROKEN), []);
    assert_eq!(told(visit, 6500, Happened::Timeout), [Act::Reopen(0)]);
    assert_eq!((told(visit, 6600, Happened::Opened(0)), visit.retries()), (vec![ask(100)], 1));
    assert_eq!(told(visit, 6700, received(100)), [Act::Close(0), Act::Done]);
}

/// Over TLS, each new connection makes a new handshake. Then the missing answers are requested again.
#[test]
fn the_next_connection_shakes_hands() {
    let inner = Box::new(Model::Transfer { size: Law::Constant(1000.0) });
    let mut visit = Model::Secured { tls: Tls::COMMON, inner }.retrying(1);
    let visit = &mut *visit;
    let Tls { hello, answer, wait } = Tls::COMMON;
    let hello = Act::Ask { connection: 0, request: hello, wait, answer };
    assert_eq!(told(visit, 0, Happened::Begun), [Act::Open]);
    assert_eq!(told(visit, 10, Happened::Opened(0)), [hello]);
    assert_eq!(told(visit, 20, received(answer.get())), [ask(1000)]);
    assert_eq!(told(visit, 30, received(answer.get() + 700)), []);
    assert_eq!((told(visit, 40, BROKEN), wakes_ms(visit)), (vec![], Some(1040)));
    assert_eq!(told(visit, 1040, Happened::Timeout), [Act::Reopen(0)]);
    assert_eq!(told(visit, 1050, Happened::Opened(0)), [hello]);
    assert_eq!(told(visit, 1060, received(answer.get())), [ask(1000)]);
    assert_eq!(told(visit, 1070, received(answer.get() + 999)), []);
    assert_eq!(told(visit, 1080, received(answer.get() + 1000)), [Act::Close(0), Act::Done]);
    assert_eq!(visit.retries(), 1);
}

/// Three answers are interleaved, and only the second answer is complete when the connection breaks. Expected: the
/// first and the third answer are requested again. On the new connection, they have the numbers 0 and 1.
#[test]
fn answers_in_turns_are_told_apart() {
    let object = |size: u64| Object {
        name: format!("of {size}"),
        size: Bytes::new(size),
        after: Vec::new(),
        think: Span::ZERO,
    };
    let objects = Objects::Listed([300, 200, 100].map(object).to_vec());
    let page = PageModel { protocol: Protocol::Http2Interleaved, ..PageModel::of(objects) };
    let wait = page.wait;
    let request = page.request;
    let ask = |answer| Act::Ask { connection: 0, request, wait, answer: Bytes::new(answer) };
    let mut visit = Model::Page(page).retrying(1);
    let visit = &mut *visit;
    let answered = |answer| Happened::Answered { connection: 0, answer };
    assert_eq!(told(visit, 0, Happened::Begun), [Act::Open]);
    assert_eq!(told(visit, 100, Happened::Opened(0)), [ask(300), ask(200), ask(100)]);
    assert_eq!(told(visit, 200, received(450)), []);
    assert_eq!(told(visit, 200, answered(1)), []);
    assert_eq!(told(visit, 300, BROKEN), []);
    assert_eq!(told(visit, 1300, Happened::Timeout), [Act::Reopen(0)]);
    assert_eq!(told(visit, 1400, Happened::Opened(0)), [ask(300), ask(100)]);
    assert_eq!(told(visit, 1500, received(250)), []);
    assert_eq!(told(visit, 1500, answered(1)), []);
    assert_eq!(told(visit, 1600, received(400)), []);
    assert_eq!(told(visit, 1600, answered(0)), [Act::Done]);
    assert_eq!(visit.retries(), 2);
}
