// SPDX-License-Identifier: MIT OR Apache-2.0
// The single state of the page. Every part of the page that shows a part of the state is a listener. Listeners are
// called once per frame with the changed keys. If nothing changes, nothing is drawn.

export type Picked = { kind: "node"; id: number } | { kind: "line"; key: string } | { kind: "flow"; id: number };
export type Tint = "utilisation" | "queue" | "none";

export type State = {
  /** Seconds since the start of the run. */
  time: number;
  playing: boolean;
  /** Seconds of the run per second of real time. */
  speed: number;
  /** The run that the stage shows. */
  run: number;
  /** Runs whose curves are drawn. */
  overlaid: readonly number[];
  /** Flows whose curves are drawn. The first flow is the followed flow. */
  flows: readonly number[];
  picked: Picked | null;
  projection: "globe" | "map";
  tint: Tint;
  hiddenShells: readonly number[];
  /**
   * Whether permanent links are drawn in addition to the links of paths. With `null`, they are drawn unless they would
   * cover the Earth.
   */
  mesh: boolean | null;
  /** Time range of the curves. */
  from: number;
  to: number;
  /** Kinds of events at which stepping stops. */
  stops: Stops;
  theme: "auto" | "light" | "dark";
  /** Whether the page is a picture: without controls. */
  shot: boolean;
  /** A number that increases when more data of the scene have arrived. */
  loaded: number;
};
export type Stops = "all" | "loss" | "cut" | "path" | "phase";
export type Key = keyof State;
export type Listener = (state: Readonly<State>, changed: ReadonlySet<Key>) => void;

export class Store {
  private readonly listeners: Listener[] = [];
  private changed = new Set<Key>();
  private asked = false;
  private last: number | null = null;

  constructor(
    private current: State,
    /** Duration of the run on the stage. */
    private readonly duration: () => number,
    private readonly nextFrame: (frame: (now: number) => void) => void = (frame) => {
      requestAnimationFrame(frame);
    },
  ) {}

  get state(): Readonly<State> {
    return this.current;
  }

  set(change: Partial<State>): void {
    const next = { ...this.current, ...change };
    next.time = Math.min(Math.max(next.time, 0), this.duration());
    for (const key of Object.keys(next) as Key[]) {
      if (next[key] !== this.current[key]) this.changed.add(key);
    }
    this.current = next;
    if (this.changed.size > 0) this.ask();
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Calls all listeners with all keys, as at the start. */
  refresh(): void {
    this.changed = new Set(Object.keys(this.current) as Key[]);
    this.ask();
  }

  private ask(): void {
    if (this.asked) return;
    this.asked = true;
    this.nextFrame((now) => this.frame(now));
  }

  private frame(now: number): void {
    this.asked = false;
    this.play(now);
    const changed = this.changed;
    this.changed = new Set();
    if (changed.size > 0) for (const listener of this.listeners) listener(this.current, changed);
    if (this.current.playing) this.ask();
  }

  private play(now: number): void {
    if (!this.current.playing) {
      this.last = null;
      return;
    }
    // A frame counts as at most a quarter of a second. Therefore a page that was in the background does not jump.
    const passed = this.last === null ? 0 : Math.min((now - this.last) / 1000, 0.25);
    this.last = now;
    const time = this.current.time + passed * this.current.speed;
    this.set(time >= this.duration() ? { time, playing: false } : { time });
  }
}
