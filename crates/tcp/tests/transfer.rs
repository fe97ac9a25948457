// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whole transfers over a path without a queue.

mod common;

use bentpipe_tcp::{Event, Recovery, Transfer};
use common::{World, config, ms, segments};
use units::{Bytes, Span};

#[test]
fn a_window_per_round_trip() {
    // 40 segments in windows of 10: four round trips of 100 ms.
    let mut world = World::new(&config(Recovery::Sack), 10, segments(40), 100);
    assert_eq!(world.complete(), ms(400));
    assert_eq!(world.sender.stats().sent, 40);
    assert_eq!(world.receiver.stats().delivered, 40);
    assert_eq!(world.told().rounds, 4);
    assert_eq!(world.sender.srtt(), Some(Span::from_millis(100)));
}

#[test]
fn the_last_segment_may_be_short() {
    let mut world = World::new(&config(Recovery::Sack), 10, Transfer::Finite(Bytes::new(12_345)), 100);
    assert_eq!(world.complete(), ms(200));
    assert_eq!(world.receiver.stats().delivered, 13);
    assert_eq!(world.receiver.stats().delivered_bytes, 12_345);
    assert_eq!(world.sender.stats().sent_bytes, 12_345);
    assert_eq!(world.sender.stats().delivered_bytes, 12_345);
    assert!(world.events.iter().any(|(at, event)| *at == ms(200) && *event == Event::Complete));
}
