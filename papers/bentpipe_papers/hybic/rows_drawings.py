# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's drawings and its introduction (Y-07, Y-08, Y-16)."""

from __future__ import annotations

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers.transport import BARE

#: One-way delay of a branch. A path has two branches, and its round trip is twice the sum of their delays.
BRANCHES_MS = {"terrestrial": 25.0, "satellite": 275.0, "testbed": 1118.5}
PATHS = {"terrestrial": 100.0, "satellite": 600.0, "testbed": 2287.0}


def plan_star(effort: st.Effort) -> st.Plan:
    branches = [bp.Branch(site="server", rate="100 Mbit/s", delay="25 ms", queue="500 packets")]
    branches += [
        bp.Branch(site=site, rate="100 Mbit/s", delay=f"{delay_ms:g} ms", queue="500 packets")
        for site, delay_ms in BRANCHES_MS.items()
    ]
    flows = [bp.Flow(controller="hybic", name=site, from_="server", to=site, size="200 kB") for site in BRANCHES_MS]
    return {
        ("star", effort.seeds[0]): bp.Scenario(
            name="star of terrestrial and satellite branches",
            duration="40 s",
            seed=effort.seeds[0],
            network=bp.Star(branches=branches),
            tcp=BARE,
            flows=flows,
            record=bp.Record(interval="off", events=False),
        )
    }


@st.reads(
    id="Y-07",
    place="Figure 1",
    what="the reference topology",
    says="The topology is a star of integrated satellite and terrestrial networks.",
    plan=plan_star,
)
def read_star(runs: st.Runs) -> st.Finding:
    (run,) = runs.of("star")
    least = {flow["name"]: st.given(flow["rtt_ms"])["min"] for flow in run.summary["flows"]}
    rows = [[site, f"{PATHS[site]:g}", f"{least[site]:.1f}", f"{PATHS[site] / 100.0:.2f}"] for site in BRANCHES_MS]
    figure, (axis,) = plots.new(1, 1, height=2.8)
    where = {"server": (0.0, 0.5), "hub": (1.2, 0.5), "terrestrial": (2.6, 0.95), "satellite": (2.6, 0.5)}
    where["testbed"] = (2.6, 0.05)
    for site, (x, y) in where.items():
        if site != "hub":
            axis.plot([where["hub"][0], x], [where["hub"][1], y], color=plots.COLOURS[0], linewidth=2, zorder=1)
            delay_ms = BRANCHES_MS.get(site, 25.0)
            middle = (0.5 * (x + 1.2), 0.5 * (y + 0.5) + 0.05)
            paper = {"boxstyle": "square,pad=0.1", "facecolor": "#ffffff", "edgecolor": "none"}
            axis.text(*middle, f"100 Mbit/s, {delay_ms:g} ms", ha="center", fontsize="small", bbox=paper, zorder=2)
        box = {"boxstyle": "round", "facecolor": "#ffffff", "edgecolor": "#000000"}
        axis.text(x, y, site, ha="center", va="center", bbox=box, zorder=3)
    axis.set(xlim=(-0.4, 3.1), ylim=(-0.1, 1.1))
    axis.set_axis_off()
    return st.found(
        "The drawing has no numbers. It "
        "shows a star of terrestrial and "
        "satellite paths. The round trip of "
        "our terrestrial path, the "
        "reference, is 100 ms. Our "
        "satellite paths have 600 ms and "
        "2287 ms; the authors measured the "
        "second value. The smallest "
        "measured round trips are " + ", ".join(f"{value:.1f} ms ({site})" for site, value in least.items()),
        st.Sheet("Paths of the star", ("to", "RTT (ms)", "least RTT measured (ms)", "rho"), rows),
        st.Picture("Figure 1 drawn as a star of three branches, each with its one-way delay.", figure),
    )


STEPS = (
    ("1 initialise", "IW, MSS, gamma, RTTs, A, beta", "the scenario's `tcp` table and the controller's parameters"),
    (
        "2 constants",
        "rho, t_gamma",
        "rho from the smallest RTT at each ACK; t_gamma is not used, because slow start ends at the window rho gamma",
    ),
    (
        "3 ACKs",
        "count ACKs, detect losses",
        "the transport does this (SACK, timeouts) and reports events to the controller",
    ),
    ("4 phase", "slow start or avoidance, by W and gamma", "W < ssthresh, ssthresh = rho gamma at first"),
    ("5 variables", "W, K, R, Wmax", "W and R at each ACK; K and Wmax at a loss or at the end of slow start"),
    ("6 exit", "return values, close", "the run's summary and series"),
)


@st.reads(
    id="Y-08",
    place="Figure 2, section II.B",
    what="the six steps of the implementation",
    says="The steps are: initialise, constants, ACKs, phase, variables, exit.",
)
def read_pipeline(_: st.Runs) -> st.Finding:
    figure, (axis,) = plots.new(1, 1, height=2.2)
    for place, (name, paper, _ours) in enumerate(STEPS):
        words = paper.replace(", ", ",\n").replace(" or ", " or\n")
        box = {"boxstyle": "round,pad=0.5", "facecolor": "#ffffff", "edgecolor": "#000000"}
        axis.text(place, 0.0, f"{name}\n\n{words}", ha="center", va="center", fontsize="x-small", bbox=box)
        if place:
            axis.annotate("", (place - 0.38, 0.0), (place - 0.62, 0.0), arrowprops={"arrowstyle": "->"})
    axis.annotate("", (2, -0.75), (4, -0.75), arrowprops={"arrowstyle": "->", "connectionstyle": "arc3,rad=-0.25"})
    axis.text(3, -1.25, "until the time is over", ha="center", fontsize="x-small")
    axis.set(xlim=(-0.6, 5.6), ylim=(-1.4, 1.0))
    axis.set_axis_off()
    return st.found(
        "The block diagram has no numbers. Our controller and its transport contain all six steps, except t_gamma of "
        "the second step. Slow start ends when W reaches rho gamma instead of at the time t_gamma: over 2287 ms, "
        "t_gamma comes before the first ACK",
        st.Sheet(
            ("The steps of Figure 2, and which part of Bentpipe performs each step"), ("step", "paper", "here"), STEPS
        ),
        st.Picture("The block diagram of Figure 2 drawn again: the six steps of HYBIC.", figure),
    )


NAMED = {
    "HS-TCP": "hstcp",
    "Scalable TCP": "stcp",
    "BIC-TCP": "bic",
    "CUBIC": "cubic",
    "FAST": "",
    "H-TCP": "h-tcp",
    "Hybla": "hybla",
}


@st.reads(
    id="Y-16",
    place="Section I",
    what="statements of the introduction",
    says="TCP carries 80-90 % of the traffic. The text names HS-TCP, Scalable TCP, BIC, CUBIC, FAST, H-TCP and Hybla.",
)
def read_named(_: st.Runs) -> st.Finding:
    known = {str(one["name"]): str(one["summary"]) for one in bp.controllers()}
    rows = [[name, entry or "-", known.get(entry, "not built")] for name, entry in NAMED.items()]
    there = sum(entry in known for entry in NAMED.values())
    return st.found(
        f"The introduction names {len(NAMED)} schemes, of which {there} are in our catalogue. The paper does not "
        "describe FAST. A simulation cannot measure the statement that TCP carries 80 to 90 % of the traffic",
        st.Sheet(
            "Congestion controllers that the introduction names, and those of our catalogue",
            ("paper", "controller", "what it is"),
            rows,
        ),
    )
