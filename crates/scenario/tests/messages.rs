// SPDX-License-Identifier: MIT OR Apache-2.0
//! The exact messages for invalid scenarios, in the form `file:line: key: what, bound, fix`.

use bentpipe_scenario::{FlowKind, Scenario};
use units::Code;

/// A valid scenario, into which the tests insert faults. Line 3 is the network, and line 7 is the flow.
const SOUND: &str = "duration = \"10 s\"

[network.dumbbell]
rate = \"10 Mbit/s\"
rtt = \"50 ms\"

[[flows]]
controller = \"cubic\"
";

/// Checks that `SOUND`, with one piece of text replaced, gives exactly this message.
fn says(old: &str, new: &str, code: Code, message: &str) {
    assert!(SOUND.contains(old), "{old}");
    whole(&SOUND.replacen(old, new, 1), code, message);
}

fn whole(text: &str, code: Code, message: &str) {
    match Scenario::from_toml(text, "a.toml") {
        Ok(scenario) => panic!("{scenario:?} was accepted, instead of: {message}"),
        Err(error) => assert_eq!((error.to_string().as_str(), error.code()), (message, code)),
    }
}

/// Returns the keys of a table in the order of the schema, as a message lists them.
fn keys(table: &str) -> String {
    let schema: serde_json::Value =
        serde_json::from_str(&bentpipe_scenario::json_schema()).expect("it is JSON");
    let properties = schema["$defs"][table]["properties"].as_object().expect("a table has keys");
    properties.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
}

#[test]
fn the_sound_one_is_accepted() {
    Scenario::from_toml(SOUND, "a.toml").map_or_else(|error| panic!("{error}"), |_| ());
}

#[test]
fn broken_toml() {
    says(
        "rate = \"10 Mbit/s\"",
        "rate = 10 Mbit/s",
        Code::ScenarioSyntax,
        "a.toml:4: this is not TOML: string values must be quoted, expected literal string",
    );
    says("rtt = ", "rate = ", Code::ScenarioSyntax, "a.toml:5: this is not TOML: duplicate key");
}

#[test]
fn unknown_keys() {
    says(
        "rtt = ",
        "queu = \"50 packets\"\nrtt = ",
        Code::ScenarioUnknownKey,
        &format!(
            "a.toml:5: network.dumbbell.queu: unknown key `queu` in `network.dumbbell` (did you mean `queue`? known \
             keys: {})",
            keys("Dumbbell")
        ),
    );
    says(
        "duration",
        "durration",
        Code::ScenarioUnknownKey,
        "a.toml:1: durration: unknown key `durration` at the top of the file (did you mean `duration`? known keys: \
         name, duration, seed, warm_up, network, tcp, flows, traffic, peps, record)",
    );
    says(
        "[network.dumbbell]",
        "[network.dumbell]",
        Code::ScenarioUnknownKey,
        "a.toml:3: network.dumbell: unknown key `dumbell` in `network` (did you mean `dumbbell`? known keys: preset, \
         constellation, dumbbell, chain, star, starlink, announce, announce_error, origin)",
    );
    says(
        "controller = ",
        "access = { rate = \"1 Mbit/s\", zzz = 1 }\ncontroller = ",
        Code::ScenarioUnknownKey,
        &format!(
            "a.toml:8: flows[0].access.zzz: unknown key `zzz` in `flows[0].access` (known keys: {})",
            keys("AccessLink")
        ),
    );
}

/// The keys of a link are declared once and used in many tables. Each table refuses keys that it does not have.
#[test]
fn unknown_keys_of_every_kind_of_link() {
    for (place, text) in [
        ("network.dumbbell.reverse", "dumbbell.reverse = { warn_abov = 20 }"),
        ("network.chain.link", "chain = { links = 2, link = { warn_abov = 20 } }"),
        (
            "network.chain.links[1]",
            "chain.links = [{ rate = \"unlimited\", delay = \"0 s\" }, { warn_abov = 20 }]",
        ),
        ("network.star.branches[0]", "star.branches = [{ warn_abov = 20 }]"),
        ("network.constellation.isl", "constellation.isl = { warn_abov = 20 }"),
        ("network.constellation.user_link", "constellation.user_link = { warn_abov = 20 }"),
        ("network.constellation.uplink", "constellation.uplink = { warn_abov = 20 }"),
        ("network.constellation.downlink", "constellation.downlink = { warn_abov = 20 }"),
        ("network.constellation.feeder", "constellation.feeder = { warn_abov = 20 }"),
    ] {
        let Err(error) = Scenario::from_toml(&format!("[network]\n{text}\n"), "a.toml") else {
            panic!("{text} was accepted")
        };
        assert_eq!((error.code(), error.line()), (Code::ScenarioUnknownKey, Some(2)), "{error}");
        assert_eq!(error.key(), format!("{place}.warn_abov"), "{error}");
        let start = format!("unknown key `warn_abov` in `{place}` (did you mean `warn_above`? known keys: ");
        assert!(error.message().starts_with(&start), "{error}");
    }
}

#[test]
fn bare_numbers_and_wrong_types() {
    says(
        "\"10 Mbit/s\"",
        "50",
        Code::ScenarioWrongType,
        "a.toml:4: network.dumbbell.rate: 50 has no unit: the value must be a data rate or \"unlimited\" with its \
         unit (write rate = \"50 Mbit/s\"; units are bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s)",
    );
    says(
        "\"50 ms\"",
        "0.6",
        Code::ScenarioWrongType,
        "a.toml:5: network.dumbbell.rtt: 0.6 has no unit: the value must be a time span with its unit (write rtt = \
         \"0.6 ms\"; units are ns, us, ms, s, min, h, d)",
    );
    says(
        "\"50 ms\"",
        "true",
        Code::ScenarioWrongType,
        "a.toml:5: network.dumbbell.rtt: true is not allowed here: the value must be a time span with its unit (write \
         rtt = \"600 ms\")",
    );
    says(
        "rtt = ",
        "loss = 0.01\nrtt = ",
        Code::ScenarioWrongType,
        "a.toml:5: network.dumbbell.loss: 0.01 is not allowed here: the value must be a table (write loss = { per = \
         1e-3 })",
    );
    says(
        "controller = ",
        "count = \"3\"\ncontroller = ",
        Code::ScenarioWrongType,
        "a.toml:8: flows[0].count: \"3\" is not allowed here: the value must be a whole number",
    );
    says(
        "controller = ",
        "count = 2.5\ncontroller = ",
        Code::ScenarioWrongType,
        "a.toml:8: flows[0].count: 2.5 is not allowed here: the value must be a whole number",
    );
    says(
        "\"cubic\"",
        "7",
        Code::ScenarioWrongType,
        "a.toml:8: flows[0].controller: 7 is not allowed here: the value must be text or a table (write controller = \
         { name = \"cubic\", beta = 0.7 })",
    );
    says(
        "\"cubic\"",
        "{ name = \"cubic\", beta = [1] }",
        Code::ScenarioWrongType,
        "a.toml:8: flows[0].controller.beta: an array is not allowed here: the value must be a number or text or true \
         or false",
    );
}

/// If a list is required, the message for a single value shows the list, if the value is allowed in it.
#[test]
fn lists_of_one() {
    whole(
        &format!("{SOUND}\n[[peps]]\nat = \"left\"\nbuffer = \"1 MB\"\n"),
        Code::ScenarioWrongType,
        "a.toml:11: peps[0].at: \"left\" is not allowed here: the value must be an array (write at = [\"left\"])",
    );
    whole(
        "duration = \"1 s\"\nnetwork.dumbbell = { rate = \"1 Mbit/s\", rtt = \"1 s\" }\nflows = { controller = \"cubic\" }\n",
        Code::ScenarioWrongType,
        "a.toml:3: flows: a table is not allowed here: the value must be an array (write flows = [{ … }])",
    );
    says(
        "rtt = ",
        "loss = { packets = 7 }\nrtt = ",
        Code::ScenarioWrongType,
        "a.toml:5: network.dumbbell.loss.packets: 7 is not allowed here: the value must be an array (write packets = \
         [7])",
    );
    says(
        "rtt = ",
        "loss = { packets = \"7\" }\nrtt = ",
        Code::ScenarioWrongType,
        "a.toml:5: network.dumbbell.loss.packets: \"7\" is not allowed here: the value must be an array",
    );
}

