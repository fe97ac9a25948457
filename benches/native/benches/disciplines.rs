// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures the cost of a packet on a link under each discipline, without engine or transport: the packet is offered,
//! waits, leaves and arrives.
//!
//! Bursts of eight packets of ten senders arrive at a link of 100 Mbit/s that is busy 96 % of the time. Each discipline
//! has its default settings, except for thresholds that are exceeded from time to time, so that it draws, marks and
//! drops. Rounds of the disciplines alternate, and the smallest time of each discipline counts. The table has the cost
//! of a packet next to the cost with drop-tail.

use divan::black_box;
use link::{
    Config, Delay, Discipline, DropFront, Drr, Ecn, Link, LinkSpec, Lost, Packets, Parcel, Pie, Priority,
    Queue, QueueLimit, Red, Threshold,
};
use std::time::{Duration, Instant};
use units::{Rate, Span, Time};

const PACKETS: u32 = 400_000;
const BURST: u32 = 8;
const ROUNDS: usize = 9;

/// Packets of which only the ECN codepoint is stored.
struct Crowd {
    ecn: Vec<Ecn>,
    gone: u64,
}

impl Packets for Crowd {
    fn sender(&self, handle: u32) -> u64 {
        u64::from(handle % 10)
    }
    fn carries_data(&self, _: u32) -> bool {
        true
    }
    fn ecn(&self, handle: u32) -> Ecn {
        self.ecn[handle as usize % 1024]
    }
    fn ack(&self, _: u32) -> Option<link::Ack> {
        None
    }
    fn is_urgent(&self, handle: u32) -> bool {
        handle.is_multiple_of(5)
    }
    fn mark(&mut self, _: u32) {}
    fn bleach(&mut self, _: u32) {}
    fn warn(&mut self, _: u32) {}
    fn waits(&mut self, _: u32, _: Span) {}
    fn spared(&mut self, _: u32, _: Span) {}
    fn entered(&mut self, _: Parcel) {}
    fn begins(&mut self, _: u32, _: Time) {}
    fn dropped(&mut self, _: Parcel, _: Lost) {
        self.gone += 1;
    }
}

/// All disciplines, and the disciplines with an optional threshold also with a threshold. The defaults of RED and PIE
/// would rarely act on such a queue.
fn disciplines() -> impl Iterator<Item = Discipline> {
    let mark_above = Some(Threshold { above: QueueLimit::Packets(20) });
    let marking = [
        Discipline::DropFront(DropFront { mark_above }),
        Discipline::Priority(Priority { mark_above }),
        Discipline::Drr(Drr { mark_above, ..Drr::default() }),
    ];
    let all = Discipline::ALL.iter().map(|&discipline| match discipline {
        Discipline::Red(red) => Discipline::Red(Red {
            min_threshold: QueueLimit::Packets(2),
            max_threshold: QueueLimit::Packets(20),
            ..red
        }),
        Discipline::Pie(pie) => {
            Discipline::Pie(Pie { target: Span::from_micros(500), burst: Span::ZERO, ..pie })
        }
        other => other,
    });
    all.chain(marking)
}

/// Time until all packets have arrived.
fn round(discipline: Discipline) -> Duration {
    let queue = Queue { limit: QueueLimit::Packets(60), discipline };
    let spec = LinkSpec { rate: Some(Rate::from_bits_per_s(100_000_000)), queue, ..LinkSpec::IDEAL };
    let mut link = Link::new(&Config::new(spec, Delay::Constant(Span::from_millis(10))), 1);
    let ecn = (0..1024).map(|n| [Ecn::NotEct, Ecn::Ect0, Ecn::Ect1][n % 3]).collect();
    let mut crowd = Crowd { ecn, gone: 0 };
    let begun = Instant::now();
    for handle in 0..PACKETS {
        let now = Time::ZERO + Span::from_micros(u64::from(handle / BURST) * 1000);
        while let Some(due) = link.next_event().filter(|&due| due < now) {
            let _ = black_box(link.advance(due, &mut crowd));
        }
        let _ = black_box(link.offer(now, Parcel { handle, size: 1500, site: 0 }, &mut crowd));
    }
    while let Some(due) = link.next_event() {
        let _ = black_box(link.advance(due, &mut crowd));
    }
    let time = begun.elapsed();
    black_box(crowd.gone);
    time
}

#[expect(clippy::print_stdout, reason = "a program, not a library")]
fn main() {
    let all: Vec<Discipline> = disciplines().collect();
    let mut least = vec![Duration::MAX; all.len()];
    for _ in 0..ROUNDS {
        for (least, &discipline) in least.iter_mut().zip(&all) {
            *least = (*least).min(round(discipline));
        }
    }
    let price = |time: Duration| time.as_secs_f64() * 1e9 / f64::from(PACKETS);
    println!("| discipline | ns per packet | beside drop-tail |\n|---|---:|---:|");
    for (discipline, time) in all.iter().zip(&least) {
        let ratio = price(*time) / price(least[0]);
        let marks = match discipline {
            Discipline::Threshold(_) => "",
            other if other.threshold().is_some() => ", marking",
            _ => "",
        };
        println!("| {}{marks} | {:.1} | {ratio:.2} |", discipline.word(), price(*time));
    }
}
