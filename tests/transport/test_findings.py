# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a run says about a controller that goes astray: in the summary, on the console, in the report."""

from __future__ import annotations

from pathlib import Path

import pytest

import bentpipe as bp
from bentpipe.results.notes import finding_lines
from project import Command
from silent_controller import FALLS_SILENT

PATH = bp.Dumbbell(rate="10 Mbit/s", rtt="50 ms", queue="1 BDP")


@bp.register("million")
class Million(bp.Controller):
    """A window of a million segments from the first acknowledgement on."""

    def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
        control.cwnd = 1e6


@bp.register("hundred-gigabit")
class HundredGigabit(bp.Controller):
    """A small window, paced at 100 Gbit/s."""

    signals = ("pacing",)

    def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
        control.cwnd = 30
        control.pacing_bit_s = 100e9


@bp.register("for-a-moment")
class ForAMoment(bp.Controller):
    """A hundred times too much for 400 ms, which are 8 round trips."""

    signals = ("pacing",)

    def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
        control.cwnd = 30
        control.pacing_bit_s = 1e9 if 1.0 < event.now_s < 1.4 else 1e7


@bp.register("while-it-is-gone")
class WhileItIsGone(bp.Controller):
    """A million segments from the first timeout to the one after 110 s."""

    def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
        control.cwnd = 20

    def on_timeout(self, event: bp.TimeoutEvent, control: bp.Control) -> None:
        control.cwnd = 1e6 if event.now_s < 110 else 20


@bp.register("after-it-is-back")
class AfterItIsBack(bp.Controller):
    """A million segments from the first acknowledgement after 100 s on."""

    def on_ack(self, event: bp.AckEvent, control: bp.Control) -> None:
        control.cwnd = 1e6 if event.now_s > 100 else 20


def _run(
    controller: str, network: bp.Dumbbell = PATH, *, tcp: bp.Tcp | None = None, events: bool = False, **flow: str
) -> bp.Run:
    # What is recorded makes no difference.
    flows = [bp.Flow(controller=controller, tcp=tcp or bp.Tcp(receive_window="256 kB"), **flow)]  # type: ignore[arg-type]
    record = bp.Record(interval="off", events=events)
    return bp.run(bp.Scenario(name=controller, duration="3 s", network=network, flows=flows, record=record))


# The path holds 62,500 bytes and as many wait: 125,000 and a packet in transmission of 1448, 87.3 segments.
def test_a_trickle_that_has_written_nothing_is_named() -> None:
    # A segment of 1448 B leaves when its last byte is written: of 1 bit/s after 11,584 s, of 2.4 kbit/s after 4.83 s.
    scenario = """
duration = "5 s"
network.dumbbell = { rate = "10 Mbit/s", rtt = "60 ms" }
flows = [{ controller = "cubic", trickle = { rate = "1 bit/s" } }]
"""
    (finding,) = bp.run(scenario).findings
    assert finding["kind"] == "nothing-delivered"
    assert finding["text"].endswith(
        "the flow sent nothing. Its application writes 1 bit/s (`trickle`), so the first segment of 1448 B would leave "
        "11584.0 s after the start of the flow, but the flow lasted only 5.00 s (write a higher `rate` of "
        "`trickle`, or a longer `duration`)"
    )
    assert bp.run(scenario.replace("1 bit/s", "2.4 kbit/s")).summary["flows"][0]["sent_packets"] == 1
    # Three bytes are a segment of their own: they leave after 24 s.
    (finding,) = bp.run(scenario.replace("trickle", 'size = "3 B", trickle')).findings
    assert "the first segment of 3 B would leave 24.0 s after the start of the flow" in finding["text"]


def test_a_window_beyond_the_path_is_a_runaway() -> None:
    (finding,) = (one for one in _run("million").findings if one["kind"] == "runaway")
    assert finding["flow"] == 0
    assert finding["magnitude"] == pytest.approx(1e6 * 1448 / (125_000 + 1448))
    # The first acknowledgement comes after 51 ms, the run ends at 3 s.
    assert (finding["since_s"], finding["lasted_s"]) == (pytest.approx(0.1), pytest.approx(2.9))
    # The receiver's 256 kB keep it from being used: 256,000 / 1448 segments.
    assert "reached 1000000 segments" in finding["text"]
    assert "at most 176 segments were in flight" in finding["text"]