#[test]
fn wrong_units() {
    says(
        "\"10 Mbit/s\"",
        "\"10 Mbps\"",
        Code::UnitUnknown,
        "a.toml:4: network.dumbbell.rate: cannot read \"10 Mbps\" as a data rate: unknown unit `Mbps`; units are \
         bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s (write \"10 Mbit/s\")",
    );
    says(
        "\"50 ms\"",
        "\"50\"",
        Code::UnitSyntax,
        "a.toml:5: network.dumbbell.rtt: 50 has no unit: the value must be a time span with its unit (write rtt = \"50 ms\"; units are ns, us, ms, s, min, h, d)",
    );
    says(
        "\"50 ms\"",
        "\"-50 ms\"",
        Code::UnitRange,
        "a.toml:5: network.dumbbell.rtt: cannot read \"-50 ms\" as a time span: it must not be negative \
         (write \"600 ms\")",
    );
    says(
        "rtt = ",
        "queue = \"50 pkts\"\nrtt = ",
        Code::UnitUnknown,
        "a.toml:5: network.dumbbell.queue: cannot read \"50 pkts\" as a queue: unknown unit `pkts` (write \"50 \
         packets\", \"75 kB\", \"100 ms\", \"1 BDP\" or \"unlimited\")",
    );
    says(
        "rtt = ",
        "queue = \"-1 packets\"\nrtt = ",
        Code::UnitRange,
        "a.toml:5: network.dumbbell.queue: cannot read \"-1 packets\" as a queue: packets are counted in whole \
         numbers, 0 or more (write \"50 packets\", \"75 kB\", \"100 ms\", \"1 BDP\" or \"unlimited\")",
    );
}

#[test]
fn queues_with_a_discipline() {
    let queue = |queue: &str| format!("queue = {queue}\nrtt = ");
    let words =
        link::Discipline::ALL.iter().map(|discipline| discipline.word()).collect::<Vec<_>>().join(", ");
    says(
        "rtt = ",
        &queue("{ discipline = \"blue\" }"),
        Code::ScenarioValue,
        &format!(
            "a.toml:5: network.dumbbell.queue.discipline: \"blue\" is not an allowed word (choices: {words})"
        ),
    );
    says(
        "rtt = ",
        &queue("{ limit = \"50 packets\" }"),
        Code::ScenarioMissingKey,
        "a.toml:5: network.dumbbell.queue.discipline: `network.dumbbell.queue` needs the key `discipline`: \
         Which packet goes next, and which packets are dropped or marked; for example \"codel\".",
    );
    says(
        "rtt = ",
        &queue("{ discipline = \"codel\", limit = \"50 pkts\" }"),
        Code::UnitUnknown,
        "a.toml:5: network.dumbbell.queue.limit: cannot read \"50 pkts\" as a queue: unknown unit `pkts` (write \"50 \
         packets\", \"75 kB\", \"100 ms\", \"1 BDP\" or \"unlimited\")",
    );
    says(
        "rtt = ",
        &queue("{ discipline = \"codel\", target = \"0 s\" }"),
        Code::ScenarioValue,
        "a.toml:5: network.dumbbell.queue.target: \"0 s\" is too small: it must be within 1 us and 1 h",
    );
    says(
        "rtt = ",
        &queue("{ discipline = \"codel\", quantum = \"300 B\" }"),
        Code::ScenarioValue,
        "a.toml:5: network.dumbbell.queue.quantum: a queue of discipline \"codel\" has no key `quantum` (remove `quantum`, \
         or write discipline = \"fq-codel\")",
    );
    says(
        "rtt = ",
        &queue("{ discipline = \"drop-tail\", target = \"5 ms\" }"),
        Code::ScenarioValue,
        "a.toml:5: network.dumbbell.queue.target: a queue of discipline \"drop-tail\" has no key `target` (remove \
         `target`, or write discipline = \"codel\")",
    );
    says(
        "rtt = ",
        &queue("{ discipline = \"codel\", mark_above = \"20 packets\" }"),
        Code::ScenarioValue,
        "a.toml:5: network.dumbbell.queue.mark_above: a queue of discipline \"codel\" has no key `mark_above` \
         (remove `mark_above`, or write discipline = \"threshold\")",
    );
    let text = SOUND.replacen("rtt = ", &queue("{ discipline = \"priority\", ecn = true }"), 1);
    let error = Scenario::from_toml(&text, "a.toml").expect_err("it must be refused").to_string();
    let expected = "a.toml:5: network.dumbbell.queue.ecn: unknown key `ecn` in `network.dumbbell.queue` (ECN is a \
        setting of senders: write tcp = { ecn = \"classic\" } in a flow, and choose a discipline that marks for a \
        queue; known keys: ";
    assert!(error.starts_with(expected), "{error}");
    says(
        "rtt = ",
        &queue("{ discipline = \"threshold\", mark_above = 20 }"),
        Code::ScenarioWrongType,
        "a.toml:5: network.dumbbell.queue.mark_above: 20 has no unit: the value must be a queue with its unit (write \
         mark_above = \"20 packets\")",
    );
    says(
        "rtt = ",
        "queue = [\"codel\"]\nrtt = ",
        Code::ScenarioWrongType,
        "a.toml:5: network.dumbbell.queue: an array is not allowed here: the value must be a queue with its unit or a \
         table (write queue = \"50 packets\")",
    );
    says(
        "rtt = ",
        "queue = { discipline = \"codel\" }\nwarn_above = 20\nrtt = ",
        Code::ScenarioValue,
        "a.toml:6: network.dumbbell.warn_above: only a drop-tail queue sends congestion warnings (remove `warn_above`, \
         or the queue's discipline)",
    );
}

#[test]
fn queues_that_contradict_themselves() {
    let place = "a.toml:5: network.dumbbell.queue.";
    for (table, code, message) in [
        (
            "\"red\", min_threshold = \"15 packets\", max_threshold = \"5 packets\"",
            Code::ScenarioValue,
            "min_threshold: min_threshold of 15 packets is not below max_threshold of 5 packets (write a larger \
             max_threshold: it should be about three times min_threshold)",
        ),
        (
            "\"red\", min_threshold = \"5 packets\", max_threshold = \"50 ms\"",
            Code::ScenarioValue,
            "max_threshold: min_threshold of 5 packets and max_threshold of 50 ms have different units, but both are \
             compared with the same mean queue (write both in packets, in bytes, as times or in BDP)",
        ),
        (
            "\"red\", max_threshold = \"unlimited\"",
            Code::ScenarioValue,
            "min_threshold: a threshold of \"unlimited\" is never reached: no packet would be dropped (write \"15 \
             packets\", or discipline = \"drop-tail\")",
        ),
        (
            "\"red\", max_p = 1.5",
            Code::ScenarioValue,
            "max_p: 1.5 is too large: it must be within 1e-9 and 1 (write \"1.5 %\" or 0.015)",
        ),
        (
            "\"codel\", target = \"200 ms\"",
            Code::ScenarioValue,
            "target: a target of 200 ms is not below the interval of 100 ms: the target should be 5 to 10 % of the \
             interval (lower target, or write interval = \"4 s\")",
        ),
        (
            "\"dualpi2\", rtt_max = \"10 ms\"",
            Code::ScenarioValue,
            "target: a target of 15 ms is not below rtt_max of 10 ms, the longest round trip expected (lower target, or \
             write a longer rtt_max)",
        ),
        (
            "\"dualpi2\", time_shift = \"50 ms\"",
            Code::ScenarioValue,
            "time_shift: scheduler \"wrr\" has no key `time_shift` (remove `time_shift`, or write scheduler = \
             \"time-shifted\")",
        ),
        (
            "\"codel\", ce_threshold_of = \"ect1\"",
            Code::ScenarioMissingKey,
            "ce_threshold_of: `ce_threshold_of` has no effect without `ce_threshold` (write ce_threshold = \"1 ms\", or \
             remove `ce_threshold_of`)",
        ),
        (
            "\"pie\", update = \"0 s\"",
            Code::ScenarioValue,
            "update: \"0 s\" is too small: it must be within 1 us and 1 min",
        ),
        (
            "\"priority\", max_p = 0.1",
            Code::ScenarioValue,
            "max_p: a queue of discipline \"priority\" has no key `max_p` (remove `max_p`, or write discipline = \"red\")",
        ),
    ] {
        says(
            "rtt = ",
            &format!("queue = {{ discipline = {table} }}\nrtt = "),
            code,
            &format!("{place}{message}"),
        );
    }
}

