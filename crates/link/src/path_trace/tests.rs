// SPDX-License-Identifier: MIT OR Apache-2.0

use super::*;

fn at(ms: u64) -> Time {
    Time::ZERO + Span::from_millis(ms)
}

fn made(text: &str, end: TraceEnd, until_s: u64) -> PathTrace {
    read(text, end, Span::from_secs(until_s)).unwrap_or_else(|error| panic!("{error}"))
}

fn rates(trace: &PathTrace) -> Vec<(Time, u64)> {
    let Some(TraceRate::Steps(schedule)) = &trace.rate else { panic!("there is no rate") };
    schedule.pieces().iter().map(|piece| (piece.from, piece.start.bits_per_s())).collect()
}

fn refused(text: &str, end: TraceEnd) -> String {
    let refused = read(text, end, Span::from_secs(10));
    refused.map(|_| ()).expect_err("it must be refused").to_string()
}

/// The values of each column have the resolution of its base unit: 1 ns, 1 bit/s.
#[test]
fn a_row_holds_until_the_next() {
    let text = "# from elsewhere\n time_s, loss_ratio, rate_mbit_s, delay_ms\n0,0,10,20.000001\n\n\
                1.5,0.25,12.345678,20.000001\n2.000000001,0.25,12.345678,5\n";
    let trace = made(text, TraceEnd::Hold, 10);
    assert_eq!(rates(&trace), [(at(0), 10_000_000), (at(1500), 12_345_678)]);
    let delays =
        [(at(0), Span::from_nanos(20_000_001)), (Time::from_nanos(2_000_000_001), Span::from_millis(5))];
    assert_eq!(trace.delay.as_deref(), Some(&delays[..]));
    assert_eq!(trace.loss.as_deref(), Some(&[(at(0), 0.0), (at(1500), 0.25)][..]));
}

/// The trace has 10 Mbit/s for 1 s and 20 Mbit/s for 0.5 s. It is repeated from 1.5 s on. The last row only marks the
/// end of the period.
#[test]
fn it_repeats_from_the_time_of_the_last_row() {
    let trace = made("time_s,rate_mbit_s\n0,10\n1,20\n1.5,99\n", TraceEnd::Wrap, 3);
    let there = rates(&trace);
    let wanted =
        [(at(0), 10), (at(1000), 20), (at(1500), 10), (at(2500), 20), (at(3000), 10), (at(4000), 20)];
    assert_eq!(there[..6], wanted.map(|(at, mbit)| (at, mbit * 1_000_000)));
    assert_eq!((trace.delay, trace.loss), (None, None));
    // A pause at the end of each repetition is kept. After the end of the run, there is no pause.
    let paused = rates(&made("time_s,rate_mbit_s\n0,10\n1,0\n2,0\n", TraceEnd::Wrap, 3));
    assert_eq!(paused[..4], [(at(0), 10_000_000), (at(1000), 0), (at(2000), 10_000_000), (at(3000), 0)]);
    assert_eq!(paused.last().map(|&(_, rate)| rate), Some(10_000_000));
}

/// The trace has 10 Mbit/s for a second and no rate for half a second, and then ends. Packets that wait at the end
/// leave then, and are lost.
#[test]
fn it_stops_at_the_time_of_the_last_row() {
    let trace = made("time_s,rate_mbit_s,delay_ms\n0,10,3\n1,0,4\n1.5,99,5\n", TraceEnd::Stop, 9);
    assert_eq!(rates(&trace), [(at(0), 10_000_000), (at(1000), 0), (at(1500), 10_000_000)]);
    let delays = [(at(0), Span::from_millis(3)), (at(1000), Span::from_millis(4))];
    assert_eq!((trace.delay.as_deref(), trace.lasts), (Some(&delays[..]), Span::from_millis(1500)));
    assert_eq!(TraceEnd::Stop.stop_after(trace.lasts), Some(at(1500)));
    let one = "a trace of one row cannot stop (the last row ends the trace: add a row, or write trace_end = \"hold\")";
    assert_eq!(refused("time_s,delay_ms\n0,2\n", TraceEnd::Stop), one);
}

