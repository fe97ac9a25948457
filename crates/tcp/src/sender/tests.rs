// SPDX-License-Identifier: MIT OR Apache-2.0
//! For any behaviour of the path, all data must arrive once and in order, and the counters must agree with a recount.

#[path = "../../tests/common/mod.rs"]
mod common;

use super::Sender;
use crate::{Config, DelayedAck, Ecn, ReceiveWindow, Recovery, Repair, Timeouts};
use common::{Fate, World, config, ms, segments};
use proptest::prelude::*;
use units::{Bytes, Span};

impl Sender {
    /// Compares every counter with the records.
    fn audit(&self) {
        let [sacked, lost, repaired] = self.board.recount();
        assert_eq!(self.board.counters(), [sacked, lost, repaired]);
        let in_flight = self.board.outstanding() + repaired - sacked - lost;
        assert_eq!(self.board.pipe(), in_flight);
        let below_end = self.board.next() <= self.buffer.end && self.board.una() <= self.board.next();
        assert!(below_end);
        assert!(self.sent.next_tx == self.log.stats.sent);
        assert_eq!(self.log.stats.sent - self.log.stats.retransmitted, self.board.next());
        // The delivered bytes are those of the segments that are acknowledged or SACKed.
        let acknowledged = self.board.una() * u64::from(self.buffer.mss);
        assert_eq!(self.log.stats.delivered_bytes, acknowledged + sacked * u64::from(self.buffer.mss));
        // While segments are outstanding, a timer of the sender is running.
        assert!(self.board.outstanding() == 0 || self.next_timeout() < units::Time::MAX);
    }
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        3 => Just(Fate::Drop),
        2 => Just(Fate::Mark),
        1 => (1_u64..400).prop_map(|late| Fate::Late(Span::from_millis(late))),
        1 => (1_u64..400).prop_map(|late| Fate::Twice(Span::from_millis(late))),
    ]
}