def test_a_pacing_rate_beyond_the_path_is_a_runaway() -> None:
    (finding,) = _run("hundred-gigabit").findings
    assert (finding["kind"], finding["magnitude"]) == ("runaway", pytest.approx(1e4))
    # Also over a queue without limit, where a window has no bound.
    unlimited = bp.Dumbbell(rate="10 Mbit/s", rtt="50 ms", queue="unlimited")
    assert [one["kind"] for one in _run("hundred-gigabit", unlimited).findings] == ["runaway"]
    assert _run("million", unlimited).findings == []


def test_what_is_short_is_none() -> None:
    assert _run("for-a-moment").findings == []


def test_what_the_catalogue_does_on_this_path_is_none() -> None:
    for controller in ("reno", "cubic", "bbr1", "hybla"):
        assert _run(controller, tcp=bp.Tcp()).findings == [], controller


# Satellites above the equator, 9 degrees apart; with 70 degrees of elevation the path is gone between two of them.
RING = bp.Constellation(
    walker=bp.Walker(planes=1, per_plane=40, altitude="1200 km", inclination="0 deg"),
    min_elevation="70 deg",
    isl=False,
    route_step="1 s",
    user_link=bp.UserLink(rate="1 Mbit/s", queue="50 packets"),
    sites=[bp.Place(name=name, latitude="0 deg", longitude=f"{east} deg") for name, east in (("a", 0), ("b", 0.5))],
)


def _over_the_ring(controller: str) -> tuple[bp.Run, float, float]:
    """The run, when the path goes, and when it is back."""
    tcp = bp.Tcp(receive_window="256 kB", max_rto="5 s")
    flows = [bp.Flow(controller=controller, from_="a", to="b", tcp=tcp)]
    run = bp.run(bp.Scenario(name=controller, duration="150 s", network=RING, flows=flows))
    there = [(row["time_s"], row["links"] > 0) for row in run.paths.arrow.to_pylist() if row["from"] == "a"]
    gone_s = next(at for at, path in there if not path)
    back_s = next(at for at, path in there if path and at > gone_s)
    # A timeout every 5 s at least: the one after 110 s comes in the gap.
    assert there[0][1]
    assert 20 < gone_s < 90
    assert 115 < back_s < 130
    return run, gone_s, back_s


def test_while_the_path_is_gone_nothing_is_a_runaway() -> None:
    run, gone_s, back_s = _over_the_ring("while-it-is-gone")
    assert run.summary["flows"][0]["timeouts"] >= (back_s - gone_s) / 5 - 3
    assert [one for one in run.findings if one["kind"] == "runaway"] == []


def test_a_runaway_is_found_after_the_path_is_back() -> None:
    run, _, back_s = _over_the_ring("after-it-is-back")
    (finding,) = (one for one in run.findings if one["kind"] == "runaway")
    # The first acknowledgement comes after the next timeout; the guard looks every 100 ms, until the end.
    assert back_s < finding["since_s"] < back_s + 5.2
    assert finding["since_s"] + finding["lasted_s"] == pytest.approx(150)
    # What is asked for on both sides of the gap is one finding, without the gap.
    run, gone_s, back_s = _over_the_ring("million")
    (finding,) = (one for one in run.findings if one["kind"] == "runaway")
    assert finding["since_s"] == pytest.approx(0.1)
    assert gone_s - 0.3 < finding["lasted_s"] < 150 - (back_s - gone_s)


