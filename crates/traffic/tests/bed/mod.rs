// SPDX-License-Identifier: MIT OR Apache-2.0
//! The simplest network for a visit: a round trip, and one link towards the user. The link sends one answer after
//! another at a constant rate, in the order in which the answers are ready. At every step, the network asserts that the
//! visit keeps its contract.

use bentpipe_traffic::{Act, Experience, Happened, Visit};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use units::{Bytes, Rate, Span, Time};

/// A path, and a record of its use.
pub struct Bed {
    pub rtt: Span,
    pub rate: Rate,
    /// All requests: time, connection, and size of the answer.
    pub asked: Vec<(Time, u8, Bytes)>,
    /// Number of connections that were opened.
    pub opened: usize,
}

/// State of a connection.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Opening,
    Open,
    Closed,
}

struct Line {
    state: State,
    /// Bytes that were requested, and bytes that arrived.
    due: u64,
    come: u64,
    /// Time at which the server has the last answer ready.
    ready: Time,
}

/// An event: time, order, connection, and the number of bytes that have arrived. `None` means that the connection
/// opened. If several events have the same time, the event that was inserted first is first.
type Event = (Time, u64, u8, Option<u64>);

impl Bed {
    pub fn new(rate_mbit_s: u64, rtt_ms: u64) -> Self {
        Self {
            rtt: Span::from_millis(rtt_ms),
            rate: Rate::from_bits_per_s(rate_mbit_s * 1_000_000),
            asked: Vec::new(),
            opened: 0,
        }
    }

    /// Runs a visit from its beginning at 1 s to its end. Returns its duration and the experience of its user.
    pub fn run(&mut self, visit: &mut dyn Visit) -> (Span, Experience) {
        let began = Time::from_secs_f64(1.0);
        let mut events: BinaryHeap<Reverse<Event>> = BinaryHeap::new();
        let mut order = 0;
        let mut lines: Vec<Line> = Vec::new();
        let mut link_free = Time::ZERO;
        let mut acts = Vec::new();
        let mut now = began;
        visit.happen(now, Happened::Begun, &mut acts);
        for _ in 0..10_000_000 {
            for act in std::mem::take(&mut acts) {
                match act {
                    Act::Open => {
                        let connection =
                            u8::try_from(lines.len()).expect("connections have a number of 8 bits");
                        lines.push(Line { state: State::Opening, due: 0, come: 0, ready: now });
                        self.opened = lines.len();
                        events.push(Reverse((now + self.rtt, order, connection, None)));
                    }
                    Act::Ask { connection, request, wait, answer } => {
                        let line = &mut lines[usize::from(connection)];
                        assert!(line.state == State::Open, "asked on a connection that is not open");
                        assert!(request > Bytes::ZERO && answer > Bytes::ZERO, "empty request or answer");
                        self.asked.push((now, connection, answer));
                        line.due += answer.get();
                        line.ready = line.ready.max(now + self.rtt / 2 + wait);
                        // The link sends the answer after all earlier answers.
                        let begins = link_free.max(line.ready);
                        link_free = begins + self.rate.time_for(answer);
                        let first = begins + self.rate.time_for(Bytes::new(1)) + self.rtt / 2;
                        let before = line.due - answer.get();
                        events.push(Reverse((first, order, connection, Some(before + 1))));
                        events.push(Reverse((
                            link_free + self.rtt / 2,
                            order + 1,
                            connection,
                            Some(line.due),
                        )));
                        order += 1;
                    }
                    Act::Close(connection) => {
                        let line = &mut lines[usize::from(connection)];
                        assert!(
                            line.state == State::Open && line.come == line.due,
                            "closed before all bytes arrived"
                        );
                        line.state = State::Closed;
                    }
                    Act::Reopen(_) => panic!("nothing breaks here"),
                    Act::Done => {
                        // On a connection that is not needed any more, the TLS handshake may still be in progress.
                        let experience = visit.experience(now);
                        let come: u64 = lines.iter().map(|line| line.come).sum();
                        assert!(come >= experience.bytes().get(), "done before all bytes arrived");
                        return (now.since(began), experience);
                    }
                }
                order += 1;
            }
            let wake = visit.next_timeout();
            match events.peek() {
                Some(&Reverse((at, ..))) if at <= wake => {
                    let Some(Reverse((at, _, connection, bytes))) = events.pop() else { unreachable!() };
                    assert!(at >= now, "back in time");
                    now = at;
                    let line = &mut lines[usize::from(connection)];
                    if let Some(bytes) = bytes {
                        line.come = bytes;
                        visit.happen(now, Happened::Received { connection, bytes }, &mut acts);
                    } else {
                        line.state = State::Open;
                        visit.happen(now, Happened::Opened(connection), &mut acts);
                    }
                }
                _ => {
                    assert!(wake < Time::MAX, "not done, but waits for nothing");
                    assert!(wake >= now, "a timeout in the past");
                    now = wake;
                    visit.happen(now, Happened::Timeout, &mut acts);
                    assert!(visit.next_timeout() > now || !acts.is_empty(), "a timeout that changes nothing");
                }
            }
        }
        panic!("the visit does not end");
    }
}
