// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures the cost of an ACK in each controller of the catalogue, in congestion avoidance, and the size of its state.
//!
//! The platform is a stub. ACKs of two segments arrive every 480 µs (50 Mbit/s), with all fields set. The RTT rises and
//! falls. After one of 4096 ACKs there is a loss, so that the window follows a sawtooth. `floor` is this platform with
//! a controller that does nothing; subtract it. A controller that allocates memory ends the benchmark.

use control::{
    Ack, AckedPacket, Control, Controller, Loss, LossTrigger, LossVerdict, LostPacket, NewMss, PacketKind,
    PathState, RateSample, Sent, Signals, Snapshot, Start, Timeout, catalogue,
};
use divan::{Bencher, black_box};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};
use units::{Bytes, Rate, Span, Time};

const MSS: u32 = 1448;
const FLOOR: &str = "floor";
/// ACKs from one loss to the next.
const ACKS_PER_LOSS: u64 = 4096;
const ACK_SPACING: Span = Span::from_micros(480);
const ACKS_PER_ROUND: u64 = 208; // 100 ms
const PROPAGATION_RTT: Span = Span::from_millis(98);

/// Counts the calls of the system's allocator.
struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[expect(unsafe_code, reason = "an allocator is; all is passed on as it came")]
// SAFETY: the system's allocator keeps the contract; this one adds a count.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller keeps `alloc`'s contract.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps `dealloc`'s contract, and `pointer` came from `System`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Does nothing.
#[derive(Clone, saved::Saved)]
struct Idle;

impl Controller for Idle {
    fn on_start(&mut self, _event: &Start, _control: &mut Control) {}
    fn on_ack(&mut self, _event: &Ack<'_>, _control: &mut Control) {}
    fn on_loss(&mut self, _event: &Loss<'_>, _control: &mut Control) -> LossVerdict {
        LossVerdict::Congestion
    }
    fn on_timeout(&mut self, _event: &Timeout, _control: &mut Control) {}
    fn on_persistent_congestion(&mut self, _now: Time, _control: &mut Control) {}
    fn on_mss(&mut self, _event: &NewMss, _control: &mut Control) {}
    fn snapshot(&self, _out: &mut Snapshot) {}
}

/// A controller and its platform.
struct Ground {
    controller: Box<dyn Controller>,
    control: Control,
    now: Time,
    acks: u64,
    tells_of_sending: bool,
}

impl Ground {
    /// Creates a controller in congestion avoidance, after one loss.
    fn new(name: &str) -> Self {
        let controller: Box<dyn Controller> = match name {
            FLOOR => Box::new(Idle),
            _ => catalogue::build(name, &[]).expect("a name of the catalogue"),
        };
        let control = Control::new(Bytes::from_segments(400.0, MSS));
        let tells_of_sending = controller.uses().contains(Signals::SENT);
        let now = Time::ZERO + Span::from_secs(1);
        let mut ground = Self { controller, control, now, acks: 0, tells_of_sending };
        let every_signal = ground.controller.uses().and(Signals::PER_PACKET);
        let path =
            PathState { propagation_rtt: Some(PROPAGATION_RTT), hops: Some(12), ..PathState::default() };
        let start = Start {
            now: ground.now,
            mss: MSS,
            initial_window: 400,
            provided: every_signal,
            path,
            saved: None,
            rtt: None,
            seed: 1,
        };
        ground.controller.on_start(&start, &mut ground.control);
        for _ in 0..2 * ACKS_PER_LOSS {
            ground.ack();
        }
        ground
    }

