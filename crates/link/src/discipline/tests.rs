// SPDX-License-Identifier: MIT OR Apache-2.0
use super::tail::Tail;
use super::*;
use crate::rig::Rig;
use crate::{Bursts, Config, Course, Delay, Impairment, Link, LinkSpec, Queue, QueueLimit};
use proptest::prelude::*;
use std::sync::Arc;
use units::Bytes;

/// A queue that a user provides. It refuses every `refuse`-th arriving packet, and drops a share of the leaving
/// packets.
#[derive(Clone, Debug, saved::Plain)]
struct Fickle {
    refuse: u32,
    share: f64,
    seen: u32,
    tail: Tail,
}

impl Fickle {
    fn new(refuse: u32, share: f64) -> Self {
        Self { refuse, share, seen: 0, tail: Tail::default() }
    }
}

impl ActiveQueue for Fickle {
    fn push(&mut self, parcel: Parcel, _sender: u64, context: &mut QueueContext<'_>) -> Result<(), Lost> {
        self.seen += 1;
        if self.seen.is_multiple_of(self.refuse) {
            return Err(Lost::Refused);
        }
        self.tail.push(context.now(), parcel);
        Ok(())
    }
    fn pop(&mut self, context: &mut QueueContext<'_>) -> Option<Entry> {
        loop {
            let (offered, parcel) = self.tail.pop()?;
            if context.random() >= self.share || context.mark(parcel) {
                return Some((offered, parcel));
            }
            context.drop(parcel);
        }
    }
    fn amount(&self) -> Amount {
        self.tail.amount()
    }
    fn drain(&mut self) -> Vec<Entry> {
        self.tail.drain()
    }
}

/// At 12 Mbit/s, 1500 B take 1 ms. Five packets may wait.
fn config() -> Config {
    let rate = Some(Rate::from_bits_per_s(12_000_000));
    let spec = LinkSpec { rate, queue: QueueLimit::Packets(5).into(), ..LinkSpec::IDEAL };
    Config::new(spec, Delay::Constant(Span::from_millis(10)))
}

fn parcel(handle: u32) -> Parcel {
    Parcel { handle, size: 1500, site: 0 }
}

/// Nine packets arrive at the same time. Packet 0 is sent, and packets 1, 3, 4, 6 and 7 wait. The queue refuses the
/// third and the sixth packet that it gets, which are 2 and 5. Packet 8 finds the queue full, so the queue is not
/// asked. At 10 ms, packet 9 is the ninth packet that the queue gets.
#[test]
fn every_third_is_refused_at_the_door() {
    let mut link = Rig::of(Link::with_queue(&config(), Box::new(Fickle::new(3, 0.0)), 1));
    for handle in 0..9 {
        link.offer(Time::ZERO, parcel(handle));
    }
    for handle in 9..12 {
        link.offer(Time::ZERO + Span::from_millis(10), parcel(handle));
    }
    let refused = |handle| (handle, Lost::Refused);
    assert_eq!(link.log.dropped, [refused(2), refused(5), (8, Lost::Full), refused(9)]);
    let arrived: Vec<u32> = link.finish().iter().map(|(_, it)| it.parcel.handle).collect();
    assert_eq!(arrived, [0, 1, 3, 4, 6, 7, 10, 11]);
    let counters = link.link.counters();
    assert_eq!((counters.dropped_queue, counters.refused, counters.delivered), (4, 3, 8));
}

/// A quarter of the packets is dropped when it would leave: of 40,000 packets, 10,000 within five standard deviations.
/// Losses on the link are drawn from a separate stream. The packets that arrive with errors are therefore the same with
/// and without the draws of the discipline.
#[test]
fn chance_has_a_stream_of_its_own() {
    let lossy = |share| {
        let config = config();
        let spec = LinkSpec { loss: Impairment::PacketErrorRate(0.5), ..config.spec };
        let queue = Box::new(Fickle::new(u32::MAX, share));
        let mut link = Rig::of(Link::with_queue(&Config { spec, ..config }, queue, 7));
        for handle in 0..40_000 {
            link.offer(Time::ZERO + Span::from_millis(handle.into()), parcel(handle));
        }
        link
    };
    let (mut all, mut some) = (lossy(0.0), lossy(0.25));
    let fate = |link: &mut Rig| link.finish().iter().map(|(_, it)| it.lost).collect::<Vec<_>>();
    let (with_all, with_some) = (fate(&mut all), fate(&mut some));
    assert_eq!(with_all[..with_some.len()], with_some);
    let dropped = some.link.counters().dropped_queue as f64;
    assert!((dropped - 10_000.0).abs() < 5.0 * (4e4_f64 * 0.25 * 0.75).sqrt(), "{dropped}");
}

