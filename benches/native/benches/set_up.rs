// SPDX-License-Identifier: MIT OR Apache-2.0
//! Set-up of a run: the number of flows per second must not depend on the number of flows. When each flow checked the
//! links of all others, 32 times as many flows took a thousand times as long.

use divan::Bencher;
use divan::counter::ItemsCount;
use engine::NoObserver;
use plan::{Plan, never};
use scenario::Scenario;
use sim::{Session, Settings};

fn main() {
    divan::main();
}

#[divan::bench(args = [2_000, 16_000, 64_000], sample_count = 10)]
fn access_links_by_flows(bencher: Bencher, flows: u32) {
    let text = format!(
        r#"
duration = "100 ms"
network.constellation.preset = "iridium"
[[flows]]
from = "Paris"
to = "Tokyo"
controller = "reno"
count = {flows}
access = {{ rate = "1 Gbit/s", delay = "1 ms" }}
"#
    );
    let scenario = Scenario::from_toml(&text, "flows.toml").unwrap_or_else(|error| panic!("{error}"));
    bencher.counter(ItemsCount::new(flows)).bench(|| {
        let plan = Plan::of_run(&scenario, &never).unwrap_or_else(|error| panic!("{error}"));
        Session::new(plan, Settings::default(), NoObserver, &never).unwrap_or_else(|error| panic!("{error}"))
    });
}
