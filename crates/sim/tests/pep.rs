// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proxies that split connections, in whole runs: arrival times, rates and buffered data, compared with values worked
//! out by hand.

use record::Summary;
use sim::Options;

const MSS: f64 = 1448.0;

fn run(text: &str) -> Summary {
    let scenario =
        scenario::Scenario::from_toml(text, "pep.toml").unwrap_or_else(|error| panic!("{error}\n{text}"));
    let options = Options { interval: None, ..Options::of(&scenario) };
    // A run whose packet counts do not balance is refused.
    let summary = sim::run(&scenario, &options).unwrap_or_else(|error| panic!("{error}")).summary;
    for proxy in &summary.proxies {
        assert!(proxy.most_held_bytes <= proxy.buffer_bytes, "{proxy:?}");
    }
    summary
}

/// Three links in a row with these one-way delays and no other limits, and proxies between them.
fn row(delays_ms: [f64; 3], rest: &str) -> Summary {
    let links = delays_ms.map(|delay| format!("{{ rate = \"unlimited\", delay = \"{delay} ms\" }}"));
    let links = links.join(", ");
    run(&format!("duration = \"20 s\"\nnetwork.chain.links = [{links}]\n{rest}"))
}

fn completed_ms(summary: &Summary) -> f64 {
    summary.flows[0].completed_at_s.expect("it is complete") * 1e3
}

fn close(what: &str, measured: f64, theory: f64, percent: f64) {
    let off = (measured / theory - 1.0) * 100.0;
    assert!(off.abs() <= percent, "{what}: measured {measured}, theory {theory}, {off:+.2} %");
}

/// An application of 100 kbit/s limits each of four connections. The last one begins about 0.2 s after 6 s, and its
/// application writes slowly for 8 s: until 14.2 of 20 s, which is 0.71. While a connection is silent after a reset, the
/// application may not limit it: at most 0.4 s for each of three resets.
#[test]
fn times_of_connections_before_resets_count_once() {
    let summary = run(
        "duration = \"20 s\"\nnetwork.chain.links = [{ rate = \"10 Mbit/s\", delay = \"5 ms\" }, \
         { rate = \"10 Mbit/s\", delay = \"20 ms\" }]\n\
         peps = [{ at = [\"1\"], buffer = \"1 MB\", resets = [\"2 s\", \"4 s\", \"6 s\"], retry = \"200 ms\" }]\n\
         flows = [{ controller = \"reno\", trickle = { rate = \"100 kbit/s\", lasts = \"8 s\" } }]\n",
    );
    assert_eq!(summary.breaks.len(), 3);
    let share = summary.flows[0].app_limited_share.expect("it is TCP");
    assert!((0.65..=0.72).contains(&share), "{share}");
}

const BOTH: &str = "peps = [{ at = [\"1\", \"2\"], buffer = \"100 MB\" }]\n";

/// Without rates, a window that is sent at once arrives at once, after the sum of the delays: 12.5 + 275 + 12.5 ms. If
/// the flow is not split, it ends when the acknowledgement arrives, after twice this time.
#[test]
fn what_fits_into_the_first_window_takes_the_sum_of_the_delays() {
    let flows = "flows = [{ controller = \"reno\", size = \"14480 B\" }]\n";
    let split = row([12.5, 275.0, 12.5], &format!("{flows}{BOTH}"));
    assert!((completed_ms(&split) - 300.0).abs() < 1e-6, "{}", completed_ms(&split));
    assert!((completed_ms(&row([12.5, 275.0, 12.5], flows)) - 600.0).abs() < 1e-6);
    let one = "peps = [{ at = [\"1\"], buffer = \"100 MB\" }]\n";
    let one = row([12.5, 275.0, 12.5], &format!("{flows}{one}"));
    assert!((completed_ms(&one) - 300.0).abs() < 1e-6, "{}", completed_ms(&one));
    let names: Vec<_> = split.parts.iter().map(|part| (part.name.as_str(), &*part.from, &*part.to)).collect();
    assert_eq!(names, [("reno part 1", "0", "1"), ("reno part 2", "1", "2"), ("reno part 3", "2", "3")]);
    assert_eq!((split.flows.len(), &*split.flows[0].to), (1, "3"));
}

