// SPDX-License-Identifier: MIT OR Apache-2.0
//! Carriers that terminals share: read, written out and read again, and what is refused.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use bentpipe_scenario::{NetworkChoice, Scenario};
use link::{Carrier, Dama, Sharing};
use units::{Code, Rate, Span};

const UP: &str = "name = \"up\", rate = \"2 Mbit/s\", superframe = \"40 ms\", latency = \"560 ms\"";
const VOLUME: &str = "carrier = \"up\", vbdc = \"unlimited\"";

/// A star whose carriers stand on line 2, and whose branches "a" and "b" on lines 3 and 4 have these assignments.
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
    assert_eq!(*carriers, [("up".to_owned(), up), ("other".to_owned(), other)]);
    // What is not limited is limited by the carrier, and the branch's own rate is that of the way back.
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
        "there is no carrier \"upp\" (did you mean \"up\"?)",
    );
    refused(
        &[UP, UP],
        [("", VOLUME), ("", VOLUME)],
        2,
        "carriers[1].name",
        "the carrier \"up\" is already there (give each a name of its own)",
    );
    let down = UP.replace("\"up\"", "\"down\"");
    refused(
        &[UP, &down],
        [("", VOLUME), ("", VOLUME)],
        2,
        "carriers[1]",
        "no branch is on the carrier \"down\" (write carrier = \"down\" in the `dama` of one, or remove it)",
    );
    refused(
        &[&UP.replace("2 Mbit/s", "100 bit/s")],
        [("", VOLUME), ("", VOLUME)],
        2,
        "carriers[0].superframe",
        "100 bit/s for 40 ms is less than a byte, so nothing could be granted (write a longer one, or a higher rate)",
    );
    refused(
        &[&UP.replace("560 ms", "0 s")],
        [("", VOLUME), ("", VOLUME)],
        2,
        "carriers[0].latency",
        "\"0 s\" is too small: it must be within 1 ns and 10 s",
    );
    // 2 Mbit/s are 10,000 bytes in a superframe. Both halves fit; a bit more does not.
    let cra = |rate: &str| format!("carrier = \"up\", cra = \"{rate}\"");
    let half = cra("1 Mbit/s");
    star(&[UP], [("", &half), ("", &half)]).expect("both fit");
    refused(
        &[UP],
        [("", &half), ("", &cra("1000001 bit/s"))],
        2,
        "carriers[0]",
        "its terminals have a `cra` of 2000.001 kbit/s in all, which needs 10001 bytes in a superframe, and the carrier has \
         10000 (assign less, or write a higher rate)",
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
            "`superframe` is the carrier's (say it there, for all of its terminals)",
        ),
        (
            "latency = \"560 ms\"",
            "",
            at("dama.latency"),
            "`latency` is the carrier's (say it there, for all of its terminals)",
        ),
        (
            "random_access = { scheme = \"crdsa\", load = 0.3, burst = \"500 B\" }",
            "",
            at("dama.random_access"),
            "terminals that share a carrier send nothing without a grant: how their bursts would meet is not modelled (remove \
             it, or `carrier`)",
        ),
        (
            "fca = 0.1",
            "arq = { repeats = 2 }, ",
            at("dama"),
            "a link whose capacity is assigned on demand cannot repeat what breaks: a repetition would need a grant of its own \
             (keep one of `dama` and `arq`)",
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
            "grants on demand contradict grants at fixed times (keep one of `dama` and `grants`)",
        ),
    ] {
        refused(&[UP], [(keys, &format!("{VOLUME}, {own}")), ("", VOLUME)], 4, &key, message);
    }
    let text = "network.dumbbell = { rate = \"2 Mbit/s\", rtt = \"1 s\", dama = { carrier = \"up\", fca = 1.0 } }\n\
                flows = [{ controller = \"reno\" }]\n";
    let error = Scenario::from_toml(text, "a.toml").expect_err("a dumbbell has no carriers");
    assert_eq!(
        error.to_string(),
        "a.toml:1: network.dumbbell.dama.carrier: only branches of a star share carriers (write the network as network.star \
         with the carrier \"up\" in `carriers`, or remove it)"
    );
    let text = text.replace("carrier = \"up\", ", "superframe = \"40 ms\", ");
    let error = Scenario::from_toml(&text, "a.toml").expect_err("a latency is needed");
    assert_eq!(
        error.to_string(),
        "a.toml:1: network.dumbbell.dama.latency: `network.dumbbell.dama` needs the key `latency` (write latency = \"560 ms\")"
    );
}
