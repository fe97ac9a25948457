// SPDX-License-Identifier: MIT OR Apache-2.0
// The path of a flow's data over time.
import type { Buffers } from "./buffers";
import type { PathFile } from "./format";
import { SceneError } from "./problem";
import { upTo } from "./search";

export type Way = { since_s: number; nodes: Uint32Array; rtt_ms: number | null };

export class Path {
  readonly flow: number;

  constructor(
    file: PathFile,
    readonly time: Float64Array,
    private readonly start: Uint32Array,
    private readonly nodes: Uint32Array,
    private readonly rtt: Float32Array,
  ) {
    this.flow = file.flow;
  }

  /** Number of the path at a time; -1 before the first path. */
  number(moment: number): number {
    return upTo(this.time, moment) - 1;
  }

  /** The path with this number; `null` if it does not exist. If a path has no nodes, the flow is not connected. */
  way(number: number): Way | null {
    if (number < 0 || number >= this.time.length) return null;
    const rtt = this.rtt[number];
    return {
      since_s: this.time[number],
      nodes: this.nodes.subarray(this.start[number], this.start[number + 1]),
      rtt_ms: Number.isFinite(rtt) ? rtt : null,
    };
  }

  /** The path at a time, and the last earlier path with other nodes. */
  at(moment: number): { now: Way | null; before: Way | null } {
    let number = this.number(moment);
    const now = this.way(number);
    if (!now) return { now: null, before: null };
    // A row in which only the round trip changes is not a change of the path.
    while (number > 0 && same(this.way(number - 1)!.nodes, now.nodes)) number--;
    return { now: { ...now, since_s: this.time[number] }, before: this.way(number - 1) };
  }
}

/** Whether two paths have the same nodes. */
export function same(one: Uint32Array, other: Uint32Array): boolean {
  return one.length === other.length && one.every((node, at) => node === other[at]);
}

export function pathOf(file: PathFile, nodes: ReadonlyMap<number, number>, buffers: Buffers, where: string): Path {
  const time = buffers.f64(file.time, `${where}.time`);
  const start = buffers.u32(file.node_start, `${where}.node_start`);
  const ids = buffers.u32(file.nodes, `${where}.nodes`);
  const rtt = buffers.f32(file.rtt_ms, `${where}.rtt_ms`);
  if (start.length !== time.length + 1 || rtt.length !== time.length || (start.at(-1) ?? 0) > ids.length) {
    throw new SceneError(`${where}: times, round trips and nodes have different lengths`);
  }
  for (const id of ids)
    if (!nodes.has(id)) throw new SceneError(`${where} leads over node ${id}, which is not in the list`);
  return new Path(file, time, start, ids, rtt);
}