#[test]
fn absurd_values() {
    says(
        "\"10 s\"",
        "\"0 s\"",
        Code::ScenarioValue,
        "a.toml:1: duration: \"0 s\" is too small: it must be within 1 us and 30 d",
    );
    says(
        "\"10 s\"",
        "\"31 d\"",
        Code::ScenarioValue,
        "a.toml:1: duration: \"31 d\" is too large: it must be within 1 us and 30 d",
    );
    says(
        "\"10 Mbit/s\"",
        "\"0 Mbit/s\"",
        Code::ScenarioValue,
        "a.toml:4: network.dumbbell.rate: \"0 Mbit/s\" is too small: it must be at least 1 bit/s",
    );
    for (loss, way, fix) in [("1.5", "large", " (write \"1.5 %\" or 0.015)"), ("-0.1", "small", "")] {
        says(
            "rtt = ",
            &format!("loss = {{ per = {loss} }}\nrtt = "),
            Code::ScenarioValue,
            &format!(
                "a.toml:5: network.dumbbell.loss.per: {loss} is too {way}: it must be within 0 and 1{fix}"
            ),
        );
    }
    says(
        "rtt = ",
        "loss = { ber = nan }\nrtt = ",
        Code::ScenarioValue,
        "a.toml:5: network.dumbbell.loss.ber: nan is not a finite number: it must be within 0 and 1",
    );
    for (count, way) in [("0", "small"), ("100001", "large")] {
        says(
            "controller = ",
            &format!("count = {count}\ncontroller = "),
            Code::ScenarioValue,
            &format!("a.toml:8: flows[0].count: {count} is too {way}: it must be within 1 and 100000"),
        );
    }
    says(
        "controller = ",
        "tcp = { mss = \"63 B\" }\ncontroller = ",
        Code::ScenarioValue,
        "a.toml:8: flows[0].tcp.mss: \"63 B\" is too small: it must be within 64 B and 65000 B",
    );
    for beside in ["recovery = \"newreno\"", "prr = true"] {
        says(
            "controller = ",
            &format!("tcp = {{ {beside}, repair = \"fall-floyd\" }}\ncontroller = "),
            Code::ScenarioValue,
            "a.toml:8: flows[0].tcp.repair: repair = \"fall-floyd\" needs selective acknowledgements and no PRR (write \
             recovery = \"sack\", prr = false)",
        );
    }
    for key in ["f_rto", "timestamps", "tail_probe_by_oldest", "growth_when_reordered"] {
        says(
            "controller = ",
            &format!("tcp = {{ {key} = 1 }}\ncontroller = "),
            Code::ScenarioWrongType,
            &format!("a.toml:8: flows[0].tcp.{key}: 1 is not allowed here: the value must be true or false"),
        );
    }
    says(
        "controller = ",
        "tcp = { recovery = \"rack\", reordering_timer_slack = \"2 s\" }\ncontroller = ",
        Code::ScenarioValue,
        "a.toml:8: flows[0].tcp.reordering_timer_slack: \"2 s\" is too large: it must be at most 1 s",
    );
    says(
        "controller = ",
        "tcp = { slow_start_after_idle = \"rfc2861\" }\ncontroller = ",
        Code::ScenarioValue,
        "a.toml:8: flows[0].tcp.slow_start_after_idle: \"rfc2861\" is not an allowed word (did you mean \"rfc5681\"? \
         choices: keep, rfc5681, linux, rfc7661)",
    );
    says(
        "controller = ",
        "tcp = { timeouts = \"ns-2\" }\ncontroller = ",
        Code::ScenarioValue,
        "a.toml:8: flows[0].tcp.timeouts: timeouts = \"ns-2\" needs recovery = \"newreno\" or repair = \
         \"fall-floyd\" (write one of these two keys, or remove `timeouts`)",
    );
    says(
        "duration",
        "seed = -1\nduration",
        Code::ScenarioValue,
        "a.toml:1: seed: -1 is too small: it must be at least 0",
    );
    says(
        "controller = ",
        "tcp = { recovery = \"sak\" }\ncontroller = ",
        Code::ScenarioValue,
        "a.toml:8: flows[0].tcp.recovery: \"sak\" is not an allowed word (did you mean \"sack\"? choices: reno, \
         newreno, sack, rack)",
    );
}

#[test]
fn missing_keys() {
    says(
        "rtt = \"50 ms\"\n",
        "",
        Code::ScenarioMissingKey,
        "a.toml:3: network.dumbbell.rtt: `network.dumbbell` needs a propagation delay (write rtt = \"50 ms\")",
    );
    says(
        "rate = \"10 Mbit/s\"\n",
        "",
        Code::ScenarioMissingKey,
        "a.toml:3: network.dumbbell.rate: `network.dumbbell` needs the key `rate` (write rate = \"50 Mbit/s\", or \
         \"unlimited\" for an ideal wire)",
    );
    says(
        "controller = \"cubic\"\n",
        "",
        Code::ScenarioMissingKey,
        "a.toml:7: flows[0].controller: a TCP flow needs the key `controller` (write controller = \"cubic\")",
    );
    says(
        "controller = \"cubic\"\n",
        "kind = \"cbr\"\n",
        Code::ScenarioMissingKey,
        "a.toml:7: flows[0].rate: a flow of kind \"cbr\" needs the key `rate` (write rate = \"1 Mbit/s\")",
    );
    whole(
        "[network.dumbbell]\nrate = \"10 Mbit/s\"\nrtt = \"50 ms\"\n",
        Code::ScenarioMissingKey,
        "a.toml: flows: a scenario needs at least one flow (write [[flows]] or [[traffic]])",
    );
    whole(
        "[network]\n[[flows]]\ncontroller = \"cubic\"\n",
        Code::ScenarioMissingKey,
        "a.toml:1: network: a scenario needs a network (write [network.constellation], [network.dumbbell], \
         [network.chain], [network.star] or [network.starlink], or [network] with a preset)",
    );
}

#[test]
fn links_that_change_with_time() {
    says(
        "rtt = ",
        "trace = \"a\"\nrtt = ",
        Code::ScenarioValue,
        "a.toml:5: network.dumbbell.trace: `rate` and `trace` contradict each other (keep one of them)",
    );
    says(
        "rtt = ",
        "delay_trace = \"a\"\nrtt = ",
        Code::ScenarioValue,
        "a.toml:6: network.dumbbell.rtt: `delay_trace` and `rtt` contradict each other (keep one of them)",
    );
    says(
        "rtt = ",
        "trace_end = \"wrap\"\nrtt = ",
        Code::ScenarioValue,
        "a.toml:5: network.dumbbell.trace_end: `trace_end` has no effect without a trace (write path_trace = \
         \"path.csv\", or remove `trace_end`)",
    );
    says(
        "rate = \"10 Mbit/s\"",
        "rate_steps = [{ at = \"0 s\", rate = \"1 Mbit/s\" }, { at = \"0 s\", rate = \"2 Mbit/s\" }]",
        Code::ScenarioValue,
        "a.toml:4: network.dumbbell.rate_steps: entry 1 at 0 s is not later than the entry before it at 0 s",
    );
    says(
        "rate = \"10 Mbit/s\"",
        "rate_steps = [{ at = \"0 s\", rate = \"0 bit/s\" }]",
        Code::ScenarioValue,
        "a.toml:4: network.dumbbell.rate_steps: the last rate must be constant and above zero, or packets could wait forever (end \
         with such a rate; for an outage up to the end of the run write loss = { spans = [[from, to]] })",
    );
    says(
        "rtt = ",
        "loss = { steps = [{ at = \"2 s\", per = 0.1 }, { at = \"1 s\", per = 0.0 }] }\nrtt = ",
        Code::ScenarioValue,
        "a.toml:5: network.dumbbell.loss.steps: entry 1 at 1 s is not later than the entry before it at 2 s (sort the \
         entries, and list each time once)",
    );
    says(
        "rtt = ",
        "extra_delay = []\nrtt = ",
        Code::ScenarioValue,
        "a.toml:5: network.dumbbell.extra_delay: the list is empty (write at least one step, or remove this key)",
    );
    says(
        "rtt = ",
        "loss = { per = 0.1, bursts = { to_bad = 0.1, to_good = 0.5, loss = 0.5 } }\nrtt = ",
        Code::ScenarioValue,
        "a.toml:5: network.dumbbell.loss.bursts: `per` and `bursts` contradict each other (keep one of them)",
    );
    says(
        "rtt = ",
        "loss = { bursts = { to_bad = 1.5, to_good = 0.5, loss = 0.5 } }\nrtt = ",
        Code::ScenarioValue,
        "a.toml:5: network.dumbbell.loss.bursts.to_bad: 1.5 is too large: it must be within 0 and 1 (write \"1.5 %\" or 0.015)",
    );
}

