// SPDX-License-Identifier: MIT OR Apache-2.0
//! The browser: it requests known objects and counts the bytes that arrive.

use super::Protocol;
use super::graph::{Graph, Node};
use crate::visit::{Act, EmptyPath, Experience, Happened, Visit};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};
use units::{Bytes, Span, Time};

/// A connection.
#[derive(Clone, Debug, Default, saved::Plain)]
struct Line {
    open: bool,
    /// The requested objects that have not arrived. Each pair contains an object, and the number of bytes received on
    /// the connection when this object is complete.
    asked: VecDeque<(u32, u64)>,
    /// Bytes of all answers that were requested on this connection.
    due: u64,
    /// All objects that were requested on this connection. Used only if answers are interleaved.
    objects: Vec<u32>,
}

/// A page that is loading.
#[derive(Clone, Debug, saved::Plain)]
pub(super) struct Loader {
    graph: Graph,
    protocol: Protocol,
    request: Bytes,
    wait: Span,
    /// For each object, the number of objects for which it still waits.
    waits: Vec<u32>,
    /// Known objects in their think time, and the time of their request.
    thought_of: BinaryHeap<Reverse<(Time, u32)>>,
    /// Known objects that can be requested now.
    ready: BTreeSet<u32>,
    lines: Vec<Line>,
    /// Number of objects that have not arrived.
    left: usize,
    began: Time,
    first_byte: Option<Span>,
    load_time: Option<Span>,
}

impl Loader {
    pub(super) fn new(graph: Graph, protocol: Protocol, request: Bytes, wait: Span) -> Self {
        Self {
            waits: graph.nodes.iter().map(|node| node.waits).collect(),
            left: graph.nodes.len(),
            graph,
            protocol,
            request,
            wait,
            thought_of: BinaryHeap::new(),
            ready: BTreeSet::new(),
            lines: Vec::new(),
            began: Time::ZERO,
            first_byte: None,
            load_time: None,
        }
    }

    /// Handles an object that became known, because every object for which it waited has arrived.
    fn know(&mut self, now: Time, object: u32) {
        let think = self.graph.nodes[object as usize].think;
        if think == Span::ZERO {
            self.ready.insert(object);
        } else {
            self.thought_of.push(Reverse((now + think, object)));
        }
    }

    /// Moves the objects whose think time has passed to `ready`.
    fn wake(&mut self, now: Time) {
        while let Some(&Reverse((_, object))) = self.thought_of.peek().filter(|next| next.0.0 <= now) {
            self.thought_of.pop();
            self.ready.insert(object);
        }
    }

    /// Handles bytes that arrived on a connection.
    fn take(&mut self, now: Time, connection: usize, bytes: u64) {
        if bytes > 0 {
            self.first_byte.get_or_insert(now.since(self.began));
        }
        while let Some(&(object, _)) = self.lines[connection].asked.front().filter(|asked| asked.1 <= bytes) {
            self.lines[connection].asked.pop_front();
            self.came(now, object);
        }
    }

    /// Handles an object that has arrived completely.
    fn came(&mut self, now: Time, object: u32) {
        self.left -= 1;
        for at in 0..self.graph.nodes[object as usize].next.len() {
            let next = self.graph.nodes[object as usize].next[at];
            self.waits[next as usize] -= 1;
            if self.waits[next as usize] == 0 {
                self.know(now, next);
            }
        }
    }

    /// Requests ready objects on free connections, and opens connections for the remaining objects.
    fn ask(&mut self, acts: &mut Vec<Act>) {
        let pipelined = !matches!(self.protocol, Protocol::Http1 { .. });
        let interleaved = self.interleaves();
        for (connection, line) in self.lines.iter_mut().enumerate() {
            while line.open && (pipelined || line.asked.is_empty()) {
                let Some(object) = self.ready.pop_first() else { return };
                let answer = self.graph.nodes[object as usize].size;
                line.due += answer.get();
                if interleaved {
                    line.objects.push(object);
                } else {
                    line.asked.push_back((object, line.due));
                }
                let connection = connection as u8;
                acts.push(Act::Ask { connection, request: self.request, wait: self.wait, answer });
            }
        }
        let most =
            if let Protocol::Http1 { connections } = self.protocol { usize::from(connections) } else { 1 };
        let coming = self.lines.iter().filter(|line| !line.open).count();
        for _ in coming..self.ready.len().min(coming + most - self.lines.len()) {
            self.lines.push(Line::default());
            acts.push(Act::Open);
        }
    }
}

impl Visit for Loader {
    fn happen(&mut self, now: Time, what: Happened, acts: &mut Vec<Act>) {
        if self.load_time.is_some() {
            return;
        }
        match what {
            Happened::Begun => {
                self.began = now;
                // A browser opens the first connection before it knows any object.
                self.lines.push(Line::default());
                acts.push(Act::Open);
                for object in 0..self.graph.nodes.len() as u32 {
                    if self.waits[object as usize] == 0 {
                        self.know(now, object);
                    }
                }
            }
            Happened::Opened(connection) => self.lines[usize::from(connection)].open = true,
            Happened::Received { connection, bytes } => self.take(now, usize::from(connection), bytes),
            Happened::Answered { connection, answer } => {
                let object = self.lines[usize::from(connection)].objects[answer as usize];
                self.came(now, object);
            }
            Happened::Timeout | Happened::Broken { .. } => {}
        }
        self.wake(now);
        if self.left == 0 {
            self.load_time = Some(now.since(self.began));
            acts.push(Act::Done);
        } else {
            self.ask(acts);
        }
    }

    fn interleaves(&self) -> bool {
        self.protocol == Protocol::Http2Interleaved
    }

    fn next_timeout(&self) -> Time {
        self.thought_of.peek().map_or(Time::MAX, |next| next.0.0)
    }

    fn experience(&self, _now: Time) -> Experience {
        let bytes = self.graph.nodes.iter().map(|node| node.size.get()).sum();
        Experience::Page {
            objects: self.graph.nodes.len() as u32,
            bytes: Bytes::new(bytes),
            first_byte: self.first_byte,
            load_time: self.load_time,
        }
    }

    fn ideal(&self, path: EmptyPath) -> Option<Span> {
        let turn = |size: Bytes| path.rtt + self.wait + path.rate.time_for(size);
        let nodes = &self.graph.nodes;
        // If an object does not wait for other objects, its think time runs in parallel with the handshake.
        let think = |node: &Node| if node.waits == 0 { Span::ZERO } else { node.think };
        let chain = self.graph.longest(|node| think(node) + turn(node.size));
        let all = nodes.iter().fold(Bytes::ZERO, |all, node| all + node.size);
        let least = chain.max(turn(all));
        let turns = match self.protocol {
            Protocol::Http1 { connections } => {
                nodes.iter().fold(Span::ZERO, |sum, node| sum + turn(node.size)) / u64::from(connections)
            }
            Protocol::Http2 | Protocol::Http2Interleaved => Span::ZERO,
        };
        Some(path.opening + least.max(turns))
    }
}