/// A packet of 1500 bytes takes 1 ms at 12 Mbit/s. Over three links in a row with delays of 10, 20 and 30 ms, it takes
/// three times 1 ms in addition (store and forward).
#[test]
fn serialisation_counts_on_every_link() {
    let link = |delay| format!("{{ rate = \"12 Mbit/s\", delay = \"{delay} ms\" }}");
    let links = [link(10), link(20), link(30)].join(", ");
    let flows = "flows = [{ controller = \"reno\", size = \"1448 B\" }]\n";
    let summary = run(&format!("duration = \"1 s\"\nnetwork.chain.links = [{links}]\n{flows}{BOTH}"));
    assert!((completed_ms(&summary) - 63.0).abs() < 1e-6, "{}", completed_ms(&summary));
}

/// Slow start from 10 segments doubles in each round trip, so 630 segments take six windows. Without proxies, over 600
/// ms, the last window leaves after 5 x 600 ms and arrives 300 ms later. Split into 25, 550 and 25 ms, the outer parts
/// are always ahead of the middle part: 12.5 + 5 x 550 + 275 + 12.5 ms.
#[test]
fn slow_start_goes_at_the_pace_of_the_longest_part() {
    let flows = "flows = [{ controller = \"reno\", size = \"912240 B\" }]\n";
    let whole = row([12.5, 275.0, 12.5], flows);
    assert!((completed_ms(&whole) - 3600.0).abs() < 1e-6, "{}", completed_ms(&whole));
    let split = row([12.5, 275.0, 12.5], &format!("{flows}{BOTH}"));
    assert!((completed_ms(&split) - 3050.0).abs() < 1e-6, "{}", completed_ms(&split));
}

/// The proxy answers a SYN at once and opens its own connection. With 25 + 275 + 25 ms, data reach the first proxy
/// after 3 x 25 ms, but the middle connection is open only after 25 + 2 x 275 = 575 ms. Then the data take 300 ms more.
/// Without proxies: three times 325 ms, and the ACK.
#[test]
fn a_proxy_answers_a_syn_at_once() {
    let flows = "flows = [{ controller = \"reno\", size = \"14480 B\", tcp = { setup = \"handshake\" } }]\n";
    let split = row([25.0, 275.0, 25.0], &format!("{flows}{BOTH}"));
    assert!((completed_ms(&split) - 875.0).abs() < 1e-6, "{}", completed_ms(&split));
    assert!((completed_ms(&row([25.0, 275.0, 25.0], flows)) - 1300.0).abs() < 1e-6);
}

/// The goodput is that of the slowest part: its rate, or its window divided by its round-trip time.
#[test]
fn the_slowest_part_sets_the_pace() {
    let goodput = |rates: [u32; 3], window: &str| {
        let link =
            |at: usize, delay| format!("{{ rate = \"{} Mbit/s\", delay = \"{delay} ms\" }}", rates[at]);
        let links = [link(0, 10), link(1, 250), link(2, 20)].join(", ");
        let text = format!(
            "duration = \"40 s\"\nwarm_up = \"20 s\"\nnetwork.chain.links = [{links}]\n\
             peps = [{{ at = [\"1\", \"2\"], buffer = \"4 MB\" }}]\n\
             flows = [{{ controller = \"reno\", tcp = {{ receive_window = \"{window}\" }} }}]\n"
        );
        run(&text).flows[0].goodput_mbit_s.unwrap_or(f64::NAN)
    };
    let payload = MSS / (MSS + 52.0);
    close("the first", goodput([10, 50, 50], "unlimited"), 10.0 * payload, 0.1);
    close("the middle one", goodput([50, 20, 50], "unlimited"), 20.0 * payload, 0.1);
    close("the last", goodput([50, 50, 10], "unlimited"), 10.0 * payload, 0.1);
    // 20 segments per 40 ms plus the 0.24 ms that a packet takes at 50 Mbit/s.
    close("a window", goodput([50, 50, 50], "28960 B"), 20.0 * MSS * 8.0 / 40.24e3, 1.0);
}

