// SPDX-License-Identifier: MIT OR Apache-2.0
//! Carriers that terminals share: reading, writing, and refused settings.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use bentpipe_scenario::{NetworkChoice, Scenario};
use link::{Carrier, Dama, Sharing};
use units::{Code, Rate, Span};

const UP: &str = "name = \"up\", rate = \"2 Mbit/s\", superframe = \"40 ms\", latency = \"560 ms\"";
const VOLUME: &str = "carrier = \"up\", vbdc = \"unlimited\"";

/// Returns a star. Its carriers are on line 2, and its branches "a" and "b" on lines 3 and 4 have these assignments.
fn star(
    carriers: &[&str],
    branches: [(&str, &str); 2],
) -> Result<Scenario, bentpipe_scenario::ScenarioError> {
    let carriers: Vec<_> = carriers.iter().map(|one| format!("{{ {one} }}")).collect();
    let branch = |name: &str, (keys, dama): (&str, &str)| {
        format!(
            "{{ site = \"{name}\", rate = \"20 Mbit/s\", delay = \"275 ms\", {keys}dama = {{ {dama} }} }}"
        )
    };
    let text = format!(
        "[network.star]\ncarriers = [{}]\nbranches = [\n{},\n{}]\n[[flows]]\ncontroller = \"reno\"\nfrom = \"a\"\nto = \
         \"hub\"\n",
        carriers.join(", "),
        branch("a", branches[0]),
        branch("b", branches[1]),
    );
    Scenario::from_toml(&text, "a.toml")
}

#[test]
fn terminals_on_two_carriers() {
    let kbit = |kbit: u64| Rate::from_bits_per_s(1000 * kbit);
    let other = "name = \"other\", rate = \"512 kbit/s\", superframe = \"20 ms\", latency = \"300 ms\", sharing = \
                 \"proportional\"";
    let all =
        "carrier = \"other\", cra = \"16 kbit/s\", rbdc = \"128 kbit/s\", vbdc = \"unlimited\", fca = 0.5";
    let scenario = star(&[UP, other], [("", VOLUME), ("", all)]).expect("it is read");
    let again = Scenario::from_toml(&scenario.to_toml(""), "a.toml").expect("what is written is read");
    assert_eq!(again.network, scenario.network);
    let NetworkChoice::Star { branches, carriers, .. } = &scenario.network else { panic!() };
    let up = Carrier {
        rate: kbit(2000),
        superframe: Span::from_millis(40),
        latency: Span::from_millis(560),
        sharing: Sharing::MaxMin,
    };
    let ms = Span::from_millis;
    let other =
        Carrier { rate: kbit(512), superframe: ms(20), latency: ms(300), sharing: Sharing::Proportional };
    assert_eq!(*carriers.carriers, [("up".to_owned(), up), ("other".to_owned(), other)]);
    // Without its own limit, a terminal has the limit of the carrier. The branch's own rate applies to the direction
    // from the hub.
    let expected = [
        Dama {
            superframe: ms(40),
            latency: ms(560),
            cra: kbit(0),
            rbdc: kbit(0),
            vbdc: kbit(2000),
            fca: 0.0,
            random: None,
            carrier: Some(0),
        },
        Dama {
            superframe: ms(20),
            latency: ms(300),
            cra: kbit(16),
            rbdc: kbit(128),
            vbdc: kbit(512),
            fca: 0.5,
            random: None,
            carrier: Some(1),
        },
    ];
    for ((_, wire), expected) in branches.iter().zip(expected) {
        assert_eq!((wire.spec.dama, wire.spec.rate), (Some(expected), Some(kbit(20_000))));
    }
}

fn refused(carriers: &[&str], branches: [(&str, &str); 2], line: usize, key: &str, message: &str) {
    let error = star(carriers, branches).expect_err(message);
    assert_eq!(
        (error.line(), error.key(), error.message()),
        (Some(line), format!("network.star.{key}").as_str(), message),
        "{error}"
    );
    assert_eq!(error.code(), Code::ScenarioValue);
}