/// A queue that never returns a packet.
#[derive(Clone, Debug, Default, saved::Plain)]
struct Idle(Tail);

impl ActiveQueue for Idle {
    fn push(&mut self, parcel: Parcel, _sender: u64, context: &mut QueueContext<'_>) -> Result<(), Lost> {
        self.0.push(context.now(), parcel);
        Ok(())
    }
    fn pop(&mut self, _context: &mut QueueContext<'_>) -> Option<Entry> {
        None
    }
    fn amount(&self) -> Amount {
        self.0.amount()
    }
    fn drain(&mut self) -> Vec<Entry> {
        self.0.drain()
    }
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "a discipline idles while packets wait")]
fn a_queue_must_not_idle() {
    Rig::of(Link::with_queue(&config(), Box::new(Idle::default()), 1)).offer(Time::ZERO, parcel(0));
}

/// An action on a link.
#[derive(Clone, Copy, Debug)]
enum Act {
    Offer { size: u16, sender: u64, low: bool, ecn: Ecn },
    Rate(u64),
    Delay(u64),
    Recall { lose: bool },
}

prop_compose! {
    fn any_acts()(acts in prop::collection::vec((0u64..1500, prop_oneof![
        20 => (40u16..1600, 0u64..5, prop::bool::weighted(0.2), 0u8..4).prop_map(|(size, sender, low, ecn)| {
            let ecn = [Ecn::NotEct, Ecn::Ect0, Ecn::Ect1, Ecn::Ce][usize::from(ecn)];
            Act::Offer { size, sender, low, ecn }
        }),
        2 => (1u64..50).prop_map(Act::Rate),
        2 => (0u64..20_000).prop_map(Act::Delay),
        1 => any::<bool>().prop_map(|lose| Act::Recall { lose }),
    ]), 1..150)) -> Vec<(Time, Act)> {
        let mut now = Time::ZERO;
        acts.into_iter().map(|(gap, act)| {
            now += Span::from_micros(gap);
            (now, act)
        }).collect()
    }
}

fn any_limit() -> impl Strategy<Value = QueueLimit> {
    prop_oneof![
        (0u64..12).prop_map(QueueLimit::Packets),
        (0u64..12_000).prop_map(|bytes| QueueLimit::Bytes(Bytes::new(bytes))),
        (0u64..12_000).prop_map(|us| QueueLimit::Time(Span::from_micros(us))),
        Just(QueueLimit::Unlimited),
    ]
}

fn any_marks() -> impl Strategy<Value = Option<Threshold>> {
    prop::option::of(any_limit().prop_map(|above| Threshold { above }))
}

/// Any discipline: either a discipline with its default settings (new disciplines are included automatically), or,
/// twice as often, a discipline with settings under which more happens. `None` means a queue that a user provides.
fn any_discipline() -> impl Strategy<Value = Option<Discipline>> {
    prop_oneof![
        1 => prop::sample::select(Discipline::ALL).prop_map(Some),
        2 => busy_discipline(),
    ]
}