# NewReno (RFC 6582) repairs one hole a round trip. Packets 101, 103, ... 141 of a window over 140 are 21 holes.
def test_a_long_recovery_is_told() -> None:
    holes = list(range(301, 343, 2))
    path = bp.Dumbbell(rate="1 Gbit/s", rtt="50 ms", loss=bp.Loss(packets=holes))
    # The timer stands still from the first of them on (section 4): here it lets the recovery end by itself.
    run = _run("reno", path, tcp=bp.Tcp(recovery="newreno", min_rto="5 s"), events=True)
    (flow,) = run.summary["flows"]
    assert flow["longest_recovery_rtts"] == pytest.approx(len(holes), abs=2)
    # The events say when the recovery began and when it was over.
    phases = [(row["time_s"], row["detail"]) for row in run.events.arrow.to_pylist() if row["event"] == "phase"]
    began = next(at for at, (_, phase) in enumerate(phases) if phase == "recovery")
    lasted_s = phases[began + 1][0] - phases[began][0]
    assert flow["longest_recovery_s"] == pytest.approx(lasted_s, abs=1e-6)
    # A round trip is 50 ms and what the window's burst waits at 1 Gbit/s: some 140 packets of 12 us.
    assert lasted_s / 0.052 < flow["longest_recovery_rtts"] < lasted_s / 0.05
    (finding,) = run.findings
    assert (finding["kind"], finding["magnitude"]) == ("long-recovery", flow["longest_recovery_rtts"])
    assert finding["since_s"] == pytest.approx(phases[began][0], abs=1e-6)
    assert finding["lasted_s"] == flow["longest_recovery_s"]
    assert _run("reno", path, tcp=bp.Tcp(recovery="sack")).findings == []
    assert _run("reno", bp.Dumbbell(rate="1 Gbit/s", rtt="50 ms")).summary["flows"][0]["longest_recovery_s"] is None


def test_one_wait_for_the_timer_is_none() -> None:
    # What is sent in the first span is missed by duplicate ACKs, what repairs it is lost in the second.
    spans = [("1 s", "1.0001 s"), ("1.0002 s", "1.002 s")]
    path = bp.Dumbbell(rate="1 Gbit/s", rtt="200 us", queue="50 packets", loss=bp.Loss(spans=spans))
    run = _run("reno", path, tcp=bp.Tcp(min_rto="1 s", receive_window="20 kB"))
    flow = run.summary["flows"][0]
    # RFC 6298, (2.4): no timeout is below a second, which here are thousands of round trips.
    # The window of 20 kB is smaller than the 25 kB of the path.
    assert (flow["timeouts"], [one["kind"] for one in run.findings]) == (1, ["receive-window"])
    assert flow["longest_recovery_s"] == pytest.approx(1.0, abs=0.01)
    assert flow["longest_recovery_rtts"] > 1000


# A window of 100 segments over a path that holds 10, and a receiver that takes two; and twelve seconds of 50 kbit/s:
# BBR's first pacing rate stands until it knows the path.
def test_what_the_receiver_or_the_application_holds_back_is_no_runaway() -> None:
    thin = bp.Dumbbell(rate="1 Mbit/s", rtt="50 ms", queue="1 packets")
    held = _run("reno", thin, tcp=bp.Tcp(initial_window=100, receive_window="3 kB"))
    assert [one["kind"] for one in held.findings] == ["receive-window"]
    for controller in ("bbr1", "bbr3"):
        flow = bp.Flow(controller=controller, trickle={"rate": "50 kbit/s", "lasts": "12 s"})
        run = bp.run(bp.Scenario(name=controller, duration="14 s", network=PATH, flows=[flow]))
        assert run.findings == [], controller


def test_who_runs_away_once_the_application_lets_it_is_found() -> None:
    flow = bp.Flow(
        controller="million", trickle={"rate": "50 kbit/s", "lasts": "2 s"}, tcp=bp.Tcp(receive_window="256 kB")
    )
    run = bp.run(bp.Scenario(name="late", duration="4 s", network=PATH, flows=[flow]))
    (finding,) = (one for one in run.findings if one["kind"] == "runaway")
    assert finding["since_s"] == pytest.approx(2.1, abs=0.11)
    # All of a transfer leaves at once: nothing is left to be sent, and the path is full of it.
    flow = bp.Flow(controller="million", size="5 MB", tcp=bp.Tcp(receive_window="3 MB"))
    run = bp.run(bp.Scenario(name="blast", duration="10 s", network=PATH, flows=[flow]))
    assert [one["kind"] for one in run.findings if one["kind"] == "runaway"] == ["runaway"]


