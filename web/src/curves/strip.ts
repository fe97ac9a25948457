// SPDX-License-Identifier: MIT OR Apache-2.0
// The strip of events above the plots. It shows phases as bands, losses by their true cause, and changes of the path.
import { element, rem, say } from "../dom";
import { causeColour, flowColour, theme } from "../palette";
import type { Cause } from "../scene/format";
import type { Run } from "../scene/model";
import { before, upTo } from "../scene/search";
import { type Kind, OF_THE_WINDOW, type Story } from "../scene/story";
import type { State, Store } from "../store";
import { CAUSES, fate } from "../words";
import { AXIS_REM, RIGHT_REM } from "./plot";

/** Largest number of flows that have a row. The number is limited, because the strip does not scroll. */
const FLOWS = 4;
/** Largest number of events that are described under the pointer. */
const SAID = 5;

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
    const changes = flows.flatMap((flow) => run.changes(flow) ?? []).filter(({ time }) => time.length > 0);
    if (changes.length > 0) rows.push({ label: "path", paint: (...at) => this.path(changes, ...at) });
    const events = flows.flatMap((flow) => run.events(flow) ?? []).filter((story) => has(story, OF_THE_WINDOW));
    if (events.length > 0) rows.push({ label: "cuts", paint: (...at) => this.cuts(events, ...at) });
    return rows;
  }

  /** The true causes of the losses of these flows. Other causes need no row. */
  private causes(run: Run, flows: readonly number[]): Cause[] {
    return [...new Set(run.file.losses.filter(({ flow }) => flows.includes(flow)).map(({ cause }) => cause))];
  }

  /** Writes the legend of the marks in the strip. */
  private explain(run: Run, flows: readonly number[]): void {
    const { dark, ink, muted } = theme();
    const entry = (shape: string, colour: string, word: string) => {
      const mark = element("i", { class: shape, "aria-hidden": "true" });
      mark.style.color = colour;
      return element("span", {}, mark, word);
    };
    const stories = flows.flatMap((flow) => run.stories(flow));
    const some = (kind: Kind) => stories.some((story) => has(story, [kind]));
    this.key.replaceChildren(
      ...this.causes(run, flows).map((cause) => entry("tick", causeColour(cause, dark), fate(cause))),
      some("handover") ? entry("diamond", ink, "handover") : "",
      some("path") ? entry("tick", muted, "other path") : "",
      some("outage") ? entry("block", muted, "outage") : "",
      some("cut") ? entry("tick", muted, "cut") : "",
      some("unused") ? entry("tick low", muted, "window not used") : "",
      some("timeout") ? entry("block", ink, "timeout") : "",
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
      // Of many losses within a pixel, only one is drawn.
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

  private path(stories: readonly Story[], from: number, to: number, top: number, height: number): void {
    const { context } = this;
    context.fillStyle = theme().ink;
    for (const { story, at, x } of this.seen(stories, from, to)) {
      const until = story.until(at);
      if (until !== null) {
        context.globalAlpha = 0.35;
        context.fillRect(x, top, Math.max(this.place(until) - x, 1), height);
      } else if (story.kind(at) === "handover") {
        context.beginPath();
        context.moveTo(x, top);
        context.lineTo(x + height / 2, top + height / 2);
        context.lineTo(x, top + height);
        context.lineTo(x - height / 2, top + height / 2);
        context.fill();
      } else {
        context.globalAlpha = 0.7;
        context.fillRect(x - 0.75, top + height / 4, 1.5, height / 2);
      }
      context.globalAlpha = 1;
    }
  }

  /**
   * Draws the events of a window: cuts, timeouts (wider, and in the text colour), responses to marks, and reductions of
   * unused windows (half as high).
   */
  private cuts(stories: readonly Story[], from: number, to: number, top: number, height: number): void {
    const { context } = this;
    const colours = theme();
    for (const { story, at, x } of this.seen(stories, from, to)) {
      const kind = story.kind(at);
      if (!OF_THE_WINDOW.includes(kind)) continue;
      context.fillStyle = kind === "timeout" ? colours.ink : colours.muted;
      const width = kind === "timeout" ? 3 : 1;
      const low = kind === "unused" ? height / 2 : 2;
      context.fillRect(x - width / 2, top + low, width, height - low - 2);
    }
  }

  /**
   * Events in a time range, with their positions in pixels. Of many events of the same kind within a pixel, only one is
   * returned.
   */
  private *seen(
    stories: readonly Story[],
    from: number,
    to: number,
  ): Generator<{ story: Story; at: number; x: number }> {
    for (const story of stories) {
      const last = new Map<Kind, number>();
      // An event that began before the visible range may extend into it.
      for (let at = Math.max(0, upTo(story.time, from) - 1); story.time[at] <= to; at++) {
        const [x, kind] = [this.place(story.time[at]), story.kind(at)];
        if (x - (last.get(kind) ?? Number.NEGATIVE_INFINITY) < 0.5) continue;
        last.set(kind, x);
        yield { story, at, x };
      }
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

  /** Describes the events within three pixels of the pointer. */
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
        if (count > 0) words.push(`${count} ${count === 1 ? "packet" : "packets"} ${fate(cause)}`);
      }
    }
    for (const story of this.store.state.flows.flatMap((flow) => this.run?.stories(flow) ?? [])) {
      for (let at = Math.max(0, before(story.time, time - near) - 1); story.time[at] <= time + near; at++) {
        if ((story.until(at) ?? story.time[at]) + near >= time) words.push(story.text(at));
        if (words.length > SAID) break;
      }
    }
    const more = words.length > SAID ? "; …" : "";
    say(this.said, words.slice(0, SAID).join("; ") + more);
  }

  private spoken(run: Run, { flows }: Readonly<State>): string {
    const counts = flows.flatMap((flow) =>
      run.losses(flow).map(({ cause, time }) => `${time.length} by ${CAUSES[cause]}`),
    );
    const changes = flows.reduce((sum, flow) => sum + (run.changes(flow)?.time.length ?? 0), 0);
    return `Phases, losses (${counts.join(", ") || "none"}) and ${changes} changes of the path over time`;
  }
}

function has(story: Story, kinds: readonly Kind[]): boolean {
  return kinds.some((kind) => story.kinds.has(kind));
}