fn busy_discipline() -> impl Strategy<Value = Option<Discipline>> {
    let codel = CoDel {
        target: Span::from_micros(500),
        interval: Span::from_millis(3),
        ce_threshold: Some(CeThreshold { above: Span::from_micros(300), only_ect1: true }),
    };
    let red = Red { weight: 0.5, min_threshold: QueueLimit::Packets(1), ..Red::default() };
    let pie = Pie {
        target: Span::from_micros(500),
        update: Span::from_micros(300),
        alpha: 300.0,
        beta: 300.0,
        burst: Span::ZERO,
        ..Pie::default()
    };
    let dual =
        DualPi2 { target: Span::from_micros(500), rtt_max: Span::from_millis(3), ..DualPi2::default() };
    prop_oneof![
        Just(Some(Discipline::DropTail)),
        Just(Some(Discipline::CoDel(codel))),
        (1u32..4).prop_map(move |flows| {
            Some(Discipline::FqCoDel(FqCoDel { codel, flows, quantum: Bytes::new(300) }))
        }),
        (1u64..9).prop_map(move |packets| {
            Some(Discipline::Red(Red { max_threshold: QueueLimit::Packets(packets + 1), ..red }))
        }),
        any::<bool>().prop_map(move |rate| {
            let estimate = if rate { WaitEstimate::DepartureRate } else { WaitEstimate::Timestamp };
            Some(Discipline::Pie(Pie { estimate, ..pie }))
        }),
        any::<bool>().prop_map(move |shifted| {
            let scheduler = if shifted { DualScheduler::TIME_SHIFTED } else { DualScheduler::WEIGHTED };
            Some(Discipline::DualPi2(DualPi2 { scheduler, ..dual }))
        }),
        any_marks().prop_map(|mark_above| Some(Discipline::DropFront(DropFront { mark_above }))),
        any_marks().prop_map(|mark_above| Some(Discipline::Priority(Priority { mark_above }))),
        (1u64..2000, any_marks()).prop_map(|(bytes, mark_above)| {
            Some(Discipline::Drr(Drr { quantum: Bytes::new(bytes), mark_above }))
        }),
        any_limit().prop_map(|above| Some(Discipline::Threshold(Threshold { above }))),
        Just(None),
    ]
}

proptest! {
    /// For any sequence of actions, each packet is accepted at most once. It is then dropped, handed back, on the link
    /// or arrived, exactly once (`Rig` checks the counters after every call). Unless packets may overtake, packets of
    /// one sender and one class arrive in order. Only packets that can be marked are marked, and at most once.
    #[test]
    fn the_books_close(
        acts in any_acts(),
        limit in any_limit(),
        discipline in any_discipline(),
        (reorder, lossy, cut) in any::<(bool, bool, bool)>(),
    ) {
        let mut config = config();
        config.spec.reorder = reorder;
        config.spec.queue = Queue { limit, discipline: discipline.unwrap_or_default() };
        if lossy {
            let (bin, to_bad, to_good, loss) = (Span::from_millis(5), 0.3, 0.5, 0.9);
            config.spec.loss = Impairment::Bursts(Bursts { bin, to_bad, to_good, loss });
        }
        if cut {
            let until = |ms| Time::ZERO + Span::from_millis(ms);
            let course = Course { cut: [(until(20), true), (until(40), false)].into(), ..Course::default() };
            config.course = Some(Arc::new(course));
        }
        let mut link = match discipline {
            Some(_) => Rig::new(&config, 1),
            None => Rig::of(Link::with_queue(&config, Box::new(Fickle::new(4, 0.2)), 1)),
        };
        let mut class = Vec::new();
        for (now, act) in acts {
            match act {
                Act::Rate(rate) => link.set_rate(now, Some(Rate::from_bits_per_s(rate * 1_000_000))),
                Act::Delay(delay) => link.set_delay(now, Delay::Constant(Span::from_micros(delay))),
                Act::Recall { lose } => {
                    prop_assert!(link.recall(now, lose).is_empty() || !lose);
                }
                Act::Offer { size, sender, low, ecn } => {
                    let handle = class.len() as u32;
                    link.log.ecn.insert(handle, ecn);
                    // DualPI2 has two queues for each sender.
                    class.push((sender, low, matches!(ecn, Ecn::Ect1 | Ecn::Ce)));
                    if sender == 1 {
                        link.log.urgent.insert(handle);
                    }
                    let site = if low { Parcel::LOW } else { 0 };
                    link.offer_from(now, Parcel { handle, size, site }, sender);
                }
            }
        }
        let mut last = std::collections::BTreeMap::new();
        for (at, arrival) in link.finish() {
            let handle = arrival.parcel.handle;
            let before = last.insert(class[handle as usize], handle);
            prop_assert!(reorder || before.is_none_or(|before| before < handle), "{before:?} {handle} at {at}");
        }
        prop_assert_eq!((link.link.in_flight(), link.link.next_event()), (0, None));
        let counters = link.link.counters();
        prop_assert_eq!(counters.marked, link.log.marked.len() as u64);
        let refused = link.log.dropped.iter().filter(|(_, why)| *why == Lost::Refused).count();
        prop_assert_eq!(counters.refused, refused as u64);
        let mut seen = link.log.entered.clone();
        seen.dedup();
        prop_assert_eq!(seen.len(), link.log.entered.len());
        let mut marked = link.log.marked.clone();
        marked.sort_unstable();
        marked.dedup();
        prop_assert_eq!(marked.len(), link.log.marked.len());
    }
}