def test_lines_name_the_worst_of_several_runs() -> None:
    runs = [_run("million"), _run("million", bp.Dumbbell(rate="10 Mbit/s", rtt="50 ms", queue="2 BDP"))]
    lines = [line for line in finding_lines(runs) if line.startswith("runaway: flow")]
    assert len(lines) == 1
    assert "which is 11451 times" in lines[0]
    assert lines[0].endswith("(seed 1; the worst of 2 in 2 runs)")


@pytest.mark.parametrize(("count", "lines"), [(3, 3), (4, 1)])
def test_many_flows_with_the_same_finding_have_one_line(count: int, lines: int) -> None:
    flows = [bp.Flow(name="short", controller="cubic", count=count)]
    run = bp.run(bp.Scenario(name="brief", duration="200 ms", network=PATH, flows=flows))
    said = [line for line in finding_lines([run]) if line.startswith("too-short: ")]
    assert len(said) == lines
    assert said[0].endswith(f"(the worst of {count} flows)") == (lines == 1)


def test_the_console_and_the_page_tell(cli: Command, tmp_path: Path) -> None:
    plugin = tmp_path / "astray.py"
    plugin.write_text(
        'import bentpipe as bp\n\n\n@bp.register("astray")\nclass Astray(bp.Controller):\n'
        "    def on_ack(self, event, control):\n        control.cwnd = 1e5\n"
    )
    scenario = tmp_path / "a.toml"
    scenario.write_text(
        'duration = "3 s"\nnetwork.dumbbell = { rate = "10 Mbit/s", rtt = "50 ms" }\n'
        'flows = [{ controller = "astray", tcp = { receive_window = "256 kB" } }]\n'
    )
    out = tmp_path / "out"
    said = cli("run", str(scenario), "--plugin", str(plugin), "--out", str(out))
    assert (
        'finding: runaway: flow "astray" (astray): the window reached 100000 segments, which is 1145 times'
        in said.stderr
    )
    said = cli("compare", str(scenario), "--plugin", str(plugin), "--controllers", "reno,astray", "--seeds", "2",
               "--picture", str(tmp_path / "a.png"))  # fmt: skip
    assert said.stderr.count("finding: runaway") == 1
    assert "the worst of 2 in 2 runs" in said.stderr
    page = bp.load(out).report(tmp_path / "a.html").read_text()
    assert "Findings" in page
    assert "the window reached 100000 segments, which is 1145 times" in page


def test_a_flow_whose_syns_are_lost_is_not_connected() -> None:
    network = bp.Dumbbell(rate="10 Mbit/s", rtt="50 ms", queue="50 packets", loss=bp.Loss(spans=[("0 s", "5 s")]))
    flows = [bp.Flow(controller="reno", tcp=bp.Tcp(preset="linux"), size="10 kB")]
    run = bp.run(bp.Scenario(name="deaf", duration="5 s", network=network, flows=flows))
    (finding,) = run.findings
    # RFC 6298: SYNs at 0, 1 and 3 s.
    assert (finding["kind"], finding["magnitude"], finding["lasted_s"]) == ("not-connected", 3, 5)
    assert run.summary["flows"][0]["sent_packets"] == 0


def test_fast_open_counts_what_the_syn_carries() -> None:
    network = bp.Dumbbell(rate="10 Mbit/s", rtt="50 ms", queue="50 packets")
    tcp = bp.Tcp(preset="linux", setup="fast-open")
    flows = [bp.Flow(controller="reno", tcp=tcp, size="1000 B")]
    (flow,) = bp.run(bp.Scenario(name="short", duration="2 s", network=network, flows=flows)).summary["flows"]
    assert (flow["sent_packets"], flow["delivered_packets"], flow["delivery_ratio"]) == (1, 1, 1)


