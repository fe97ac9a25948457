# SPDX-License-Identifier: MIT OR Apache-2.0
"""Section 4.5: five NewReno flows beside one flow of another variant (figures 12 and 13)."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from operator import methodcaller

import bentpipe as bp
from bentpipe import plots
from bentpipe import study as st
from bentpipe_papers import ns2
from bentpipe_papers.a_liad import bed, readings
from bentpipe_papers.a_liad.bed import PAPERS, bdp_packets, crowd
from bentpipe_papers.a_liad.readings import Reading

GROUP_B = 5
_SHORT_MS, _LONG_MS = 25.0, bed.GEO_MS
MAIN = readings.MAIN
#: The readings that count if a claim has no curve, and all readings that are shown.
COUNTED = (readings.CITED, readings.LATE, readings.SMALL)
READ = (*COUNTED, readings.BARE_MODULES, readings.BARE_MACHINE, readings.BARE_SMALL)
#: A-LIAD and NewReno are equal in all variants.
READ_A_LIAD = tuple(one for one in READ if one not in (readings.CITED, readings.BARE_MODULES))
COUNTED_LONG = (readings.CITED, readings.LATE)
READ_LONG = (*COUNTED_LONG, readings.BARE_MODULES, readings.BARE_MACHINE)
#: Further, recent variants, with starts within 5 s.
SHOWN_LATE = ("CUBIC RFC 9438", "Hybla")
_BEST, _WORST = ("HSTCP", "CUBIC"), ("STCP", "A-LIAD")
PAPER_CHANGE = {"STCP": -45.0, "A-LIAD": -38.0, "CUBIC": -11.0}


def duration_s(rtt_ms: float, effort: st.Effort) -> float:
    return effort.pick(40.0 if rtt_ms < 100.0 else 70.0, 300.0)


def beside(
    name: str, controller: bed.Controller, rtt_ms: float, seed: int, effort: st.Effort, how: Reading = MAIN
) -> bp.Scenario:
    members = [("B NewReno", bed.PAPERS["NewReno"])] * GROUP_B + [(f"A {name}", controller)]
    return crowd(
        members,
        seed,
        within_s=how.within_s,
        rtt_ms=rtt_ms,
        buffer=how.buffer,
        duration_s=duration_s(rtt_ms, effort),
        tcp=how.tcp,
    )


def plan(effort: st.Effort, rtt_ms: float, others: Sequence[Reading]) -> dict[st.Key, bp.Scenario]:
    runs: dict[st.Key, bp.Scenario] = {}
    for how in (MAIN, *others):
        for (name, controller), seed in product(how.variants.items(), effort.seeds):
            runs[how.name, name, seed] = beside(name, controller, rtt_ms, seed, effort, how)
    for name, seed in product(SHOWN_LATE, effort.seeds):
        runs[readings.LATE.name, name, seed] = beside(name, bed.ALL[name], rtt_ms, seed, effort, readings.LATE)
    return runs


class Groups:
    """The goodput that the NewReno flows keep beside each variant, in one reading."""

    def __init__(self, runs: st.Runs, how: str) -> None:
        self.runs, self.how = runs, how

    def kept(self, name: str) -> list[float]:
        """Sum of the goodputs of the NewReno flows in Mbit/s, one per seed."""
        return [sum(st.goodputs(run, "B NewReno")) for run in self.runs.of(self.how, name)]

    def harm(self, name: str) -> bp.Estimate:
        """Change of the NewReno flows' goodput if a flow of `name` replaces a sixth NewReno flow, in percent."""
        return bp.relative_change(self.kept(name), self.kept("NewReno"))

    def harms(self, name: str) -> list[float]:
        """The changes of `harm`, one per seed."""
        pairs = zip(self.kept(name), self.kept("NewReno"), strict=True)
        return [100.0 * (with_it / without - 1.0) for with_it, without in pairs]

    def ranked(self) -> list[str]:
        """The variants sorted by `harm`, the friendliest first."""
        return sorted((name for name in PAPERS if name != "NewReno"), key=lambda name: -self.harm(name).mean)

    def best(self) -> bp.Estimate:
        """Harm of the less friendly “best” variant minus that of the friendliest other variant, in points."""
        order = self.ranked()
        return self._between(max(_BEST, key=order.index), next(name for name in order if name not in _BEST))

    def worst(self) -> bp.Estimate:
        """Harm of the friendlier “worst” variant minus that of the least friendly other variant, in points."""
        order = self.ranked()
        return self._between(min(_WORST, key=order.index), next(name for name in order[::-1] if name not in _WORST))

    def lowest(self) -> bp.Estimate:
        """Harm of CUBIC minus that of the least friendly other variant, in points."""
        return self._between("CUBIC", next(name for name in self.ranked()[::-1] if name != "CUBIC"))

    def _between(self, one: str, other: str) -> bp.Estimate:
        return st.paired(self.harms(one), self.harms(other))