#[test]
fn listed_losses() {
    for (loss, key, message) in [
        ("packets = []", "packets", "the list is empty (write packets = [400, 1400], or remove `packets`)"),
        ("packets = [7, 0]", "packets[1]", "0 is too small: it must be at least 1"),
        (
            "packets = [2, 9, 5]",
            "packets",
            "5 follows 9, but the numbers must rise (sort them, and list each number once)",
        ),
        (
            "packets = [2, 2]",
            "packets",
            "2 follows 2, but the numbers must rise (sort them, and list each number once)",
        ),
        (
            "packets = [2, 9], period = 8",
            "period",
            "`period` = 8 is less than 9, the last number of `packets` (write 9 or more)",
        ),
        (
            "spans = []",
            "spans",
            "the list is empty (write spans = [[\"20 s\", \"22 s\"]], or remove `spans`)",
        ),
        ("spans = [[\"3 s\"]]", "spans", "entry 0 is not a pair of times (write [\"20 s\", \"22 s\"])"),
        (
            "spans = [[\"3 s\", \"3 s\"]]",
            "spans",
            "entry 0 ends at 3 s, which is before its start at 3 s (write the earlier time first)",
        ),
        (
            "spans = [[\"3 s\", \"5 s\"], [\"4 s\", \"6 s\"]]",
            "spans",
            "entry 1 starts at 4 s, but the previous entry ends later, at 5 s (sort the entries, or merge these two \
             entries)",
        ),
    ] {
        says(
            "rtt = ",
            &format!("loss = {{ {loss} }}\nrtt = "),
            Code::ScenarioValue,
            &format!("a.toml:5: network.dumbbell.loss.{key}: {message}"),
        );
    }
    says(
        "rtt = ",
        "loss = { period = 8 }\nrtt = ",
        Code::ScenarioMissingKey,
        "a.toml:5: network.dumbbell.loss.period: `period` has no effect without `packets` (write packets = [400, \
         1400], or remove `period`)",
    );
}

/// Chains without a next state, or with states that are never reached again.
#[test]
fn losses_with_a_memory() {
    let two = |first: &str, second: &str| format!("chain = {{ states = [{{ {first} }}, {{ {second} }}] }}");
    let three = |rows: [&str; 3]| {
        let states = rows.map(|row| format!("{{ lasts = \"1 s\"{row} }}")).join(", ");
        format!("chain = {{ states = [{states}] }}")
    };
    for (loss, key, message) in [
        (
            "netem = { p13 = 0.1 }, chain = { states = [] }".to_owned(),
            ".netem",
            "`chain` and `netem` contradict each other (keep one of them)",
        ),
        (
            "chain = { states = [{ lasts = \"1 s\" }] }".to_owned(),
            ".chain.states",
            "1 states are not possible: the number must be from 2 to 16",
        ),
        (
            two("lasts = \"1 s\"", "lasts = \"0 s\""),
            ".chain.states[1].lasts",
            "\"0 s\" is too small: it must be within 1 us and 1000 h",
        ),
        (
            two("lasts = \"1 s\"", "lasts = \"1 s\", loss = 1.5"),
            ".chain.states[1].loss",
            "1.5 is too large: it must be within 0 and 1 (write \"1.5 %\" or 0.015)",
        ),
        (
            two("lasts = \"1 s\"", "lasts = \"1 s\", next = [1.0]"),
            ".chain.states[1].next",
            "a state has 1 probabilities for 2 states (write one for each, 0.0 for the state itself)",
        ),
        (
            two("lasts = \"1 s\", next = [0.5, 0.5]", "lasts = \"1 s\""),
            ".chain.states[0].next",
            "state 0 can follow itself (write 0.0 for the state itself, and make `lasts` longer instead)",
        ),
        (
            three([", next = [0.0, 0.5, 0.4]", ", next = [1.0, 0.0, 0.0]", ", next = [1.0, 0.0, 0.0]"]),
            ".chain.states[0].next",
            "the probabilities add up to 0.9 (they must add up to 1.0)",
        ),
        (
            three([", next = [0.0, 1.0, 0.0]", ", next = [1.0, 0.0, 0.0]", ", next = [1.0, 0.0, 0.0]"]),
            ".chain.states",
            "state 2 is not reachable from state 0 (give a state a probability for it, or remove it)",
        ),
        (
            three([", next = [0.0, 1.0, 0.0]", ", next = [0.0, 0.0, 1.0]", ", next = [0.0, 1.0, 0.0]"]),
            ".chain.states",
            "state 0 is not reachable from state 1, so the chain would never return (give state 1 a probability that leads back)",
        ),
        (
            "netem = { p13 = 0.4, p14 = 0.7 }".to_owned(),
            ".netem.p14",
            "p14 = 0.7 and p13 = 0.4 add up to more than 1 (write p14 = 0.6 or less)",
        ),
        (
            "netem = { p13 = 0.4, p31 = 0.0 }".to_owned(),
            ".netem.p31",
            "with a probability of 0, a burst of losses would never end (write p31 = 0.25)",
        ),
        (
            "netem = { p13 = 0.4, p31 = 0.1, p32 = 0.1, p23 = 0.0 }".to_owned(),
            ".netem.p23",
            "with a probability of 0, a burst of losses would never end (write p23 = 0.25)",
        ),
    ] {
        says(
            "rtt = ",
            &format!("loss = {{ {loss} }}\nrtt = "),
            Code::ScenarioValue,
            &format!("a.toml:5: network.dumbbell.loss{key}: {message}"),
        );
    }
    says(
        "rtt = ",
        "loss = { land_mobile = { speed = \"50 mph\", margin = \"5 dB\", good = { lasts = \"9 m\", rice_factor = \"9 dB\" }, bad = { \
         lasts = \"9 m\", mean = \"-9 dB\", deviation = \"3 dB\" } } }\nrtt = ",
        Code::UnitUnknown,
        "a.toml:5: network.dumbbell.loss.land_mobile.speed: cannot read \"50 mph\" as a speed: unknown unit `mph`; \
         units are m/s, km/h (write \"50 km/h\")",
    );
    says(
        "rtt = ",
        &format!("loss = {{ {} }}\nrtt = ", three(["", "", ""])),
        Code::ScenarioMissingKey,
        "a.toml:5: network.dumbbell.loss.chain.states[0].next: with 3 states, each state needs the key `next`, which \
         lists for every state the probability that this state is the next one (write next = [0.0, 0.9, 0.1])",
    );
}

/// The channel of ITU-R P.681.
#[test]
fn losses_of_a_terminal_that_moves() {
    for (said, code, message) in [
        (
            "margin = \"5 dB\"",
            Code::ScenarioMissingKey,
            ".good: the channel needs the key `good`, or `surroundings` (write surroundings = \"urban-45\")\n\
             [scenario-missing-key] a.toml:5: network.dumbbell.loss.two_state.bad: the channel needs the key `bad`, or \
             `surroundings` (write surroundings = \"urban-45\")",
        ),
        (
            "margin = \"5 dB\", surroundings = \"urban-45\", good = { log_mean = 1.0, log_deviation = 0.5, shortest = \"100 m\", \
             level = \"-1 dB\", level_deviation = \"1 dB\", echoes = [0.0, -15.0], direct = [0.0, 1.0], correlation = \"2 m\" }",
            Code::ScenarioValue,
            ".good.shortest: 100 m is too long: only a fraction of 2.8e-13 of the lengths with these `log_mean` and \
             `log_deviation` are longer, because their median is 2.718 m. This fraction must be at least 1e-6 (write \
             a shorter length, or a larger `log_mean`)",
        ),
        (
            "margin = \"5 dB\", surroundings = \"urban-45\", good = { log_mean = 1.0, log_deviation = 0.5, shortest = \"1 m\", \
             level = \"-1 dB\", level_deviation = \"1 dB\", level_between = [0.9, 0.1], echoes = [0.0, -15.0], direct = [0.0, \
             1.0], correlation = \"2 m\" }",
            Code::ScenarioValue,
            ".good.level_between: 0.9 is not below 0.1: the first of the two values must be smaller than the second (write [0.1, \
             0.9])",
        ),
    ] {
        says(
            "rtt = ",
            &format!("loss = {{ two_state = {{ speed = \"50 km/h\", {said} }} }}\nrtt = "),
            code,
            &format!("a.toml:5: network.dumbbell.loss.two_state{message}"),
        );
    }
}