# ---- applications: every connection is looked at, and whether anybody gets anywhere -------------------------------


def _application(controller: str = "cubic", network: bp.Dumbbell = PATH, **flow: object) -> bp.Run:
    keys = {"kind": "transfers", "size": "3 MB", "arrivals": {"law": "regular", "rate": 0.5}} | flow
    flows = [bp.Flow(controller=controller, **keys)]  # type: ignore[arg-type]
    return bp.run(bp.Scenario(name=controller, duration="10 s", network=network, flows=flows))


def test_a_runaway_of_one_connection_of_an_application_is_found() -> None:
    (finding,) = (one for one in _application("million").findings if one["kind"] == "runaway")
    # As of a flow: 87.3 segments of 1448 bytes are what the path holds.
    assert finding["magnitude"] == pytest.approx(1e6 * 1448 / (125_000 + 1448))
    begin = 'flow "transfers" (million): connection 1: the window reached 1000000 segments, which is 11451 times'
    assert finding["text"].startswith(begin)
    # Five visits began, one connection each.
    assert finding["text"].endswith(". The same happened to 4 more connections")
    assert _application("cubic").findings == []
    # Whose answer leaves at once, and fits, never used the window.
    assert _application("million", size="10 kB", arrivals={"law": "regular", "rate": 5}).findings == []


# NewReno repairs one hole a round trip, as above: the answer is the first on its connection, so that its packets are
# those of the link but for SYN-ACK and the acknowledgement of the request.
def test_a_long_recovery_of_a_connection_is_told() -> None:
    path = bp.Dumbbell(rate="1 Gbit/s", rtt="50 ms", loss=bp.Loss(packets=list(range(301, 343, 2))))
    tcp = bp.Tcp(recovery="newreno", min_rto="5 s")
    run = _application("reno", path, size="2 MB", tcp=tcp)
    (finding,) = run.findings
    assert finding["kind"] == "long-recovery"
    assert finding["magnitude"] == pytest.approx(21, abs=2)
    # A look every 100 ms may miss the last of them.
    assert finding["lasted_s"] == pytest.approx(21 * 0.0515, abs=0.16)
    assert "connection 1: one recovery that began at" in finding["text"]
    assert _application("reno", path, size="2 MB", tcp=bp.Tcp(recovery="sack")).findings == []


def test_connections_that_nobody_answers_are_told() -> None:
    deaf = bp.Dumbbell(rate="10 Mbit/s", rtt="50 ms", queue="50 packets", loss=bp.Loss(spans=[("0 s", "20 s")]))
    finding, done = _application(network=deaf, tcp=bp.Tcp(preset="linux")).findings
    assert done["kind"] == "no-visit-done"
    # RFC 6298: SYNs at 0, 1, 3 and 7 s. Visits come every 2 s: those of 0, 2, 4 and 6 s have sent three.
    assert (finding["kind"], finding["magnitude"]) == ("not-connected", 4)
    assert '"transfers" (cubic): 4 connections of the application were never established' in finding["text"]


def test_an_application_that_gets_nowhere_is_told() -> None:
    run = _application(FALLS_SILENT, size="500 kB", arrivals={"law": "regular", "rate": 2})
    assert all(one["kind"] != "no-visit-done" for one in run.findings), "some were done before 2 s"
    # All that begin after the warm-up are stuck, and so are their numbers: nothing looks fine.
    warm = bp.run(run.scenario.replace('warm_up = "0 s"', 'warm_up = "3 s"'))
    every = warm.summary["flows"][0]["visits"]["all"]
    assert (every["done_ratio"], every["took_s"]["p50"], every["took_s"]["p95"]) == (0, 7, 7)
    findings = _application(size="500 kB", network=CRAWL).findings
    (finding,) = (one for one in findings if one["kind"] == "no-visit-done")
    assert (finding["kind"], finding["magnitude"]) == ("no-visit-done", 5)
    assert "no visit finished. 5 visits began, the first of them 10.0 s before the end" in finding["text"]
    assert "an empty path needs 0.51 s" in finding["text"]


