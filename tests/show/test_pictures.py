# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pictures and what notebooks show: every name as it is, every flow until it ends, no axis without meaning."""

from __future__ import annotations

import itertools
import json
import math
import re
import statistics
import warnings
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

import bentpipe as bp
from bentpipe import plots
from bentpipe.base.names import plotted, printable
from bentpipe.show.pictures import dots
from project import SMALL, Command

#: What matplotlib reads as mathematics, leaves out of a legend, or a terminal obeys.
NAMES = ("p$\\q$", "cost $5 vs $10", "_hidden", "a^{b", "red\x1b[31m", "turned\u202egnp")
NAMED = """
name = 'p$\\q$ _title'
duration = "2 s"
network.dumbbell = { rate = "5 Mbit/s", rtt = "40 ms" }
"""


def named(*names: str) -> bp.Scenario:
    path = bp.Dumbbell(rate="5 Mbit/s", rtt="40 ms")
    return bp.Scenario(
        name=names[0], duration="2 s", network=path, flows=[bp.Flow(controller="reno", name=name) for name in names]
    )


def words(picture: Path) -> list[str]:
    """The texts of an SVG."""
    found = ElementTree.fromstring(picture.read_text()).iter("{http://www.w3.org/2000/svg}text")  # noqa: S314 - ours
    return ["".join(one.itertext()).strip() for one in found]


# ---- names -------------------------------------------------------------------------------------------------------


def test_every_name_stands_in_pictures_as_it_is(tmp_path: Path) -> None:
    run = bp.run(named(*NAMES))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for number, figure in enumerate((run.plot(), run.plot_links())):
            plots.save(figure, tmp_path / f"{number}.svg")
            plots.save(figure, tmp_path / f"{number}.png")
    said = words(tmp_path / "0.svg")
    for name in NAMES:
        assert said.count(printable(name)) == 3, (name, said)  # goodput, window, round-trip time
    assert f"{printable(NAMES[0])} (seed 1)" in said


def test_long_names_leave_room_for_what_is_drawn(tmp_path: Path) -> None:
    """Labels of 200 letters left panels of no width (matplotlib: "axes sizes collapsed to zero")."""
    names = [f"{'x' * 198} {number}" for number in range(3)]
    scenario = named(*names)
    run = bp.run(scenario)
    figures = [run.plot(), run.plot_links(), bp.compare(scenario, "reno,cubic", seeds=1).plot_windows()]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for number, figure in enumerate(figures):
            plots.save(figure, tmp_path / f"{number}.svg")
            width = figure.get_figwidth() * figure.dpi
            for axis in figure.axes[:2]:
                assert axis.get_window_extent().width > 0.3 * width or axis.get_label() == "<colorbar>"
            for legend in figure.legends:
                assert 0.0 <= legend.get_window_extent().x0 <= legend.get_window_extent().x1 <= width
    said = words(tmp_path / "0.svg")
    assert all(said.count(plotted(name)) == 3 for name in names), "the ends tell them apart"
    assert max(map(len, said)) < 120


def test_a_comparison_and_a_report_of_such_names(tmp_path: Path, cli: Command) -> None:
    (tmp_path / "x.toml").write_text(named(*NAMES).to_toml())
    done = cli("compare", "x.toml", "--controllers", "reno,cubic", "--seeds", 1, "--windows", "w.png", "--out", "out")
    assert done.returncode == 0, done.stderr
    assert cli("report", "out/reno-s1").returncode == 0
    assert cli("plot", "out/reno-s1").returncode == 0


def test_no_control_character_reaches_the_terminal(tmp_path: Path, cli: Command) -> None:
    (tmp_path / "x.toml").write_text(named("red\x1b[31m", "line\nbreak").to_toml())
    done = cli("run", "x.toml")
    assert done.returncode == 0, done.stderr
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", done.stdout + done.stderr)
    assert " red\\x1b[31m " in done.stdout
    assert " line\\x0abreak " in done.stdout
    assert plotted("_x") == " _x"


