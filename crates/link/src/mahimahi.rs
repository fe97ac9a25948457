// SPDX-License-Identifier: MIT OR Apache-2.0
//! Recorded links: packet-delivery traces of mahimahi (Netravali et al. 2015, mm-link(1)), and delays of `LeoReplayer`.

use crate::{DelayTrace, Opportunities};
use units::{Bytes, Span, Time};

/// Number of bytes that may leave at each line of a trace, including tunnel headers. It is `PACKET_SIZE` in mahimahi's
/// `src/frontend/link_queue.cc`.
pub const OPPORTUNITY: Bytes = Bytes::new(1504);
/// Header that a TUN device adds to each packet in mahimahi's queues (Linux, `struct tun_pi`). A packet of 1500 bytes
/// then takes exactly one line, and 26.9 ACKs of 52 bytes fit into one line.
pub const TUNNEL_HEADER: u16 = 4;
/// Time between two lines of a file of delays (as in `LeoReplayer`).
pub const DELAY_STEP: Span = Span::from_millis(10);

/// Reason why a recorded file cannot be replayed.
pub use csvfile::Fault as TraceError;

/// Reads a delivery trace. Each line is a time in whole milliseconds at which one packet of 1500 bytes may leave.
/// Instead of one packet, several smaller packets may leave if their total size is at most [`OPPORTUNITY`]. A
/// [`TUNNEL_HEADER`] is added to the size of each packet. If a time occurs on several lines, their bytes add up. After
/// the last line, the trace is repeated, so the last time is the period.
///
/// # Errors
/// If a line is not such a number, if the times decrease, or if the trace is empty.
pub fn deliveries(text: &str) -> Result<Opportunities, TraceError> {
    let times = milliseconds(text, "a line must be the time of a delivery in whole milliseconds", MAX_MS)?;
    for (index, pair) in times.windows(2).enumerate() {
        if pair[1] < pair[0] {
            let why =
                format!("{} ms comes after {} ms (times of delivery must not go back)", pair[1], pair[0]);
            return Err(TraceError { line: Some(index + 2), why });
        }
    }
    let moment = |&ms: &u64| (Time::ZERO + Span::from_millis(ms), OPPORTUNITY);
    let each: Vec<(Time, Bytes)> = times.iter().map(moment).collect();
    let moments =
        Opportunities::new(&each).map_err(|error| TraceError { line: None, why: error.to_string() })?;
    Ok(moments.with_header(TUNNEL_HEADER))
}

/// Reads a file of delays. Each line is a one-way delay in whole milliseconds, which applies for 10 ms. After the last
/// line, the file is repeated.
///
/// # Errors
/// If a line is not such a number, or if the file is empty.
pub fn delays(text: &str) -> Result<DelayTrace, TraceError> {
    let delays = milliseconds(text, "a line must be a one-way delay in whole milliseconds", MAX_DELAY_MS)?;
    if delays.is_empty() {
        let why = "the file is empty (give at least one delay)".to_owned();
        return Err(TraceError { line: None, why });
    }
    Ok(DelayTrace::new(DELAY_STEP, delays.into_iter().map(Span::from_millis).collect()))
}

/// Longest time of a run.
const MAX_MS: u64 = 30 * 86_400_000;
/// Longest delay. The bound is the same for all links.
const MAX_DELAY_MS: u64 = 3_600_000;

fn milliseconds(text: &str, what: &str, most: u64) -> Result<Vec<u64>, TraceError> {
    let read = |(index, line): (usize, &str)| {
        line.trim().parse().ok().filter(|ms| *ms <= most).ok_or_else(|| TraceError {
            line: Some(index + 1),
            why: format!("cannot read \"{}\": {what}, 0 to {most}", line.trim()),
        })
    };
    text.lines().enumerate().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(text: &str, message: &str) {
        assert_eq!(deliveries(text).map_err(|error| error.to_string()), Err(message.to_owned()));
    }

    /// mm-link(1): "each line gives a timestamp in milliseconds … and represents an opportunity for one 1500-byte
    /// packet". One line per millisecond is 12 Mbit/s (mahimahi's README: "a single packet per millisecond, or 12
    /// Mbit/s").
    #[test]
    fn equal_lines_add_and_the_last_is_the_period() {
        let trace = deliveries("1\n2\n2\n4\n")
            .map_err(|error| error.to_string())
            .unwrap_or_else(|error| panic!("{error}"));
        let at = |ms| Time::ZERO + Span::from_millis(ms);
        assert_eq!(trace.each(), [(at(1), 1504), (at(2), 3008), (at(4), 1504)]);
        assert_eq!(trace.mean().bits_per_s(), 12_000_000); // 4 x 1500 B in 4 ms
    }

    #[test]
    fn faults_have_a_line() {
        says("", "it is empty (give at least one rate or time)");
        says("3\n5\n4\n", "line 3: 4 ms comes after 5 ms (times of delivery must not go back)");
        says("0\n0\n", "no bytes may leave after time zero (the last time is the period of the list)");
        says(
            "1\n2.5\n",
            "line 2: cannot read \"2.5\": a line must be the time of a delivery in whole milliseconds, 0 to 2592000000",
        );
        says(
            "-1\n",
            "line 1: cannot read \"-1\": a line must be the time of a delivery in whole milliseconds, 0 to 2592000000",
        );
        assert!(delays("").is_err() && delays("12\nx\n").is_err());
        assert!(delays("12\n13\n").is_ok());
        // The largest delay is an hour, as for all other delays.
        assert!(delays("3600000\n").is_ok() && delays("3600001\n").is_err());
    }
}