#[test]
fn what_no_carrier_can_be() {
    refused(
        &[UP],
        [("", VOLUME), ("", "carrier = \"upp\", vbdc = \"unlimited\"")],
        5,
        "branches[1].dama.carrier",
        "unknown carrier \"upp\" (did you mean \"up\"?)",
    );
    refused(
        &[UP, UP],
        [("", VOLUME), ("", VOLUME)],
        2,
        "carriers[1].name",
        "the carrier name \"up\" is used twice (give each carrier its own name)",
    );
    let down = UP.replace("\"up\"", "\"down\"");
    refused(
        &[UP, &down],
        [("", VOLUME), ("", VOLUME)],
        2,
        "carriers[1]",
        "the carrier \"down\" has no terminal (write carrier = \"down\" in the `dama` of a branch, or remove the \
         carrier)",
    );
    refused(
        &[&UP.replace("2 Mbit/s", "100 bit/s")],
        [("", VOLUME), ("", VOLUME)],
        2,
        "carriers[0].superframe",
        "at the rate of 100 bit/s, a superframe of 40 ms carries less than one byte, so nothing can be granted (write a longer \
         `superframe`, or a higher rate)",
    );
    refused(
        &[&UP.replace("560 ms", "0 s")],
        [("", VOLUME), ("", VOLUME)],
        2,
        "carriers[0].latency",
        "\"0 s\" is too small: it must be within 1 ns and 10 s",
    );
    // 2 Mbit/s are 10,000 bytes per superframe. Two halves fit, but not one bit more.
    let cra = |rate: &str| format!("carrier = \"up\", cra = \"{rate}\"");
    let half = cra("1 Mbit/s");
    star(&[UP], [("", &half), ("", &half)]).expect("both fit");
    refused(
        &[UP],
        [("", &half), ("", &cra("1000001 bit/s"))],
        2,
        "carriers[0]",
        "the `cra` of the terminals is 2000.001 kbit/s in total. In each superframe, this needs 10001 bytes, but a \
         superframe of the carrier has only 10000 bytes (lower `cra`, or write a higher rate of the carrier)",
    );
}

#[test]
fn what_no_terminal_of_a_carrier_can_be() {
    let at = |key: &str| format!("branches[0].{key}");
    for (own, keys, key, message) in [
        (
            "superframe = \"40 ms\"",
            "",
            at("dama.superframe"),
            "the terminals of a carrier share its superframe, so `superframe` belongs to the table of the carrier \
             (write it in the table of the carrier)",
        ),
        (
            "latency = \"560 ms\"",
            "",
            at("dama.latency"),
            "the terminals of a carrier share its latency, so `latency` belongs to the table of the carrier (write \
             it in the table of the carrier)",
        ),
        (
            "random_access = { scheme = \"crdsa\", load = 0.3, burst = \"500 B\" }",
            "",
            at("dama.random_access"),
            "terminals on a shared carrier transmit only in grants: collisions of their bursts are not modelled \
             (remove `random_access` or `carrier`)",
        ),
        (
            "fca = 0.1",
            "arq = { repeats = 2 }, ",
            at("dama"),
            "a link with demand assignment has no ARQ: a retransmission would need its own grant (keep one of `dama` \
             and `arq`)",
        ),
        (
            "fca = 0.1",
            "warn_above = 20, ",
            at("dama"),
            "a link that waits for grants sends no congestion warnings (remove `warn_above`, or `dama`)",
        ),
        (
            "fca = 0.1",
            "grants = { period = \"4 ms\" }, ",
            at("grants"),
            "`dama` (grants on demand) and `grants` (grants at fixed times) contradict each other (keep one of `dama` and `grants`)",
        ),
    ] {
        refused(&[UP], [(keys, &format!("{VOLUME}, {own}")), ("", VOLUME)], 4, &key, message);
    }
    let text = "network.dumbbell = { rate = \"2 Mbit/s\", rtt = \"1 s\", dama = { carrier = \"up\", fca = 1.0 } }\n\
                flows = [{ controller = \"reno\" }]\n";
    let error = Scenario::from_toml(text, "a.toml").expect_err("a dumbbell has no carriers");
    assert_eq!(
        error.to_string(),
        "a.toml:1: network.dumbbell.dama.carrier: only branches of a star can share carriers (write the network as \
         network.star with the carrier \"up\" in `carriers`, or remove `carrier`)"
    );
    let text = text.replace("carrier = \"up\", ", "superframe = \"40 ms\", ");
    let error = Scenario::from_toml(&text, "a.toml").expect_err("a latency is needed");
    assert_eq!(
        error.to_string(),
        "a.toml:1: network.dumbbell.dama.latency: `network.dumbbell.dama` needs the key `latency` (write latency = \"560 ms\")"
    );
}