def test_logarithms_are_written_out(tmp_path: Path) -> None:
    result = bp.compare(SMALL, ["reno", "cubic"], seeds=1)
    plots.save(result.plot_windows(), tmp_path / "w.svg")
    said = words(tmp_path / "w.svg")
    assert {"1", "10"} <= set(said)
    assert not [one for one in said if "$" in one]


# ---- what is drawn -----------------------------------------------------------------------------------------------


def test_a_flow_that_is_done_ends_and_all_is_under_it() -> None:
    scenario = SMALL.replace(
        'flows = [{ controller = "reno" }]',
        'flows = [{ controller = "reno", name = "whole" }, { controller = "cubic", name = "short", size = "200 kB" }]',
    )
    run = bp.run(scenario)
    done = run.summary["flows"][1]["completed_at_s"]
    goodput, window, rtt, _ = run.plot().axes
    for axis in (goodput, window, rtt):
        lines = {str(line.get_label()): line for line in axis.get_lines()}
        assert float(np.max(lines["whole"].get_xdata())) == pytest.approx(2.0)
        assert done <= float(np.max(lines["short"].get_xdata())) <= done + 0.2
    lines = {str(line.get_label()): line for line in goodput.get_lines()}
    assert lines["all"].get_zorder() < lines["whole"].get_zorder()
    assert all(line.get_drawstyle().startswith("steps") for line in window.get_lines())


@pytest.mark.parametrize(
    ("flows", "says"),
    [
        (
            '[{ kind = "cbr", rate = "1 Mbit/s" }]',
            {"no round trip was measured", "no packet was lost"},
        ),
        ('[{ kind = "ping" }]', {"no packet was lost"}),
    ],
)
def test_no_axis_without_meaning(flows: str, says: set[str]) -> None:
    run = bp.run(SMALL.replace('[{ controller = "reno" }]', flows))
    axes = run.plot().axes
    assert {text.get_text() for axis in axes for text in axis.texts} == says
    assert [axis.axison for axis in axes].count(False) == len(says)


def test_many_flows_are_all_drawn() -> None:
    run = bp.run(
        SMALL.replace('controller = "reno"', 'controller = "reno", count = 9').replace("5 Mbit/s", "50 Mbit/s")
    )
    _, window, rtt, _ = run.plot().axes
    for axis in (window, rtt):
        # Nine, the mean, what stands for the nine in the legend, and of round trips the propagation.
        assert len(axis.get_lines()) == (11 if axis is window else 12)


def test_a_mean_has_gaps_where_no_flow_is_alive() -> None:
    """At 5 Mbit/s, 20 kB take less than a second: between the starts, 2 s apart, no flow is alive."""
    flows = '[{ controller = "reno", name = "page", size = "20 kB", count = 8, stagger = "2 s" }]'
    scenario = SMALL.replace('[{ controller = "reno" }]', flows).replace('duration = "2 s"', 'duration = "20 s"')
    result = bp.compare(scenario, "reno,cubic", seeds=1)
    run = result.runs["reno"][0]
    ends = [flow["completed_at_s"] for flow in run.summary["flows"]]
    assert max(end - 2.0 * place for place, end in enumerate(ends)) < 1.0
    for axis in (run.plot().axes[1], result.plot_windows().axes[0]):
        (mean,) = [line for line in axis.get_lines() if str(line.get_label()) == "mean of 8 flows"]
        times, values = np.asarray(mean.get_xdata(), dtype=float), np.asarray(mean.get_ydata(), dtype=float)
        for place in range(8):
            assert np.isnan(values[(times > 2.0 * place + 1.2) & (times < 2.0 * place + 1.9)]).all()
            assert np.isfinite(values[(times > 2.0 * place) & (times < ends[place] + 0.1)]).any()
        singles = {line.get_color() for line in axis.get_lines()} - {mean.get_color()}
        assert singles, "single flows have another colour than their mean"


