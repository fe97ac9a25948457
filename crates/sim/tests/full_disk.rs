// SPDX-License-Identifier: MIT OR Apache-2.0
//! A full disk ends a run as soon as it is full, even if only packets are recorded or captured.

use record::{Content, RunFolder};
use scenario::Scenario;
use sim::{Captures, Options, run_until_interrupted};
use std::cell::Cell;
use std::fs;

fn content(scenario: &str) -> Content {
    Content { scenario: scenario.to_owned(), ..Content::default() }
}

#[test]
fn packets_that_cannot_be_written_end_the_run() {
    // 8,250 packets per second, each recorded where it enters a link and where it arrives. A row group of a million
    // rows, and with it the disk, is full after about one minute.
    let text = r#"
duration = "1 h"
record = { interval = "off", events = false, packets = { from = "0 s", to = "1 h" } }
network.dumbbell = { rate = "100 Mbit/s", rtt = "20 ms" }
flows = [{ kind = "cbr", rate = "99 Mbit/s", packet = "1500 B" }]
"#;
    let scenario = Scenario::from_toml(text, "full.toml").unwrap_or_else(|error| panic!("{error}"));
    let at = std::env::temp_dir().join(format!("bentpipe-sim-{}-full", std::process::id()));
    let folder = RunFolder::create(&at.join("run"), content(text)).unwrap_or_else(|error| panic!("{error}"));
    let file = at.join(".run.partial/packets.parquet");
    std::os::unix::fs::symlink("/dev/full", file).unwrap_or_else(|error| panic!("{error}"));
    let reached = Cell::new(0.0);
    let stop = |share| {
        reached.set(share);
        false
    };
    let refused = run_until_interrupted(&scenario, &Options::of(&scenario), folder.tables(), None, &stop);
    let refused = refused.err().map(|error| error.code().as_str());
    assert_eq!(refused, Some("disk-full"));
    assert!(reached.get() < 0.1, "{} of the run", reached.get());
    drop(folder);
    assert_eq!(fs::read_dir(&at).map(Iterator::count).ok(), Some(0), "nothing is left");
    fs::remove_dir_all(&at).unwrap_or_else(|error| panic!("{error}"));
}

/// 6,250 packets per second are about 600 kB per second for each file. The first block fills the disk at once, and the
/// run ends.
#[test]
fn captures_that_cannot_be_written_end_the_run() {
    for (full, record) in [
        ("links.pcapng", r#"pcap_links = ["*"]"#),
        ("cross.receiver.pcapng", r#"pcap = ["cross"]"#),
        ("bulk.sqlog", r#"qlog = ["bulk"]"#),
    ] {
        let text = format!(
            r#"
duration = "1 h"
record = {{ interval = "off", events = false, {record} }}
network.dumbbell = {{ rate = "100 Mbit/s", rtt = "20 ms" }}
flows = [
    {{ name = "bulk", controller = "reno" }},
    {{ name = "cross", kind = "cbr", rate = "50 Mbit/s", packet = "1000 B" }},
]
"#
        );
        let scenario = Scenario::from_toml(&text, "full.toml").unwrap_or_else(|error| panic!("{error}"));
        let at = std::env::temp_dir().join(format!("bentpipe-sim-{}-{full}", std::process::id()));
        let folder =
            RunFolder::create(&at.join("run"), content(&text)).unwrap_or_else(|error| panic!("{error}"));
        fs::create_dir(folder.captures()).unwrap_or_else(|error| panic!("{error}"));
        std::os::unix::fs::symlink("/dev/full", folder.captures().join(full))
            .unwrap_or_else(|error| panic!("{error}"));
        let captures = Captures::begin(&scenario, &folder.captures(), "a test");
        let captures = captures.unwrap_or_else(|error| panic!("{error}"));
        let reached = Cell::new(0.0);
        let stop = |share| {
            reached.set(share);
            false
        };
        let refused =
            run_until_interrupted(&scenario, &Options::of(&scenario), folder.tables(), captures, &stop);
        let refused = refused.map(|_| ()).map_err(|error| (error.code().as_str(), error.to_string()));
        let Err((code, message)) = refused else { panic!("{full}: a full disk is told") };
        assert_eq!(code, "disk-full");
        assert!(message.contains(full), "{message}");
        assert!(reached.get() < 0.01, "{full}: {} of the run", reached.get());
        drop(folder);
        assert_eq!(fs::read_dir(&at).map(Iterator::count).ok(), Some(0), "nothing is left");
        fs::remove_dir_all(&at).unwrap_or_else(|error| panic!("{error}"));
    }
}
