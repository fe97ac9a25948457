// SPDX-License-Identifier: MIT OR Apache-2.0
// The format of scene.json, which `bentpipe view` writes. Large tables are in separate buffers. A `Ref` refers to a
// part of a buffer.

export const FORMAT = 2;

export type Ref = { buffer: string; type: "f32" | "f64" | "u32" | "i32"; offset: number; count: number };

export type SceneFile = {
  format: number;
  title: string;
  kind: "run" | "comparison" | "sweep" | "league" | "study" | "which";
  build: string;
  notes: string[];
  runs: RunFile[];
  tables: Table[];
  pictures: Picture[];
  /** Address of the buffers, if the run is in progress. */
  live?: string;
};

export type Cell = string | number | boolean | null;
/**
 * A table of results. For each row, `open` is the address of the page of its run. If the run is not stored, `make` is
 * the command that makes the run.
 */
export type Table = {
  title: string;
  /** `digits` is the number of decimals, if this number is fixed. */
  columns: { name: string; unit: string | null; align?: "left" | "right"; digits?: number }[];
  rows: Cell[][];
  open: (string | null)[];
  make: (string | null)[];
};
export type Picture = { name: string; src: string; alt: string };

export type RunFile = {
  name: string;
  folder: string;
  scenario: string;
  seed: number;
  duration_s: number;
  warmup_s: number;
  epoch_utc: string | null;
  /** Name of the constellation or of the file of its satellites. */
  constellation?: string | null;
  findings: { kind: string; text: string; since_s: number | null; flow: number | null }[];
  nodes: Node[];
  shells: { name: string; count: number }[];
  links: Link[];
  positions: PositionsFile | null;
  flows: Flow[];
  paths: PathFile[];
  curves: CurveFile[];
  losses: { flow: number; cause: Cause; time: Ref }[];
  phases: { flow: number; names: string[]; time: Ref; name: Ref }[];
  events: EventFile[];
};

export type Node = {
  id: number;
  name: string;
  kind: "satellite" | "site" | "gateway" | "pop" | "host" | "router";
  shell?: number | null;
  latitude_deg?: number | null;
  longitude_deg?: number | null;
  altitude_km?: number | null;
  x?: number | null;
  y?: number | null;
};

export type Link = {
  id: number;
  name: string;
  from: number;
  to: number;
  kind: "isl" | "ground" | "plain";
  /** Whether the link exists during the complete run. */
  always: boolean;
};

export type PositionsFile = { start_s: number; step_s: number; knots: number; satellites: number[]; data: Ref };

export type Flow = {
  id: number;
  name: string;
  controller: string;
  from: number;
  to: number;
  start_s: number;
  end_s: number | null;
  /** Whether the flow ended because all its data had arrived. */
  completed?: boolean;
  color_index: number;
  facts: { name: string; value: string | number | null; unit: string | null }[];
};

export type PathFile = { flow: number; time: Ref; count: number; node_start: Ref; nodes: Ref; rtt_ms: Ref };

export type Quantity =
  | "cwnd"
  | "ssthresh"
  | "in_flight"
  | "pacing_rate"
  | "delivery_rate"
  | "rtt"
  | "propagation_rtt"
  | "queue"
  | "utilisation"
  | "losses";

export type CurveFile = {
  of: { flow: number } | { link: number };
  quantity: Quantity;
  unit: string;
  step: boolean;
  levels: { count: number; time: Ref; low: Ref; high: Ref }[];
};

/** True cause of the loss of a packet that the sender declared lost. With `none`, the packet had arrived. */
export type Cause = "queue" | "error" | "outage" | "policer" | "too_large" | "none";

/** Cuts, timeouts, starts and ends of a flow. `kind` and `reason` are indices into `kinds` and `reasons`. */
export type EventFile = {
  flow: number;
  kinds: string[];
  reasons: string[];
  time: Ref;
  kind: Ref;
  reason: Ref;
  before: Ref;
  after: Ref;
};