def test_windows_are_of_the_compared_flows() -> None:
    both = SMALL.replace(
        '[{ controller = "reno" }]', '[{ controller = "reno", name = "one" }, { controller = "cubic", name = "two" }]'
    )
    result = bp.compare(both, "reno,vegas", seeds=1, flows="two")
    for axis in result.plot_windows().axes:
        assert [str(line.get_label()) for line in axis.get_lines()] == ["two"]


def test_the_capacity_of_a_trace_is_behind_the_goodput(tmp_path: Path) -> None:
    """Twelve packets of 1504 bytes a second in the first second of the trace, then a hundred: 0.14 and 1.2 Mbit/s."""
    lines = [*(83 * number for number in range(1, 13)), *(1000 + 10 * number for number in range(1, 101))]
    (tmp_path / "up.trace").write_text("".join(f"{line}\n" for line in lines))
    text = f"""
duration = "2 s"
flows = [{{ controller = "cubic" }}]
[network.dumbbell]
trace = "{tmp_path / "up.trace"}"
rtt = "20 ms"
"""
    axis = bp.run(text).plot().axes[0]
    (area,) = [one for one in axis.collections if str(one.get_label()).startswith("capacity of the path: ")]
    heights = area.get_paths()[0].vertices[:, 1]
    # A window of 100 ms holds whole packets, so a rate may be off by one packet: 0.12 Mbit/s.
    assert np.median(heights[heights > 0.5]) == pytest.approx(100 * 1504 * 8 / 1e6, abs=0.121)
    # The rate of a plain link does not vary.
    assert not [one for one in bp.run(SMALL).plot().axes[0].collections if "capacity" in str(one.get_label())]


def test_handovers_and_outages_are_marked(tmp_path: Path) -> None:
    orbit = bp.Constellation(preset="iridium", handover=bp.Handover(outage="500 ms", during="lose"))
    flow = bp.Flow(from_="Berkeley", to="Boston", controller="cubic")
    run = bp.run(bp.Scenario(name="x", duration="200 s", network=orbit, flows=[flow]))
    changes = {row["time_s"] for row in run.events.arrow.to_pylist() if row["event"] == "path"}
    figure = run.plot()
    plots.save(figure, tmp_path / "x.svg")
    (said,) = [one for one in words(tmp_path / "x.svg") if "another satellite at an end" in one]
    told = [1 if count == "once" else int(count.split()[0]) for count in re.findall(r"once|\d+ times", said)]
    assert sum(told[: said.count("line")]) == len(changes) > 0
    assert "lost to an outage" in said
    marks = [collection for collection in figure.axes[0].collections if hasattr(collection, "get_segments")]
    drawn = {float(segment[0][0]) for collection in marks for segment in collection.get_segments()}
    assert drawn == pytest.approx(changes) if len(changes) == 1 else drawn == changes


def test_jumps_of_a_path_are_steps() -> None:
    sky = bp.constellation("iridium")
    track = sky.path("Berkeley", "Boston", duration="20 min")
    figure = plots.paths_over_time([("there", track)], "x")
    line = figure.axes[0].get_lines()[0]
    times, values = np.asarray(line.get_xdata()) * 60.0, np.asarray(line.get_ydata())
    jumps = [b for a, b in zip(track["via"], track["via"][1:], strict=False) if a != b]
    assert np.count_nonzero(np.diff(times) == 0.0) == len(jumps) > 0
    # Where the line climbs, it does so no faster than the path's drift, or at once.
    slopes = np.diff(values) / np.where(np.diff(times) == 0.0, np.inf, np.diff(times))
    fastest = max(abs(rate) for rate in track["rtt_rate_us_s"]) * 1e-3
    assert np.abs(slopes).max() <= 1.5 * fastest


