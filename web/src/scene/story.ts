// SPDX-License-Identifier: MIT OR Apache-2.0
// The events of a flow in order of time. A long run has hundreds of thousands of events. They are stored as numbers,
// and their texts are created only when they are shown.
//
// An hour of 100 flows has half a million events.
import type { Buffers } from "./buffers";
import type { Cause, EventFile, Flow } from "./format";
import { type Path, same } from "./path";
import { SceneError } from "./problem";
import { upTo } from "./search";

export type Kind =
  | "handover"
  | "path"
  | "outage"
  | "cut"
  | "timeout"
  | "mark"
  | "spurious"
  | "unused"
  | "start"
  | "stop"
  | "complete";

export interface Story {
  readonly time: ArrayLike<number>;
  /** Kinds of events that occur. */
  readonly kinds: ReadonlySet<Kind>;
  kind(at: number): Kind;
  /** End of the event; `null` if the event has no duration. */
  until(at: number): number | null;
  text(at: number): string;
}

/** Kinds of events of a congestion window. Each kind has a separate row. */
export const OF_THE_WINDOW: readonly Kind[] = ["cut", "timeout", "mark", "spurious", "unused"];

/** Changes of a flow's path while the flow runs: handovers at its ends, other changes, and times without a path. */
export class Changes implements Story {
  readonly time: Float64Array;
  readonly kinds: ReadonlySet<Kind>;
  private readonly numbers: number[] = [];

  constructor(
    private readonly path: Path,
    flow: Flow,
    private readonly duration: number,
    private readonly name: (node: number) => string,
  ) {
    const end = flow.end_s ?? duration;
    for (let at = 0; at < path.time.length; at++) {
      const is = at === 0 ? path.way(0)!.nodes.length === 0 : !same(path.way(at - 1)!.nodes, path.way(at)!.nodes);
      const over = this.lasts(at) ?? path.time[at];
      if (is && over >= flow.start_s && path.time[at] <= end) this.numbers.push(at);
    }
    this.time = Float64Array.from(this.numbers, (number) => path.time[number]);
    this.kinds = new Set(this.numbers.map((number) => this.of(number)));
  }

  kind(at: number): Kind {
    return this.of(this.numbers[at]);
  }

  until(at: number): number | null {
    return this.lasts(this.numbers[at]);
  }

  text(at: number): string {
    const number = this.numbers[at];
    const [before, now] = [this.path.way(number - 1), this.path.way(number)!];
    if (now.nodes.length === 0) return "no path";
    const rtt =
      before && before.nodes.length > 0 && before.rtt_ms !== null && now.rtt_ms !== null
        ? `; propagation RTT ${now.rtt_ms.toFixed(1)} ms`
        : "";
    if (this.of(number) !== "handover") {
      const again = before && before.nodes.length > 0 ? "new path:" : "the path returns:";
      return `${again} ${[...now.nodes].map(this.name).join(" > ")}${rtt}`;
    }
    const ends = [0, -1].flatMap((end) => {
      const beside = end === 0 ? 1 : -2;
      const [site, old, next] = [now.nodes.at(end)!, before!.nodes.at(beside)!, now.nodes.at(beside)!];
      return old === next ? [] : [`${this.name(site)}: ${this.name(old)} → ${this.name(next)}`];
    });
    return `${ends.join("; ")}${rtt}`;
  }

  /** The time since the last change of the path, in words. Empty if this change was long ago. */
  since(moment: number): string {
    const at = upTo(this.time, moment) - 1;
    if (at < 0 || moment - this.time[at] > RECENT_S) return "";
    const words = { handover: "a handover", outage: "the path was lost" };
    const what = words[this.kind(at) as keyof typeof words] ?? "the path changed";
    return `, ${(moment - this.time[at]).toFixed(3)} s after ${what}`;
  }

  private of(number: number): Kind {
    const [before, now] = [this.path.way(number - 1), this.path.way(number)!];
    if (now.nodes.length === 0) return "outage";
    if (!before || before.nodes.length === 0) return "path";
    const handed = before.nodes.at(1) !== now.nodes.at(1) || before.nodes.at(-2) !== now.nodes.at(-2);
    return handed ? "handover" : "path";
  }

  private lasts(number: number): number | null {
    return this.path.way(number)!.nodes.length > 0 ? null : (this.path.time[number + 1] ?? this.duration);
  }
}

/** The text of a cut includes the last change of the path if this change is at most this old. */
const RECENT_S = 2;

const ENDS: Partial<Record<Kind, string>> = {
  start: "the flow starts",
  stop: "the flow stops",
  complete: "the transfer is complete",
};
const REASONS: Record<string, string> = {
  loss: "a loss",
  mark: "an ECN mark",
  timeout: "a retransmission timeout",
  unknown: "congestion",
};
const LOST: Record<Cause, string> = {
  queue: "a packet that a full queue dropped",
  error: "a packet lost to a link error",
  outage: "a packet lost to an outage",
  policer: "a packet that a policer dropped",
  too_large: "a packet larger than the MTU of a link",
  none: "a spurious retransmission",
};

/** Cuts of a flow's window with their reasons, timeouts, starts and ends. */
export class Events implements Story {
  readonly time: Float64Array;
  readonly kinds: ReadonlySet<Kind>;
  private readonly codes: Uint32Array;
  private readonly reasons: Uint32Array;
  private readonly before: Float32Array;
  private readonly after: Float32Array;

  constructor(
    private readonly file: EventFile,
    buffers: Buffers,
    where: string,
    private readonly changes: Changes | null,
  ) {
    this.time = buffers.f64(file.time, `${where}.time`);
    this.codes = buffers.u32(file.kind, `${where}.kind`);
    this.reasons = buffers.u32(file.reason, `${where}.reason`);
    this.before = buffers.f32(file.before, `${where}.before`);
    this.after = buffers.f32(file.after, `${where}.after`);
    this.kinds = new Set([...new Set(this.codes)].map((code) => file.kinds[code] as Kind));
    for (const array of [this.codes, this.reasons, this.before, this.after]) {
      if (array.length !== this.time.length) throw new SceneError(`${where}: its columns have different lengths`);
    }
  }

  kind(at: number): Kind {
    return this.file.kinds[this.codes[at]] as Kind;
  }

  until(): null {
    return null;
  }

  text(at: number): string {
    const kind = this.kind(at);
    const end = ENDS[kind];
    if (end) return end;
    const tail = this.changes?.since(this.time[at]) ?? "";
    if (kind === "timeout") return `retransmission timeout${tail}`;
    if (kind === "mark") return `the controller responds to an ECN mark${tail}`;
    if (kind === "spurious") return `the reduction is undone: nothing was lost${tail}`;
    const change = `window ${this.before[at].toFixed(0)} → ${this.after[at].toFixed(0)} segments`;
    if (kind === "unused") return `${change}: the flow did not use the window`;
    const reason = this.file.reasons[this.reasons[at]];
    const why = LOST[reason as Cause] ?? REASONS[reason] ?? REASONS.unknown;
    return `${change}, for ${why}${tail}`;
  }
}
