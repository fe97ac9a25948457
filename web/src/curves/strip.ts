// SPDX-License-Identifier: MIT OR Apache-2.0
// The strip above the plots: what happened when. Phases as bands, losses by their true cause, what happened to the path.
import { element, rem, say } from "../dom";
import { causeColour, flowColour, theme } from "../palette";
import type { Cause, Event } from "../scene/format";
import type { Run } from "../scene/model";
import { upTo } from "../scene/search";
import type { State, Store } from "../store";
import { CAUSES } from "../words";
import { AXIS_REM, RIGHT_REM } from "./plot";

/** Rows for so many flows at most; the page scrolls no further for a strip. */
const FLOWS = 4;

type Row = { label: string; paint: (from: number, to: number, top: number, height: number) => void };

export class Strip {
  readonly root: HTMLElement;
  private readonly canvas = element("canvas", { role: "img" });
  private readonly cursor = element("div", { class: "now", "aria-hidden": "true" });
  private readonly said = element("p", { class: "strip-said", "aria-live": "off" });
  private readonly key = element("p", { class: "strip-key", "aria-hidden": "true" });
  private readonly context: CanvasRenderingContext2D;
  private x = { left: 0, width: 1, from: 0, to: 1 };
  private ratio = 1;

  constructor(private readonly store: Store) {
    this.root = element(
      "section",
      { class: "strip", "aria-label": "Events" },
      this.canvas,
      this.cursor,
      this.key,
      this.said,
    );
    this.context = this.canvas.getContext("2d") as CanvasRenderingContext2D;
    this.canvas.addEventListener("click", (event) => store.set({ time: this.time(event) }));
    this.canvas.addEventListener("pointermove", (event) => this.hover(event));
    this.canvas.addEventListener("pointerleave", () => say(this.said, ""));
  }
  private run: Run | null = null;