def test_the_curve_of_a_path_ends_with_the_path_on_an_axis_that_goes_on() -> None:
    track = bp.constellation("iridium", min_elevation="20 deg").path("Berkeley", "Boston", duration="20 min")
    there = [time / 60.0 for time, links in zip(track["time_s"], track["links"], strict=True) if links]
    assert 0 < len(there) < len(track)
    axes = plots.paths_over_time([("there", track)], "x").axes
    for axis in axes[:2]:
        line = axis.get_lines()[0]
        times, values = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
        assert set(times[np.isfinite(values)]) <= set(there)
    assert {axis.get_xlim() for axis in axes} == {(0.0, 20.0)}


def test_dots_of_ten_controllers_can_be_read(tmp_path: Path) -> None:
    result = bp.compare(SMALL, "reno,cubic,bbr1,bbr3,vegas,veno,westwood,illinois,h-tcp,cubic{beta=0.8}", seeds=1)
    plots.save(result.plot(), tmp_path / "dots.png")
    width, height = (int.from_bytes((tmp_path / "dots.png").read_bytes()[at : at + 4], "big") for at in (16, 20))
    assert width == 1170, "two panels side by side, for any comparison"
    assert height > 700
    plots.save(result.plot(), tmp_path / "dots.svg")
    said = words(tmp_path / "dots.svg")
    assert all(name in said for name in result.controllers)
    assert "p95 queueing delay (ms), less is better" in said
    assert "baseline" in said
    assert "retransmitted (%), less is better" not in said or "loss (%), less is better" not in said


