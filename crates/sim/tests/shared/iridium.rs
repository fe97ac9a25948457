// SPDX-License-Identifier: MIT OR Apache-2.0
//! Three flows over Iridium, with announcements that err: what a run over a sky that moves is held to.

use scenario::Scenario;

/// What differs from test to test: lines of TOML.
pub struct Over<'a> {
    /// At the top of the document.
    pub head: &'a str,
    /// The table of the links of sites.
    pub user_link: &'a str,
    /// More of the constellation.
    pub constellation: &'a str,
    /// More of the CUBIC flow.
    pub cubic: &'a str,
    /// More of the constant-bit-rate flow.
    pub cbr: &'a str,
    /// Where Berkeley's ping goes.
    pub ping_to: &'a str,
}

/// The scenario.
pub fn over_iridium(over: &Over<'_>) -> Scenario {
    let Over { head, user_link, constellation, cubic, cbr, ping_to } = over;
    let text = format!(
        r#"
{head}
[network]
announce = "2 s"
announce_error = "500 ms"
[network.constellation]
preset = "iridium"
user_link = {user_link}
{constellation}
[[flows]]
from = "Berkeley"
to = "Boston"
controller = "cubic"
{cubic}
[[flows]]
kind = "cbr"
rate = "200 kbit/s"
from = "Boston"
to = "London"
{cbr}
[[flows]]
kind = "ping"
from = "Berkeley"
to = "{ping_to}"
"#
    );
    Scenario::from_toml(&text, "iridium.toml").unwrap_or_else(|error| panic!("{error}"))
}
