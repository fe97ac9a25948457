// SPDX-License-Identifier: MIT OR Apache-2.0
//! Transfers over the pipe: by every controller, beside noq's own, and with what the adapter must count.

use crate::pipe::{DATAGRAM, EPOCH, Factory, Outcome, Path, run, transfer};
use bentpipe_quic::control::catalogue;
use bentpipe_quic::{EventKind, Pacing, Setup, Watch};
use noq_proto::congestion::{CubicConfig, NewRenoConfig};
use std::sync::Arc;
use std::time::Duration;

fn setup(name: &str) -> Setup {
    Setup::new(name, &[]).unwrap().epoch(*EPOCH)
}

fn factory(setup: &Setup) -> Factory {
    Arc::new(setup.noq().unwrap())
}

const MEGABYTE: usize = 1_000_000;

/// 1 MB at 10 Mbit/s takes at least 0.8 s and the two round trips before the first byte arrives.
#[test]
fn every_controller_that_noq_can_run_delivers_a_megabyte() {
    let path = Path::of(50).with_rate(10, 1.0);
    let mut delivered = 0;
    for entry in catalogue::entries() {
        let Ok(factory) = setup(entry.name).noq() else { continue };
        let outcome = transfer(&path, Arc::new(factory), MEGABYTE);
        let done = outcome.done.unwrap_or_else(|| panic!("{}: {outcome:?}", entry.name));
        println!("{} {done:?} {} {}", entry.name, outcome.lost, outcome.dropped);
        assert!(done > Duration::from_millis(900), "{}: {done:?}", entry.name);
        assert!(done < Duration::from_millis(4000), "{}: {done:?}", entry.name);
        delivered += 1;
    }
    assert_eq!(delivered, 36);
}