#[test]
fn repetitions_of_a_link() {
    for (arq, key, code, message) in [
        (
            "3",
            "",
            Code::ScenarioWrongType,
            "3 is not allowed here: the value must be a table (write arq = { repeats = \
         3 })",
        ),
        ("{ repeats = 65 }", ".repeats", Code::ScenarioValue, "65 is too large: it must be within 1 and 64"),
        (
            "{ repeats = 3, delay = \"0 s\" }",
            ".delay",
            Code::ScenarioValue,
            "\"0 s\" is too small: it must be within 1 us and 1 min",
        ),
    ] {
        says(
            "rtt = ",
            &format!("arq = {arq}\nrtt = "),
            code,
            &format!("a.toml:5: network.dumbbell.arq{key}: {message}"),
        );
    }
}

#[test]
fn paths_over_starlink() {
    let starlink = |rest: &str| format!("[network.starlink]\n{rest}\n[[flows]]\ncontroller = \"cubic\"\n");
    whole(
        &starlink("preset = \"starlink-god\""),
        Code::PresetUnknown,
        "a.toml:2: network.starlink.preset: unknown path \"starlink-god\" (did you mean \"starlink-good\"? presets: \
         starlink-good, starlink-far, starlink-isl)",
    );
    whole(
        &starlink("phase = \"3 s\""),
        Code::ScenarioMissingKey,
        "a.toml:1: network.starlink.preset: `network.starlink` needs the key `preset`: \"starlink-good\", \
         \"starlink-far\" or \"starlink-isl\".",
    );
    whole(
        &starlink("preset = \"starlink-good\"\nphase = \"61 s\""),
        Code::ScenarioValue,
        "a.toml:3: network.starlink.phase: \"61 s\" is too large: it must be at most 1 min",
    );
    whole(
        &format!("duration = \"2 d\"\n{}", starlink("preset = \"starlink-good\"")),
        Code::ScenarioValue,
        "a.toml:1: duration: a path over Starlink lasts at most 24 h, but the run lasts 48 h (write a shorter \
         `duration`)",
    );
}

#[test]
fn contradictions() {
    says(
        "rtt = ",
        "delay = \"25 ms\"\nrtt = ",
        Code::ScenarioValue,
        "a.toml:6: network.dumbbell.rtt: `delay` and `rtt` contradict each other (keep one of them)",
    );
    says(
        "rtt = ",
        "loss = { per = 0.1, ber = 1e-6 }\nrtt = ",
        Code::ScenarioValue,
        "a.toml:5: network.dumbbell.loss.ber: `per` and `ber` contradict each other (keep one of them)",
    );
    says(
        "[[flows]]",
        "[network.chain]\nlinks = 2\nlink = { rate = \"1 Mbit/s\", delay = \"1 ms\" }\n[[flows]]",
        Code::ScenarioValue,
        "a.toml:7: network.chain: a scenario has exactly one network (keep one of [network.constellation], \
         [network.dumbbell], [network.chain], [network.star], [network.starlink])",
    );
    says(
        "controller = ",
        "rate = \"1 Mbit/s\"\ncontroller = ",
        Code::ScenarioValue,
        "a.toml:8: flows[0].rate: a flow of kind \"tcp\" has no key `rate` (remove `rate`, or write kind = \"cbr\")",
    );
    says(
        "duration",
        "warm_up = \"10 s\"\nduration",
        Code::ScenarioValue,
        "a.toml:1: warm_up: warm_up = 10 s is not shorter than the run of 10 s (write a shorter `warm_up`)",
    );
    says(
        "controller = ",
        "start = \"2 s\"\nstop = \"1 s\"\ncontroller = ",
        Code::ScenarioValue,
        "a.toml:9: flows[0].stop: the flow stops at 1 s, before its start at 2 s",
    );
    says(
        "controller = ",
        "start = \"10 s\"\ncontroller = ",
        Code::ScenarioValue,
        "a.toml:8: flows[0].start: the flow starts at 10 s, but the run already ends after 10 s",
    );
    says(
        "rtt = \"50 ms\"",
        "delay_steps = [[\"1 s\", \"30 ms\"]]",
        Code::ScenarioValue,
        "a.toml:5: network.dumbbell.delay_steps: the first step must be at \"0 s\" \
         (write [[\"0 s\", \"30 ms\"], …])",
    );
}

#[test]
fn sites_and_presets() {
    says(
        "controller = ",
        "from = \"lefft\"\ncontroller = ",
        Code::SiteUnknown,
        "a.toml:8: flows[0].from: the network has no site \"lefft\" (did you mean \"left\"? its sites are left, right)",
    );
    says(
        "controller = ",
        "to = \"left\"\ncontroller = ",
        Code::ScenarioValue,
        "a.toml:8: flows[0].to: the flow goes from \"left\" to itself (name another site)",
    );
    let satellites = "[network.constellation]\npreset = \"iridium\"\n[[flows]]\ncontroller = \"reno\"\n";
    whole(
        satellites,
        Code::ScenarioMissingKey,
        "a.toml:3: flows[0].from: `flows[0]` needs the key `from`, which names a site of the network",
    );
    whole(
        &satellites.replace("iridium", "irridium"),
        Code::PresetUnknown,
        "a.toml:2: network.constellation.preset: cannot find the constellation \"irridium\" (did you mean \
         \"iridium\"?)",
    );
    whole(
        &format!("{satellites}from = \"Berkley\"\nto = \"Boston\"\n"),
        Code::SiteUnknown,
        "a.toml:5: flows[0].from: cannot find the site \"Berkley\"; similar names are Berkeley, Belém, Berlin (or \
         write latitude and longitude in degrees: \"37.9, -122.3\")",
    );
    whole(
        &satellites.replace("preset", "min_elevation = \"95 deg\"\npreset"),
        Code::ScenarioValue,
        "a.toml:2: network.constellation.min_elevation: \"95 deg\" is too large: it must be within -5 deg and 90 deg",
    );
}

/// The policer is in the table with `rtt` of the dumbbell.
#[test]
fn policers_have_bounds() {
    for (policer, code, message) in [
        (
            "rate = \"-1 Mbit/s\", burst = \"20 kB\"",
            Code::UnitRange,
            "policer.rate: cannot read \"-1 Mbit/s\" as a data rate: it must not be negative (write \"50 Mbit/s\")",
        ),
        (
            "rate = \"0 bit/s\", burst = \"20 kB\"",
            Code::ScenarioValue,
            "policer.rate: \"0 bit/s\" is too small: it must be at least 1 bit/s",
        ),
        (
            "rate = \"1 Mbit/s\", burst = \"0 B\"",
            Code::ScenarioValue,
            "policer.burst: \"0 B\" is too small: it must be within 64 B and 1 GB",
        ),
        (
            "rate = \"1 Mbit/s\", burst = \"2 GB\"",
            Code::ScenarioValue,
            "policer.burst: \"2 GB\" is too large: it must be within 64 B and 1 GB",
        ),
    ] {
        says(
            "rtt = \"50 ms\"",
            &format!("rtt = \"50 ms\"\npolicer = {{ {policer} }}"),
            code,
            &format!("a.toml:6: network.dumbbell.{message}"),
        );
    }
    for (keys, key, meaning) in [
        (
            "policer = { rate = \"1 Mbit/s\" }",
            "burst",
            "Size of the bucket: the number of bytes that pass at once after a pause. It must be at least the largest packet of the flows.",
        ),
        (
            "policer = { burst = \"20 kB\" }",
            "rate",
            "Rate at which the bucket fills. In the long term, packets pass at most at this rate. Like the link's own rate, it counts the bytes of IP packets.",
        ),
    ] {
        says(
            "rtt = \"50 ms\"",
            &format!("rtt = \"50 ms\"\n{keys}"),
            Code::ScenarioMissingKey,
            &format!(
                "a.toml:6: network.dumbbell.policer.{key}: `network.dumbbell.policer` needs the key `{key}`: {meaning}"
            ),
        );
    }
    says(
        "rtt = \"50 ms\"",
        "rtt = \"50 ms\"\npolicer = { rate = \"1 Mbit/s\", burst = \"1499 B\" }",
        Code::ScenarioValue,
        "a.toml:8: flows[0]: the largest packets of this flow have 1.5 kB, but the bucket of \
         `network.dumbbell.policer` holds only 1.499 kB: the policer would drop all these packets (write a `burst` of \
         1.5 kB or more)",
    );
    says(
        "rtt = \"50 ms\"",
        "rtt = \"50 ms\"\necn_bleach = \"yes\"",
        Code::ScenarioWrongType,
        "a.toml:6: network.dumbbell.ecn_bleach: \"yes\" is not allowed here: the value must be true or false",
    );
}