#: Of 500 kB, 0.5 s over the empty path, the ninth packet and all after it are lost.
CRAWL = bp.Dumbbell(rate="10 Mbit/s", rtt="50 ms", queue="50 packets", loss=bp.Loss(spans=[("60 ms", "20 s")]))


def test_visits_that_never_begin_are_told() -> None:
    (finding,) = _application(arrivals=None, users=2, think="60 s").findings
    assert (finding["kind"], finding["lasted_s"], finding["magnitude"]) == ("no-visit-begun", 10, 0)


def test_requests_have_counts_of_their_own() -> None:
    run = _application(size="10 kB", arrivals={"law": "regular", "rate": 2})
    (flow,) = run.summary["flows"]
    # 20 visits, a request of one packet each; answers of 10 kB are seven.
    lost = {"queue": 0, "error": 0, "outage": 0}
    said = {"sent_packets": 20, "retransmitted_packets": 0, "losses": lost, "timeouts": 0}
    assert flow["visits"]["requests"] == said
    assert flow["sent_packets"] == 20 * 7


# ---- nothing arrived, or too little was measured: the cause and the advice are those of the values in force --------


def _told(text: str) -> list[bp.Finding]:
    return bp.run(text).findings


def _path(more: str = "", rate: str = "10 Mbit/s", rtt: str = "50 ms") -> str:
    return f'network.dumbbell = {{ rate = "{rate}", rtt = "{rtt}"{more} }}\n'


def test_nothing_that_arrives_after_the_warm_up_is_found() -> None:
    spans = _path(', loss = { spans = [["9 s", "20 s"]] }')
    run = bp.run(
        'duration = "20 s"\nwarm_up = "10 s"\n'
        'flows = [{ controller = "cubic" }, { kind = "ping" }, { kind = "cbr", rate = "1 Mbit/s" }, '
        '{ kind = "call" }]\n' + spans
    )
    told = {one["flow"]: one for one in run.findings}
    assert {one["kind"] for one in told.values()} == {"nothing-delivered"}
    # A ping every 10 ms, 1 Mbit/s of 1000 B and a frame every 20 ms: 1000, 1250 and 500 in 10 s.
    assert [told[flow]["magnitude"] for flow in (1, 2, 3)] == [1000, 1250, 500]
    carried = 'lost to outages ("left > right" carried nothing from 9.000 s to the end (change its `loss.spans`))'
    assert all(carried in one["text"] for one in told.values())
    assert all((one["since_s"], one["lasted_s"]) == (10, 10) for one in told.values())
    # A call of which one way gets nothing, though the other is as it should be.
    (finding,) = _told('duration = "10 s"\nflows = [{ kind = "call" }]\n' + _path(", loss = { per = 1 }"))
    assert (finding["kind"], finding["magnitude"]) == ("nothing-delivered", 500)
    assert "sent from left to right arrived" in finding["text"]
    assert "per = 1 }: write a lower value" in finding["text"]


def test_advice_looks_at_the_queue_and_the_policer_in_force() -> None:
    many = 'duration = "20 s"\nflows = [{ controller = "cubic", count = 60 }]\n'
    full = _path(', queue = "50 packets"', rate="1 Mbit/s")
    findings = [one for one in _told(many + full) if one["kind"] == "nothing-delivered"]
    # All of one cause are one finding, which names the first of them.
    assert len(findings) == 1
    text = findings[0]["text"]
    assert '60 flows share the 1 Mbit/s of "left > right", whose queue holds 50 packets: write fewer flows' in text
    assert " more (cubic): none of the " in text
    assert "20 packets" not in text
    policed = 'duration = "2 s"\nflows = [{ kind = "cbr", rate = "5 Mbit/s" }, { controller = "cubic" }]\n'
    (enough,) = (
        one["text"]
        for one in _told(policed + _path(', policer = { rate = "10 kbit/s", burst = "1600 B" }'))
        if one["kind"] == "nothing-delivered"
    )
    assert "policer passes 10 kbit/s: write a higher rate" in enough


