// SPDX-License-Identifier: MIT OR Apache-2.0
// Curves of the selected node or flow that are not in a table. They are computed from positions and paths.
//
// Only the values for visible pixels are computed.

import { isGround } from "../earth/frame";
import { earthFixed } from "../earth/geodesy";
import type { Level } from "../scene/curve";
import type { Node } from "../scene/format";
import type { Run } from "../scene/model";

/** Number of computed points per plot. */
const POINTS = 500;
const RAD = Math.PI / 180;

/** The part of a curve's interface that plots use. */
export type Drawn = {
  readonly unit: string;
  readonly step: boolean;
  at(moment: number): number | null;
  between(from: number, to: number, most: number): { level: Level; first: number; end: number } | null;
};

export class Derived implements Drawn {
  readonly step = false;

  constructor(
    readonly unit: string,
    private readonly duration: number,
    readonly at: (moment: number) => number | null,
  ) {}

  between(from: number, to: number, most: number): { level: Level; first: number; end: number } {
    const [start, end] = [Math.max(from, 0), Math.min(to, this.duration)];
    const count = Math.max(2, Math.min(most, POINTS));
    const time = Float64Array.from({ length: count }, (_, at) => start + ((end - start) * at) / (count - 1));
    const low = Float32Array.from(time, (moment) => this.at(moment) ?? Number.NaN);
    return { level: { time, low, high: low }, first: 0, end: count };
  }
}

export type Look = { elevation_deg: number; range_km: number };

/** Elevation of a point in space above the horizontal plane of a place on the ground, and its distance from the place. */
export function look({ latitude_deg, longitude_deg, altitude_km }: Node, point: ArrayLike<number>): Look {
  const [latitude, longitude] = [latitude_deg as number, longitude_deg as number];
  const from = earthFixed(latitude, longitude, altitude_km ?? 0);
  const [x, y, z] = [point[0] - from[0], point[1] - from[1], point[2] - from[2]];
  const up = [
    Math.cos(latitude * RAD) * Math.cos(longitude * RAD),
    Math.cos(latitude * RAD) * Math.sin(longitude * RAD),
    Math.sin(latitude * RAD),
  ];
  const range_km = Math.hypot(x, y, z);
  return { elevation_deg: Math.asin((x * up[0] + y * up[1] + z * up[2]) / range_km) / RAD, range_km };
}

/**
 * The flow that represents a site. It is the first of `flows` that ends at the site. If there is no such flow, it is
 * the first of all flows that ends there.
 */
export function flowAt(run: Run, site: number, flows: readonly number[]): number | null {
  const ends = (id: number) => {
    const flow = run.flow.get(id);
    return flow !== undefined && (flow.from === site || flow.to === site) && run.paths.has(id);
  };
  return [...flows, ...run.flow.keys()].find(ends) ?? null;
}

/** The satellite that a site uses for a flow at a time, with its elevation and distance; `null` if it uses no satellite. */
export function access(run: Run, site: number, flow: number, moment: number): (Look & { satellite: number }) | null {
  const nodes = run.paths.get(flow)?.way(run.paths.get(flow)!.number(moment))?.nodes;
  if (!nodes || nodes.length < 2 || !run.positions) return null;
  const satellite = run.flow.get(flow)?.from === site ? nodes[1] : nodes[nodes.length - 2];
  const node = run.node(site);
  const point = run.positions.of(satellite, moment);
  if (!point || Number.isNaN(point[0]) || !isGround(node.kind) || typeof node.latitude_deg !== "number") return null;
  return { satellite, ...look(node, point) };
}

/** Number of flows whose path contains a node at a time. */
export function flowsOver(run: Run, node: number, moment: number): number {
  let count = 0;
  for (const [id, path] of run.paths) {
    const { start_s, end_s } = run.flow.get(id) ?? { start_s: 0, end_s: null };
    if (moment < start_s || moment > (end_s ?? Number.POSITIVE_INFINITY)) continue;
    if (path.way(path.number(moment))?.nodes.includes(node)) count++;
  }
  return count;
}