#[test]
fn no_limit_is_said_of_the_whole() {
    let trace = made("time_s,rate_mbit_s,loss_ratio\n0,unlimited,0\n1,unlimited,1\n", TraceEnd::Hold, 1);
    assert_eq!(trace.rate, Some(TraceRate::Unlimited));
    let mixed = refused("time_s,rate_mbit_s\n0,unlimited\n1,5\n", TraceEnd::Hold);
    assert_eq!(mixed, "line 3: rate_mbit_s \"5\": a rate must be \"unlimited\" in every row or in none");
}

#[test]
fn faults_have_a_line() {
    for (text, message) in [
        ("", "the file is empty (write the header time_s,rate_mbit_s,delay_ms,loss_ratio and a row)"),
        (
            "0,10,20\n1,10,20\n",
            "line 1: \"0,10,20\" is a row of values instead of a header: the file names no columns (write \
             time_s,rate_mbit_s,delay_ms,loss_ratio above it); `bentpipe import` converts measurements of other tools \
             to path traces",
        ),
        ("time_s,loss_ratio\n", "there are no rows below the header (write at least one)"),
        (
            "# a\ntime,rate\n0,1\n",
            "line 2: unknown column \"time\" (columns: time_s, rate_mbit_s, delay_ms, loss_ratio; `bentpipe import` \
             converts files of other tools); `bentpipe import` \
             converts measurements of other tools to path traces",
        ),
        (
            "time_s\n0\n",
            "line 1: \"time_s\" is not a header of a path trace: it needs time_s and one of rate_mbit_s, delay_ms, \
             loss_ratio; `bentpipe import` converts measurements of other tools to path traces",
        ),
        (
            "time_s,delay_ms,delay_ms\n",
            "line 1: the column \"delay_ms\" is listed twice (keep one of them); `bentpipe import` converts measurements of \
             other tools to path traces",
        ),
        ("time_s,delay_ms\n0\n", "line 2: the row has 1 value, but the header names 2"),
        (
            "time_s,delay_ms\n1,2\n",
            "line 2: the first row is at 1 s (begin at 0: values before it are unknown)",
        ),
        (
            "time_s,delay_ms\n0,2\n2,2\n2,3\n",
            "line 4: 2 s is not later than the row before it at 2 s (sort the rows, and list each time once; times \
             are whole nanoseconds)",
        ),
        ("time_s,delay_ms\n0,x\n", "line 2: delay_ms \"x\": it must be a number from 0 to 3600000"),
        ("time_s,delay_ms\n0,NaN\n", "line 2: delay_ms \"NaN\": it must be a number from 0 to 3600000"),
        ("time_s,delay_ms\n0,\n", "line 2: delay_ms \"\": it must be a number from 0 to 3600000"),
        ("time_s,loss_ratio\n0,1.01\n", "line 2: loss_ratio \"1.01\": it must be a number from 0 to 1"),
        ("time_s,rate_mbit_s\n0,-1\n", "line 2: rate_mbit_s \"-1\": it must be a number from 0 to 1000000"),
        (
            "time_s,rate_mbit_s\n0,1\n1,0\n",
            "rate_mbit_s: the last rate is 0, so packets would wait forever (trace_end = \"stop\" ends the link at the last \
             row; or end with a rate above 0)",
        ),
    ] {
        assert_eq!(refused(text, TraceEnd::Hold), message, "{text}");
    }
    for (text, message) in [
        (
            "time_s,delay_ms\n0,2\n",
            "a trace of one row cannot wrap (the last row ends the trace: add a row, or write trace_end = \"hold\")",
        ),
        (
            "time_s,delay_ms\n0,2\n0.000001,3\n",
            "2 rows in 1 us, repeated for 10 s, are 20000004 steps; the limit is 10000000 (write trace_end = \"hold\", \
             shorten the run or write fewer rows)",
        ),
        (
            "time_s,rate_mbit_s\n0,0\n1,5\n",
            "rate_mbit_s: every rate during the run is 0 (write a rate above 0, or a loss_ratio of 1)",
        ),
    ] {
        assert_eq!(refused(text, TraceEnd::Wrap), message, "{text}");
    }
}