def test_a_flow_that_is_stopped_before_it_is_connected_says_so() -> None:
    linux = 'tcp = { preset = "linux" }'
    run = bp.run(
        f'duration = "10 s"\nflows = [{{ controller = "cubic", {linux} }}, '
        f'{{ controller = "cubic", {linux}, start = "1 s", stop = "1.3 s" }}]\n' + _path(rtt="600 ms")
    )
    # Half a round trip: no rate, and no share of fairness.
    assert run.summary["flows"][1]["goodput_mbit_s"] is None
    assert run.summary["totals"]["jain_index"] is None
    (finding,) = run.findings
    assert finding["kind"] == "too-short"
    assert "before its connection was established" in finding["text"]
    assert "a later `stop`" in finding["text"]
    # RFC 6298: the second SYN would go out after 1 s.
    (finding,) = _told(
        f'duration = "10 s"\nflows = [{{ controller = "cubic", {linux}, stop = "500 ms" }}]\n'
        + _path(", loss = { per = 1 }")
    )
    assert "the flow was stopped 500.0 ms after the start of the flow. No answer to the SYN" in finding["text"]


@pytest.mark.parametrize("rtt_ms", [51, 60, 597, 1190])
def test_advice_on_the_length_of_a_run_is_enough(rtt_ms: int) -> None:
    flow = 'flows = [{ controller = "cubic" }]\n' + _path(rtt=f"{rtt_ms} ms")
    (finding,) = _told(f'duration = "{rtt_ms * 9} ms"\n' + flow)
    asked = finding["text"].split("the measurement lasts ")[1].split(" or more")[0]
    number, unit = asked.split()
    # Ten round trips of propagation and a packet of 1500 B, at 10 Mbit/s 1.2 ms at most, with or without its headers.
    milliseconds = float(number) * {"ms": 1, "s": 1000}[unit]
    assert 10 * rtt_ms < milliseconds <= (10 * (rtt_ms + 1.2)) * 1.01
    assert _told(f'duration = "{asked}"\n' + flow) == []


def test_advice_that_cannot_reach_what_is_needed_is_left_out() -> None:
    flow = 'flows = [{ controller = "cubic" }]\n' + _path(rtt="600 ms")
    (finding,) = _told('duration = "1 s"\nwarm_up = "500 ms"\n' + flow)
    # Without a warm-up 1 s would be measured, of 6 s.
    assert "(write a longer `duration`, so that the measurement lasts 6.0" in finding["text"]


def test_what_keeps_visits_from_beginning_is_named() -> None:
    (finding,) = _told(
        'duration = "10 s"\nwarm_up = "5 s"\nflows = [{ kind = "web", controller = "cubic", users = 1 }]\n' + _path()
    )
    assert finding["kind"] == "no-visit-begun"
    assert "users think before their first visit, for 30.0 s on average" in finding["text"]
    assert "a shorter `think` or a longer `duration`" in finding["text"]


def test_a_mean_wait_is_of_packets_whose_wait_is_over() -> None:
    # A packet of 1000 B takes 8 s at 1 kbit/s: the first waits for nothing, the second from 8 ms to 8 s, the others go
    # on waiting.
    run = bp.run(
        'duration = "10 s"\nflows = [{ kind = "cbr", rate = "1 Mbit/s" }]\n'
        + _path(', queue = "100 packets"', rate="1 kbit/s")
    )
    there, back = run.summary["links"]
    assert there["mean_queue_ms"] == pytest.approx((0 + 7992) / 2)
    assert back["mean_queue_ms"] is None


def test_more_that_arrived_than_was_sent_is_no_ratio() -> None:
    run = bp.run(
        'duration = "10 s"\nwarm_up = "5 s"\nflows = [{ controller = "reno", stop = "5.06 s" }]\n'
        + _path(', queue = "100 packets"')
    )
    (flow,) = run.summary["flows"]
    assert flow["delivered_packets"] > flow["sent_packets"]
    assert flow["goodput_mbit_s"] is not None
    assert flow["delivery_ratio"] is None