/// A place in the buffer is occupied for the round trip of the next part (500 ms), and filled again one round trip of
/// the previous part (20 ms) later. So the goodput is one buffer per 520 ms, for any small buffer. A transfer always
/// ends.
#[test]
fn a_small_buffer_is_a_window_over_both_round_trips() {
    for segments in [1.0, 2.0, 4.0, 6.0, 16.0] {
        let pep = format!("peps = [{{ at = [\"1\"], buffer = \"{} B\" }}]\n", segments * MSS);
        let rest = format!("warm_up = \"4.68 s\"\nflows = [{{ controller = \"reno\" }}]\n{pep}");
        let links =
            [10, 250].map(|delay| format!("{{ rate = \"1 Gbit/s\", delay = \"{delay} ms\" }}")).join(", ");
        let summary = run(&format!("duration = \"56.68 s\"\nnetwork.chain.links = [{links}]\n{rest}"));
        close(
            &format!("{segments} segments"),
            summary.flows[0].goodput_mbit_s.unwrap_or(f64::NAN),
            segments * MSS * 8.0 / 520e3,
            1.5,
        );
        assert!(summary.parts[0].receiver_limited, "{segments} segments");
    }
    for bytes in (0..12).map(|more| 1448 + 517 * more) {
        let pep = format!("peps = [{{ at = [\"1\", \"2\"], buffer = \"{bytes} B\" }}]\n");
        let flows = "flows = [{ controller = \"reno\", size = \"20 kB\" }]\n";
        let summary = row([1.0, 30.0, 2.0], &format!("{flows}{pep}"));
        assert_eq!(summary.proxies[0].held_at_end_bytes, 0);
        assert!(summary.flows[0].completed_at_s.is_some(), "{bytes} B");
    }
}

/// Each byte arrives once and in order, for all losses, all connection setups and all kinds of loss detection.
#[test]
fn every_byte_arrives_once() {
    let setups = ["none", "handshake", "fast-open", "ns-2", "ns-2-linux"];
    let recoveries = ["reno", "newreno", "sack", "rack"];
    let settings = setups.iter().flat_map(|setup| recoveries.map(|recovery| (*setup, recovery)));
    for (number, (setup, recovery)) in settings.enumerate() {
        for buffer in ["1448 B", "9 kB", "1 MB"] {
            let link = |delay| {
                format!(
                    "{{ rate = \"20 Mbit/s\", delay = \"{delay} ms\", loss = {{ per = 0.03 }}, queue = \"20 packets\" }}"
                )
            };
            let links = [link(3), link(20), link(5)].join(", ");
            let summary = run(&format!(
                "duration = \"600 s\"\nseed = {}\nnetwork.chain.links = [{links}]\n\
                 flows = [{{ controller = \"reno\", size = \"300001 B\", \
                 tcp = {{ setup = \"{setup}\", recovery = \"{recovery}\" }} }}]\n\
                 peps = [{{ at = [\"1\", \"2\"], buffer = \"{buffer}\", controller = \"cubic\" }}]\n",
                number + 1
            ));
            let flow = &summary.flows[0];
            let what = format!("{setup}, {recovery}, {buffer}");
            let completed_s = flow.completed_at_s.unwrap_or_else(|| panic!("{what}: it does not end"));
            close(&what, flow.goodput_mbit_s.unwrap_or(f64::NAN) * completed_s * 1e6 / 8.0, 300_001.0, 1e-6);
            for part in &summary.parts {
                let active_s = part.completed_at_s.unwrap_or_else(|| panic!("{what}: {}", part.name));
                close(&what, part.goodput_mbit_s.unwrap_or(f64::NAN) * active_s * 1e6 / 8.0, 300_001.0, 1e-6);
                assert!(part.losses.error > 0, "{what}: {}", part.name);
            }
            assert!(summary.proxies.iter().all(|proxy| proxy.held_at_end_bytes == 0), "{what}");
            assert_eq!(summary.parts[1].controller.as_deref(), Some("cubic"));
        }
    }
}

