# SPDX-License-Identifier: MIT OR Apache-2.0
"""The study of `bentpipe demo`: does Hybla-IM beat Hybla between Berkeley and Boston over Iridium?

The study has only the main claims of the paper. `bentpipe reproduce hybla-im` of bentpipe-papers has all rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

import bentpipe as bp
from bentpipe import plots
from bentpipe.study import Claim, Finding, Picture, Row, Setting, Study, goodput, loss_percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from bentpipe.study import Effort, Key, Runs

#: Section 4 of the paper: gain of Hybla-IM over Hybla in percent, by packet error rate.
PRINTED = {1e-4: 6.0, 1e-3: 13.0, 1e-2: 17.0}
_COLOUR = {"hybla": plots.COLOURS[1], "hybla-im": plots.COLOURS[0]}
#: Duration of a revolution of an Iridium satellite in seconds. Each seed begins at another moment of the revolution (by
#: the golden section).
_REVOLUTION_S, _GOLDEN = 6027, 0.6180339887


@dataclass(frozen=True, kw_only=True)
class Network:
    """One of the two networks: flows, bottleneck, duration, and the reason for the network."""

    id: str
    title: str
    flows: int
    user_link: str
    seconds: float
    why: str


T1 = Network(
    id="T1",
    title="network of the paper: 30 flows, the bottleneck is the uplink of 1.5 Mbit/s",
    flows=30,
    user_link="1.5 Mbit/s",
    seconds=100.0,
    why="This is the network of table 2 and figure 3 of the paper. The bandwidth-delay product is 6 to 18 packets, "
    "which is less than one packet for each of the 30 flows. Therefore, the uplink is full with every controller and "
    "every packet error rate.",
)
T2 = Network(
    id="T2",
    title="our network: 5 flows, the bottleneck is the inter-satellite link of 25 Mbit/s",
    flows=5,
    user_link="100 Mbit/s",
    seconds=50.0,
    why="This network has the orbits, rates and error rates of the paper, but a fast user link and only 5 flows. The "
    "windows are therefore so large that random losses reduce the throughput.",
)


def _scenario(network: Network, per: float, controller: str, seed: int) -> bp.Scenario:
    return bp.Scenario(
        name=f"{network.id}, PER {per:g}, {controller}",
        duration=f"{network.seconds:g} s",
        seed=seed,
        network=bp.Constellation(
            preset="iridium",
            offset=f"{round(seed * _GOLDEN % 1 * _REVOLUTION_S)} s",
            isl=bp.Isl(rate="25 Mbit/s", queue="50 packets", loss=bp.Loss(per=per)),
            user_link=bp.UserLink(rate=network.user_link, queue="50 packets"),
        ),
        tcp=bp.Tcp(preset="bentpipe-0.1", mss="960 B", header="40 B", initial_window=2),
        flows=[
            bp.Flow(
                count=network.flows,
                from_="Berkeley",
                to="Boston",
                controller=controller,
                access=bp.AccessLink(rate="10 Mbit/s", delay="1 ms", queue="50 packets"),
                stagger="30 ms",
            )
        ],
        record=bp.Record(interval="1 s", events=False),
    )


def plan(effort: Effort, *networks: Network) -> dict[Key, bp.Scenario]:
    """Return the runs by (network, packet error rate, controller, seed)."""
    return {
        (network.id, per, name, seed): _scenario(network, per, name, seed)
        for network in networks or (T1, T2)
        for per in PRINTED
        for name in _COLOUR
        for seed in effort.seeds
    }


def change(runs: Runs, network: Network, per: float) -> bp.Estimate:
    """Return the change of throughput from Hybla to Hybla-IM, in percent."""
    improved, hybla = (goodput(runs.of(network.id, per, name)) for name in ("hybla-im", "hybla"))
    return bp.relative_change(improved, hybla)


def _claims(runs: Runs, network: Network) -> list[Claim]:
    table = bp.model("hybla-im-consistency").table
    implied = dict(zip(table["packet_error_rate"], table["implied_gain_percent"], strict=True))
    return [
        Claim(
            what=f"{network.id}, PER {per:g}: throughput, Hybla-IM against Hybla",
            paper=printed,
            sign=1,
            measured=change(runs, network, per),
            contradiction=f"the paper prints {printed:+g} %, but its other percentages imply {implied[per]:+.1f} %",
            implied=implied[per],
        )
        for per, printed in PRINTED.items()
    ]


def _why(runs: Runs, network: Network) -> str:
    parts = []
    for per in PRINTED:
        means = (f"{name} {bp.estimate(goodput(runs.of(network.id, per, name))).text(2)}" for name in _COLOUR)
        parts.append(f"{' and '.join(means)} Mbit/s at PER {per:g}")
    return "; ".join(parts)


def _read_first(runs: Runs) -> Finding:
    drawn = Picture("Throughput over T1, running mean over 5 s", _over_time(runs, T1))
    return Finding(why=_why(runs, T1), claims=_claims(runs, T1), pictures=[drawn], notes=[T1.why])


def _read_second(runs: Runs) -> Finding:
    drawn = Picture(
        "Throughput, round-trip time, the numbers of the paper beside our numbers, and the path", picture(runs)
    )
    return Finding(why=_why(runs, T2), claims=_claims(runs, T2), pictures=[drawn], notes=[T2.why])


def _read_losses(runs: Runs) -> Finding:
    claims, words = [], []
    for network in (T1, T2):
        lost = {name: loss_percent(runs.of(network.id, 1e-4, name)) for name in _COLOUR}
        more = bp.relative_change(lost["hybla"], lost["hybla-im"])
        what = f"{network.id}, PER 1e-4: packet loss rate, Hybla against Hybla-IM"
        claims.append(Claim(what=what, sign=1, measured=more))
        shares = " and ".join(f"{name} {bp.estimate(values).text(2)} %" for name, values in lost.items())
        words.append(f"over {network.id}, {shares} of the sent packets")
    return Finding(why="; ".join(words), claims=claims)


def _draw_throughput(axis: Axes, runs: Runs, network: Network, per: float) -> None:
    """Draw the throughput of both controllers over time: running mean over 5 s, with mean and range over the seeds."""
    for name, colour in _COLOUR.items():
        series = [plots.over_time(run.flows, "goodput_mbit_s") for run in runs.of(network.id, per, name)]
        plots.band(axis, series[0][0][::2], [plots.smooth(values, 5)[::2] for _, values in series], name, colour)
    axis.lines[0].set_linewidth(3.0)  # the second line may cover it
    axis.set(title=f"{network.id}, PER {per:g}: mean and range over seeds", xlabel="s", ylim=(0, None))
    axis.set(ylabel="throughput (Mbit/s)")
    axis.legend(fontsize="small", loc="best")


@plots.styled
def _over_time(runs: Runs, network: Network) -> Figure:
    figure, axes = plots.new(1, len(PRINTED), width=11.0)
    for axis, per in zip(axes, PRINTED, strict=True):
        _draw_throughput(axis, runs, network, per)
        axis.set_ylim(0.0, 1.1 * axis.get_ylim()[1])
        axis.legend(fontsize="small", loc="lower right")
    return figure


def _draw_gains(axis: Axes, runs: Runs) -> None:
    """Draw the paper's three percentages beside ours."""
    where = np.arange(len(PRINTED), dtype=np.float64)
    bars: list[tuple[str, str, list[bp.Estimate]]] = [("paper", "#9a9a9a", [bp.fixed(one) for one in PRINTED.values()])]
    for network, colour in ((T1, plots.COLOURS[4]), (T2, plots.COLOURS[0])):
        bars.append((f"measured, {network.id}", colour, [change(runs, network, per) for per in PRINTED]))
    for number, (label, colour, changes) in enumerate(bars):
        places = where + 0.27 * (number - (len(bars) - 1) / 2)
        widths = [one.half_width for one in changes] if number else None
        axis.bar(places, [one.mean for one in changes], 0.25, yerr=widths, label=label, color=colour, capsize=3)
        for place, one in zip(places, changes, strict=True):
            top = max(one.high, 0.0)  # a bar may be too short to see
            axis.annotate(
                f"{one.mean:.1f}".replace("-0.0", "0.0"),
                (place, top),
                (0, 3),
                textcoords="offset points",
                ha="center",
                fontsize="x-small",
            )
    axis.axhline(0.0, color="#000000", linewidth=0.8)
    axis.set_xticks(where, [f"PER {per:g}" for per in PRINTED])
    axis.set(title="Throughput of Hybla-IM against Hybla, 95 % intervals", ylabel="%")
    axis.legend(fontsize="small", loc="best")