#[test]
fn altitudes_have_bounds() {
    let satellites = |altitude: &str| {
        format!(
            "[network.constellation]\npreset = \"iridium\"\nsites = [{{ name = \"La Paz\", altitude = {altitude} }}]\n\
             [[flows]]\ncontroller = \"cubic\"\nfrom = \"La Paz\"\nto = \"Boston\"\n"
        )
    };
    for (altitude, code, message) in [
        ("\"9.1 km\"", Code::ScenarioValue, "\"9.1 km\" is too large: it must be within -500 m and 9 km"),
        ("\"-501 m\"", Code::ScenarioValue, "\"-501 m\" is too small: it must be within -500 m and 9 km"),
        (
            "\"3640\"",
            Code::UnitSyntax,
            "3640 has no unit: the value must be an altitude with its unit (write altitude = \"3640 m\"; units are m, km)",
        ),
    ] {
        whole(
            &satellites(altitude),
            code,
            &format!("a.toml:3: network.constellation.sites[0].altitude: {message}"),
        );
    }
    for (place, part) in [
        (
            "-16.5, -68.15, 3640",
            "cannot read \"3640\" as an altitude: the unit is missing (write \"3640 m\")",
        ),
        (
            "-16.5, -68.15, 9.1 km",
            "its altitude 9.1 km must be within -500 m and 9 km (write the height of the ground: \"37.9, -122.3, 120 m\")",
        ),
        (
            "-16.5, -68.15, -501 m",
            "its altitude -501 m must be within -500 m and 9 km (write the height of the ground: \"37.9, -122.3, 120 m\")",
        ),
        (
            "-96.5, -68.15, 3640 m",
            "its latitude -96.5 must be within -90 and 90 degrees (write latitude first: \"37.9, -122.3\")",
        ),
        (
            "16.5, 361",
            "its longitude 361 must be within -180 and 360 degrees (write latitude first: \"37.9, -122.3\")",
        ),
    ] {
        whole(
            &satellites("\"3640 m\"").replace("from = \"La Paz\"", &format!("from = \"{place}\"")),
            Code::UnitRange,
            &format!("a.toml:6: flows[0].from: cannot place a site at \"{place}\": {part}"),
        );
    }
    whole(
        &satellites("\"3640 m\"").replace("name = \"La Paz\"", "name = \"-16.5, -68.15, 400 m\""),
        Code::ScenarioValue,
        "a.toml:3: network.constellation.sites[0].altitude: the altitude is 3640 m in the key `altitude`, but 400 m \
         in \"-16.5, -68.15, 400 m\" (remove one of the two altitudes, or write the same altitude in both places)",
    );
}

#[test]
fn warnings_announcements_and_saved_paths_have_bounds() {
    says(
        "rtt = \"50 ms\"",
        "rtt = \"50 ms\"\nwarn_above = -1.0",
        Code::ScenarioValue,
        "a.toml:6: network.dumbbell.warn_above: -1.0 is too small: it must be within 0 and 1000000000",
    );
    says(
        "rtt = \"50 ms\"",
        "rtt = \"50 ms\"\nwarn_above = nan",
        Code::ScenarioValue,
        "a.toml:6: network.dumbbell.warn_above: nan is not a finite number: it must be within 0 and 1000000000",
    );
    says(
        "[network.dumbbell]",
        "[network]\nannounce = \"2 h\"\n[network.dumbbell]",
        Code::ScenarioValue,
        "a.toml:4: network.announce: \"2 h\" is too large: it must be at most 1 h",
    );
    for (saved, message) in [
        (
            "cwnd = \"0 B\", rtt = \"1 s\"",
            "tcp.saved_path.cwnd: \"0 B\" is too small: it must be at least 1 B",
        ),
        (
            "cwnd = \"1 B\", rtt = \"0 s\"",
            "tcp.saved_path.rtt: \"0 s\" is too small: it must be within 1 us and 1 h",
        ),
    ] {
        says(
            "controller = ",
            &format!("tcp.saved_path = {{ {saved} }}\ncontroller = "),
            Code::ScenarioValue,
            &format!("a.toml:8: flows[0].{message}"),
        );
    }
    says(
        "controller = \"cubic\"",
        "kind = \"cbr\"\nrate = \"1 Mbit/s\"\ndistance = \"100 km\"",
        Code::ScenarioValue,
        "a.toml:10: flows[0].distance: a flow of kind \"cbr\" has no key `distance` (remove `distance`, or write kind = \
         \"tcp\")",
    );
}

#[test]
fn calls() {
    for (keys, message) in [
        (
            "there = { rate = \"1 Mbit/s\", frame = \"100 B\" }",
            ".there.rate: `frame` and `rate` contradict each other (remove `frame` or `rate`: the rate is the frame \
             divided by the interval)",
        ),
        (
            "back = { rate = \"100 bit/s\" }",
            ".back.rate: a rate of 100 bit/s needs a frame of 0 B every 20 ms, but a frame must have 1 B to 10 MB \
             (write another rate or interval)",
        ),
        (
            "profile = \"telepathy\"",
            ".profile: \"telepathy\" is not an allowed word (choices: voice, video-call, game)",
        ),
        ("playout = \"1 h\"", ".playout: \"1 h\" is too large: it must be at most 10 s"),
        (
            "back = { interval = \"1 us\" }",
            ".back.interval: \"1 us\" is too small: it must be within 100 us and 1 min",
        ),
        (
            "rate = \"1 Mbit/s\"",
            ".rate: a flow of kind \"call\" has no key `rate` (remove `rate`, or write kind = \"cbr\")",
        ),
    ] {
        says(
            "controller = \"cubic\"",
            &format!("kind = \"call\"\n{keys}"),
            Code::ScenarioValue,
            &format!("a.toml:9: flows[0]{message}"),
        );
    }
    says(
        "controller = \"cubic\"",
        "kind = \"cbr\"\nrate = \"1 Mbit/s\"\non = \"1 s\"",
        Code::ScenarioMissingKey,
        "a.toml:10: flows[0].on: `on` needs `off`, the length of the periods without packets (write off = \"1 s\")",
    );
    says(
        "controller = ",
        "playout = \"1 s\"\ncontroller = ",
        Code::ScenarioValue,
        "a.toml:8: flows[0].playout: a flow of kind \"tcp\" has no key `playout` (remove `playout`, or write kind = \
         \"call\")",
    );
}

#[test]
fn presets_of_tcp() {
    says(
        "controller = \"cubic\"",
        "controller = \"cubic\"\ntcp.preset = \"linus\"",
        Code::ScenarioValue,
        "a.toml:9: flows[0].tcp.preset: \"linus\" is not an allowed word (did you mean \"linux\"? choices: linux, \
         rfc, ns2-sack1, ns2-newreno, ns2-linux, bentpipe-0.1)",
    );
    says(
        "controller = \"cubic\"",
        "controller = \"cubic\"\ntcp = { preset = \"ns2-newreno\", recovery = \"sack\" }",
        Code::ScenarioValue,
        "a.toml:9: flows[0].tcp.recovery: \"sack\" contradicts preset = \"ns2-newreno\". This preset fixes `recovery`: \
         Agent/TCP/Newreno (RFC 6582) (remove the key, or write another preset)",
    );
}

