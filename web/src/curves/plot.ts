// SPDX-License-Identifier: MIT OR Apache-2.0
// One plot. uPlot draws the axes and the grid, handles the selection of time ranges, and synchronises the cursor of all
// plots. This module draws the curves from levels of detail, because each curve has its own times.
//
// The current time is a line that moves over the curves. Therefore the curves are not drawn again while playing.
import uPlot from "uplot";
import { element, rem, say } from "../dom";
import { type Theme, theme } from "../palette";
import { upTo } from "../scene/search";
import type { Story } from "../scene/story";
import type { State, Store } from "../store";
import { type Measure, number } from "../words";
import { type Panel, type Series, seriesColour } from "./layout";
import { type Outline, outline } from "./outline";

const DASHES: Record<Series["stroke"], number[]> = { solid: [], dashed: [6, 4], dotted: [2, 3], thin: [] };
/**
 * Width of the left axis in rem. It is the same in all plots and in the strip of events, so that equal times are at the
 * same place.
 */
export const AXIS_REM = 3.6;
export const RIGHT_REM = 0.8;

/**
 * Factor of the main quantity above which a threshold or a pacing rate is cut off at the top. Without this limit, it
 * would flatten the other curves.
 */
const BEYOND = 2.5;
const OVERSHOOTING: readonly Measure[] = ["ssthresh", "pacing_rate"];

export class Plot {
  readonly root: HTMLElement;
  private readonly plot: uPlot;
  private readonly cursor: HTMLElement;
  private readonly values: HTMLElement[];
  private readonly dots: HTMLElement[] = [];
  private readonly swatches: HTMLElement[] = [];
  private readonly header: HTMLElement;
  private readonly holder: HTMLElement;
  private outlines: Outline[] = [];
  private theme: Theme = theme();
  private range: [number, number] = [0, 1];
  private x: [number, number] = [0, 1];
  private place = Number.NaN;