def _draw_map(axis: Axes) -> None:
    """Draw Iridium, and the path at the epoch of its orbits."""
    sky = bp.constellation("iridium")
    nodes = sky.satellites()
    places = {
        name: (longitude, latitude)
        for table in (bp.sites(), nodes)
        for name, longitude, latitude in zip(table["name"], table["longitude_deg"], table["latitude_deg"], strict=True)
    }
    hops = [(*places[name], name) for name in sky.shortest("Berkeley", "Boston")["via"][0].split(" > ")]
    plots.world(axis, plots.coastline(), nodes, sky.links(), hops)
    axis.collections[0].set_rasterized(True)  # coastlines are most of the file
    axis.set(title="Berkeley to Boston over Iridium")


@plots.styled
def picture(runs: Runs) -> Figure:
    """Draw the picture of the front page: throughput and round-trip time over T2, the gains, and the map."""
    figure, (left, right, low_left, low_right) = plots.new(2, 2, width=11.0, height=3.0)
    _draw_throughput(left, runs, T2, 1e-3)
    plots.rtt_against_propagation(right, runs.of(T2.id, 1e-3, "hybla-im")[0])
    right.set(title="T2, PER 0.001: round-trip time of hybla-im", xlabel="s")
    right.legend(fontsize="small", loc="best")
    _draw_gains(low_left, runs)
    _draw_map(low_right)
    return figure