/// Losses only on the space segment. The table in RFC 3649 (section 3, w = 1.2/sqrt p) gives 38 segments per round trip
/// at p = 1e-3: over 100 ms for the middle part, and over 140 ms for a flow that is not split. The connection of the
/// sender loses nothing.
#[test]
fn losses_stay_on_their_part() {
    let text = |peps: &str| {
        format!(
            "duration = \"1500 s\"\nwarm_up = \"100 s\"\nrecord.events = false\n\
             network.dumbbell = {{ rate = \"100 Gbit/s\", rtt = \"100 ms\", queue = \"unlimited\", loss = {{ per = 1e-3 }}, \
             reverse = {{ rate = \"100 Gbit/s\", queue = \"unlimited\", loss = {{ per = 0.0 }} }} }}\n\
             flows = [{{ controller = \"reno\", access = {{ rate = \"100 Gbit/s\", delay = \"10 ms\" }} }}]\n{peps}"
        )
    };
    let split = run(&text("peps = [{ at = [\"left\", \"right\"], buffer = \"2 MB\" }]\n"));
    let [first, middle, last] = &split.parts[..] else { panic!("three parts") };
    assert!(middle.losses_detected > 300, "{}", middle.losses_detected);
    assert_eq!((first.losses_detected, first.cuts, last.losses_detected), (0, 0, 0));
    close("window of the middle part", middle.sent_packets as f64 / 1400.0 * 0.1, 38.0, 10.0);
    let whole = run(&text(""));
    close("window of the whole", whole.flows[0].sent_packets as f64 / 1400.0 * 0.14, 38.0, 10.0);
    close(
        "gain",
        split.flows[0].goodput_mbit_s.unwrap_or(f64::NAN) / whole.flows[0].goodput_mbit_s.unwrap_or(f64::NAN),
        1.4,
        10.0,
    );
}

/// The proxies are at the two sites, and hosts are behind them. The satellites between them change, and every byte
/// arrives.
#[test]
fn over_satellites_the_middle_part_is_handed_over() {
    let text = "duration = \"300 s\"\nnetwork.constellation = { preset = \"iridium\" }\n\
                flows = [{ from = \"Berkeley\", to = \"Sydney\", controller = \"cubic\", size = \"30 MB\", \
                access = { rate = \"100 Mbit/s\", delay = \"10 ms\" } }]\n\
                peps = [{ at = [\"Sydney\", \"Berkeley\"], buffer = \"1 MB\" }]\n";
    let summary = run(text);
    let ends: Vec<_> = summary.parts.iter().map(|part| (&*part.from, &*part.to)).collect();
    assert_eq!(ends, [("Berkeley", "Berkeley"), ("Berkeley", "Sydney"), ("Sydney", "Sydney")]);
    assert!(summary.flows[0].completed_at_s.is_some());
}