/// A terminal's own rate is written as it was read. It is at most the carrier's rate, and determines the time that its
/// `cra` needs.
#[test]
fn a_terminal_has_a_rate_of_its_own_in_its_slots() {
    let hop =
        "{ frequency = \"29.5 GHz\", eirp = \"40 dBW\", g_over_t = \"16 dB/K\", elevation = \"35 deg\" }";
    let budget = format!("{VOLUME}, budget = {{ bandwidth = \"240 kHz\", down = {hop} }}");
    let steps = format!(
        "{VOLUME}, rate_steps = [{{ at = \"0 s\", rate = \"2 Mbit/s\" }}, {{ at = \"9 s\", rate = \"1 Mbit/s\" }}]"
    );
    let constant = format!("{VOLUME}, rate = \"1 Mbit/s\"");
    for own in [&budget, &steps, &constant] {
        let scenario = star(&[UP], [("", own), ("", VOLUME)]).expect("it is read");
        let again = Scenario::from_toml(&scenario.to_toml(""), "a.toml").expect("what is written is read");
        assert_eq!(again.network, scenario.network);
        let NetworkChoice::Star { carriers, .. } = &scenario.network else { panic!() };
        assert!(carriers.pace(0).is_some() && carriers.pace(1).is_none());
        assert!(scenario.to_toml("").contains("rate = \"1 Mbit/s\"") == (own != &budget));
    }
    let too_much = "a terminal of the carrier \"up\" sends at 3 Mbit/s, which is above the carrier's rate of 2 Mbit/s \
    (write 2 Mbit/s or less, or a higher rate of the carrier)";
    let faster = constant.replace("1 Mbit/s", "3 Mbit/s");
    refused(&[UP], [("", &faster), ("", VOLUME)], 4, "branches[0].dama.rate", too_much);
    let faster = steps.replace("1 Mbit/s", "3 Mbit/s");
    refused(&[UP], [("", &faster), ("", VOLUME)], 4, "branches[0].dama.rate_steps", too_much);
    // 1 MHz is 833.3 kbaud. In clear sky, the hop reaches the highest MODCOD, which carries 5.900855 bit per symbol in
    // DVB-S2X (EN 302 307-2, table 20a).
    let faster = budget.replace("240 kHz", "1 MHz").replace("40 dBW", "50 dBW");
    let too_much = too_much.replace("3 Mbit/s", "4917.379 kbit/s");
    refused(&[UP], [("", &faster), ("", VOLUME)], 4, "branches[0].dama.budget", &too_much);
    refused(
        &[UP],
        [("", &format!("{constant}, rate_steps = []")), ("", VOLUME)],
        4,
        "branches[0].dama.rate_steps",
        "`rate` and `rate_steps` contradict each other (keep one of them)",
    );
    refused(
        &[UP],
        [("", &constant.replace("1 Mbit/s", "199 bit/s")), ("", VOLUME)],
        4,
        "branches[0].dama.rate",
        "at the rate of 199 bit/s, a superframe of 40 ms carries less than one byte, so nothing can be granted (write a higher \
         rate, or a longer superframe of the carrier)",
    );
    // 600 kbit/s are 3000 bytes per superframe, or 6000 bytes at half the rate. Two such terminals need more than
    // 10,000 bytes.
    let cra = "carrier = \"up\", cra = \"600 kbit/s\", rate = \"1 Mbit/s\"";
    refused(
        &[UP],
        [("", cra), ("", cra)],
        2,
        "carriers[0]",
        "the `cra` of the terminals is 1.2 Mbit/s in total. In each superframe, this needs 12000 bytes at the rates of \
         the terminals, but a superframe of the carrier has only 10000 bytes (lower `cra`, or write a higher rate of the carrier)",
    );
    let text = "network.dumbbell = { rate = \"2 Mbit/s\", rtt = \"1 s\", dama = { superframe = \"40 ms\", latency = \"1 s\", rate = \
                \"1 Mbit/s\", fca = 1.0 } }\nflows = [{ controller = \"reno\" }]\n";
    let error = Scenario::from_toml(text, "a.toml").expect_err("the link has the rate");
    assert_eq!(
        error.to_string(),
        "a.toml:1: network.dumbbell.dama.rate: this key is for terminals that share a carrier; a terminal with its \
         own carrier sends at the rate of the link (move `rate` out of `dama`, or add the `carrier` of a star that \
         the terminal shares)"
    );
}