STUDY = Study(
    name="demo",
    title="Does Hybla-IM beat Hybla between Berkeley and Boston over Iridium?",
    about="Yang, Li and Wei (“An Improved Hybla Algorithm in Satellite Networks”) reduce Hybla's growth by the share "
    "of the expected bandwidth that is in use. Their controller distinguishes congestion from link errors by the "
    "queueing delay. In ns-2 over Iridium, it had 6, 13 and 17 % more throughput than Hybla at three error rates. "
    "This study repeats these runs, with shorter durations, over the network of the paper (T1) and over a network in "
    "which random losses reduce the throughput (T2).",
    given=(
        Setting("constellation", "Iridium: 780 km, 6 planes of 11, 86.4°; minimum elevation 8.2°", "Table 2"),
        Setting(
            "rates", "25 Mbit/s between satellites, 1.5 Mbit/s up and down, 10 Mbit/s access", "Table 2, section 4"
        ),
        Setting("traffic", "30 flows from Berkeley to Boston", "section 4"),
        Setting("“BER”", "1e-4, 1e-3, 1e-2", "section 4, figures 4 to 7"),
    ),
    chosen=(
        Setting("packet", "1000 B on the wire: 960 B payload, 40 B headers", "ns-2's default"),
        Setting("buffers", "50 packets on every link", "ns-2's default"),
        Setting("duration", "100 s (T1) and 50 s (T2), without a warm-up", "the paper also discusses the start"),
        Setting("TCP", "initial window 2, an ACK per segment, SACK recovery, minimum RTO 200 ms", "ns-2's time"),
        Setting("meaning of “BER”", "packet error rate", "bit errors would lose 55 % of the packets at 1e-4"),
        Setting(
            "where errors happen",
            "on every inter-satellite link, both directions",
            "the paper does not say whether up- and downlinks have errors",
        ),
        Setting("throughput", "new payload that reaches the receivers per second, all flows", "not defined"),
        Setting("starts", "one flow every 30 ms; access links have 1 ms", "not given"),
        Setting(
            "seeds",
            "each seed begins at another time of the satellites' revolution",
            "intervals include the motion of the satellites",
        ),
        Setting("hybla", "rho is computed from the smoothed RTT", "the paper's criticism requires it"),
        Setting(
            "hybla-im",
            "smoothed bandwidth, rho_new at least 1, packet spacing",
            "with the printed formula, the growth nearly stops",
        ),
    ),
    rows=(
        Row(
            id="D-01",
            place="Figures 4, 6 and 7, section 4",
            what=f"throughput over {T1.id}, {T1.title}",
            says="Hybla-IM 6, 13 and 17 % higher at 1e-4, 1e-3 and 1e-2",
            plan=lambda effort: plan(effort, T1),
            read=_read_first,
        ),
        Row(
            id="D-02",
            place="not in the paper: a network in which the error rate has an effect",
            what=f"throughput over {T2.id}, {T2.title}",
            says="the same percentages, for the network of the paper",
            plan=plan,
            read=_read_second,
        ),
        Row(
            id="D-03",
            place="Figure 5, section 4",
            what="packets lost at PER 1e-4",
            says="the loss rate of Hybla is higher",
            plan=plan,
            read=_read_losses,
        ),
    ),
)


def question() -> str:
    """Return the question in one line, for readers who do not know the paper."""
    lost = ", ".join(f"{10_000 * per:g}" for per in PRINTED)
    gains = ", ".join(f"{percent:g}" for percent in PRINTED.values())
    return (
        "Question: does Hybla-IM carry more than Hybla from Berkeley to Boston over the Iridium satellites? Its "
        f"paper reports {gains} % more if each inter-satellite link loses {lost} of 10,000 packets."
    )


def answer(runs: Runs) -> str:
    """Return the answer in one sentence, computed from the intervals."""

    def found(network: Network, where: str) -> str:
        changes = [change(runs, network, per) for per in PRINTED]
        more = sum(one.low > 0.0 for one in changes)
        word = {0: "no", len(PRINTED): "yes"}.get(more, f"at {more} of {len(PRINTED)} loss rates")
        # One digit is enough here, and a zero has no minus.
        texts = (f"{round(one.mean, 1) + 0.0:+.1f} ± {one.half_width:.1f}" for one in changes)
        return f"{word} {where} ({', '.join(texts)} %)"

    return (
        f"{found(T1, 'over the network of the paper')}; "
        f"{found(T2, 'with fewer flows and a faster uplink, where losses reduce the throughput')}; "
        f"means of {len(runs.effort.seeds)} seeds with 95 % intervals"
    )
