// SPDX-License-Identifier: MIT OR Apache-2.0
//! CSV files and recorded traces. The first byte chooses the reader. A file is refused with a reason, or what it became
//! keeps the bounds of its kind.

use link::{TraceEnd, TraceRate, mahimahi, path_trace};
use traffic::{Between, Cdf};
use units::{Bytes, Span, Time};

/// Ways to draw between the points of a distribution.
const BETWEEN: [Between; 3] = [Between::Linear, Between::LogLinear, Between::Power];
/// The run that a path trace is laid out for.
const LASTS: Span = Span::from_secs(60);

fn main() {
    afl::fuzz!(|case: &[u8]| {
        let Some((&first, rest)) = case.split_first() else { return };
        let Ok(text) = str::from_utf8(rest) else { return };
        let way = usize::from(first) / 4;
        match first % 4 {
            0 => path(text, TraceEnd::ALL[way % TraceEnd::ALL.len()]),
            1 => distribution(text, BETWEEN[way % BETWEEN.len()]),
            2 => drop(mahimahi::deliveries(text).map_err(|error| has_a_reason(&error))),
            _ => drop(mahimahi::delays(text).map_err(|error| has_a_reason(&error))),
        }
    });
}

fn has_a_reason(error: &dyn std::error::Error) {
    assert!(!error.to_string().is_empty(), "a refusal has a reason");
}

fn path(text: &str, end: TraceEnd) {
    let trace = match path_trace::read(text, end, LASTS) {
        Ok(trace) => trace,
        Err(error) => return has_a_reason(&error),
    };
    if let Some(delay) = &trace.delay {
        assert!(delay.is_sorted_by(|a, b| a.0 < b.0), "times of delays rise");
    }
    for &(_, loss) in trace.loss.iter().flat_map(|steps| steps.iter()) {
        assert!((0.0..=1.0).contains(&loss), "a loss of {loss} is no probability");
    }
    if let Some(TraceRate::Steps(rate)) = &trace.rate {
        // What a link asks it: when has a packet left that is ready at this time?
        for second in 0..60 {
            let ready = Time::ZERO + Span::from_secs(second);
            assert!(
                rate.passed(ready, Bytes::new(1500)) >= ready,
                "a packet that is ready at {ready:?} has left before"
            );
        }
    }
}

fn distribution(text: &str, between: Between) {
    let law = match Cdf::read(text, between) {
        Ok(law) => law,
        Err(error) => return has_a_reason(&error),
    };
    let values: Vec<f64> = (0..=10).map(|tenth| law.quantile(f64::from(tenth) / 10.0)).collect();
    assert!(values.is_sorted(), "quantiles rise: {values:?}");
    assert!(values.iter().all(|value| value.is_finite()), "quantiles are finite: {values:?}");
}
