// SPDX-License-Identifier: MIT OR Apache-2.0
//! Three flows over Iridium, with announcements that have errors: the reference scenario with moving satellites.

use scenario::Scenario;

/// The differences between tests, as lines of TOML.
pub struct Over<'a> {
    /// Lines at the start of the document.
    pub head: &'a str,
    /// Lines of the table of user links.
    pub user_link: &'a str,
    /// Further lines of the constellation.
    pub constellation: &'a str,
    /// Further keys of the CUBIC flow.
    pub cubic: &'a str,
    /// Further keys of the flow at a constant bit rate.
    pub cbr: &'a str,
    /// Destination of the ping from Berkeley.
    pub ping_to: &'a str,
}

/// Returns the scenario.
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