  draw(state: Readonly<State>, run: Run, width: number): void {
    this.run = run;
    this.ratio = devicePixelRatio;
    const rows = this.rows(state, run);
    const row = rem(1.05);
    const height = rows.length * row;
    this.canvas.width = Math.round(width * this.ratio);
    this.canvas.height = Math.round(height * this.ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.x = { left: rem(AXIS_REM), width: width - rem(AXIS_REM + RIGHT_REM), from: state.from, to: state.to };
    const { context, ratio } = this;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = `${rem(0.7)}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    const colours = theme();
    for (const [at, { label, paint }] of rows.entries()) {
      context.save();
      context.fillStyle = colours.muted;
      context.textAlign = "right";
      context.fillText(label, this.x.left - rem(0.4), at * row + row / 2, this.x.left - rem(0.6));
      context.textAlign = "left";
      context.beginPath();
      context.rect(this.x.left, 0, this.x.width, height);
      context.clip();
      paint(state.from, state.to, at * row + 1, row - 2);
      context.restore();
    }
    this.explain(run, state.flows);
    this.canvas.setAttribute("aria-label", this.spoken(run, state));
    this.moment(state.time);
  }

  moment(time: number): void {
    const place = this.place(time);
    const inside = place >= this.x.left - 1 && place <= this.x.left + this.x.width + 1;
    this.cursor.style.display = inside ? "" : "none";
    this.cursor.style.transform = `translateX(${place}px)`;
  }

  private rows(state: Readonly<State>, run: Run): Row[] {
    const flows = state.flows.slice(0, FLOWS);
    const name = (flow: number) => (flows.length > 1 ? (run.flow.get(flow)?.name ?? "") : "");
    const rows: Row[] = [];
    for (const flow of flows) {
      if (run.phases(flow))
        rows.push({ label: name(flow) || "phase", paint: (...at) => this.phases(run, flow, ...at) });
      if (run.losses(flow).length > 0)
        rows.push({ label: flows.length > 1 ? "" : "losses", paint: (...at) => this.losses(run, flow, ...at) });
    }
    const happened = (among: readonly Event[]) =>
      among.some((event) => event.flow === null || flows.includes(event.flow));
    if (happened(run.pathEvents)) rows.push({ label: "path", paint: (...at) => this.path(run, flows, ...at) });
    if (happened(run.cutEvents)) rows.push({ label: "cuts", paint: (...at) => this.cuts(run, flows, ...at) });
    return rows;
  }

  /** True causes of losses of these flows, so that rows are no finer than they must be. */
  private causes(run: Run, flows: readonly number[]): Cause[] {
    return [...new Set(run.file.losses.filter(({ flow }) => flows.includes(flow)).map(({ cause }) => cause))];
  }

  /** What the marks in the strip mean. */
  private explain(run: Run, flows: readonly number[]): void {
    const { dark, ink, muted } = theme();
    const entry = (shape: string, colour: string, word: string) => {
      const mark = element("i", { class: shape, "aria-hidden": "true" });
      mark.style.color = colour;
      return element("span", {}, mark, word);
    };
    const kinds = new Set(
      run.events.filter(({ flow }) => flow === null || flows.includes(flow)).map(({ kind }) => kind),
    );
    const has = (kind: string) => kinds.has(kind);
    this.key.replaceChildren(
      ...this.causes(run, flows).map((cause) => entry("tick", causeColour(cause, dark), `lost: ${CAUSES[cause]}`)),
      has("handover") ? entry("diamond", ink, "handover") : "",
      has("path") ? entry("tick", muted, "other path") : "",
      has("outage") ? entry("block", muted, "outage") : "",
      has("cut") ? entry("tick", muted, "cut") : "",
      has("timeout") ? entry("block", ink, "timeout") : "",
    );
  }

  private phases(run: Run, flow: number, from: number, to: number, top: number, height: number): void {
    const { context } = this;
    const phases = run.phases(flow);
    if (!phases) return;
    const colours = theme();
    let drawn = Number.NEGATIVE_INFINITY;
    for (let at = Math.max(0, upTo(phases.time, from) - 1); at < phases.time.length && phases.time[at] <= to; at++) {
      const [phase, from_s, to_s] = [
        phases.names[phases.name[at]],
        phases.time[at],
        phases.time[at + 1] ?? phases.end_s,
      ];
      // Of many within a pixel one is drawn.
      if (this.place(to_s) - drawn < 0.7) continue;
      drawn = this.place(to_s);
      const [left, right] = [
        Math.max(this.place(from_s), this.x.left),
        Math.min(this.place(to_s), this.x.left + this.x.width),
      ];
      context.fillStyle = flowColour(phases.name[at], colours.dark);
      context.globalAlpha = 0.3;
      context.fillRect(left, top, Math.max(right - left, 0.5), height);
      context.globalAlpha = 0.9;
      context.fillRect(left, top, 1, height);
      context.globalAlpha = 1;
      const room = right - left - rem(0.5);
      if (room > context.measureText(phase).width) {
        context.fillStyle = colours.ink;
        context.fillText(phase, left + rem(0.25), top + height / 2);
      }
    }
  }

  private losses(run: Run, flow: number, from: number, to: number, top: number, height: number): void {
    const { context } = this;
    const causes = this.causes(run, this.store.state.flows);
    const { dark } = theme();
    for (const { cause, time } of run.losses(flow)) {
      context.fillStyle = causeColour(cause, dark);
      const y = top + (causes.indexOf(cause) * height) / causes.length;
      let last = Number.NEGATIVE_INFINITY;
      for (let at = Math.max(0, upTo(time, from) - 1); at < time.length && time[at] <= to; at++) {
        const x = this.place(time[at]);
        if (x - last < 0.5) continue;
        last = x;
        context.fillRect(x - 0.75, y, 1.5, height / causes.length - 0.3);
      }
    }
  }

  private path(run: Run, flows: readonly number[], from: number, to: number, top: number, height: number): void {
    const { context } = this;
    const colours = theme();
    for (const { time_s, until_s, kind, flow } of run.pathEvents) {
      if (flow !== null && !flows.includes(flow)) continue;
      if ((until_s ?? time_s) < from || time_s > to) continue;
      const x = this.place(time_s);
      context.fillStyle = colours.ink;
      if (until_s !== null && until_s > time_s) {
        context.globalAlpha = 0.35;
        context.fillRect(x, top, Math.max(this.place(until_s) - x, 1), height);
        context.globalAlpha = 1;
      } else if (kind === "handover") {
        context.beginPath();
        context.moveTo(x, top);
        context.lineTo(x + height / 2, top + height / 2);
        context.lineTo(x, top + height);
        context.lineTo(x - height / 2, top + height / 2);
        context.fill();
      } else {
        context.globalAlpha = 0.7;
        context.fillRect(x - 0.75, top + height / 4, 1.5, height / 2);
        context.globalAlpha = 1;
      }
    }
  }

  /** Cuts of the window, timeouts (twice as wide), and marks that were answered. */
  private cuts(run: Run, flows: readonly number[], from: number, to: number, top: number, height: number): void {
    const { context } = this;
    const colours = theme();
    let last = Number.NEGATIVE_INFINITY;
    for (const { time_s, kind, flow } of run.cutEvents) {
      if (time_s < from || time_s > to) continue;
      if (flow !== null && !flows.includes(flow)) continue;
      const x = this.place(time_s);
      if (x - last < 0.5 && kind !== "timeout") continue;
      last = x;
      context.fillStyle = kind === "timeout" ? colours.ink : colours.muted;
      const width = kind === "timeout" ? 3 : 1;
      context.fillRect(x - width / 2, top + 2, width, height - 4);
    }
  }

  private place(time: number): number {
    const { left, width, from, to } = this.x;
    return left + ((time - from) / (to - from)) * width;
  }

  private time(event: MouseEvent): number {
    const { left, width, from, to } = this.x;
    return from + ((event.offsetX - left) / width) * (to - from);
  }

  /** Says what is under the pointer: the events within three pixels of it. */
  private hover(event: PointerEvent): void {
    if (!this.run) return;
    const time = this.time(event);
    const near = (3 / this.x.width) * (this.x.to - this.x.from);
    const words: string[] = [];
    for (const flow of this.store.state.flows) {
      const phase = this.run.phases(flow)?.at(time);
      if (phase) words.push(`${this.run.flow.get(flow)?.name}: ${phase}`);
      for (const { cause, time: times } of this.run.losses(flow)) {
        const count = upTo(times, time + near) - upTo(times, time - near);
        if (count > 0) words.push(`${count} lost (${CAUSES[cause]})`);
      }
    }
    for (const { time_s, until_s, text, flow } of this.run.events) {
      if (flow !== null && !this.store.state.flows.includes(flow)) continue;
      if (time_s - near <= time && time <= (until_s ?? time_s) + near) words.push(text);
    }
    say(this.said, words.slice(0, 5).join("; "));
  }

  private spoken(run: Run, { flows }: Readonly<State>): string {
    const counts = flows.flatMap((flow) =>
      run.losses(flow).map(({ cause, time }) => `${time.length} by ${CAUSES[cause]}`),
    );
    return `Phases, losses (${counts.join(", ") || "none"}) and ${run.events.length} events of the path over time`;
  }
}