fn recovery() -> impl Strategy<Value = Recovery> {
    prop_oneof![Just(Recovery::Reno), Just(Recovery::NewReno), Just(Recovery::Sack), Just(Recovery::RackTlp),]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_path_delivers_everything_once(
        recovery in recovery(),
        ns2: bool,
        prr: bool,
        limited_transmit: bool,
        undo: bool,
        delayed: bool,
        ecn in proptest::option::of(prop_oneof![
            Just(Ecn::Classic),
            Just(Ecn::Dctcp),
            Just(Ecn::L4s),
            Just(Ecn::Accurate),
            Just(Ecn::AccurateL4s)
        ]),
        receive_window in proptest::option::of(1_u64..40),
        window in 1_u64..40,
        fates in proptest::collection::btree_map(0_u64..200, fate(), 0..60),
        ack_fates in proptest::collection::btree_map(0_u64..200, fate(), 0..60),
    ) {
        let ns2 = ns2 && matches!(recovery, Recovery::NewReno | Recovery::Sack);
        let config = Config {
            prr: Some(prr && !ns2),
            repair: if ns2 && recovery == Recovery::Sack { Repair::FallFloyd } else { Repair::Rfc6675 },
            timeouts: if ns2 { Timeouts::Ns2 } else { Timeouts::Rfc6298 },
            limited_transmit,
            undo,
            ecn,
            delayed_ack: delayed.then_some(DelayedAck::Every { segments: 2, at_most: Span::from_millis(40) }),
            receive_window: receive_window.map_or(ReceiveWindow::Unlimited, |n| ReceiveWindow::Fixed(Bytes::new(n * 1000))),
            ..config(recovery)
        };
        let mut world = World::new(&config, window, segments(120), 100);
        world.fates = fates;
        world.ack_fates = ack_fates;
        world.start();
        world.sender.audit();
        while world.step(ms(100_000_000)) {
            world.sender.audit();
            prop_assert!(world.sent.len() < 20_000, "too many transmissions");
        }
        prop_assert!(world.sender.is_complete());
        prop_assert_eq!(world.receiver.stats().delivered, 120);
        prop_assert_eq!(world.receiver.stats().delivered_bytes, 120_000);
        prop_assert_eq!(world.sender.in_flight_segments(), 0);
    }

    #[test]
    fn recovery_ends_and_cuts_once_per_round_trip(
        recovery in prop_oneof![Just(Recovery::Sack), Just(Recovery::RackTlp)],
        prr: bool,
        delayed: bool,
        window in 4_u64..60,
        lost in proptest::collection::btree_set(0_u64..400, 0..200),
    ) {
        // All reductions are caused by losses, including losses of retransmissions. These reductions are therefore at
        // least one round trip of 100 ms apart. This also applies to the reduction for a segment that a tail loss probe
        // repaired. The probe is sent two round trips after the last ACK (RFC 8985, section 7.2), and the ACK of the
        // probe causes the reduction.
        let config = Config {
            prr: Some(prr),
            delayed_ack: delayed.then_some(DelayedAck::Every { segments: 2, at_most: Span::from_millis(40) }),
            ..config(recovery)
        };
        let lost: Vec<u64> = lost.into_iter().collect();
        let mut world = World::new(&config, window, segments(300), 100).drop(&lost);
        world.start();
        while world.step(ms(100_000_000)) {
            world.sender.audit();
        }
        prop_assert!(world.sender.is_complete());
        prop_assert_eq!(world.sender.stats().spurious, 0);
        let told = world.told();
        let cuts: Vec<_> = told.losses.iter().filter(|loss| loss.2).map(|loss| (loss.0, loss.3)).collect();
        for pair in cuts.windows(2) {
            prop_assert!(pair[0].1 < pair[1].1, "episodes are numbered: {pair:?}");
            let apart = pair[1].0.since(pair[0].0);
            prop_assert!(apart >= Span::from_millis(100), "{pair:?}");
        }
        // The end of a recovery is reported once, for any number of reductions. At the end of the transfer, no recovery
        // is in progress.
        prop_assert!(told.exits.len() <= cuts.len() + told.timeouts.len());
        let (longest, round_trips) = world.sender.longest_recovery(world.now);
        prop_assert_eq!(longest, world.sender.stats().longest_recovery);
        prop_assert!(round_trips.is_finite() && (longest > Span::ZERO) == (round_trips > 0.0));
    }

    #[test]
    fn pure_loss_is_never_called_spurious(
        recovery in prop_oneof![Just(Recovery::Sack), Just(Recovery::RackTlp)],
        prr: bool,
        window in 1_u64..40,
        lost in proptest::collection::btree_set(0_u64..300, 0..80),
    ) {
        let config = Config { prr: Some(prr), ..config(recovery) };
        let lost: Vec<u64> = lost.into_iter().collect();
        let mut world = World::new(&config, window, segments(120), 100).drop(&lost);
        world.complete();
        prop_assert_eq!(world.sender.stats().spurious, 0);
        // Every lost segment was reported as lost, was presumed lost, or was repaired by a tail loss probe.
        let stats = *world.sender.stats();
        let dropped = lost.iter().filter(|&&tx| tx < stats.sent).count() as u64;
        prop_assert!(stats.lost + stats.presumed_lost + stats.tail_probes >= dropped);
        prop_assert!(stats.retransmitted >= dropped);
    }
}

#[test]
fn a_window_of_a_million_with_half_of_it_lost_takes_linear_work() {
    const N: u64 = 1_000_000;
    // Every second segment is lost, except for the last ten segments, because fewer than three segments above them are
    // SACKed.
    const LOST: u64 = N / 2 - 5;
    let mut world = World::new(&config(Recovery::Sack), N, segments(N), 100);
    world.fates = (0..LOST).map(|n| (2 * n, Fate::Drop)).collect();
    world.complete();
    assert_eq!(world.sender.stats().retransmitted, LOST);
    assert_eq!(world.told().timeouts.len(), 0);
    // Each segment is sent, SACKed and acknowledged. If it is lost, it is also marked as lost and sent again.
    let visits = world.sender.board.visits;
    assert!(visits <= 4 * N, "{visits} visits for {N} segments");
}