/// A fault is reported at its position: line 2 is the scenario's table, and line 4 is the flow's table.
#[test]
fn settings_of_tcp_that_contradict_each_other() {
    let wrong = |scenario: &str, flow: &str, message: &str| {
        let text = format!(
            "duration = \"10 s\"\ntcp = {{ {scenario} }}\nnetwork.dumbbell = {{ rate = \"10 Mbit/s\", rtt = \"50 ms\" }}\n\
             flows = [{{ controller = \"cubic\", tcp = {{ {flow} }} }}]\n"
        );
        whole(&text, Code::ScenarioValue, &format!("a.toml:{message}"));
    };
    let rto = "min_rto of 10 s is above max_rto of 1 s (write min_rto = \"1 s\" or less, or max_rto = \"10 s\" or more)";
    wrong("min_rto = \"10 s\", max_rto = \"1 s\"", "", &format!("2: tcp.min_rto: {rto}"));
    wrong("min_rto = \"10 s\"", "max_rto = \"1 s\"", &format!("4: flows[0].tcp.max_rto: {rto}"));
    // If a flow names a preset, nothing of the scenario's table applies.
    wrong(
        "min_rto = \"10 s\"",
        "preset = \"rfc\", max_rto = \"500 ms\"",
        "4: flows[0].tcp.max_rto: min_rto of 1 s is above max_rto of 500 ms (write min_rto = \"500 ms\" or less, or max_rto \
         = \"1 s\" or more)",
    );
    wrong(
        "initial_rto = \"10 s\", max_rto = \"2 s\"",
        "",
        "2: tcp.initial_rto: initial_rto of 10 s is above max_rto of 2 s, its upper bound (write initial_rto = \"2 \
         s\" or less, or max_rto = \"10 s\" or more)",
    );
    wrong(
        "clock = \"1 h\"",
        "",
        "2: tcp.clock: clock of 1 h is above min_rto of 200 ms, so it has no effect (write clock = \"200 ms\" or \
         less, or min_rto = \"1 h\" or more)",
    );
    wrong(
        "prr = true",
        "recovery = \"reno\"",
        "4: flows[0].tcp.recovery: prr needs selective acknowledgements (write recovery = \"sack\" or \"rack\")",
    );
    wrong(
        "preset = \"ns2-newreno\", recovery = \"sack\"",
        "",
        "2: tcp.recovery: \"sack\" contradicts preset = \"ns2-newreno\". This preset fixes `recovery`: Agent/TCP/Newreno (RFC 6582) \
         (remove the key, or write another preset)",
    );
    wrong(
        "receive_window = \"1000 B\"",
        "",
        "2: tcp.receive_window: the receive window of 1000 B is smaller than one segment of 1448 B: nothing can be \
         sent (write a receive_window of \"1448 B\" or more, or mss = \"1000 B\" or less)",
    );
    wrong(
        "",
        "ecn = \"ect\"",
        "4: flows[0].tcp.ecn: \"ect\" is not an allowed word (choices: classic, dctcp, l4s, accurate, accurate-l4s, true, false)",
    );
}

