// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds the first contradiction between settings of a discipline, and its key.

use crate::text::Written;
use link::{CoDel, Discipline, DualPi2, QueueLimit, Red, Threshold};
use std::cmp::Ordering;

/// A key, and the message of its fault.
type Fault = (&'static str, String);

pub(super) fn contradiction(discipline: Discipline, limit: QueueLimit) -> Option<Fault> {
    match discipline {
        Discipline::CoDel(codel) => of_codel(codel),
        Discipline::FqCoDel(fair) => of_codel(fair.codel),
        Discipline::Red(red) => of_red(red),
        Discipline::DualPi2(dual) => of_dual(dual),
        other => other.threshold_within_limit().and_then(|threshold| of_threshold(threshold, limit)),
    }
}

fn of_threshold(threshold: Threshold, limit: QueueLimit) -> Option<Fault> {
    let message = || {
        format!(
            "mark_above of {} is never exceeded in a queue with a limit of {}: no packet would be marked (lower \
            mark_above, or write a larger limit)",
            threshold.above.write(),
            limit.write()
        )
    };
    never_exceeds(threshold.above, limit).then(|| ("mark_above", message()))
}

fn of_codel(codel: CoDel) -> Option<Fault> {
    // RFC 8289, section 4.4: the target is 5 to 10 % of the interval.
    (codel.target >= codel.interval).then(|| {
        let message = format!(
            "a target of {} is not below the interval of {}: the target should be 5 to 10 % of the interval (lower \
             target, or write interval = \"{}\")",
            codel.target,
            codel.interval,
            codel.target * 20
        );
        ("target", message)
    })
}

fn of_red(red: Red) -> Option<Fault> {
    let (min, max) = (red.min_threshold, red.max_threshold);
    for (key, threshold) in [("min_threshold", min), ("max_threshold", max)] {
        if threshold == QueueLimit::Unlimited {
            let message = "a threshold of \"unlimited\" is never reached: no packet would be dropped (write \"15 \
            packets\", or discipline = \"drop-tail\")";
            return Some((key, message.to_owned()));
        }
    }
    match compare(min, max) {
        Some(Ordering::Less) => None,
        Some(_) => {
            let message = format!(
                "min_threshold of {} is not below max_threshold of {} (write a larger max_threshold: it should be \
                 about three times min_threshold)",
                min.write(),
                max.write()
            );
            Some(("min_threshold", message))
        }
        None => {
            let message = format!(
                "min_threshold of {} and max_threshold of {} have different units, but both are compared with the same \
                 mean queue (write both in packets, in bytes, as times or in BDP)",
                min.write(),
                max.write()
            );
            Some(("max_threshold", message))
        }
    }
}

fn of_dual(dual: DualPi2) -> Option<Fault> {
    // RFC 9332, appendix A.1: the target is a fraction of a typical round-trip time.
    (dual.target >= dual.rtt_max).then(|| {
        let message = format!(
            "a target of {} is not below rtt_max of {}, the longest round trip expected (lower target, or write a longer \
             rtt_max)",
            dual.target, dual.rtt_max
        );
        ("target", message)
    })
}

/// Returns which limit is larger; `None` if they have different units.
fn compare(one: QueueLimit, other: QueueLimit) -> Option<Ordering> {
    match (one, other) {
        (QueueLimit::Packets(one), QueueLimit::Packets(other)) => Some(one.cmp(&other)),
        (QueueLimit::Bytes(one), QueueLimit::Bytes(other)) => Some(one.cmp(&other)),
        (QueueLimit::Time(one), QueueLimit::Time(other)) => Some(one.cmp(&other)),
        (QueueLimit::Bdp(one), QueueLimit::Bdp(other)) => one.partial_cmp(&other),
        _ => None,
    }
}

/// Returns whether an arriving packet never finds more than `above` waiting in a queue with this limit. Amounts with
/// different units cannot be compared, because rate and round-trip time are unknown here.
fn never_exceeds(above: QueueLimit, limit: QueueLimit) -> bool {
    match (above, limit) {
        // The last packet that fits into the queue finds one packet less than the limit.
        (QueueLimit::Packets(above), QueueLimit::Packets(limit)) => above.saturating_add(1) >= limit,
        (QueueLimit::Unlimited, _) => true,
        _ => compare(above, limit).is_some_and(Ordering::is_ge),
    }
}