/// The highest MODCOD of DVB-S2 is 32APSK 9/10, 3.7 Mbit/s for 833 kbaud. Worked out by hand, the Es/N0 of this hop in
/// clear sky is 29.6 dBW + 16 dB/K − 210.0 dB (38,181 km) − 0.4 dB (air) + 228.6 − 59.2 dB (833 kbaud) = 4.6 dB. With a
/// margin of 1 dB, it reaches QPSK 2/3 (3.10 dB, 1.322253 bit per symbol; EN 302 307-1, table 13): 1101.878 kbit/s.
/// Rain only lowers the rate, so a carrier of 2 Mbit/s is fast enough.
#[test]
fn the_rate_of_a_budget_is_that_in_clear_sky() {
    let hop = |eirp: &str| {
        format!(
            "{{ frequency = \"19.7 GHz\", eirp = \"{eirp}\", g_over_t = \"16 dB/K\", elevation = \"35 deg\" }}"
        )
    };
    let budget = |eirp: &str| {
        format!("budget = {{ bandwidth = \"1 MHz\", modcods = \"dvb-s2\", down = {} }}", hop(eirp))
    };
    let forward = |eirp: &str, rate: &str| {
        let text = format!(
            "[network.star]\nforward_carriers = [{{ name = \"down\", rate = \"{rate}\" }}]\nbranches = [\n{{ site = \"a\", \
             delay = \"275 ms\", forward = {{ carrier = \"down\" }}, {} }}]\n[[flows]]\ncontroller = \"reno\"\nfrom = \
             \"hub\"\nto = \"a\"\n",
            budget(eirp)
        );
        Scenario::from_toml(&text, "a.toml")
    };
    let weak = "29.6 dBW";
    forward(weak, "2 Mbit/s").expect("the branch sends 1.1 Mbit/s in clear sky");
    let error = forward(weak, "1 Mbit/s").expect_err("the carrier is slower than the branch");
    assert_eq!(
        error.to_string(),
        "a.toml:4: network.star.branches[0].budget: the branch's rate of 1101.878 kbit/s in clear sky is above the \
         rate of the carrier \"down\", which is 1 Mbit/s (write 1 Mbit/s or less, or a higher rate of the carrier)"
    );
    let terminal = format!("{VOLUME}, {}", budget(weak));
    star(&[UP], [("", &terminal), ("", VOLUME)]).expect("the carrier sends 2 Mbit/s");
}
