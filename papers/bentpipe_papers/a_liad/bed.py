# SPDX-License-Identifier: MIT OR Apache-2.0
"""The network of figure 4, the variants, and the paper's open choices."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import bentpipe as bp
from bentpipe.study import Choice, Option, Setting
from bentpipe_papers.transport import BARE, TCP_LINUX, on_bed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


Controller = str | dict[str, Any]

#: Bytes of a full packet on the wire, and of its payload: ns-2's packetSize_, 40 bytes of header, and 10 bytes of
#: timestamps, which TCP-Linux needs.
PACKET_BYTES, MSS_BYTES = 1050, 1000
SIZES = (MSS_BYTES, PACKET_BYTES - MSS_BYTES)
GEO_MS = 600.0
#: One-way delays of the first link and of R1-R2. The satellite's link has the rest of the delay.
_FIRST_MS, _SHARED_MS = 1.0, 5.0
#: The time within which starts of competing flows are drawn. The range around the nominal round trip in which round
#: trips of lossless single flows are drawn.
START_WITHIN_S, RTT_WITHIN = 0.1, 0.02
#: The time within which starts were drawn at first.
LATE_WITHIN_S = 5.0

#: The variants of section 4 (the evaluation), as in the publications that the paper cites.
PUBLISHED: dict[str, Controller] = {
    "A-LIAD": "a-liad-paper",
    "CUBIC": {"name": "cubic", "slow_start": "classic", "beta": 0.8},
    "BIC": "bic",
    "STCP": "stcp",
    "HSTCP": "hstcp",
    "Westwood": "westwood",
    "NewReno": "newreno",
}
#: `PUBLISHED` with Westwood+ instead of Westwood, for a TCP on which an error rate of 0.1 % does not affect Westwood of
#: 2001. The text excludes this pair: “A PER value of 0.1% significantly affects all variants, including those designed
#: to be error resilient, such as Westwood”. On TCP-Linux, 0.1 % costs Westwood of 2001 half of its throughput.
AFFECTED: dict[str, Controller] = PUBLISHED | {"Westwood": TCP_LINUX["Westwood"]}
#: The variants of `PUBLISHED` as ns-2's TCP-Linux modules: the main reading. A-LIAD is the paper's controller.
PAPERS: dict[str, Controller] = {name: TCP_LINUX.get(name, controller) for name, controller in PUBLISHED.items()}
#: Further variants for comparison: our other preset, the related algorithms of section 2, and today's CUBIC.
BESIDE: dict[str, Controller] = {
    "A-LIAD safe": "a-liad-safe",
    "Hybla": "hybla",
    "LIAD*": "liad",
    "LogWestwood+": "log-westwood-plus",
    "Westwood of 2001": "westwood",
    "Veno": "veno",
    "CUBIC RFC 9438": "cubic",
}
ALL: dict[str, Controller] = PAPERS | BESIDE
#: The readings of A-LIAD, each with the changed parameters.
READINGS: dict[str, Controller] = {
    "as a-liad-paper": "a-liad-paper",
    "W_max fixed": {"name": "a-liad-paper", "w_max_rule": "fixed"},
    "W_max = W at every loss": {"name": "a-liad-paper", "w_max_rule": "always"},
    "the same, fast convergence": {"name": "a-liad-paper", "w_max_rule": "always", "fast_convergence": True},
    "RTTmax of the epoch": {"name": "a-liad-paper", "rtt_max": "epoch"},
    "linear beyond W_max": {"name": "a-liad-paper", "beyond_w_max": "linear"},
    "probing as equation 3": {"name": "a-liad-paper", "probe_inc": "exponential"},
    "ACK rule by rounds (5)": {"name": "a-liad-paper", "ack_rule": "round"},
    "ACK rule exact (4)": {"name": "a-liad-paper", "ack_rule": "exact"},
    "alpha = 2 (LIAD*)": "liad",
    "a-liad-safe": "a-liad-safe",
}

#: TCP-Linux with the rules of its agent in a recovery (docs/guide/tcp-ns2.md, "Rules of ns-2").
WHOLE = bp.Tcp(preset="ns2-linux", receive_window="unlimited")
#: ns-2's agent without SACK. It begins like TCP-Linux, so that only SACK differs.
NO_SACK = bp.Tcp(preset="ns2-newreno", receive_window="unlimited", setup="ns-2-linux", clock="1 ms")
#: The minimal TCP without SACK.
BARE_NO_SACK = bp.Tcp(preset=BARE.preset, recovery="newreno")
#: The sender detects lost retransmissions, and a handshake precedes the data.
REPAIRED = bp.Tcp(preset=BARE.preset, setup="handshake", recovery="rack")
#: Setting for the minimal TCP: RFC 3390's initial window for packets of 1000 bytes.
OURS = bp.Tcp(initial_window=4)
_AS_PUBLISHED = (
    "the paper cites the publications. Westwood of 2001, BIC and STCP (a hundredth of a segment per ACK) differ from "
    "ns-2's modules"
)

#: The paper's open choices, the main option first.
STARTS = Choice(
    name="start of competing flows",
    by=(
        "the paper names no interval between starts, and ns-2 has no default. 0.1 s is within a round trip of section "
        "4.3, and makes the runs of the seeds different"
    ),
    options=(
        Option("within 0.1 s", "the paper names no interval", START_WITHIN_S),
        Option("within 5 s", "our first choice: long transfers seldom start together", LATE_WITHIN_S),
    ),
    known=(
        "with the minimal TCP, Jain's index of A-19 is 0.38 if flows start within 5 s, 0.96 if they start within 0.1 "
        "s, and about the same (± 0.02) if they start together"
    ),
)
VARIANTS = Choice(
    name="the other variants",
    by="the tool's default: among ns-2's agents, only TCP-Linux has BIC, CUBIC, HSTCP, STCP and Westwood (as modules)",
    options=(
        Option(
            "TCP-Linux's modules",
            "ns-2 contains them; its Westwood is Westwood+, and its STCP adds a fiftieth of a segment per ACK",
            PAPERS,
        ),
        Option("as published", _AS_PUBLISHED, PUBLISHED),
    ),
    known=(
        "at PER 0.1 %, Westwood of 2001 with SACK uses 98 % of the link, and Westwood+ uses 21 %. The module of BIC "
        "is less aggressive than the published BIC"
    ),
)
#: The text excludes the minimal TCP, on which a lost retransmission waits for a timeout: “the SACK option is enabled
#: for all variants such that multiple losses during a slow-start phase can be nearly recovered within a few rounds”.
WHOSE = Choice(
    name="TCP",
    by="the tool's default: among ns-2's agents, TCP-Linux has these variants and SACK, which section 4.2 requires; "
    "the receiver sets no limit, because the paper mentions windows of 700 packets",
    options=(
        Option("TCP-Linux", "ns-2's agent for these variants", WHOLE),
        Option(
            "detection of lost retransmissions, SYN",
            "hosts detect lost retransmissions, and connections begin with a SYN",
            REPAIRED,
        ),
    ),
    known=(
        "the minimal TCP was the main reading before. Only with the minimal TCP, CUBIC, BIC, STCP and HSTCP need "
        "timeouts after slow start. CUBIC's utilisation was then 16 percentage points lower than A-LIAD's; with "
        "TCP-Linux, it was 1.5 points higher (in a real ns-2, CUBIC uses 52 %). At PER 0.1 %, A-LIAD used 60 % with "
        "the minimal TCP. It used 35 % with an earlier preset of TCP-Linux, in which every third recovery ended with "
        "a timeout. Like a real ns-2, the preset now has no such timeouts"
    ),
)
WINDOW = Choice(
    name="initial window",
    by="the tool's default: ns-2's windowInit_",
    options=(
        Option("2", "ns-2's windowInit_", 2),
        Option(
            "4",
            "RFC 3390, the standard when the paper was written; it was the main reading before, with the minimal TCP",
            4,
        ),
    ),
    known=(
        "the small initial window costs one round trip, which is two percentage points of utilisation in the first 30 "
        "s; it has no effect in long runs"
    ),
)
W_MAX = Choice(
    name="W_max at a loss below W_max",
    by=(
        "Bentpipe's preset. The paper's text leaves this open (W_max comes from probing, and each epoch ends at "
        "W_max), and ns-2 has no A-LIAD"
    ),
    options=(
        Option("stays", "equation 4 has one W_max", "a-liad-paper"),
        Option(
            "becomes W",
            "“from (1 - beta) W_max to W_max” in each epoch, between two losses",
            READINGS["W_max = W at every loss"],
        ),
    ),
    known=(
        "with the minimal TCP and W_max unchanged at a loss, A-LIAD used 60 % (PER 0.1 %) and 21 % (PER 1 %). If "
        "W_max becomes W, it used 38 % and 10 %. Jain's index was 99.5 % only in the second case"
    ),
)
BUFFER = Choice(
    name="buffer of R1-R2",
    by="the paper's text: the window at the overflow “becomes almost twice the BDP”, which excludes 2 BDP; delta = "
    "1.93 requires at least 0.93 BDP, which excludes ns-2's 50 packets except at 25 ms",
    options=(
        Option(
            "1 BDP", "the next round number above 0.93, although section 3.2 finds it “difficult to assume”", "1 BDP"
        ),
        Option("50 packets", "ns-2's default; at 25 ms it is 1.7 BDP", "50 packets"),
    ),
    known=(
        "over GEO, 50 packets are 0.07 BDP, and every slow start overflows. At 25 ms, NewReno lost 41 % of its "
        "goodput to A-LIAD with 50 packets, and 29 % with 1 BDP. With 1 BDP, the combinations for : against : "
        "undecided at start-up were 16 : 0 : 8 (A-13.a), 14 : 0 : 10 (A-13.b) and 24 : 0 : 0 (A-15.a)"
    ),
)
ERRORS = Choice(
    name="packet errors of figure 9",
    by="the paper's text names no packet errors, and ns-2 has none by default",
    options=(
        Option("none", "the paper names no packet errors", 0.0),
        Option("1e-4", "errors that remain after a link's own correction", 1e-4),
        Option("1e-3", "the middle rate of figure 8 and 10", 1e-3),
    ),
    known="we knew that without errors, the throughput of no variant depends on the round trip",
)
CHOICES = (STARTS, VARIANTS, WHOSE, WINDOW, W_MAX, BUFFER, ERRORS)
PRECISION = (
    "The tolerances are: for “around” and “about”, 5 % of the number (80 ± 4, 60 ± 3), but at least half of its last "
    "digit (3 ± 0.5); for Jain's “around 99.5 %”, its distance from 1, because 5 % of an index would accept 0.945; "
    "for bars and percentages of figures, 2 points; for other numbers, half of the last digit. “Almost unaffected” "
    "means within a tenth, and “significantly” means more than a tenth."
)

GIVEN = (
    Setting("simulator", "ns-2", "abstract"),
    Setting("R1-R2", "10 or 50 Mbit/s, shared by all", "section 4.1"),
    Setting("GEO round trip", "600 ms", "section 4.4"),
    Setting("bandwidth-delay product", "the paper says 700 packets, which means 10 Mbit/s", "section 4.4"),
    Setting("delta", "1.93", "section 3.2"),
    Setting("alpha_ref, RTT_ref", "2, 75 ms", "section 3.3"),
    Setting("SACK", "on for all variants", "section 4.2"),
    Setting("intra-fairness", "6 flows, 50 Mbit/s, 100 ms, PER 0, 0.1, 1 %", "section 4.3"),
    Setting("RTT fairness", "one flow, 10 Mbit/s, 50 to 600 ms", "section 4.3"),
    Setting("friendliness", "5 NewReno + 1 flow, 10 Mbit/s, 25 ms, PER 0, 300 s; figure 13: 600 ms", "section 4.5"),
)
CHOSEN = (
    Setting(
        "TCP",
        "ns-2's TCP-Linux, no limit by the receiver",
        "the agent that has these variants with SACK; see the readings",
    ),
    Setting(
        "variants",
        "TCP-Linux's modules of Linux 2.6.22. CUBIC keeps 0.8 of the window and has no HyStart; Westwood is "
        "Westwood+; STCP adds a fiftieth of a segment per ACK",
        "ns-2 contains them; the rows of section 2 have the published algorithms, which section 2 describes",
    ),
    Setting("packet", "1050 B (1000 B of data)", "TCP-Linux with timestamps; the path holds 714 packets (paper: 700)"),
    Setting(
        "without SACK",
        "ns-2's Agent/TCP/Newreno, whose connections start as those of TCP-Linux",
        "then only SACK differs; the row also shows the minimal TCP",
    ),
    Setting(
        "buffer of R1-R2",
        "1 BDP; the rows also show 0.5 BDP, 2 BDP and 50 packets",
        "delta = 1.93 requires 0.93 BDP; section 3.2 warns that a buffer of one BDP is “difficult to assume”",
    ),
    Setting(
        "other links",
        "100 Mbit/s, unlimited queues",
        "the paper gives none; these links and queues never limit a flow",
    ),
    Setting("order", "source, R1-R2 (5 ms), satellite link (the rest of the delay)", "figure 4 shows no numbers"),
    Setting("packet errors", "on the satellite link, for data packets but not for ACKs", "not given"),
    Setting(
        "initial window", "2 segments, the first with the SYN", "ns-2's windowInit_; 4 is also shown in A-13 to A-16"
    ),
    Setting(
        "A-LIAD",
        "preset a-liad-paper has the formulas as printed, with three exceptions. Probing grows by the text's 1/W "
        "instead of equation 3's +1; beta is at most 1/2; the growth per ACK is between 1/W and 1. At a loss, W is "
        "cwnd, as in equation 7",
        "the text contradicts equation 3. We added the two bounds. A-22 and A-24 have readings for the rules that "
        "the paper leaves open",
    ),
    Setting(
        "utilisation",
        "new data with headers, divided by the rate of R1-R2",
        "with this definition, a utilisation of 1 is possible",
    ),
    Setting(
        "random part of runs without losses",
        "for a single flow, the round trip is within 2 % of its nominal value; several flows start within 0.1 s",
        "values follow the golden section, and are the same for all variants; with fixed values, all seeds would "
        "give the same run. Without losses, an interval describes this set of values and not independent draws",
    ),
    Setting(
        "duration",
        "start-up 30 s; losses, fairness, friendliness 300 s (quick: 60 to 100 s)",
        "the paper gives the duration only for figures 5 and 12",
    ),
    Setting(
        "warm-up",
        "20 s in A-19 to A-23, A-26, A-28; none in A-13 to A-18, A-24, A-25; in A-30, that of the rows that it ranks",
        "A-13 to A-18 measure the start-up; figure 12 covers the whole run (“for 300 sec”)",
    ),
)


def spread(seed: int, index: int = 0) -> float:
    """Return a number from 0 to 1.

    It is evenly spread over the seeds for the first flow, and drawn for each other flow. With one sequence for all
    flows, another seed would move all starts together. A run without errors would then be the same run, a little
    later.
    """
    return random.Random(f"{seed} {index}").random() if index else seed * 0.6180339887 % 1.0  # noqa: S311


def drawn_rtt_ms(rtt_ms: float, seed: int) -> float:
    """Round trip in ms, drawn within `RTT_WITHIN` of the nominal round trip."""
    return round(rtt_ms * (1.0 + RTT_WITHIN * (2.0 * spread(seed) - 1.0)), 3)


def bdp_packets(rate_mbit_s: float, rtt_ms: float) -> float:
    return rate_mbit_s * 1e3 * rtt_ms / (8 * PACKET_BYTES)


def utilisation(goodput_mbit_s: float, rate_mbit_s: float = 10.0) -> float:
    """Rate of new data with headers, in percent of the rate of R1-R2."""
    return 100.0 * goodput_mbit_s * PACKET_BYTES / MSS_BYTES / rate_mbit_s


def network(rate_mbit_s: float, rtt_ms: float, per: float, buffer: str, *, warn_above: float | None = None) -> bp.Chain:
    return bp.Chain(
        links=[
            bp.Link(rate="100 Mbit/s", delay=f"{_FIRST_MS:g} ms", warn_above=warn_above),
            bp.Link(rate=f"{rate_mbit_s:g} Mbit/s", delay=f"{_SHARED_MS:g} ms", queue=buffer, warn_above=warn_above),
            bp.Link(
                rate="100 Mbit/s",
                delay=f"{rtt_ms / 2 - _FIRST_MS - _SHARED_MS:g} ms",
                loss=bp.Loss(per=per or None),
                warn_above=warn_above,
            ),
        ]
    )


def scenario(
    flows: Sequence[bp.Flow],
    seed: int,
    *,
    rate_mbit_s: float = 10.0,
    rtt_ms: float = GEO_MS,
    per: float = 0.0,
    buffer: str = "1 BDP",
    duration_s: float = 30.0,
    warm_up_s: float = 0.0,
    interval: str = "off",
    events: bool = False,
    initial_window: int | None = None,
    warn_above: float | None = None,
    tcp: bp.Tcp = WHOLE,
) -> bp.Scenario:
    """Return the scenario of a run.

    The scenario's name consists only of the flows' names, so that rows with the same settings share one run. `tcp`
    is the TCP configuration of the reading, which is one interpretation of the paper (see
    `bentpipe_papers.transport`). With `BARE`, the default initial window is 4.
    """
    return bp.Scenario(
        name=", ".join(str(flow.name) for flow in flows),
        duration=f"{duration_s:g} s",
        warm_up=f"{warm_up_s:g} s",
        seed=seed,
        network=network(rate_mbit_s, rtt_ms, per, buffer, warn_above=warn_above),
        tcp=on_bed(tcp, SIZES, OURS, initial_window=initial_window),
        flows=flows,
        record=bp.Record(interval=interval, events=events),
    )


def flow(name: str, controller: Controller | None = None, *, start_s: float = 0.0, size: str | None = None) -> bp.Flow:
    """A flow from the source to the far side of the satellite, by default with the controller of the variant `name`."""
    chosen = ALL[name] if controller is None else controller
    start = f"{start_s:.4f} s" if start_s else None
    return bp.Flow(name=name, controller=chosen, from_="0", to="3", start=start, size=size)


def single(name: str, seed: int, controller: Controller | None = None, **settings: Any) -> bp.Scenario:
    if not settings.get("per"):
        settings["rtt_ms"] = drawn_rtt_ms(settings.get("rtt_ms", GEO_MS), seed)
    return scenario([flow(name, controller)], seed, **settings)


def crowd(
    members: Iterable[tuple[str, Controller]], seed: int, *, within_s: float = START_WITHIN_S, **settings: Any
) -> bp.Scenario:
    """Several flows whose starts are drawn from the first `within_s` seconds. With 0, all flows start at once."""
    flows = [
        flow(name, controller, start_s=within_s * spread(seed, index))
        for index, (name, controller) in enumerate(members)
    ]
    return scenario(flows, seed, **settings)


def each(names: Mapping[str, Controller] | Iterable[str], seeds: Iterable[int]) -> list[tuple[str, int]]:
    return [(name, seed) for name in names for seed in seeds]