def test_a_slide_has_what_is_asked_in_order(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(SMALL)
    done = cli(
        *("compare", "x.toml", "--controllers", "reno,vegas,cubic", "--seeds", 1, "--of", "rtt_p95_ms,goodput_mbit_s"),
        *("--picture", "slide.png", "--size", "16x9", "--dpi", 60),
    )
    assert done.returncode == 0, done.stderr
    head = next(line for line in done.stdout.splitlines() if "controller" in line)
    assert re.split(r"  +", head.strip()) == ["controller", "p95 RTT ms", "goodput Mbit/s", "p95 RTT against reno"]
    # 13.333 inches by 7.5 at 60 dots per inch.
    width, height = (int.from_bytes((tmp_path / "slide.png").read_bytes()[at : at + 4], "big") for at in (16, 20))
    assert (width, height) == (800, 450)
    result = bp.compare(SMALL, "reno,vegas,cubic", seeds=1)
    trips, rates = result.plot(of="rtt_p95_ms,goodput_mbit_s").axes
    for axis, key, sign in ((trips, "rtt_p95_ms", 1), (rates, "goodput_mbit_s", -1)):
        names = [label.get_text() for label in axis.get_yticklabels()]
        assert names == sorted(result.controllers, key=lambda name: sign * result.values(name, key)[0])
    with pytest.raises(bp.ArgumentError, match="goodput_mbit_s"):
        result.plot(of="goodput")
    for bad in ("3", "0x9", "16x9 cm", "900x900 in"):
        done = cli("compare", "x.toml", "--controllers", "reno", "--size", bad)
        assert (done.returncode, "8x4.5 in" in done.stderr) == (2, True), done.stderr
    done = cli("compare", "x.toml", "--controllers", "reno", "--picture", "x.jpg")
    assert (done.returncode, done.stderr.startswith("error[argument-value]: x.jpg: ")) == (2, True), done.stderr


@pytest.mark.parametrize("count", [1, 2, 3, 4, 6])
def test_panels_of_several_scenarios_do_not_overlap(count: int) -> None:
    result = bp.compare(SMALL, ["reno", {"name": "cubic", "slow_start": "classic", "beta": 0.85}], seeds=1)
    scenarios = {f"a scenario with a long name {at}": result for at in range(count)}
    figure = dots.side_by_side(scenarios, ["goodput_mbit_s", "rtt_p95_ms"])
    figure.draw_without_rendering()
    panels = [axis for axis in figure.axes if axis.get_visible()]
    assert [axis.get_title(loc="left") for axis in panels] == [*scenarios] * 2
    boxes = [axis.get_tightbbox() for axis in panels]
    assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
    # 5 of 900 dots: the padding of the layout.
    assert all(box.x0 >= 0.0 and box.x1 <= figure.bbox.width + 5.0 for box in boxes)
    # Names and numbers leave at least a fourth of the width of a column to the dots.
    columns = len({round(axis.get_position().x0, 3) for axis in panels})
    assert columns == {1: 1, 2: 2, 3: 3, 4: 2, 6: 3}[count]
    assert all(axis.get_position().width > 0.25 / columns for axis in panels)
    # A number has one axis in all scenarios.
    for block in (panels[:count], panels[count:]):
        assert len({axis.get_xlim() for axis in block}) == 1


def test_two_seeds_are_dots_without_lines() -> None:
    noisy = SMALL.replace('rtt = "40 ms"', 'rtt = "40 ms", loss.per = 0.01')
    for seeds, lines in ((2, 0), (3, 2)):
        result = bp.compare(noisy, "reno,cubic", seeds=seeds)
        figure = result.plot(of="goodput_mbit_s")
        assert len(figure.axes[0].collections) == lines
        assert ("too few for intervals" in figure.get_suptitle()) == (seeds == 2)


def test_an_aim_is_drawn_with_its_numbers(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "web.toml").write_text(
        'duration = "10 s"\nnetwork.dumbbell = { rate = "20 Mbit/s", rtt = "40 ms" }\n'
        'flows = [{ kind = "web", controller = "cubic", users = 2 }, { controller = "cubic" }]\n'
    )
    command = ("compare", "web.toml", "--controllers", "cubic,vegas", "--seeds", 1, "--for", "page-load")
    done = cli(*command, "--picture", "aim.svg")
    assert done.returncode == 0, done.stderr
    assert [said for said in words(tmp_path / "aim.svg") if "is better" in said] == [
        "median page (s), less is better",
        "p95 page (s), less is better",
    ]
    done = cli(*command, "--of", "loss_percent", "--picture", "of.svg")
    assert [said for said in words(tmp_path / "of.svg") if "is better" in said] == ["loss (%), less is better"]


def test_numbers_without_a_difference_are_named() -> None:
    # A link of 100 Mbit/s without losses: two transfers of 15 kB are alike for both, whose windows never matter.
    one = SMALL.replace("5 Mbit/s", "100 Mbit/s").replace(
        'flows = [{ controller = "reno" }]', 'flows = [{ controller = "reno", size = "5 kB" }]'
    )
    figure = bp.compare(one, "reno,cubic", seeds=1).plot()
    (panel,) = figure.axes
    assert panel.get_xlabel().startswith("median completion (s), less is better\n\nthe same number: ")
    assert "loss" in panel.get_xlabel()


def test_numbers_that_are_not_separated_are_not_called_equal() -> None:
    """By hand: 4.303 is Student's t of two degrees of freedom (NIST)."""
    result = bp.compare(SMALL.replace('rtt = "40 ms"', 'rtt = "40 ms", loss.per = 0.01'), "reno,cubic", seeds=3)
    losses = (result.values(name, "loss_percent") for name in result.controllers)
    apart = [theirs - ours for ours, theirs in zip(*losses, strict=True)]
    assert 0.0 < abs(statistics.fmean(apart)) < 4.303 * statistics.stdev(apart) / math.sqrt(3.0)
    said = "\n".join(panel.get_xlabel() for panel in result.plot().axes)
    (line,) = [line for line in said.splitlines() if line.startswith("not separated by 3 seeds: ")]
    assert "loss" in line
    assert "no difference" not in said


def test_unfinished_transfers_are_hatched_from_their_bound() -> None:
    one = SMALL.replace('flows = [{ controller = "reno" }]', 'flows = [{ controller = "reno", size = "100 MB" }]')
    (panel,) = bp.compare(one, "reno,cubic", seeds=1).plot(of="completion_median_s").axes
    bars = [patch for patch in panel.patches if patch.get_hatch()]
    duration = bp.run(one).provenance["duration_s"]
    assert [bar.get_x() for bar in bars] == [duration, duration]
    assert [text.get_text() for text in panel.texts] == [f"> {duration:g} s, 0 of 1 done"] * 2


def test_logarithmic_axes_have_three_labels() -> None:
    """Round values by hand."""
    assert plots.log_ticks(1.0, 1000.0) == [1.0, 10.0, 100.0, 1000.0]
    assert plots.log_ticks(4.0, 18.0) == [5.0, 7.0, 10.0, 15.0]
    assert plots.log_ticks(0.3, 40.0) == pytest.approx([0.3, 1.0, 3.0, 10.0, 30.0])
    assert plots.log_ticks(2.2, 2.9) == pytest.approx([2.2, 2.4, 2.6, 2.8])
    assert [len(plots.log_ticks(10.0**-low, 10.0**high)) >= 3 for low in (0, 3, 9) for high in (1, 4, 12)] == [True] * 9
    assert [plots.tick_text(value) for value in (0.001, 1.0, 50000.0, 1e-6, 3e7)] == [
        "0.001", "1", "50000", "10⁻⁶", "3×10⁷",
    ]  # fmt: skip


def test_a_report_has_a_map_with_a_slider(tmp_path: Path) -> None:
    orbit = bp.Constellation(preset="iridium", sites=[bp.Site(name="</script>", latitude="0 deg", longitude="0 deg")])
    flow = bp.Flow(from_="Berkeley", to="</script>", controller="cubic")
    run = bp.run(bp.Scenario(name="x", duration="120 s", network=orbit, flows=[flow]))
    page = run.report(tmp_path / "report.html").read_text()
    (text,) = re.findall(r'<script type="application/json"\s+id="map-data">(.*?)</script>', page)
    data = json.loads(text)
    assert [place["name"] for place in data["places"]] == ["Berkeley", "</script>"]
    assert [moment["time"] for moment in data["moments"]] == [f"{2.0 * place:.1f}" for place in range(61)]
    rows = {row["time_s"]: row["via"] for row in run.paths.arrow.to_pylist() if row["from"] == "Berkeley"}
    for moment in data["moments"]:
        assert len(moment["at"]) == 2 * 66
        (way,) = moment["ways"]
        assert way["said"] == rows[float(moment["time"])]
        assert len(way["at"]) == 2 * len(way["said"].split(" > "))
    # Land is filled to the South Pole, and the map can be played.
    assert 'c.fill("evenodd")' in page
    assert '<button id="map-play" type="button"' in page
    assert "http" not in re.sub(
        r'xmlns(:\w+)?="[^"]*"|<metadata>.*?</metadata>|<!DOCTYPE[^>]*>', "", page, flags=re.DOTALL
    )
    assert "map-data" not in bp.run(SMALL).report(tmp_path / "plain.html").read_text()


def test_land_is_filled() -> None:
    """Places by a common atlas: inland, at sea, in an inland sea, and at the South Pole."""
    figure, (axis,) = plots.new(1, 1)
    nothing = bp.Table({"a": [], "b": []})
    nowhere = bp.Table({"longitude_deg": [0.0], "latitude_deg": [0.0]})
    plots.world(axis, plots.coastline(), nowhere, nothing, [])
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())

    def is_land(longitude: float, latitude: float) -> bool:
        x, y = axis.transData.transform((longitude, latitude))
        return bool(pixels[round(pixels.shape[0] - y), round(x), :3].min() < 250)

    assert is_land(22.0, -4.0)  # Congo
    assert is_land(-100.0, 40.0)  # Kansas
    assert is_land(10.0, -85.0)  # Antarctica
    assert not is_land(-35.0, -5.0)  # Atlantic
    assert not is_land(51.0, 40.0)  # Caspian Sea


