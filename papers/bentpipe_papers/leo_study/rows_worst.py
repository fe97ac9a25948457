# SPDX-License-Identifier: MIT OR Apache-2.0
"""The worst case: a search over all paths between a hundred cities, then packets (G-07)."""

from __future__ import annotations

import bentpipe as bp
from bentpipe import study as st
from bentpipe_papers.leo_study import bed
from bentpipe_papers.leo_study.bed import BY_DISTANCE, WASHINGTON, Pair
from bentpipe_papers.leo_study.pairs import HEAD, fared, mean, over_time, points, table

TOP = 100
#: A pair that the search finds, in the direction of the slides: two origins, one destination.
WORST = Pair("Santiago Chile", "Kunming", "Chongqing")
KUNMING_KM = 630.0
#: The next pairs of the result with other paths.
OTHERS = (
    Pair("Hangzhou", "Belo Horizonte", "São Paulo"),
    Pair("Buenos Aires", "Kunming", "Chongqing"),
    Pair("Santiago Chile", "Shenyang", "Tianjin"),
    Pair("Mexico City", "Poona", "Madras"),
)


def plan(effort: st.Effort) -> st.Plan:
    geo = bed.variants(KUNMING_KM)[BY_DISTANCE]
    runs: dict[st.Key, bp.Scenario] = {}
    for seed in effort.seeds:
        runs["Reno", seed] = bed.competing(WORST, "reno", seed, label="Reno")
        runs["Washington", seed] = bed.competing(WASHINGTON, "reno", seed, label="Reno")
    for seed in bed.seeds(effort, 2):
        runs[BY_DISTANCE, seed] = bed.competing(WORST, geo, seed, label=BY_DISTANCE)
    if not effort.quick:
        for pair in OTHERS:
            runs[pair] = bed.competing(pair, "reno", effort.seeds[0], label="Reno")
    return runs


@st.reads(
    id="G-07",
    place="Problem 1, “In the worst case scenario...”",
    what="the unfairest pair of paths",
    says="The slides show a picture of two rates and do not name the pair",
    plan=plan,
)
def read(runs: st.Runs) -> st.Finding:
    found = bed.of_seeds({label: runs.of(label) for label in ("Reno", BY_DISTANCE)})
    washington = [bed.fairness(run) for run in runs.of("Washington")]
    search = bp.bottlenecks(bed.competing(WASHINGTON, "reno", 1), top=TOP, limit=30)
    places = bed.places()
    lines = []
    for row in search.arrow.slice(0, 10).to_pylist():
        long, short = (bed.geodesic_km(places[row[f"{w}_from"]], places[row[f"{w}_to"]]) for w in ("long", "short"))
        lines.append(
            [
                f"{row['long_from']} > {row['long_to']}",
                f"{row['short_from']} > {row['short_to']}",
                f"{row['shared_s']:.0f}",
                f"{row['long_rtt_ms']:.0f}",
                f"{row['short_rtt_ms']:.1f}",
                f"{row['rtt_ratio']:.1f}",
                f"{long / short:.0f}",
                row["kind"],
            ]
        )
    ends = [{(r["long_from"], r["long_to"]), (r["short_from"], r["short_to"])} for r in search.arrow.to_pylist()]
    place = 1 + ends.index({(WORST.long, WORST.to), (WORST.short, WORST.to)})
    worst = search.arrow.slice(place - 1, 1).to_pylist()[0]
    sheets = [
        fared(f"Rates and fairness of the search's pair at place {place}", found),
        st.Sheet(
            f"Search among {TOP} cities: the highest-ranked pairs of paths, by the time with a shared link (s) "
            "multiplied by the ratio of round trips",
            st.heads(
                "longer path | shorter path | link shared, s | longer RTT, ms | shorter RTT, ms | ratio of RTTs | "
                "ratio of distances | shared link"
            ),
            lines,
        ),
    ]
    if not runs.effort.quick:
        sheets.append(st.Sheet("Simulation of other candidates of the search (Reno, one seed)", HEAD, candidates(runs)))
    reno = found["Reno"]
    closer = ""
    if not runs.effort.quick:
        lowest = min(OTHERS, key=lambda pair: bed.fairness(runs[pair]).ratio)
        closer = (
            f". With one seed, the ratio of {lowest.long} and {lowest.short} to {lowest.to} is "
            f"{bed.fairness(runs[lowest]).ratio:.0f} %"
        )
    return st.found(
        "The shares are least equal if paths of very different lengths share a link for a long time. A search by "
        f"these two criteria ranks the paths from {WORST.long} and {WORST.short} to {WORST.to} (round trips of "
        f"{worst['long_rtt_ms']:.0f} and {worst['short_rtt_ms']:.0f} ms) at place {place}. The smaller goodput of "
        f"this pair is {mean(reno, 'ratio').text(0, '%')} of the larger under Reno, and "
        f"{mean(found[BY_DISTANCE], 'ratio').text(0, '%')} under Geo-Reno. The slides name no pair, so they may show "
        f"another pair{closer}",
        st.claim(
            f"Reno, pair at place {place} of the search minus the slides' pair: smaller goodput divided by the larger",
            points(reno, washington),
            st.below("points"),
        ),
        st.claim(
            f"Reno, pair at place {place} of the search: the lower-latency flow's share of the goodput of both flows",
            st.sampled([100.0 * f.short / f.total for f in reno]),
            st.above(than=50.0),
        ),
        *sheets,
        st.Picture(
            f"The search's pair at place {place}, first seed; grey: the paths share a link",
            over_time(runs, "Reno", BY_DISTANCE),
        ),
    )


def candidates(runs: st.Runs) -> list[list[str]]:
    lines = []
    for pair in OTHERS:
        fair = bed.fairness(runs[pair])
        [line] = table({f"{pair.long} and {pair.short} to {pair.to}": [fair]})
        # One seed has no interval.
        lines.append([cell.split(" ± ")[0] for cell in line])
    return lines