    /// The next ACK.
    #[inline]
    fn ack(&mut self) {
        self.acks += 1;
        self.now += ACK_SPACING;
        let acked = Bytes::new(2 * u64::from(MSS));
        let delivered = Bytes::new(self.acks * acked.get());
        // A queue that grows between two losses, up to 41 ms.
        let rtt = Span::from_millis(100) + Span::from_micros(10 * (self.acks % ACKS_PER_LOSS));
        let sent_at = Time::ZERO + self.now.since(Time::ZERO).saturating_sub(rtt);
        let packet = |tx| AckedPacket {
            tx,
            bytes: MSS,
            kind: PacketKind::Data,
            sent_at,
            propagation_rtt: Some(PROPAGATION_RTT),
        };
        let packets = [packet(2 * self.acks), packet(2 * self.acks + 1)];
        let in_flight = self.control.cwnd;
        if self.tells_of_sending {
            // Two segments are sent for the two acknowledged segments. The ACK `ACKS_PER_ROUND` from now acknowledges
            // them.
            for packet in
                [packet(2 * (self.acks + ACKS_PER_ROUND)), packet(2 * (self.acks + ACKS_PER_ROUND) + 1)]
            {
                let sent = Sent {
                    now: self.now,
                    tx: packet.tx,
                    bytes: MSS,
                    kind: PacketKind::Data,
                    in_flight,
                    after_idle: false,
                };
                self.controller.on_sent(black_box(&sent), &mut self.control);
            }
        }
        let ack = Ack {
            now: self.now,
            acked,
            cumulative: Some(acked),
            duplicate: Some(false),
            rtt: Some(rtt),
            srtt: Some(rtt),
            min_rtt: Some(Span::from_millis(100)),
            ack_delay: None,
            one_way_delay_ns: Some(50_000_000),
            sent_at: Some(sent_at),
            propagation_rtt: Some(PROPAGATION_RTT),
            total_sent: Bytes::new(delivered.get() + in_flight.get()),
            total_delivered: delivered,
            total_lost: Bytes::ZERO,
            rate: Some(RateSample {
                delivered: Rate::from_bits_per_s(50_000_000).bytes_in(rtt),
                interval: rtt,
                prior_delivered: delivered.saturating_sub(Rate::from_bits_per_s(50_000_000).bytes_in(rtt)),
                tx_in_flight: in_flight,
                lost: Bytes::ZERO,
                app_limited: false,
            }),
            in_flight_before: Bytes::new(in_flight.get() + acked.get()),
            in_flight,
            round: self.acks / ACKS_PER_ROUND,
            round_start: self.acks.is_multiple_of(ACKS_PER_ROUND),
            in_recovery: false,
            cwnd_limited: true,
            app_limited: false,
            receiver_limited: false,
            ce: Bytes::ZERO,
            congestion_warning: false,
            probes: 0,
            packets: &packets,
            reordered: false,
        };
        self.controller.on_ack(black_box(&ack), &mut self.control);
        if self.acks.is_multiple_of(ACKS_PER_LOSS) {
            self.lose(sent_at);
        }
    }

    #[cold]
    fn lose(&mut self, sent_at: Time) {
        let in_flight = self.control.cwnd;
        let packet = LostPacket {
            tx: 2 * self.acks + 2,
            bytes: MSS,
            kind: PacketKind::Data,
            sent_at,
            tx_in_flight: in_flight,
            lost_at_send: Bytes::ZERO,
        };
        let loss = Loss {
            now: self.now,
            trigger: LossTrigger::Reordering,
            lost: Bytes::new(u64::from(MSS)),
            new_episode: true,
            episode: (self.acks / ACKS_PER_LOSS) as u32,
            in_flight_before: in_flight,
            ranges: 1,
            packets: &[packet],
        };
        if self.controller.on_loss(black_box(&loss), &mut self.control) == LossVerdict::Congestion {
            self.controller.on_recovery_exit(self.now, &mut self.control);
        }
    }
}

/// The floor, then the catalogue.
fn names() -> Vec<&'static str> {
    std::iter::once(FLOOR).chain(catalogue::entries().iter().map(|entry| entry.name)).collect()
}

#[divan::bench(args = names(), min_time = 0.2)]
fn ack(bencher: Bencher, name: &str) {
    let mut ground = Ground::new(name);
    bencher.bench_local(|| ground.ack());
}

#[expect(clippy::print_stdout, reason = "a program, not a library")]
fn main() {
    println!("state in bytes, and where 100 000 ACKs leave the window:");
    for name in names() {
        let mut ground = Ground::new(name);
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        for _ in 0..100_000 {
            ground.ack();
        }
        let allocations = ALLOCATIONS.load(Ordering::Relaxed) - before;
        assert_eq!(allocations, 0, "`{name}` allocates while it handles ACKs");
        println!(
            "  {name:<18} {:>5} B   {:>8.1} segments, {}",
            size_of_val(&*ground.controller),
            ground.control.cwnd.segments(MSS),
            ground.control.phase,
        );
    }
    println!("\ntime per ACK:");
    divan::main();
}