def test_busy_links_come_first_and_idle_links_are_counted() -> None:
    star = Path(__file__).parents[2] / "scenarios" / "geo-beam.toml"
    run = bp.run(star, duration="3 s")
    shared, heat, *_ = run.plot_links(5).axes
    assert [label.get_text().split("  ")[0] for label in shared.get_yticklabels()] == [
        "forward carrier down",
        "return carrier up",
    ]
    assert len(heat.get_yticklabels()) <= 5
    assert all(link["utilisation"] >= 0.01 for link in run.busiest_links(len(heat.get_yticklabels())))
    rows = len(heat.get_yticklabels())
    assert heat.get_xlabel().startswith(f"s\n{40 - rows} more links: ")


def test_a_budget_as_a_waterfall(cli: Command, tmp_path: Path) -> None:
    """60 dBW + 16.5 dB/K - 209.61 dB + 228.6 dB - 10 lg(30 MHz) = 20.72 dB, by hand from the printed lines."""
    from bentpipe.show.pictures.link_budget import waterfall

    (tmp_path / "beam.toml").write_text("""
availability = [99.9]
[budget]
bandwidth = "36 MHz"
[budget.down]
frequency = "18.7 GHz"
eirp = "60 dBW"
g_over_t = "16.5 dB/K"
noise_temperature = "180 K"
c_over_i = "20 dB"
antenna = "0.75 m"
satellite = "9 deg"
latitude = "51.5 deg"
longitude = "-0.1 deg"
rain = { rate_001 = "26.5 mm/h", height = "2.45 km" }
""")
    done = cli("link-budget", "beam.toml", "--picture", "beam.svg")
    assert done.returncode == 0, done.stderr
    budget = bp.link_budget(tmp_path / "beam.toml")
    (panel,) = waterfall([("", budget, ["clear sky", "99.9 %"])]).axes
    heights = [bar.get_height() for bar in panel.patches]
    assert heights[0] == pytest.approx(20.72, abs=0.01)
    # Clear sky: the first bar, three steps and the interference lead to C/(N+I), which with one hop is Es/N0.
    assert sum(heights[:5]) == pytest.approx(budget["states"][0]["es_n0_db"], abs=1e-9)
    assert heights[5:7] == pytest.approx([budget["states"][0]["es_n0_db"]] * 2)
    assert "clear sky: " in panel.get_xlabel()