/// Both directions and several flows, some of which are not split: two runs are equal, and the parts follow after all
/// flows.
#[test]
fn a_run_is_the_same_twice() {
    let text = "duration = \"5 s\"\nnetwork.dumbbell = { rate = \"10 Mbit/s\", rtt = \"500 ms\", queue = \"1 BDP\" }\n\
                flows = [{ name = \"page\", count = 2, controller = \"cubic\", access = { delay = \"5 ms\" } }, \
                { name = \"up\", from = \"right\", to = \"left\", controller = \"bbr3\", access = { delay = \"5 ms\" } }, \
                { name = \"ping\", kind = \"ping\" }]\n\
                peps = [{ at = [\"left\", \"right\"], buffer = \"1 MB\", flows = [\"page*\"] }]\n";
    let (one, other) = (run(text), run(text));
    assert_eq!(one, other);
    let names: Vec<_> = one.parts.iter().map(|part| (part.flow, part.name.as_str())).collect();
    assert_eq!(
        names,
        [
            (0, "page 1 part 1"),
            (4, "page 1 part 2"),
            (5, "page 1 part 3"),
            (1, "page 2 part 1"),
            (6, "page 2 part 2"),
            (7, "page 2 part 3")
        ]
    );
}

/// 100 segments over three links. The first link loses one packet and the second loses two, including retransmissions:
/// 101, 102 and 100 packets are sent. Of the host's packets, 100 / 101 x 100 / 102 pass, so 1 - 10000 / 10302 are lost,
/// of which the first link loses 1 / 101. Another flow sends ten packets that nothing drops and no proxy splits.
#[test]
fn a_split_flow_loses_what_its_parts_lose_one_after_the_other() {
    let link = |delay, lost| {
        format!("{{ rate = \"unlimited\", delay = \"{delay} ms\", loss = {{ packets = [{lost}] }} }}")
    };
    let links = [link(10, "5"), link(200, "7, 9"), link(20, "1000")].join(", ");
    let summary = run(&format!(
        "duration = \"20 s\"\nnetwork.chain.links = [{links}]\n{BOTH}\
         flows = [{{ controller = \"reno\", size = \"144800 B\" }}, \
         {{ kind = \"cbr\", rate = \"12 kbit/s\", packet = \"1500 B\", start = \"10 s\" }}]\n"
    ));
    let sent: Vec<_> = summary.parts.iter().map(|part| part.sent_packets).collect();
    assert_eq!(sent, [101, 102, 100]);
    let [flow, beside] = &summary.flows[..] else { panic!("two flows") };
    assert_eq!((flow.sent_packets, flow.delivered_packets), (101, 100));
    assert_eq!((flow.losses.error, flow.losses_detected, flow.retransmitted_packets), (3, 3, 3));
    assert_eq!(flow.cuts, summary.parts.iter().map(|part| part.cuts).sum::<u64>());
    assert!(flow.cuts >= 2, "{}", flow.cuts);
    let lost = flow.loss_ratio.expect("it is split");
    assert!((lost - 302.0 / 10302.0).abs() < 1e-12, "{lost}");
    assert_eq!((beside.sent_packets, beside.loss_ratio), (10, None));
    assert!(summary.parts.iter().all(|part| part.loss_ratio.is_none()));
    let totals = &summary.totals;
    assert_eq!((totals.sent_packets, totals.delivered_packets), (111, 110));
    let expected = 101.0 * 302.0 / 10302.0 / 111.0;
    for ratio in [totals.loss_ratio, totals.loss_ratio_error] {
        assert!((ratio.expect("packets were sent") - expected).abs() < 1e-12, "{ratio:?}");
    }
    assert_eq!((totals.loss_ratio_queue, totals.loss_ratio_outage), (Some(0.0), Some(0.0)));
    // Packets of 1500 bytes from the sending hosts, each counted once.
    close("throughput", totals.sent_mbit_s.unwrap_or(f64::NAN), 111.0 * 12e3 / 20e6, 1e-9);
    close(
        "its own",
        flow.throughput_mbit_s.unwrap_or(f64::NAN) * completed_ms(&summary) / 1e3,
        101.0 * 12e-3,
        1e-9,
    );
}

