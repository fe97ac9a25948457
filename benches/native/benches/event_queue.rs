// SPDX-License-Identifier: MIT OR Apache-2.0
//! The physical limit of this machine: the cost of an event without any other work.
//!
//! 1. Hold model: the earliest event moves to a later, random time. Queues by number of pending events.
//! 2. Packet-hops: per-link rings of 16-byte entries and a queue of link heads; each arrival goes on to a random link.
//!
//! `cargo bench -p bentpipe-benches --bench event_queue`. Times are CPU time of this thread, the best of five: other
//! load on the machine can only add.

#![expect(clippy::print_stdout, reason = "a program, not a library")]
#![expect(clippy::needless_bitwise_bool, reason = "the variants differ in their branches")]

#[path = "../../../crates/engine/src/queue.rs"]
#[allow(dead_code)]
mod queue;
#[path = "event_queue/variants.rs"]
mod variants;

use std::collections::VecDeque;
use std::fs;
use variants::{BinaryIndices, BinaryKeys, Hold, Product, Std, StdReplaceTop, Wide};

/// xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled" (2016).
struct Random(u64);

impl Random {
    #[inline]
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
    /// Uniform below `bound`.
    #[inline]
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

/// CPU time of this thread in nanoseconds. The kernel updates this value when it schedules; otherwise the value is up
/// to a tick (4 ms) old.
fn cpu_ns() -> f64 {
    std::thread::yield_now();
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux with /proc");
    text.split_whitespace().next().and_then(|ns| ns.parse().ok()).expect("nanoseconds on the CPU")
}

/// Best of five, nanoseconds per operation.
fn best(operations: u64, mut run: impl FnMut()) -> f64 {
    (0..5)
        .map(|_| {
            let start = cpu_ns();
            run();
            (cpu_ns() - start) / operations as f64
        })
        .fold(f64::INFINITY, f64::min)
}

const OPERATIONS: u64 = 2_000_000;

/// A queue whose leaves have random times below 2^20 ns, and the generator of these times.
fn filled<Q: Hold>(leaves: usize) -> (Q, Random) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut queue = Q::new(leaves);
    for leaf in 0..leaves {
        queue.set(leaf, random.below(1 << 20));
    }
    (queue, random)
}

/// The winner moves on by a random span below 2^20 ns: its path is replayed to the top.
fn hold<Q: Hold>(leaves: usize) -> f64 {
    let (mut queue, mut random) = filled::<Q>(leaves);
    best(OPERATIONS, || {
        for _ in 0..OPERATIONS {
            let (time, leaf) = queue.peek();
            queue.set(leaf, time + random.below(1 << 20));
        }
    })
}

/// A random leaf, not the winner, moves to a random time: the cost of postponing a timer.
fn put_off<Q: Hold>(leaves: usize) -> f64 {
    let (mut queue, mut random) = filled::<Q>(leaves);
    best(OPERATIONS, || {
        for step in 0..OPERATIONS {
            queue.set(random.below(leaves as u64) as usize, (1 << 20) + step + random.below(1 << 20));
        }
    })
}

/// Packets hop from link to link: 12 µs each on the wire, 10 ms in flight, then on to a random link.
fn hops<Q: Hold>(links: usize, packets: usize) -> f64 {
    const NEVER: u64 = u64::MAX - 1;
    const WIRE: u64 = 12_000;
    const FLIGHT: u64 = 10_000_000;
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut queue = Q::new(links);
    let mut rings: Vec<VecDeque<(u64, u64)>> = vec![VecDeque::with_capacity(4 * packets / links + 64); links];
    let mut free_at = vec![0_u64; links];
    let mut enter =
        |queue: &mut Q, rings: &mut Vec<VecDeque<(u64, u64)>>, link: usize, now: u64, packet: u64| {
            let departure = free_at[link].max(now) + WIRE;
            free_at[link] = departure;
            if rings[link].is_empty() {
                queue.set(link, departure + FLIGHT);
            }
            rings[link].push_back((departure + FLIGHT, packet));
        };
    for link in 0..links {
        queue.set(link, NEVER);
    }
    for packet in 0..packets {
        let (link, now) = (random.below(links as u64) as usize, random.below(FLIGHT));
        enter(&mut queue, &mut rings, link, now, packet as u64);
    }
    best(OPERATIONS, || {
        for _ in 0..OPERATIONS {
            let (now, link) = queue.peek();
            let (_, packet) = rings[link].pop_front().expect("a head without a ring");
            queue.set(link, rings[link].front().map_or(NEVER, |head| head.0));
            enter(&mut queue, &mut rings, random.below(links as u64) as usize, now, packet);
        }
    })
}

/// Prints a row of a Markdown table.
fn row(name: &str, cells: impl Iterator<Item = f64>) {
    let cells: Vec<String> = cells.map(|ns| format!("{ns:.1}")).collect();
    println!("| {name} | {} |", cells.join(" | "));
}

/// Prints the heading of a Markdown table with a column for each number.
fn heading(what: &str, numbers: &[usize]) {
    let cells: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    println!("\n| {what} | {} |\n|---|{}", cells.join(" | "), "---:|".repeat(numbers.len()));
}

fn main() {
    let leaves = [16, 64, 256, 1_000, 10_000, 100_000];
    heading("hold model, ns per event, by number of pending events", &leaves);
    row("engine's queue", leaves.into_iter().map(hold::<Product>));
    row("std heap, pop + push", leaves.into_iter().map(hold::<Std>));
    row("std heap, peek_mut", leaves.into_iter().map(hold::<StdReplaceTop>));
    row("binary, keys in nodes", leaves.into_iter().map(hold::<BinaryKeys>));
    row("binary, indices in nodes", leaves.into_iter().map(hold::<BinaryIndices>));
    row("4-way, no exit", leaves.into_iter().map(hold::<Wide<4, false>>));
    row("4-way, exit", leaves.into_iter().map(hold::<Wide<4, true>>));
    row("8-way, no exit", leaves.into_iter().map(hold::<Wide<8, false>>));
    row("8-way, exit", leaves.into_iter().map(hold::<Wide<8, true>>));
    heading("a random event is put off, ns, by number of pending events", &leaves);
    row("engine's queue", leaves.into_iter().map(put_off::<Product>));
    row("binary, keys in nodes", leaves.into_iter().map(put_off::<BinaryKeys>));
    row("binary, indices in nodes", leaves.into_iter().map(put_off::<BinaryIndices>));
    row("4-way, no exit", leaves.into_iter().map(put_off::<Wide<4, false>>));
    row("8-way, exit", leaves.into_iter().map(put_off::<Wide<8, true>>));
    let links = [10, 100, 1_000, 6_336];
    for packets in [1_000, 100_000] {
        heading(
            &format!("packet-hops with {packets} packets in flight, ns per hop, by number of links"),
            &links,
        );
        row("engine's queue", links.into_iter().map(|links| hops::<Product>(links, packets)));
        row("binary, keys in nodes", links.into_iter().map(|links| hops::<BinaryKeys>(links, packets)));
        row("4-way, no exit", links.into_iter().map(|links| hops::<Wide<4, false>>(links, packets)));
        row("8-way, exit", links.into_iter().map(|links| hops::<Wide<8, true>>(links, packets)));
    }
}