def in_readings(
    runs: st.Runs, others: Sequence[Reading], value: Callable[[Groups], bp.Estimate]
) -> tuple[st.InReading, ...]:
    return readings.otherwise(others, lambda how: value(Groups(runs, how)))


def sheet(runs: st.Runs, rtt_ms: float, others: Sequence[Reading]) -> st.Sheet:
    groups = [Groups(runs, how.name) for how in (MAIN, *others)]
    late = Groups(runs, readings.LATE.name)
    names = [name for name in PAPERS if name != "NewReno"]
    return st.Sheet(
        f"{rtt_ms:g} ms ({bdp_packets(10.0, rtt_ms):.0f} packets in the path): change of the NewReno flows' goodput",
        ("the sixth flow", *(how.name for how in (MAIN, *others))),
        [
            *([name, *(st.change_text(group.harm(name)) for group in groups)] for name in names),
            *(
                [name, *(st.change_text(late.harm(name)) if group.how == late.how else "–" for group in groups)]
                for name in SHOWN_LATE
            ),
        ],
    )


def share(run: bp.Run) -> float:
    rates = st.goodputs(run)
    return rates[-1] / sum(rates)


def picture(runs: st.Runs, others: Sequence[Reading], caption: str, marks: Mapping[str, float]) -> st.Picture:
    figure, (axis,) = plots.new(1, 1, height=4.4)
    names = [name for name in PAPERS if name != "NewReno"]
    groups = [Groups(runs, how.name) for how in (MAIN, *others)]
    st.bars(axis, names, [(group.how, [group.harm(name) for name in names]) for group in groups])
    if marks:
        places = [names.index(name) for name in marks]
        axis.plot(list(marks.values()), places, "k|", markersize=16, markeredgewidth=2, label="paper")
    axis.axvline(0.0, color="#000000", linewidth=0.8)
    axis.set(xlabel="change of the five NewReno flows' goodput (%)")
    axis.legend(fontsize="small", ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return st.Picture(caption, figure)


@st.reads(
    id="A-24",
    place="Figure 12, section 4.5",
    what="friendliness to 5 NewReno flows, 25 ms",
    says="NewReno loses 45 % to STCP, 38 % to A-LIAD, and 11 % to CUBIC. HSTCP and CUBIC are the friendliest variants, "
    "and STCP and A-LIAD the least friendly",
    plan=lambda effort: plan(effort, _SHORT_MS, READ),
)
def read_friendliness(runs: st.Runs) -> st.Finding:
    main = Groups(runs, MAIN.name)
    bare = Groups(runs, readings.BARE_MACHINE.name)
    measured = {name: main.harm(name) for name in PAPERS}
    length_s = duration_s(_SHORT_MS, runs.effort)

    def said(group: Groups) -> str:
        return ", ".join(f"{name} {group.harm(name).mean:.0f}" for name in reversed(group.ranked()))

    return st.found(
        "The order of the variants depends on the TCP, and on the versions of Westwood and BIC. A-LIAD's number "
        "depends on the TCP, the buffer and the start times. The goodput of the NewReno flows changes by (in %): "
        f"{said(main)}. With the minimal TCP and the variants as published, it changes by: {said(bare)}",
        *(
            st.claim(
                f"goodput of five NewReno flows beside {name}, compared with the same flows beside a sixth NewReno "
                "flow",
                measured[name],
                st.equals(paper, within=max(2.0, 0.05 * abs(paper)), sign=-1),
                readings=in_readings(runs, READ_A_LIAD if name == "A-LIAD" else COUNTED, methodcaller("harm", name)),
                headline="A-LIAD reduces “the throughput of the NewReno flows in Group B” by “38%”"
                if name == "A-LIAD"
                else "",
                decides=(
                    "How much A-LIAD reduces its window at a loss depends on the rule for W_max; the TCP, the buffer "
                    "and the start times also have an effect"
                )
                if name == "A-LIAD"
                else "",
                note="The paper also ran six NewReno flows; this run is the base of the comparison",
            )
            for name, paper in PAPER_CHANGE.items()
        ),
        st.claim(
            f"goodput that NewReno flows keep beside the less friendly of {' and '.join(_BEST)} (“the best”), minus "
            "what they keep beside the friendliest other variant",
            main.best(),
            st.above("points"),
            readings=in_readings(runs, COUNTED, Groups.best),
            decides=(
                "Westwood of 2001 takes more bandwidth from NewReno than Westwood+, and the paper does not say which "
                "of them it ran"
            ),
        ),
        st.claim(
            f"goodput that NewReno flows keep beside the friendlier of {' and '.join(_WORST)} (“the worst”), minus "
            "what they keep beside the least friendly other variant",
            main.worst(),
            st.below("points"),
            readings=in_readings(runs, COUNTED, Groups.worst),
            headline="STCP and A-LIAD show the worst friendliness property for a short RTT",
            decides="The paper does not say whether its Westwood is that of 2001 or Westwood+, and which BIC it ran",
        ),
        sheet(runs, _SHORT_MS, READ),
        *ns2.sheets("change of the NewReno flows, %", measured, {"ns-2.35": ns2.harm}),
        picture(runs, READ, "Figure 12: NewReno beside each variant, 25 ms", PAPER_CHANGE),
        f"All {length_s:g} s count, including the start"
        + (", as the paper says." if length_s == 300.0 else " (the paper: 300 s)."),
        "The text calls HSTCP and CUBIC the best and STCP and A-LIAD the worst. It does not mention Westwood. "
        "TCP-Linux's module of Westwood is Westwood+, which takes hardly any bandwidth from NewReno.",
    )


#: The variants with “one of the highest values” at 600 ms.
HARSH_LONG = ("CUBIC", "STCP", "A-LIAD")


def plan_aggressiveness(effort: st.Effort) -> dict[st.Key, bp.Scenario]:
    short: dict[st.Key, bp.Scenario] = {
        ("short", how.name, name, seed): beside(name, how.variants[name], _SHORT_MS, seed, effort, how)
        for how, name, seed in product((MAIN, *READ_LONG), ("CUBIC", "NewReno"), effort.seeds)
    }
    return plan(effort, _LONG_MS, READ_LONG) | short


#: The variants of figure 13 that the text does not call the most aggressive.
REST = ("BIC", "HSTCP", "Westwood")


def above_the_rest(name: str, group: Groups) -> bp.Estimate:
    middle = [statistics.median(each) for each in zip(*(group.harms(one) for one in REST), strict=True)]
    return st.paired(group.harms(name), middle)


def longer(group: Groups) -> bp.Estimate:
    taken, base = (
        [sum(st.goodputs(run, "B NewReno")) for run in group.runs.of("short", group.how, name)]
        for name in ("CUBIC", "NewReno")
    )
    short = [100.0 * (a / b - 1.0) for a, b in zip(taken, base, strict=True)]
    return st.paired(group.harms("CUBIC"), short)


@st.reads(
    id="A-25",
    place="Figure 13, section 4.5",
    what="aggressiveness at 600 ms",
    says="CUBIC's aggressiveness has one of the highest values, as have those of STCP and A-LIAD",
    plan=plan_aggressiveness,
)
def read_aggressiveness(runs: st.Runs) -> st.Finding:
    main = Groups(runs, MAIN.name)
    claims = [
        *(
            st.claim(
                f"change of the NewReno flows beside {name}, minus the median change beside {', '.join(REST)}",
                above_the_rest(name, main),
                st.below("points"),
                note="We read “one of the highest values” as above the median of the other variants",
                readings=in_readings(runs, COUNTED_LONG, partial(above_the_rest, name)),
            )
            for name in HARSH_LONG
        ),
        st.claim(
            "change of the NewReno flows beside CUBIC at 600 ms, minus the change at 25 ms",
            longer(main),
            st.below("points"),
            readings=in_readings(runs, COUNTED_LONG, longer),
        ),
        st.claim(
            "change of the NewReno flows beside CUBIC, minus the change beside the least friendly other variant",
            main.lowest(),
            st.below("points"),
            note=(
                "The paper's sentence “CUBIC is already a part of the OS Linux kernel, and its friendliness is the "
                "lowest among all the evaluated protocols” is about the round trip of 600 ms"
            ),
            readings=in_readings(runs, COUNTED_LONG, Groups.lowest),
        ),
    ]
    wide = [name for name, claim in zip(HARSH_LONG, claims, strict=False) if claim.open]
    equal = bp.estimate([100.0 * share(run) for run in runs.of(MAIN.name, "NewReno")])
    even = 100.0 / (GROUP_B + 1)
    return st.found(
        "Over 600 ms, NewReno's window needs minutes to grow back after a loss, and faster variants take its "
        "bandwidth. The goodput of the NewReno flows changes by (in %): "
        + ", ".join(f"{name} {main.harm(name).mean:.0f}" for name in reversed(main.ranked()))
        + (f". For {', '.join(wide)}, the interval is too wide for a result" if wide else ""),
        *claims,
        sheet(runs, _LONG_MS, READ_LONG),
        picture(runs, READ_LONG, "Figure 13: NewReno beside each variant, 600 ms", {}),
        f"All {duration_s(_LONG_MS, runs.effort):g} s count. In the baseline of six NewReno flows, the sixth flow has "
        f"{equal.text(1)} % of the goodput; equal shares are {even:.1f} %"
        + (", so the baseline is not in a steady state." if equal.half_width > even / 4.0 else "."),
    )
