// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenario files: one is refused, or what it is written out as is read as the same scenario.

use scenario::Scenario;

fn main() {
    afl::fuzz!(|case: &[u8]| {
        let Ok(text) = str::from_utf8(case) else { return };
        match Scenario::from_toml(text, "case.toml") {
            Ok(scenario) => {
                let written = scenario.to_toml("");
                let again = Scenario::from_toml(&written, "case.toml").expect("what was written is read");
                assert_eq!(again.to_toml(""), written, "what was written says the same");
            }
            Err(error) => assert!(!error.to_string().is_empty(), "a refusal has a reason"),
        }
    });
}