/// The host sends everything at once. Proxies with an initial window of 10 segments need six windows for 600 segments
/// (10 + 20 + 40 + 80 + 160 + 290). Proxies with 40 need four (40 + 80 + 160 + 320). Each window except the last takes
/// the 550 ms between the proxies.
#[test]
fn proxies_have_an_initial_window_of_their_own() {
    let completed = |tcp: &str| {
        let peps = format!("peps = [{{ at = [\"1\", \"2\"], buffer = \"100 MB\"{tcp} }}]\n");
        let flows = "flows = [{ controller = \"reno\", size = \"868800 B\", tcp.initial_window = 600 }]\n";
        row([12.5, 275.0, 12.5], &format!("{flows}{peps}"))
    };
    for (tcp, windows) in [("", 1.0), (", tcp.initial_window = 10", 6.0), (", tcp.initial_window = 40", 4.0)]
    {
        let expected = 12.5 + (windows - 1.0) * 550.0 + 275.0 + 12.5;
        let summary = completed(tcp);
        assert!((completed_ms(&summary) - expected).abs() < 1e-6, "{tcp}: {}", completed_ms(&summary));
    }
    let parts = completed(", tcp.initial_window = 40").parts;
    let said: Vec<_> = parts.iter().filter_map(|part| part.tcp.as_deref()).collect();
    let (host, proxy) = ("bentpipe-0.1; initial_window = 600", "bentpipe-0.1; initial_window = 40");
    assert_eq!(said, [host, proxy, proxy]);
}

/// If the proxy's window is smaller than its buffer, the window limits the data in the proxy: 20 segments per 500 ms
/// plus the 0.012 ms of one segment. The flow's window belongs to its receiver, 10 ms behind the proxy, and limits
/// nothing there.
#[test]
fn a_proxy_has_a_receive_window_of_its_own() {
    let links =
        [250, 10].map(|delay| format!("{{ rate = \"1 Gbit/s\", delay = \"{delay} ms\" }}")).join(", ");
    for (window, segments) in [("28960 B", 20.0), ("115840 B", 80.0)] {
        let summary = run(&format!(
            "duration = \"40 s\"\nwarm_up = \"20 s\"\nnetwork.chain.links = [{links}]\n\
             peps = [{{ at = [\"1\"], buffer = \"100 MB\", tcp.receive_window = \"{window}\" }}]\n\
             flows = [{{ controller = \"reno\", tcp.receive_window = \"57920 B\" }}]\n"
        ));
        close(window, summary.flows[0].goodput_mbit_s.unwrap_or(f64::NAN), segments * MSS * 8.0 / 500e3, 0.1);
        assert!(summary.parts[0].receiver_limited, "{window}");
    }
}

/// Three segments of a host with an initial window of one. The proxy delays the first acknowledgement by 40 ms. The
/// host receives it at 12.5 + 40 + 12.5 ms, and its two other segments arrive at the receiver 12.5 + 20 ms later. The
/// flow's rule applies to its receiver.
#[test]
fn a_proxy_acknowledges_by_its_own_rule() {
    let delayed = "delayed_ack = { every = 2, at_most = \"40 ms\" }";
    for (flow, proxy, expected) in [
        ("", String::new(), 57.5),
        ("", format!(", {delayed}"), 97.5),
        (delayed, ", delayed_ack = false".to_owned(), 57.5),
    ] {
        let comma = if flow.is_empty() { "" } else { ", " };
        let summary = row(
            [12.5, 10.0, 10.0],
            &format!(
                "flows = [{{ controller = \"reno\", size = \"4344 B\", tcp = {{ initial_window = 1{comma}{flow} }} }}]\n\
                 peps = [{{ at = [\"1\"], buffer = \"1 MB\", tcp = {{ initial_window = 10{proxy} }} }}]\n"
            ),
        );
        assert!((completed_ms(&summary) - expected).abs() < 1e-6, "{proxy}: {}", completed_ms(&summary));
    }
}

