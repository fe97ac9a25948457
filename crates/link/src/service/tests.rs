// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::rig::Rig;
use crate::{Config, Course, Delay, LinkSpec, Parcel, QueueLimit};
use proptest::prelude::*;

fn at(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

fn mbit(mbit_per_s: u64) -> Rate {
    Rate::from_bits_per_s(mbit_per_s * 1_000_000)
}

fn link(service: Service) -> Rig {
    let course = Course { service: Some(service), ..Course::default() };
    let config = Config {
        spec: LinkSpec { rate: Some(mbit(12)), queue: QueueLimit::Unlimited.into(), ..LinkSpec::IDEAL },
        delay: Delay::Constant(Span::ZERO),
        course: Some(Arc::new(course)),
    };
    Rig::new(&config, 1)
}

fn schedule(pieces: Vec<Piece>) -> Service {
    Service::Schedule(RateSchedule::new(pieces).unwrap_or_else(|error| panic!("{error}")))
}

fn moments(each: &[(u64, u64)]) -> Service {
    moments_with(0, each)
}

/// Creates opportunities for packets to which `header` bytes are added.
fn moments_with(header: u16, each: &[(u64, u64)]) -> Service {
    let each: Vec<_> = each.iter().map(|&(ms, bytes)| (at(ms), Bytes::new(bytes))).collect();
    let moments = Opportunities::new(&each).unwrap_or_else(|error| panic!("{error}"));
    Service::Opportunities(moments.with_header(header))
}

/// Offers packets of the given sizes at their times (ns). Returns the arrival time of each packet (ns).
fn arrivals(link: &mut Rig, packets: &[(u64, u16)]) -> Vec<u64> {
    for (handle, &(ns, size)) in packets.iter().enumerate() {
        link.offer(Time::from_nanos(ns), Parcel { handle: handle as u32, size, site: 0 });
    }
    let out = link.finish();
    assert!(
        out.iter().enumerate().all(|(at, (_, arrival))| arrival.parcel.handle as usize == at),
        "order is kept"
    );
    out.iter().map(|(at, _)| at.nanos()).collect()
}

/// At 12 Mbit/s, 1500 B take 1 ms. From 2.5 ms to 10 ms, there is a pause. The rate is then 6 Mbit/s, so the remaining
/// half of packet 2 takes 1 ms.
#[test]
fn a_pause_keeps_what_waits() {
    let pieces = vec![
        Piece::constant(Time::ZERO, mbit(12)),
        Piece::constant(Time::from_nanos(2_500_000), mbit(0)),
        Piece::constant(at(10), mbit(6)),
    ];
    let mut link = link(schedule(pieces));
    let out = arrivals(&mut link, &[(0, 1500), (0, 1500), (0, 1500), (0, 1500)]);
    assert_eq!(out, [1_000_000, 2_000_000, 11_000_000, 13_000_000]);
    assert_eq!(link.link.busy_time(at(20)), Span::from_micros(5500));
}

/// The rate is 12 Mbit/s, there is a pause from 2.5 ms to 10 ms, and then the rate is 6 Mbit/s. 1500 B take 1 ms, and
/// later 2 ms. Of four packets, two and a half are sent before the pause. The remaining half takes 1 ms, and the last
/// packet takes 2 ms. Packets that are recalled are never sent. At 1.5 ms, these are the packets that would begin at 2
/// ms and at 11 ms. At 5 ms, this is only the last packet.
#[test]
fn a_link_that_stands_still_is_not_busy() {
    let pieces = vec![
        Piece::constant(Time::ZERO, mbit(12)),
        Piece::constant(Time::from_nanos(2_500_000), mbit(0)),
        Piece::constant(at(6), mbit(0)),
        Piece::constant(at(10), mbit(6)),
    ];
    let busy_us = |recalled: Option<u64>, looks: &[u64]| -> Vec<u64> {
        let mut link = link(schedule(pieces.clone()));
        for handle in 0..4 {
            link.offer(Time::ZERO, Parcel { handle, size: 1500, site: 0 });
        }
        if let Some(us) = recalled {
            link.recall(Time::ZERO + Span::from_micros(us), false);
        }
        let at = |us: &u64| link.link.busy_time(Time::ZERO + Span::from_micros(*us)).nanos() / 1000;
        looks.iter().map(at).collect()
    };
    let looks = [0, 1000, 2500, 3000, 6000, 9999, 10_000, 10_500, 11_000, 12_000, 13_000, 20_000];
    let sent = [0, 1000, 2500, 2500, 2500, 2500, 2500, 3000, 3500, 4500, 5500, 5500];
    assert_eq!(busy_us(None, &looks), sent);
    assert_eq!(busy_us(Some(1500), &[1500, 2000, 6000, 20_000]), [1500, 2000, 2000, 2000]);
    assert_eq!(busy_us(Some(5000), &[5000, 10_000, 20_000]), [2500, 2500, 3500]);
}

/// The rate rises from 0 to 24 Mbit/s in 8 ms. The integral is r t^2 / (2 T) = 1.5e9 t^2 bit: 12,000 bit at t =
/// sqrt(8e-6) s, 24,000 bit at 4 ms, and 96,000 bit at 8 ms.
#[test]
fn a_ramp_is_the_integral_of_a_line() {
    let ramp = Piece { from: Time::ZERO, start: mbit(0), end: mbit(24) };
    let mut link = link(schedule(vec![ramp, Piece::constant(at(8), mbit(24))]));
    let out = arrivals(&mut link, &[(0, 1500); 9]);
    assert_eq!(out[0], 2_828_428); // 2.8284271 ms, the next whole nanosecond
    assert_eq!((out[1], out[7], out[8]), (4_000_000, 8_000_000, 8_500_000));
}

/// Neither at 1 Gbit/s nor at 7 Mbit/s does a packet of 1500 bytes take a whole number of nanoseconds. After a million
/// packets, the rounding must not accumulate: 1e6 x 12,000 bit / 7e6 bit/s = 1714.285714286 s.
#[test]
fn rounding_does_not_add_up() {
    let mut link = link(schedule(vec![Piece::constant(Time::ZERO, mbit(7))]));
    let mut last = Time::ZERO;
    for handle in 0..1_000_000 {
        link.offer(last, Parcel { handle, size: 1500, site: 0 });
        last = link.finish()[0].0;
    }
    assert_eq!(last.nanos(), 1_714_285_714_286);
}

/// There are opportunities at 1, 2 (two) and 4 ms, and the period is 4 ms. A packet offered at 2.5 ms leaves at 4 ms,
/// and the next packet leaves at 5 ms.
#[test]
fn a_trace_wraps_at_its_last_moment() {
    let mut link = link(moments(&[(1, 1504), (2, 1504), (2, 1504), (4, 1504)]));
    let packets =
        [(0, 1504), (0, 1504), (0, 1504), (2_500_000, 1504), (2_500_000, 1504), (100_000_000, 1504)];
    let out: Vec<_> = arrivals(&mut link, &packets).iter().map(|ns| ns / 1_000_000).collect();
    assert_eq!(out, [1, 2, 2, 4, 5, 100]);
}

#[test]
fn what_no_link_can_follow_is_refused() {
    let says = |pieces: &[Piece]| RateSchedule::new(pieces.to_vec()).map_err(|error| error.to_string()).err();
    let flat = |ms, rate| Piece::constant(at(ms), mbit(rate));
    for (pieces, message) in [
        (vec![], "it is empty (give at least one rate or time)"),
        (vec![flat(1, 1)], "the first rate begins at 1 ms (begin at \"0 s\")"),
        (
            vec![flat(0, 1), flat(2, 1), flat(2, 1)],
            "entry 2 at 2 ms is not later than the entry before it at 2 ms",
        ),
        (
            vec![flat(0, 0)],
            "the last rate must be constant and above zero, or packets could wait forever (end with such a rate; for an outage up to the end of the run write loss = { spans = [[from, to]] })",
        ),
        (vec![flat(0, 2_000_000)], "entry 0 is out of range: rates are at most 1 Tbit/s, ramps at most 1 h"),
    ] {
        assert_eq!(says(&pieces).as_deref(), Some(message));
    }
}

/// Waiting packets are handed back. Later packets are sent as if the recalled packets had never been offered.
#[test]
fn a_recalled_queue_leaves_no_trace() {
    let pieces = vec![Piece::constant(Time::ZERO, mbit(12)), Piece::constant(at(5), mbit(6))];
    for service in [schedule(pieces), moments(&(0..50).map(|ms| (ms, 1500)).collect::<Vec<_>>())] {
        let (mut recalled, mut other) = (link(service.clone()), link(service));
        for handle in 0..20 {
            recalled.offer(at(0), Parcel { handle, size: 1500, site: 0 });
        }
        other.offer(at(0), Parcel { handle: 0, size: 1500, site: 0 });
        let first = other.link.next_event().unwrap_or(Time::MAX);
        recalled.recall(first, false);
        // When the first packet leaves, the second packet may already be in transmission.
        let left = recalled.link.in_flight();
        other.offer(first, Parcel { handle: 1, size: 1500, site: 0 });
        if left == 1 {
            recalled.offer(first, Parcel { handle: 1, size: 1500, site: 0 });
        }
        let times = |link: &mut Rig| link.finish().iter().map(|&(at, _)| at).collect::<Vec<_>>();
        assert_eq!(times(&mut recalled), times(&mut other));
        assert_eq!(recalled.link.busy_time(at(50)), other.link.busy_time(at(50)));
    }
}

/// The area under a schedule from zero to `ns`, in bits, computed with trapezoids in floating point.
fn area(pieces: &[Piece], ns: u64) -> f64 {
    let mut sum = 0.0;
    for (index, piece) in pieces.iter().enumerate() {
        let (from, to) =
            (piece.from.nanos(), pieces.get(index + 1).map_or(u64::MAX, |next| next.from.nanos()));
        if from >= ns {
            break;
        }
        let (start, end) = (piece.start.bits_per_s() as f64, piece.end.bits_per_s() as f64);
        let share = if to == u64::MAX { 0.0 } else { (ns.min(to) - from) as f64 / (to - from) as f64 };
        let there = start + (end - start) * share;
        sum += f64::midpoint(start, there) * (ns.min(to) - from) as f64 / 1e9;
    }
    sum
}

prop_compose! {
    fn any_schedule()(
        steps in prop::collection::vec((1u64..5_000_000, 0u64..80, 0u64..80, any::<bool>()), 0..12),
        last in 1u64..80,
    ) -> Vec<Piece> {
        let mut from = Time::ZERO;
        let mut pieces = Vec::new();
        for (lasts, start, end, ramp) in steps {
            pieces.push(Piece { from, start: mbit(start), end: mbit(if ramp { end } else { start }) });
            from += Span::from_nanos(lasts);
        }
        pieces.push(Piece::constant(from, mbit(last)));
        pieces
    }
}

proptest! {
    /// The work with pauses equals the work without pauses, minus the work in the pauses. The tolerance is the rounding
    /// of rates in ramps.
    #[test]
    fn pauses_take_their_share(
        pieces in any_schedule(),
        gaps in prop::collection::vec((1u64..4_000_000, 0u64..6_000_000), 0..6),
        ns in 1u64..60_000_000,
    ) {
        let mut now = 0;
        let pauses: Vec<(u64, u64)> = gaps.into_iter().map(|(lasts, gap)| {
            let from = now + gap;
            now = from + lasts;
            (from, now)
        }).collect();
        let whole = RateSchedule::new(pieces.clone()).unwrap_or_else(|error| panic!("{error}"));
        let times: Vec<_> = pauses.iter().map(|&(from, to)| (Time::from_nanos(from), Time::from_nanos(to))).collect();
        let paused = whole.with_pauses(&times);
        // A link would not refuse this schedule.
        let again = RateSchedule::new(paused.pieces().to_vec());
        prop_assert_eq!(again.as_ref(), Ok(&paused));
        let missed: f64 =
            pauses.iter().map(|&(from, to)| area(&pieces, to.min(ns)) - area(&pieces, from.min(ns))).sum();
        let passes = area(paused.pieces(), ns);
        prop_assert!((passes - (area(&pieces, ns) - missed)).abs() < 1.0, "{} of {}", passes, missed);
    }
}

prop_compose! {
    fn any_packets()(gaps in prop::collection::vec((0u64..3_000_000, 40u16..1600, any::<bool>()), 1..60))
        -> Vec<(u64, u16)> {
        let mut now = 0;
        gaps.into_iter().map(|(gap, size, burst)| {
            now += if burst { 0 } else { gap };
            (now, size)
        }).collect()
    }
}

proptest! {
    /// In each busy period, the bits that have left by the departure of a packet equal the area under the rate. The
    /// tolerance is a nanosecond, so over any interval the difference is less than a packet.
    #[test]
    fn departures_invert_the_integral(pieces in any_schedule(), packets in any_packets()) {
        let mut link = link(schedule(pieces.clone()));
        let out = arrivals(&mut link, &packets);
        prop_assert_eq!(out.len(), packets.len());
        prop_assert_eq!(link.link.counters().delivered, packets.len() as u64);
        let (mut begin, mut sent, mut free) = (0, 0.0, 0);
        for (&(offered, size), &left) in packets.iter().zip(&out) {
            if offered > free {
                (begin, sent) = (offered, 0.0);
            }
            sent += f64::from(size) * 8.0;
            free = left;
            let passed = area(&pieces, left) - area(&pieces, begin);
            // At 80 Mbit/s, 0.08 bit is sent per nanosecond. The tolerance 1e-6 is for the arithmetic of the oracle.
            prop_assert!(passed >= sent - 1e-6 && passed <= sent + 0.08 + 1e-6, "{passed} {sent}");
            prop_assert!(left >= offered);
        }
        let schedule = RateSchedule::new(pieces.clone()).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let end = Time::from_nanos(free);
        prop_assert!((schedule.bits_until(end) as f64 - area(&pieces, free)).abs() < 1.0 + 1e-6);
    }

    /// The expected results follow mahimahi's `link_queue.cc`. At each opportunity, the packet in transit takes bytes
    /// first, and then the next packets in the queue. Bytes that no packet takes are lost. The packets come from a TUN
    /// device, with a header of four bytes.
    #[test]
    fn deliveries_are_mahimahis(
        gaps in prop::collection::vec((0u64..4, 1u64..4), 1..20),
        packets in any_packets(),
    ) {
        let mut ms = 0;
        let mut lines: Vec<u64> = Vec::new();
        for (gap, count) in gaps {
            ms += gap;
            lines.extend(std::iter::repeat_n(ms, count as usize));
        }
        prop_assume!(ms > 0);
        let each: Vec<(u64, u64)> = lines.iter().map(|&ms| (ms, 1504)).collect();
        let out = arrivals(&mut link(moments_with(4, &each)), &packets);
        let (mut expected, mut next, mut missing, mut base) = (Vec::new(), 0, 0, 0);
        while expected.len() < packets.len() {
            for line in &lines {
                let now = (base + line) * 1_000_000;
                let mut bytes = 1504;
                while bytes > 0 {
                    if missing == 0 {
                        let Some(&(_, size)) = packets.get(next).filter(|packet| packet.0 <= now) else { break };
                        (missing, next) = (u64::from(size) + 4, next + 1);
                    }
                    let taken = missing.min(bytes);
                    (missing, bytes) = (missing - taken, bytes - taken);
                    if missing == 0 {
                        expected.push(now);
                    }
                }
            }
            base += ms;
        }
        prop_assert_eq!(out, expected);
    }
}

/// The rate is 10 Mbit/s until 2 s, a ramp to 30 Mbit/s at 4 s, and then 20 Mbit/s. The opportunities are 1000 bytes at
/// 30 and at 60 ms and 5000 bytes at 250 ms, with a period of 250 ms. They are counted in bins of 100 ms.
#[test]
fn the_highest_rate_of_a_stretch() {
    let schedule = schedule(vec![
        Piece::constant(at(0), mbit(10)),
        Piece { from: at(2000), start: mbit(10), end: mbit(30) },
        Piece::constant(at(4000), mbit(20)),
    ]);
    let peaks = [(0, 1999), (0, 2000), (3000, 9000), (4000, 9000)].map(|(a, b)| schedule.peak(at(a), at(b)));
    assert_eq!(peaks, [10, 30, 30, 20].map(mbit));

    let moments = moments(&[(30, 1000), (60, 1000), (250, 5000)]);
    // There are 2000 bytes from 0 to 100 ms, none to 200 ms, and 6000 bytes to 300 ms (at 250 and 280 ms).
    let bytes = [(0, 100), (100, 200), (0, 300), (1100, 1200)].map(|(a, b)| moments.peak(at(a), at(b)));
    assert_eq!(bytes, [2000, 0, 6000, 0].map(|bytes| Rate::from_bits_per_s(bytes * 80)));
}

/// The rate is 10 Mbit/s until 2 s, a ramp to 30 Mbit/s at 4 s, a pause of 1 s, and then 20 Mbit/s. The areas are
/// computed by hand. The opportunities are 1000 bytes at 30 and at 60 ms and 5000 bytes at 250 ms, with a period of 250
/// ms.
#[test]
fn the_mean_rate_of_a_stretch() {
    let schedule = schedule(vec![
        Piece::constant(at(0), mbit(10)),
        Piece { from: at(2000), start: mbit(10), end: mbit(30) },
        Piece::constant(at(4000), mbit(0)),
        Piece::constant(at(5000), mbit(20)),
    ]);
    let mean = |from: u64, ms: u64| schedule.mean(at(from), Span::from_millis(ms)).bits_per_s();
    assert_eq!(mean(500, 10), 10_000_000);
    assert_eq!(mean(1000, 2000), 12_500_000); // 10 Mbit in the first second, 15 in the second
    assert_eq!(mean(3000, 2000), 12_500_000); // 25 Mbit, then nothing
    assert_eq!(mean(4200, 100), 0);
    assert_eq!(mean(4500, 1000), 10_000_000);
    assert_eq!(mean(90_000, 1), 20_000_000);

    let moments = moments(&[(30, 1000), (60, 1000), (250, 5000)]);
    let bytes = [(0, 100), (30, 25), (100, 100), (100, 200), (260, 250)]
        .map(|(from, ms)| moments.mean(at(from), Span::from_millis(ms)).bits_per_s() * ms / 8000);
    assert_eq!(bytes, [2000, 1000, 0, 6000, 7000]);
}

/// There are opportunities of 1500 B every 2 ms. From 3 ms to 9 ms, there is a pause, so the opportunities at 4, 6 and
/// 8 ms are lost. The period does not change. If the course is set again meanwhile, the result is the same.
#[test]
fn moments_in_a_pause_are_gone() {
    let pauses = [(at(3), at(9))];
    let paused = moments(&[(2, 1500), (4, 1500)]).with_pauses(&pauses);
    for turned in [false, true] {
        let mut link = link(paused.clone());
        for (handle, ms) in [(0, 0), (1, 0), (2, 0), (3, 12)] {
            if turned && handle == 2 {
                link.set_course(at(0), &Course { service: Some(paused.clone()), ..Course::default() });
            }
            link.offer(at(ms), Parcel { handle, size: 1500, site: 0 });
        }
        let out: Vec<u64> = link.finish().iter().map(|(at, _)| at.nanos() / 1_000_000).collect();
        assert_eq!(out, [2, 10, 12, 14], "turned: {turned}");
        // The transmitter is busy from 0 to 3 ms and from 9 to 14 ms.
        assert_eq!([6, 10, 14].map(|ms| link.link.busy_time(at(ms)).nanos() / 1_000_000), [3, 4, 8]);
    }
    // There are 6 opportunities in 12 ms, and 3 of them are lost.
    assert_eq!(paused.mean(at(1), Span::from_millis(12)).bits_per_s(), 3 * 1500 * 8 * 1000 / 12);
}
