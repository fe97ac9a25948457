// SPDX-License-Identifier: MIT OR Apache-2.0
//! A disk that is full ends a run when it is, not at the end: also where packets alone are written down.

use record::RunFolder;
use scenario::Scenario;
use sim::{Options, run_until_interrupted};
use std::cell::Cell;
use std::fs;

#[test]
fn packets_that_cannot_be_written_end_the_run() {
    // 8,250 packets a second, each written down where it enters a link and where it arrives: a row group of a million rows,
    // and with it the disk, is full after about a minute.
    let text = r#"
duration = "1 h"
record = { interval = "off", events = false, packets = { from = "0 s", to = "1 h" } }
network.dumbbell = { rate = "100 Mbit/s", rtt = "20 ms" }
flows = [{ kind = "cbr", rate = "99 Mbit/s", packet = "1500 B" }]
"#;
    let scenario = Scenario::from_toml(text, "full.toml").unwrap_or_else(|error| panic!("{error}"));
    let at = std::env::temp_dir().join(format!("bentpipe-sim-{}-full", std::process::id()));
    let folder = RunFolder::create(&at.join("run"), text, false).unwrap_or_else(|error| panic!("{error}"));
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