/// A key next to a preset replaces its value. The preset of a flow replaces the whole table of the scenario.
#[test]
fn what_stands_beside_a_preset() {
    let text =
        "duration = \"10 s\"\ntcp = { preset = \"linux\", delayed_ack = false, min_rto = \"300 ms\" }\n
        network.dumbbell = { rate = \"10 Mbit/s\", rtt = \"50 ms\" }
        flows = [
            { controller = \"cubic\" },
            { controller = \"cubic\", tcp.min_rto = \"1 s\" },
            { controller = \"cubic\", tcp.preset = \"rfc\" },
            { controller = \"cubic\", tcp = { preset = \"bentpipe-0.1\" } },
        ]";
    let scenario = Scenario::from_toml(text, "a.toml").unwrap_or_else(|error| panic!("{error}"));
    let labels: Vec<_> = scenario
        .flows
        .iter()
        .map(|flow| match &flow.kind {
            FlowKind::Tcp { config, .. } => bentpipe_scenario::tcp_label(config),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        labels,
        [
            "linux; delayed_ack = false, min_rto = \"300 ms\"",
            "linux; delayed_ack = false, min_rto = \"1 s\"",
            "rfc",
            "bentpipe-0.1",
        ]
    );
    // Reading the printed scenario gives the same scenario.
    let again =
        Scenario::from_toml(&scenario.to_toml(""), "b.toml").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.flows, scenario.flows);
}

#[test]
fn the_receivers_rules_have_words_and_bounds() {
    for (tcp, code, message) in [
        (
            "delayed_ack = \"linus\"",
            Code::ScenarioValue,
            "tcp.delayed_ack: \"linus\" is not an allowed word (did you mean \"linux\"? choices: linux, true, false, \
             { every = 2, at_most = \"40 ms\" })",
        ),
        (
            "receive_window = \"0 B\"",
            Code::ScenarioValue,
            "tcp.receive_window: \"0 B\" is too small: it must be at least 1 B",
        ),
        (
            "receive_window = { at_most = \"1 kB\" }",
            Code::ScenarioValue,
            "tcp.receive_window.at_most: \"1 kB\" is too small: it must be within 4 kB and 1 GB",
        ),
        (
            "receive_window = { autotune = true }",
            Code::ScenarioUnknownKey,
            "tcp.receive_window.autotune: unknown key `autotune` in `flows[0].tcp.receive_window` (did you mean \
             `autotuned`? known keys: at_most, autotuned)",
        ),
        (
            "mss = \"9 kB\", receive_window = { at_most = \"5 kB\" }",
            Code::ScenarioValue,
            "tcp.receive_window: the receive window of 5000 B is smaller than one segment of 9000 B: nothing can be \
             sent (write a receive_window of \"9000 B\" or more, or mss = \"5000 B\" or less)",
        ),
    ] {
        let flow = format!("controller = \"cubic\"\ntcp = {{ {tcp} }}");
        says("controller = \"cubic\"", &flow, code, &format!("a.toml:9: flows[0].{message}"));
    }
}

/// Flows whose packets exceed the MTU of a link on their path are refused, and other flows are accepted. TCP headers
/// have 52 bytes, and headers of a QUIC datagram have 28 bytes.
#[test]
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn a_small_mtu_is_refused_on_the_path_alone() {
    let link = "rate = \"9 Mbit/s\", delay = \"1 ms\"";
    let chain = format!(
        "[network.chain]\nlinks = [{{ {link} }}, {{ {link}, mtu = \"1400 B\" }}, {{ {link}, mtu = \"1450 B\" }}]\n"
    );
    let star = format!(
        "[network.star]\nbranches = [{{ site = \"a\", {link} }}, {{ site = \"b\", {link}, mtu = \"1400 B\" }}]\n"
    );
    let dumbbell = |keys: &str| format!("[network.dumbbell]\nrate = \"9 Mbit/s\"\nrtt = \"20 ms\"\n{keys}\n");
    let both = dumbbell("mtu = \"1400 B\"");
    let forth = dumbbell("mtu = \"1400 B\"\nreverse.mtu = \"1500 B\"");
    let back = dumbbell("reverse.mtu = \"1400 B\"");
    let (tiny, least) = (dumbbell("mtu = \"1227 B\""), dumbbell("mtu = \"1228 B\""));
    let headers = dumbbell("mtu = \"100 B\"");
    let sky = |key: &str| format!("[network.constellation]\npreset = \"starlink\"\n{key}.mtu = \"1400 B\"\n");
    let user = |kind: &str| format!("{kind}from = \"London\"\nto = \"Paris\"\n");
    let way = |kind: &str, from: &str, to: &str| format!("{kind}from = \"{from}\"\nto = \"{to}\"\n");
    let tcp = |mss: u32| format!("controller = \"reno\"\ntcp.mss = \"{mss} B\"\n");
    let web =
        |mss: u32| format!("kind = \"requests\"\nusers = 2\n{}request = {{ answer = \"2 kB\" }}\n", tcp(mss));
    let quic = |keys: &str| format!("controller = \"cubic\"\ntransport = \"quic\"\n{keys}");
    let ping = |bytes: u32| format!("kind = \"ping\"\npacket = \"{bytes} B\"\n");
    let host = "controller = \"reno\"\naccess = { rate = \"9 Mbit/s\", mtu = \"576 B\" }\n";
    let fits = "write tcp.mss = \"1348 B\", or mtu = \"1401 B\" or more";
    for (network, flow, refused) in [
        (&chain, way(&tcp(1348), "0", "3"), None),
        (&chain, way(&tcp(1349), "0", "3"), Some(("network.chain.links[1].mtu", "1400 B", fits))),
        (&chain, way(&tcp(1349), "3", "0"), Some(("network.chain.links[1].mtu", "1400 B", fits))),
        (&chain, way(&tcp(1398), "2", "3"), None),
        (
            &chain,
            // The smallest MTU counts, not the first MTU that is too small.
            way(&tcp(1448), "3", "0"),
            Some((
                "network.chain.links[1].mtu",
                "1400 B",
                "write tcp.mss = \"1348 B\", or mtu = \"1500 B\" or more",
            )),
        ),
        (&chain, way(&tcp(1448), "0", "1"), None),
        (&star, way(&tcp(1448), "a", "hub"), None),
        (&star, way(&tcp(1349), "a", "b"), Some(("network.star.branches[1].mtu", "1400 B", fits))),
        // The reverse link has the same MTU by default.
        (&both, way(&tcp(1349), "right", "left"), Some(("network.dumbbell.mtu", "1400 B", fits))),
        (&forth, way(&tcp(1448), "right", "left"), None),
        (&forth, way(&tcp(1349), "left", "right"), Some(("network.dumbbell.mtu", "1400 B", fits))),
        (&back, way(&tcp(1448), "left", "right"), None),
        (&back, way(&tcp(1349), "right", "left"), Some(("network.dumbbell.reverse.mtu", "1400 B", fits))),
        // Both ends of an application send data.
        (&back, way(&web(1349), "left", "right"), Some(("network.dumbbell.reverse.mtu", "1400 B", fits))),
        (&both, way(&quic(""), "left", "right"), None),
        (&both, way(&quic("quic.datagram = \"1372 B\"\n"), "left", "right"), None),
        (
            &back,
            way(&quic("quic.datagram = \"1373 B\"\n"), "left", "right"),
            Some((
                "network.dumbbell.reverse.mtu",
                "1400 B",
                "write quic.datagram = \"1372 B\", or mtu = \"1401 B\" or more",
            )),
        ),
        (&least, way(&quic(""), "left", "right"), None),
        // RFC 9000, section 14: QUIC needs a UDP payload of at least 1200 bytes.
        (
            &tiny,
            way(&quic(""), "left", "right"),
            Some(("network.dumbbell.mtu", "1227 B", "(write mtu = \"1228 B\" or more)")),
        ),
        // 100 B minus 52 B of headers is below the smallest MSS of 64 B.
        (
            &headers,
            way(&tcp(1448), "left", "right"),
            Some(("network.dumbbell.mtu", "100 B", "(write mtu = \"1500 B\" or more)")),
        ),
        (&both, way(&ping(1400), "left", "right"), None),
        (
            &back,
            way(&ping(1401), "left", "right"),
            Some((
                "network.dumbbell.reverse.mtu",
                "1400 B",
                "write packet = \"1400 B\", or mtu = \"1401 B\" or more",
            )),
        ),
        (
            &dumbbell(""),
            way(host, "left", "right"),
            Some(("flows[0].access.mtu", "576 B", "write tcp.mss = \"524 B\", or mtu = \"1500 B\" or more")),
        ),
        (&sky("user_link"), user(&tcp(1348)), None),
        (&sky("user_link"), user(&tcp(1349)), Some(("network.constellation.user_link.mtu", "1400 B", fits))),
        (&sky("uplink"), user(&tcp(1349)), Some(("network.constellation.uplink.mtu", "1400 B", fits))),
        (&sky("downlink"), user(&tcp(1349)), Some(("network.constellation.downlink.mtu", "1400 B", fits))),
        (&sky("isl"), user(&tcp(1349)), Some(("network.constellation.isl.mtu", "1400 B", fits))),
    ] {
        let text = format!("duration = \"1 s\"\n{network}[[flows]]\n{flow}");
        let found = Scenario::from_toml(&text, "a.toml").err().map(|error| error.to_string());
        match (refused, &found) {
            (None, None) => {}
            (Some((key, mtu, fix)), Some(message)) => {
                assert!(
                    message.contains(&format!(" B, but `{key}` is {mtu}: the link")),
                    "{text}\n{message}"
                );
                assert!(message.contains(fix), "{text}\n{message}");
            }
            _ => panic!("{text}\n{found:?}"),
        }
    }
}

/// RFC 791: every link carries packets of 68 bytes. The length field allows at most 65535.
#[test]
fn mtus_have_bounds() {
    for (mtu, wrong) in [("67 B", "small"), ("65536 B", "large")] {
        says(
            "rtt = \"50 ms\"",
            &format!("rtt = \"50 ms\"\nmtu = \"{mtu}\""),
            Code::ScenarioValue,
            &format!(
                "a.toml:6: network.dumbbell.mtu: \"{mtu}\" is too {wrong}: it must be within 68 B and 65535 B"
            ),
        );
    }
    says(
        "rtt = \"50 ms\"",
        "rtt = \"50 ms\"\nmtu = \"1400 B\"",
        Code::ScenarioValue,
        "a.toml:8: flows[0]: the largest packets of this flow have 1500 B, but `network.dumbbell.mtu` is 1400 B: the \
         link would drop all these packets (write tcp.mss = \"1348 B\", or mtu = \"1500 B\" or more)",
    );
}

/// Flows that pass a policer with a small burst are refused, and other flows are accepted. A full packet has 1500
/// bytes, an acknowledgement has 52 bytes, and an echo reply has the size of its request.
#[test]
fn a_small_burst_is_refused_on_the_path_alone() {
    let policer = "policer = { rate = \"1 Mbit/s\", burst = \"1499 B\" }";
    let chain = format!(
        "[network.chain]\nlinks = [{{ rate = \"9 Mbit/s\", delay = \"1 ms\" }}, {{ rate = \"9 Mbit/s\", delay = \"1 ms\", {policer} }}, \
         {{ rate = \"9 Mbit/s\", delay = \"1 ms\" }}]\n"
    );
    let alike = format!(
        "[network.chain]\nlinks = 3\nlink = {{ rate = \"9 Mbit/s\", delay = \"1 ms\", {policer} }}\n"
    );
    let star = format!(
        "[network.star]\nbranches = [{{ site = \"a\", rate = \"9 Mbit/s\", delay = \"1 ms\" }}, \
         {{ site = \"b\", rate = \"9 Mbit/s\", delay = \"1 ms\" }}, {{ site = \"c\", rate = \"9 Mbit/s\", delay = \"1 ms\", {policer} }}]\n"
    );
    let dumbbell =
        |of: &str| format!("[network.dumbbell]\nrate = \"9 Mbit/s\"\nrtt = \"20 ms\"\n{of}{policer}\n");
    let (forth, back) = (dumbbell(""), dumbbell("reverse."));
    let sky = |key: &str| format!("[network.constellation]\npreset = \"starlink\"\n{key}.{policer}\n");
    let user = |kind: &str| format!("{kind}from = \"London\"\nto = \"Paris\"\n");
    let way = |kind: &str, from: &str, to: &str| format!("{kind}from = \"{from}\"\nto = \"{to}\"\n");
    let (tcp, small) =
        ("controller = \"reno\"\n", "kind = \"cbr\"\nrate = \"1 Mbit/s\"\npacket = \"1499 B\"\n");
    let (cbr, ping) = ("kind = \"cbr\"\nrate = \"1 Mbit/s\"\n", "kind = \"ping\"\npacket = \"1500 B\"\n");
    for (network, flow, refused) in [
        (&chain, way(tcp, "0", "3"), Some("network.chain.links[1].policer")),
        (&chain, way(tcp, "3", "1"), Some("network.chain.links[1].policer")),
        (&chain, way(tcp, "0", "1"), None),
        (&chain, way(tcp, "3", "2"), None),
        (&chain, way(small, "0", "3"), None),
        (&alike, way(tcp, "3", "2"), Some("network.chain.link.policer")),
        (&star, way(tcp, "a", "b"), None),
        (&star, way(tcp, "a", "hub"), None),
        (&star, way(tcp, "a", "c"), Some("network.star.branches[2].policer")),
        (&star, way(tcp, "c", "hub"), Some("network.star.branches[2].policer")),
        (&forth, way(tcp, "left", "right"), Some("network.dumbbell.policer")),
        (&forth, way(tcp, "right", "left"), None),
        (&forth, way(cbr, "right", "left"), None),
        (&forth, way(ping, "right", "left"), Some("network.dumbbell.policer")),
        (&back, way(tcp, "left", "right"), None),
        (&back, way(tcp, "right", "left"), Some("network.dumbbell.reverse.policer")),
        (&back, way(ping, "left", "right"), Some("network.dumbbell.reverse.policer")),
        (&sky("user_link"), user(tcp), Some("network.constellation.user_link.policer")),
        (&sky("uplink"), user(tcp), Some("network.constellation.uplink.policer")),
        (&sky("downlink"), user(tcp), Some("network.constellation.downlink.policer")),
        (&sky("uplink"), user(small), None),
    ] {
        let text = format!("duration = \"1 s\"\n{network}[[flows]]\n{flow}");
        let found = Scenario::from_toml(&text, "a.toml").err().map(|error| error.to_string());
        match (refused, &found) {
            (None, None) => {}
            (Some(key), Some(message)) => {
                assert!(
                    message.contains(&format!("the bucket of `{key}` holds only 1.499 kB")),
                    "{text}\n{message}"
                );
            }
            _ => panic!("{text}\n{found:?}"),
        }
    }
}