  constructor(
    readonly panel: Panel,
    private readonly store: Store,
    /** Changes of the flows' paths, which are drawn in all plots. */
    private readonly changes: readonly Story[],
    private readonly duration: number,
    /** Whether the time axis has labels. Only the last plot has them. */
    private readonly last: boolean,
    /** Returns why a flow of a run has no values at a time; `null` while the flow runs. */
    private readonly absence: (run: number, flow: number | null, time: number) => string | null,
  ) {
    this.values = panel.series.map(() => element("b"));
    this.holder = element("div", { class: "plot-area" });
    const title = element("h2", {}, panel.title, panel.unit ? element("small", {}, ` ${panel.unit}`) : "");
    this.header = element("header", {}, title, this.legend());
    const label = `${panel.title}${panel.unit ? ` in ${panel.unit}` : ""}`;
    this.root = element("section", { class: "plot", "aria-label": label }, this.header, this.holder);
    this.cursor = element("div", { class: "now", "aria-hidden": "true" });
    this.plot = new uPlot(
      this.options(),
      [
        [0, 1],
        [null, null],
      ],
      this.holder,
    );
    this.plot.over.append(this.cursor);
    this.plot.over.addEventListener("click", ({ offsetX }) => {
      // uPlot does not report the end of a drag as a click. This is therefore a click.
      store.set({ time: this.plot.posToVal(offsetX, "x") });
    });
    this.plot.over.addEventListener("dblclick", () => store.set({ from: 0, to: this.duration }));
    this.plot.over.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** Values at the current time, as in the legend. */
  legendValues(): {
    panel: string;
    series: string;
    run: number;
    flow: number | null;
    quantity: string;
    value: number | null;
  }[] {
    const { time } = this.store.state;
    return this.panel.series.map(({ label, run, flow, quantity, curve }) => ({
      panel: this.panel.name,
      series: label,
      run,
      flow,
      quantity,
      value: curve.at(time),
    }));
  }

  /** Draws the curves again, for another time range, size or theme. */
  draw(state: Readonly<State>, width: number, room: number): void {
    const height = room + (this.last ? rem(1.4) : 0);
    this.theme = theme();
    const from = Math.min(state.from, state.to - 1e-9);
    this.x = [from, state.to];
    const columns = Math.max(50, Math.round((width - rem(AXIS_REM + RIGHT_REM)) * devicePixelRatio));
    this.outlines = this.panel.series.map(({ curve }) => outline(curve, from, state.to, columns));
    this.range = this.scale();
    if (this.plot.width !== width || this.plot.height !== height) this.plot.setSize({ width, height });
    this.plot.batch(() => {
      this.plot.setScale("x", { min: from, max: state.to });
      this.plot.setScale("y", { min: this.range[0], max: this.range[1] });
    });
    this.place = Number.NaN;
    this.paintLegend();
  }

  /** Height of the area above the plot. */
  get head(): number {
    return this.header.offsetHeight;
  }

  /** Shows another current time. Moves a line and writes numbers, but does not draw curves. */
  moment(time: number): void {
    const place = Math.round(this.plot.valToPos(time, "x") * 2) / 2;
    if (place !== this.place) {
      this.place = place;
      const inside = place >= 0 && place <= this.plot.over.clientWidth;
      this.cursor.style.display = inside ? "" : "none";
      this.cursor.style.transform = `translateX(${place}px)`;
    }
    for (const [at, { curve, quantity, run, flow }] of this.panel.series.entries()) {
      const value = curve.at(time);
      const gone = value === null ? this.absence(run, flow, time) : null;
      // The reason for missing values is written only once, in place of the first value.
      const words = gone && quantity === "cwnd" ? gone : null;
      say(this.values[at], words ?? (value === null && quantity === "ssthresh" && !gone ? "none" : number(value)));
    }
  }

  destroy(): void {
    this.plot.destroy();
    this.root.remove();
  }

  /** The legend: one entry for each quantity, with the values of all drawn curves. */
  private legend(): HTMLElement {
    const { series } = this.panel;
    const items = new Map<string, HTMLElement>();
    for (const [at, { quantity, key, label, stroke }] of series.entries()) {
      let item = items.get(key);
      if (!item) {
        const swatch = element("i", { class: `swatch ${stroke}`, "aria-hidden": "true" });
        this.swatches.push(swatch);
        item = element("span", { class: "key" }, swatch, `${key} `);
        items.set(key, item);
      }
      const dot = element("i", { class: "flow-colour", "aria-hidden": "true", hidden: !this.panel.many });
      this.dots.push(dot);
      item.append(element("span", { class: "value", title: label, "data-quantity": quantity }, dot, this.values[at]));
    }
    return element("div", { class: "legend" }, ...items.values());
  }

  private paintLegend(): void {
    const colours = this.panel.series.map((series) => seriesColour(series, this.theme.dark));
    for (const [at, dot] of this.dots.entries()) dot.style.backgroundColor = colours[at];
    for (const [at, swatch] of this.swatches.entries()) {
      swatch.style.borderTopColor = this.panel.many ? this.theme.muted : colours[at];
    }
  }

  /** The visible range of values, with some space above. It begins at zero, except for round trips, because their values
   * are far from zero. */
  private scale(): [number, number] {
    const least = Math.min(...this.outlines.map((line) => line.least));
    const greatest = (of: (series: Series) => boolean) =>
      Math.max(...this.outlines.filter((_, at) => of(this.panel.series[at])).map((line) => line.most));
    const [all, main] = [greatest(() => true), greatest(({ quantity }) => !OVERSHOOTING.includes(quantity))];
    const most = main > 0 ? Math.min(all, main * BEYOND) : all;
    if (!(most >= least)) return [0, 1];
    const air = (most - least) * 0.12;
    if (this.panel.name === "rtt" && least > air && most - least < least / 2) return [least - air, most + (air || 1)];
    return [Math.min(0, least), most > 0 ? most * 1.08 : 1];
  }

  private options(): uPlot.Options {
    const axis = (): uPlot.Axis => ({
      stroke: () => this.theme.muted,
      grid: { stroke: () => this.theme.grid, width: 1 },
      ticks: { show: false },
      font: `${rem(0.72)}px system-ui, sans-serif`,
      gap: rem(0.3),
    });
    return {
      width: 300,
      height: 100,
      legend: { show: false },
      padding: [rem(0.5), rem(RIGHT_REM), this.last ? 0 : rem(0.5), 0],
      cursor: {
        sync: { key: "bentpipe" },
        drag: { x: true, y: false, setScale: false },
        points: { show: false },
        y: false,
      },
      scales: { x: { time: false, range: () => this.x }, y: { range: () => this.range } },
      axes: [
        {
          ...axis(),
          show: this.last,
          size: rem(1.4),
          space: rem(4.5),
          values: (_, ticks) => ticks.map((tick) => `${+tick.toPrecision(10)}`),
        },
        { ...axis(), size: rem(AXIS_REM), space: rem(1.15), values: (_, ticks) => ticks.map(short) },
      ],
      series: [{}, { show: true, points: { show: false } }],
      hooks: {
        draw: [() => this.paint()],
        setSelect: [() => this.select()],
      },
    };
  }

  private paint(): void {
    // uPlot calls this once before the curves are known.
    if (this.outlines.length === 0) return;
    const { ctx, bbox } = this.plot;
    // Size in device pixels of one pixel of a page whose font size is 16 pixels.
    const ratio = devicePixelRatio * rem(1 / 16);
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    this.paintMarks();
    for (const [at, series] of this.panel.series.entries()) {
      ctx.strokeStyle = seriesColour(series, this.theme.dark);
      ctx.fillStyle = ctx.strokeStyle;
      ctx.lineWidth = (series.stroke === "thin" ? 1 : 1.6) * ratio;
      ctx.globalAlpha = series.stroke === "thin" ? 0.75 : 1;
      ctx.lineJoin = "bevel";
      ctx.setLineDash(DASHES[series.stroke].map((length) => length * ratio));
      this.trace(this.outlines[at], series.curve.step);
    }
    ctx.restore();
  }

  private paintMarks(): void {
    const { ctx, bbox } = this.plot;
    const [from, to] = this.x;
    ctx.fillStyle = this.theme.muted;
    for (const story of this.changes) {
      let drawn = Number.NEGATIVE_INFINITY;
      // An outage that began before the visible range may extend into it.
      for (let at = Math.max(0, upTo(story.time, from) - 1); story.time[at] <= to; at++) {
        const until = story.until(at);
        if ((until ?? story.time[at]) < from) continue;
        const left = this.plot.valToPos(story.time[at], "x", true);
        const right = until === null ? left : this.plot.valToPos(until, "x", true);
        // Of many changes within a pixel, only one is drawn.
        if (right - drawn < 1) continue;
        drawn = right;
        const kind = story.kind(at);
        ctx.globalAlpha = kind === "outage" ? 0.22 : kind === "handover" ? 0.6 : 0.3;
        ctx.fillRect(left, bbox.top, Math.max(right - left, devicePixelRatio), bbox.height);
      }
    }
    ctx.globalAlpha = 1;
  }

  private trace(line: Outline, step: boolean): void {
    const { ctx } = this.plot;
    const x0 = this.plot.valToPos(this.x[0], "x", true);
    const y0 = this.plot.valToPos(this.range[0], "y", true);
    const perX = (this.plot.valToPos(this.x[1], "x", true) - x0) / (this.x[1] - this.x[0]);
    const perY = (this.plot.valToPos(this.range[1], "y", true) - y0) / (this.range[1] - this.range[0]);
    const y = (value: number) => y0 + (value - this.range[0]) * perY;
    ctx.beginPath();
    let open = false;
    let last = x0;
    for (let at = 0; at < line.count; at++) {
      const [low, high] = [line.low[at], line.high[at]];
      if (Number.isNaN(high)) {
        open = false;
        continue;
      }
      const x = x0 + (line.time[at] - this.x[0]) * perX;
      if (!open) ctx.moveTo(x, y(low));
      else {
        if (step) ctx.lineTo(last, y(low));
        ctx.lineTo(x, y(low));
      }
      if (high !== low) ctx.lineTo(x, y(high));
      last = x;
      open = true;
    }
    ctx.stroke();
  }

  private select(): void {
    const { left, width } = this.plot.select;
    if (width < 4) return;
    const from = this.plot.posToVal(left, "x");
    const to = this.plot.posToVal(left + width, "x");
    this.plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.store.set({ from, to });
  }
  /**
   * Ctrl with the wheel zooms around the pointer. Shift with the wheel, or a horizontal wheel, pans. The wheel alone
   * scrolls the page.
   */
  private wheel(event: WheelEvent): void {
    const sideways = event.deltaX !== 0 || event.shiftKey;
    if (!event.ctrlKey && !sideways) return;
    event.preventDefault();
    const { from, to } = this.store.state;
    const turn = (event.deltaX || event.deltaY) / 500;
    if (!event.ctrlKey) {
      const shift = Math.min(Math.max(turn * (to - from), -from), Math.max(this.duration - to, 0));
      this.store.set({ from: from + shift, to: to + shift });
      return;
    }
    const middle = this.plot.posToVal(event.offsetX, "x");
    const factor = Math.exp(turn * 2);
    this.store.set({
      from: Math.max(0, middle - (middle - from) * factor),
      to: Math.min(Math.max(this.duration, to), middle + (to - middle) * factor),
    });
  }
}

function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 1e6) return `${+(value / 1e6).toPrecision(4)} M`;
  if (size >= 1e4) return `${+(value / 1e3).toPrecision(4)} k`;
  return `${+value.toPrecision(6)}`;
}