@pytest.mark.parametrize("width", [2.0, 3.0, 6.0])
def test_labels_of_a_logarithmic_axis_do_not_touch(width: float) -> None:
    @plots.styled
    def drawn() -> Figure:
        figure, axes = plots.new(1, 2, width=width)
        for axis in axes:
            axis.set_xscale("log")
            axis.plot([0.02, 30_000.0], [0.0, 1.0])
        return figure

    figure = drawn()
    figure.draw_without_rendering()
    for axis in figure.axes:
        boxes = [label.get_window_extent() for label in axis.get_xticklabels() if label.get_text()]
        assert len(boxes) >= 2
        assert all(one.x1 < other.x0 for one, other in itertools.pairwise(boxes))


def test_a_title_stands_above_what_the_picture_shows(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(SMALL)
    asked = ("compare", "x.toml", "--controllers", "reno,cubic", "--seeds", 1, "--picture", "x.svg")
    assert cli(*asked, "--title", "Which one?").returncode == 0
    said = words(tmp_path / "x.svg")
    assert "Which one?" in said
    assert any(one.endswith("mean of 1 seed") or "the same for 1 seed" in one for one in said)
    assert cli("sweep", "nothing.toml", "--title", "Which one?").returncode == 2


def test_missing_glyphs_are_one_plain_note(cli: Command, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(re.sub("^name = .*$", 'name = "\u6d4b\u8bd5"', SMALL, flags=re.MULTILINE))
    done = cli("compare", "x.toml", "--controllers", "reno,cubic", "--seeds", 1, "--picture", "x.png")
    assert done.returncode == 0, done.stderr
    assert "Glyph" not in done.stderr
    assert [line for line in done.stderr.splitlines() if "lacks" in line] == [
        "note: the font of pictures lacks \u6d4b\u8bd5, which are drawn as boxes"
    ]


def test_the_axis_of_a_path_is_around_its_data() -> None:
    sky = bp.constellation("iridium")
    track = sky.path("Berkeley", "Boston", duration="20 min")
    delay, _, links = plots.paths_over_time([("there", track)], "x").axes
    known = [value for value in track["propagation_rtt_ms"] if value is not None]
    low, high = delay.get_ylim()
    assert low > 0.5 * min(known)
    assert max(known) < high < 1.3 * max(known)
    changes = sum(a != b for a, b in zip(track["via"], track["via"][1:], strict=False) if a and b)
    told = [int(count) for count in re.findall(r": (\d+) \(", links.get_xlabel())]
    assert sum(told) == changes


# ---- notebooks ---------------------------------------------------------------------------------------------------


def test_results_show_themselves_in_a_notebook() -> None:
    run = bp.run(named("<b>&", "_x"))
    shown = {
        "run": (run, "&lt;b&gt;&amp;"),
        "comparison": (bp.compare(SMALL, ["reno", "cubic"], seeds=2), "draws nothing at random"),
        "sky": (bp.constellation("iridium"), "66 satellites"),
        "evaluation": (bp.evaluate("reno", seeds=2, criteria=["short flows"]), "1 of 1 criteria met"),
    }
    for one, says in shown.values():
        page = one._repr_html_()  # type: ignore[attr-defined]
        ElementTree.fromstring(page)  # noqa: S314 - ours
        assert says in page
        assert 'src="data:image/png;base64,' in page
        assert len(page) < 250_000
        assert len(repr(one)) < 200
        assert "\n" not in repr(one)


def test_progress_is_a_line_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    bp.run(SMALL, progress=True)
    assert re.search(r"\r1 of 1 runs, \d+\.\d s\n", capsys.readouterr().err)
    bp.run_many([SMALL] * 3, progress=True)
    assert re.search(r"\r3 of 3 runs, ", capsys.readouterr().err)
    bp.compare(SMALL, "reno,cubic", seeds=5, progress=True)
    assert re.search(r"\r4 of 4 runs, ", capsys.readouterr().err)
    bp.run(SMALL)
    bp.run_many([SMALL], progress=False)
    assert capsys.readouterr().err == ""


# ---- tables as CSV -----------------------------------------------------------------------------------------------


def test_tables_as_csv(tmp_path: Path, cli: Command) -> None:
    import pandas as pd

    (tmp_path / "small.toml").write_text(SMALL)
    done = cli("run", "small.toml", "--tables", "tables")
    assert done.returncode == 0, done.stderr
    run = bp.run(SMALL)
    assert {file.stem for file in (tmp_path / "tables").iterdir()} == {
        "numbers",
        "flows",
        "links",
        "paths",
        "events",
        "snapshots",
        "nodes",
        "link_ends",
    }
    frame = pd.read_csv(tmp_path / "tables" / "flows.csv")
    assert list(frame.columns) == run.flows.columns
    assert frame["cwnd_segments"].tolist() == run.flows["cwnd_segments"]
    numbers = pd.read_csv(tmp_path / "tables" / "numbers.csv")
    assert numbers["rtt_ms_p95"][0] == run.summary["flows"][0]["rtt_ms"]["p95"]
    track = bp.constellation("iridium").path("Berkeley", "Boston", duration="1 min")
    text = track.to_csv()
    assert isinstance(text, str)
    assert text.splitlines()[1].startswith('"Berkeley","Boston",0,') or text.splitlines()[1].startswith(
        "Berkeley,Boston,0,"
    )
    assert ";".join(map(str, track["nodes"][0])) in text
    done = cli("path", "Berkeley", "Boston", "--constellation", "iridium", "--duration", "1 min", "--csv", "path.csv")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "path.csv").read_text() == text
    assert cli("passes", "London", "--constellation", "iridium", "--csv", "p.csv").returncode == 0
    assert len(pd.read_csv(tmp_path / "p.csv")) == len(bp.constellation("iridium").passes("London"))
    with pytest.raises(bp.RunError):
        run.flows.to_csv(tmp_path / "small.toml" / "x.csv")
