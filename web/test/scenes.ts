// SPDX-License-Identifier: MIT OR Apache-2.0
// A scene that is small enough for computation by hand: 0 – 1 – 2 and 0 – 3 – 2, with one flow that changes from the
// upper path to the lower path.
import { Buffers } from "../src/scene/buffers";
import type { Ref, RunFile, SceneFile } from "../src/scene/format";
import { Run } from "../src/scene/model";

const bytes = new Uint8Array(4096);
let used = 0;

function put(array: Float32Array | Float64Array | Uint32Array): Ref {
  const type = array instanceof Float64Array ? "f64" : array instanceof Float32Array ? "f32" : "u32";
  const ref: Ref = { buffer: "all", type, offset: used, count: array.length };
  bytes.set(new Uint8Array(array.buffer), used);
  used += Math.ceil(array.byteLength / 8) * 8;
  return ref;
}

/** Whole numbers in the buffer of the scene. */
export const numbers = (...values: number[]): Ref => put(Uint32Array.from(values));

function level(time: number[], low: number[], high = low) {
  return {
    count: time.length,
    time: put(Float64Array.from(time)),
    low: put(Float32Array.from(low)),
    high: put(Float32Array.from(high)),
  };
}

const run: RunFile = {
  name: "two ways",
  folder: "runs/two",
  scenario: "",
  seed: 1,
  duration_s: 10,
  warmup_s: 0,
  epoch_utc: null,
  findings: [],
  nodes: [
    { id: 0, name: "server", kind: "site", x: 0, y: 0.5 },
    { id: 1, name: "upper", kind: "router", x: 0.5, y: 0 },
    { id: 2, name: "user", kind: "site", x: 1, y: 0.5 },
    { id: 3, name: "lower", kind: "router", x: 0.5, y: 1 },
  ],
  shells: [],
  links: [
    { id: 7, name: "server > upper", from: 0, to: 1, kind: "plain", always: true },
    { id: 8, name: "upper > server", from: 1, to: 0, kind: "plain", always: true },
    { id: 9, name: "upper > user", from: 1, to: 2, kind: "plain", always: true },
    { id: 10, name: "server > lower", from: 0, to: 3, kind: "plain", always: true },
    { id: 11, name: "lower > user", from: 3, to: 2, kind: "plain", always: true },
  ],
  positions: null,
  flows: [
    { id: 5, name: "cubic", controller: "cubic", from: 0, to: 2, start_s: 0, end_s: null, color_index: 0, facts: [] },
  ],
  paths: [
    {
      flow: 5,
      count: 3,
      time: put(Float64Array.of(0, 2, 4)),
      node_start: put(Uint32Array.of(0, 3, 6, 9)),
      nodes: put(Uint32Array.of(0, 1, 2, 0, 1, 2, 0, 3, 2)),
      rtt_ms: put(Float32Array.of(30, 31, Number.NaN)),
    },
  ],
  curves: [
    {
      of: { flow: 5 },
      quantity: "cwnd",
      unit: "segments",
      step: false,
      levels: [level([1, 2, 3, 4, 5, 6, 7, 8], [1, 5, 2, 8, 3, 3, 9, 4]), level([1, 5], [1, 3], [8, 9])],
    },
    { of: { flow: 5 }, quantity: "rtt", unit: "ms", step: true, levels: [level([2, 4, 6], [40, Number.NaN, 60])] },
    { of: { link: 7 }, quantity: "queue", unit: "packets", step: false, levels: [level([0, 5], [10, 40])] },
    { of: { link: 8 }, quantity: "queue", unit: "packets", step: false, levels: [level([0, 5], [20, 0])] },
  ],
  losses: [{ flow: 5, cause: "queue", time: put(Float64Array.of(3, 3.5, 8)) }],
  phases: [
    { flow: 5, names: ["slow start", "avoidance"], time: put(Float64Array.of(0, 3)), name: put(Uint32Array.of(0, 1)) },
  ],
  events: [
    {
      flow: 5,
      kinds: ["cut", "timeout", "start"],
      reasons: ["queue", "timeout", "unknown"],
      time: put(Float64Array.of(0, 3, 3, 6)),
      kind: put(Uint32Array.of(2, 1, 0, 0)),
      reason: put(Uint32Array.of(2, 1, 1, 0)),
      before: put(Float32Array.of(Number.NaN, Number.NaN, 9, 8)),
      after: put(Float32Array.of(Number.NaN, Number.NaN, 1, 4)),
    },
  ],
};

export const twoWays = (): RunFile => structuredClone(run);

export const scene = (): SceneFile => ({
  format: 2,
  title: "Two ways",
  kind: "run",
  build: "test",
  notes: [],
  runs: [twoWays()],
  tables: [],
  pictures: [],
});

/** The run as the page has it, with all buffers. With `size`, the buffer ends after this number of bytes. */
export async function opened(file = twoWays(), size = bytes.length): Promise<Run> {
  const buffers = new Buffers(async () => bytes.buffer.slice(0, size));
  await buffers.need([{ buffer: "all", type: "f32", offset: 0, count: 0 }]);
  return new Run(file, buffers, "runs[0]");
}