/// RFC 4180: a quoted cell has the same value as a cell without quotes.
#[test]
fn quotes_are_those_of_csv() {
    let plain = "time_s,rate_mbit_s,delay_ms\n0,10,20\n1.5,5,30\n";
    let quoted = "\"time_s\",\"rate_mbit_s\",\"delay_ms\"\r\n\"0\",\"10\",\"20\"\r\n1.5,\"5\",30\r\n";
    assert_eq!(made(quoted, TraceEnd::Hold, 10), made(plain, TraceEnd::Hold, 10));
    let commas = "\"time_s\",\"delay_ms\"\n\"0\",\"20,5\"\n";
    assert_eq!(
        refused(commas, TraceEnd::Hold),
        "line 2: delay_ms \"20,5\": it must be a number from 0 to 3600000"
    );
}

/// A table of `bentpipe path`. There is no path in the first second and from 2 s on. In these times, all packets are
/// lost, and the delay keeps its previous value.
#[test]
fn a_path_without_a_rate_is_read_with_its_gaps() {
    let head = "from,to,time_s,links,one_way_delay_ms,propagation_rtt_ms,via,nodes\n";
    let text = format!("{head}\"Rome, Italy\",Oslo,0,0,,,,\nX,Y,1,2,4.5,9,a > b,1;2\n")
        .replace("X,Y", "\"Rome, Italy\",Oslo");
    let trace = made(&format!("{text}\"Rome, Italy\",Oslo,2,0,,,,\n"), TraceEnd::Hold, 3);
    assert_eq!(trace.delay.as_deref(), Some(&[(at(0), Span::from_micros(4500))][..]));
    assert_eq!(trace.loss.as_deref(), Some(&[(at(0), 1.0), (at(1000), 0.0), (at(2000), 1.0)][..]));
    assert_eq!(trace.rate, None);
    let other = format!("{text}London,Oslo,0,2,4.5,9,a > b,1;2\n");
    let why = "line 4: this row is for the path from London to Oslo, but the rows above are for the path from Rome, Italy to Oslo (write one file for each path)";
    assert_eq!(refused(&other, TraceEnd::Hold), why);
}

/// A table of `bentpipe.path_trace`. In half of the second step, there is no path. In the other half, a quarter of the
/// packets is lost.
#[test]
fn an_outage_is_a_loss() {
    let text =
        "time_s,rate_mbit_s,delay_ms,loss_ratio,outage_ratio\n0,,20,0,0\n1,,20,0.25,0.5\n2,,,,1\n3,,20,0,0\n";
    let trace = made(text, TraceEnd::Hold, 4);
    assert_eq!(trace.rate, Some(TraceRate::Unlimited));
    let losses = [(at(0), 0.0), (at(1000), 0.625), (at(2000), 1.0), (at(3000), 0.0)];
    assert_eq!(trace.loss.as_deref(), Some(&losses[..]));
}

#[test]
fn rates_that_are_zero_are_called_that() {
    let head = "time_s,rate_mbit_s\n";
    let says = refused(&format!("{head}0,0\n1,0\n"), TraceEnd::Wrap);
    assert!(says.contains("every rate during the run is 0"), "{says}");
    let says = refused(&format!("{head}0,10\n1,1e-12\n"), TraceEnd::Hold);
    assert!(says.contains("line 3") && says.contains("1 bit/s"), "{says}");
}
