// SPDX-License-Identifier: MIT OR Apache-2.0
// The time controls of the page: play, step, slider, speed.
import { element, say } from "../dom";
import type { Run } from "../scene/model";
import { step } from "../stops";
import type { Stops, Store } from "../store";
import { seconds, utc } from "../words";

export const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] as const;
const STOPS: Record<Stops, string> = {
  all: "any event",
  loss: "a loss",
  cut: "a cut",
  path: "the path",
  phase: "a phase",
};

/** Time for which an event is announced, in ms. */
const SAID_MS = 6000;

export class TimeBar {
  private readonly slider = element("input", {
    type: "range",
    min: 0,
    step: "any",
    "aria-label": "Time",
    class: "slider",
  });
  private readonly clock = element("output", { class: "clock" });
  private readonly date = element("span", { class: "quiet date" });
  private readonly said = element("span", { class: "quiet said", role: "status" });
  private readonly playing = element("button", { type: "button", class: "play", click: () => this.toggle() });
  private readonly speed = element("select", { "aria-label": "Speed" });
  private readonly stops = element("select", { "aria-label": "Step to" });

  private silence = 0;

  constructor(
    root: HTMLElement,
    private readonly store: Store,
    private readonly runs: readonly Run[],
  ) {
    for (const speed of SPEEDS) this.speed.append(element("option", { value: speed }, `${speed}×`));
    for (const [name, word] of Object.entries(STOPS)) this.stops.append(element("option", { value: name }, word));
    this.speed.addEventListener("change", () => store.set({ speed: Number(this.speed.value) }));
    this.stops.addEventListener("change", () => store.set({ stops: this.stops.value as Stops }));
    this.slider.addEventListener("input", () => store.set({ time: Number(this.slider.value) }));
    const button = (word: string, label: string, click: () => void) =>
      element("button", { type: "button", class: "icon", "aria-label": label, title: label, click }, word);
    root.append(
      button("|◀", "Previous event (p)", () => this.step(false)),
      this.playing,
      button("▶|", "Next event (n)", () => this.step(true)),
      element("label", { class: "stops" }, element("span", { class: "quiet" }, "step to "), this.stops),
      this.slider,
      element("div", { class: "reading" }, this.clock, this.date),
      element("label", {}, element("span", { class: "quiet" }, "speed "), this.speed),
      this.said,
    );
    store.listen((state, changed) => {
      if (changed.has("run")) this.slider.max = String(this.run.file.duration_s);
      if (changed.has("playing")) this.mark(state.playing);
      if (changed.has("speed")) this.speed.value = String(state.speed);
      if (changed.has("stops")) this.stops.value = state.stops;
      if (changed.has("time") || changed.has("run")) this.moment(state.time);
    });
  }

  toggle(): void {
    const { playing, time } = this.store.state;
    // At the end of the run, playing starts again from time zero.
    this.store.set({ playing: !playing, ...(!playing && time >= this.run.file.duration_s ? { time: 0 } : {}) });
  }

  step(forward: boolean): void {
    const { flows, time, stops } = this.store.state;
    const stop = step(this.run, flows, time, stops, forward);
    if (stop) this.store.set({ time: stop.time_s, playing: false });
    const none = `No ${forward ? "later" : "earlier"} event of this kind.`;
    clearTimeout(this.silence);
    this.silence = window.setTimeout(() => say(this.said, ""), SAID_MS);
    say(this.said, stop ? `${seconds(stop.time_s, this.run.file.duration_s)} s: ${stop.text}` : none);
  }

  faster(by: 1 | -1): void {
    const at = SPEEDS.indexOf(this.store.state.speed as (typeof SPEEDS)[number]);
    this.store.set({ speed: SPEEDS[Math.min(Math.max(at + by, 0), SPEEDS.length - 1)] });
  }

  private get run(): Run {
    return this.runs[this.store.state.run];
  }

  private mark(playing: boolean): void {
    say(this.playing, playing ? "❚❚" : "▶");
    this.playing.setAttribute("aria-label", playing ? "Pause (space)" : "Play (space)");
    this.playing.title = playing ? "Pause (space)" : "Play (space)";
  }

  private moment(time: number): void {
    const { duration_s, epoch_utc } = this.run.file;
    this.slider.value = String(time);
    this.slider.setAttribute("aria-valuetext", `${seconds(time, duration_s)} seconds`);
    say(this.clock, `${seconds(time, duration_s)} s`);
    say(this.date, utc(epoch_utc, time) || `of ${Number(duration_s.toFixed(3))} s`);
  }
}