/// Each connection has the smaller MSS of its ends: 144,800 bytes are 100 segments of 1448, 17 of 8948 and 290 of 500.
#[test]
fn both_ends_of_a_connection_fit() {
    for (mss, sent) in [("8948 B", [100, 17, 100]), ("500 B", [290, 290, 290])] {
        let summary = row(
            [12.5, 275.0, 12.5],
            &format!(
                "flows = [{{ controller = \"reno\", size = \"144800 B\" }}]\n\
                 peps = [{{ at = [\"1\", \"2\"], buffer = \"1 MB\", tcp.mss = \"{mss}\" }}]\n"
            ),
        );
        assert_eq!(summary.parts.iter().map(|part| part.sent_packets).collect::<Vec<_>>(), sent, "{mss}");
        assert!(summary.flows[0].completed_at_s.is_some());
    }
}

/// Connections that are open from the start need no handshake: 2 x 25 ms to the first proxy, and then the whole path.
/// With Fast Open, the proxy's SYN contains as much data as fits, and the rest follows its answer. The proxy sends its
/// SYN when it receives one, at 25 ms, before it has any data. So the data that arrive at 75 ms wait until 25 + 550 ms.
#[test]
fn a_proxy_opens_connections_as_it_likes() {
    for (setup, expected) in [("handshake", 875.0), ("none", 375.0), ("fast-open", 875.0)] {
        let summary = row(
            [25.0, 275.0, 25.0],
            &format!(
                "flows = [{{ controller = \"reno\", size = \"14000 B\", tcp.setup = \"handshake\" }}]\n\
                 peps = [{{ at = [\"1\", \"2\"], buffer = \"100 MB\", tcp.setup = \"{setup}\" }}]\n"
            ),
        );
        assert!((completed_ms(&summary) - expected).abs() < 1e-6, "{setup}: {}", completed_ms(&summary));
    }
}

/// For all settings of hosts and proxies, each byte arrives once and in order, and no buffer blocks forever.
#[test]
fn every_byte_arrives_whatever_proxies_have() {
    let proxies = [
        "preset = \"linux\"",
        "preset = \"rfc\", recovery = \"reno\", prr = false",
        "mss = \"500 B\", receive_window = { at_most = \"100 kB\" }",
        "mss = \"2000 B\", setup = \"fast-open\", delayed_ack = \"linux\"",
        "preset = \"ns2-linux\"",
        "recovery = \"newreno\", receive_window = \"4000 B\"",
    ];
    for (number, (host, proxy)) in ["bentpipe-0.1", "linux", "rfc"]
        .iter()
        .flat_map(|host| proxies.iter().map(move |proxy| (host, proxy)))
        .enumerate()
    {
        let link = |delay| {
            format!(
                "{{ rate = \"20 Mbit/s\", delay = \"{delay} ms\", loss = {{ per = 0.02 }}, queue = \"20 packets\" }}"
            )
        };
        let links = [link(3), link(20), link(5)].join(", ");
        // Segments of 1448 and of 2000 bytes fit together.
        for buffer in ["3448 B", "1 MB"] {
            let summary = run(&format!(
                "duration = \"600 s\"\nseed = {}\nnetwork.chain.links = [{links}]\n\
                 flows = [{{ controller = \"reno\", size = \"300001 B\", tcp = {{ preset = \"{host}\" }} }}]\n\
                 peps = [{{ at = [\"1\", \"2\"], buffer = \"{buffer}\", tcp = {{ {proxy} }} }}]\n",
                number + 1
            ));
            let (flow, what) = (&summary.flows[0], format!("{host}, {proxy}, {buffer}"));
            let completed_s = flow.completed_at_s.unwrap_or_else(|| panic!("{what}: it does not end"));
            close(&what, flow.goodput_mbit_s.unwrap_or(f64::NAN) * completed_s * 1e6 / 8.0, 300_001.0, 1e-6);
            assert!(summary.proxies.iter().all(|proxy| proxy.held_at_end_bytes == 0), "{what}");
        }
    }
}
