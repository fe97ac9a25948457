// SPDX-License-Identifier: MIT OR Apache-2.0
// The constellation of a run at a time: all positions, the existing lines, and the path of each flow. Globe and map
// draw the same frame.
import type { Node } from "../scene/format";
import type { Line, Run } from "../scene/model";
import type { Way } from "../scene/path";
import type { State, Tint } from "../store";
import { fullness } from "../tint";
import { earthFixed } from "./geodesy";

/** Whether nodes of this kind are on the ground. */
export function isGround(kind: Node["kind"]): boolean {
  return kind === "site" || kind === "gateway" || kind === "pop";
}

/** Number of satellites above which the links between them would cover the Earth. */
const MESHED = 2000;

/** Whether the permanent links are drawn. The user decides. By default, they are drawn if they do not cover the Earth. */
export function isMeshed(run: Run, mesh: State["mesh"]): boolean {
  return mesh ?? (run.positions?.satellites.length ?? 0) <= MESHED;
}

/** Opacity of each line, if there are many lines. The ground stays visible below thousands of lines. */
export function strength(lines: number, one: number): number {
  return one * Math.min(1, Math.max(0.3, 3000 / (lines || 1)));
}

export class Frame {
  /** Earth-fixed position of every node in km, in the order of the scene's list. */
  readonly xyz: Float32Array;
  /** Places (in the list of nodes) of the satellites of shells that are shown. */
  satellites: Uint32Array = new Uint32Array(0);
  /** Permanent lines between these satellites. */
  lines: Line[] = [];
  /** Places of both ends of each of `lines`. */
  ends: Uint32Array = new Uint32Array(0);
  ways = new Map<number, { now: Way | null; before: Way | null }>();
  /** Lines of paths with recorded values, each with its share of fullness. */
  full: { line: Line; share: number }[] = [];
  /** A number that increases when the set of satellites or lines changes. It stays the same when they only move. */
  version = 0;
  private readonly moving: Float32Array;
  private readonly recorded: Record<Tint, Line[]>;
  private hidden: State["hiddenShells"] | null = null;
  private meshed: boolean | null = null;

  constructor(readonly run: Run) {
    this.xyz = new Float32Array(run.file.nodes.length * 3);
    this.moving = new Float32Array((run.positions?.satellites.length ?? 0) * 3);
    for (const [at, node] of run.file.nodes.entries()) {
      if (typeof node.latitude_deg !== "number" || typeof node.longitude_deg !== "number") continue;
      this.xyz.set(earthFixed(node.latitude_deg, node.longitude_deg, node.altitude_km ?? 0), at * 3);
    }
    const with_ = (tint: "utilisation" | "queue") =>
      run.lines.filter((line) => line.links.some((link) => run.curveOfLink(link.id, tint)));
    this.recorded = { utilisation: with_("utilisation"), queue: with_("queue"), none: [] };
  }

  update(state: Readonly<State>): void {
    const { run } = this;
    const meshed = isMeshed(run, state.mesh);
    if (this.hidden !== state.hiddenShells || this.meshed !== meshed) this.choose(state.hiddenShells, meshed);
    if (run.positions) {
      run.positions.at(state.time, this.moving);
      for (const [at, id] of run.positions.satellites.entries()) {
        const place = run.place.get(id)! * 3;
        this.xyz[place] = this.moving[at * 3];
        this.xyz[place + 1] = this.moving[at * 3 + 1];
        this.xyz[place + 2] = this.moving[at * 3 + 2];
      }
    }
    this.ways.clear();
    for (const [flow, path] of run.paths) {
      const { start_s, end_s } = run.flow.get(flow) ?? { start_s: 0, end_s: null };
      const active = state.time >= start_s && state.time <= (end_s ?? Number.POSITIVE_INFINITY);
      this.ways.set(flow, active ? path.at(state.time) : { now: null, before: null });
    }
    const onPath = this.linesOnPaths();
    this.full = [];
    // Only lines that carry data now are coloured. The values of other lines are not fetched.
    for (const line of this.recorded[state.tint]) {
      if (!onPath.has(line.key)) continue;
      const share = fullness(run, line, state.tint, state.time);
      if (share !== null) this.full.push({ line, share });
    }
  }

  private linesOnPaths(): Set<string> {
    const keys = new Set<string>();
    for (const { now } of this.ways.values()) {
      for (let at = 1; at < (now?.nodes.length ?? 0); at++) {
        const line = this.run.line(now!.nodes[at - 1], now!.nodes[at]);
        if (line) keys.add(line.key);
      }
    }
    return keys;
  }

  /** Nodes on the paths of these flows, in order. Each node is listed once. */
  hops(flows: readonly number[]): { id: number; flow: number }[] {
    const found = new Map<number, number>();
    for (const flow of flows) {
      for (const id of this.ways.get(flow)?.now?.nodes ?? []) if (!found.has(id)) found.set(id, flow);
    }
    return [...found].map(([id, flow]) => ({ id, flow }));
  }

  private choose(hidden: State["hiddenShells"], meshed: boolean): void {
    const { run } = this;
    const shown = (id: number) => {
      const { kind, shell } = run.node(id);
      return kind !== "satellite" || !hidden.includes(shell ?? 0);
    };
    this.hidden = hidden;
    this.meshed = meshed;
    this.satellites = Uint32Array.from((run.positions?.satellites ?? []).filter(shown).map((id) => run.place.get(id)!));
    this.lines = meshed ? run.lines.filter((line) => line.always && shown(line.a) && shown(line.b)) : [];
    this.ends = Uint32Array.from(this.lines.flatMap(({ a, b }) => [run.place.get(a)!, run.place.get(b)!]));
    this.version++;
  }
}
