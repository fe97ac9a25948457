// SPDX-License-Identifier: MIT OR Apache-2.0
// A run as the views ask for it: things by their ids, sorted times, values at a moment.
import { Positions } from "../earth/positions";
import type { Buffers } from "./buffers";
import { Curve } from "./curve";
import type { Cause, Event, Flow, Link, Node, Quantity, RunFile } from "./format";
import { type Path, pathOf } from "./path";
import { Phases } from "./phases";
import { SceneError } from "./problem";

/** A line between two nodes: the link there, the link back, or both. */
export type Line = { key: string; a: number; b: number; links: Link[]; always: boolean; kind: Link["kind"] };
export type Losses = { cause: Cause; time: Float64Array };

/** What happens to a flow's way, and what to its window. */
const OF_THE_PATH = ["handover", "path", "outage"];
const OF_THE_WINDOW = ["cut", "timeout", "mark", "spurious"];

export class Run {
  /** Place of a node in the list by its id. */
  readonly place = new Map<number, number>();
  readonly lines: Line[] = [];
  readonly lineOf = new Map<string, Line>();
  readonly paths = new Map<number, Path>();
  readonly flow = new Map<number, Flow>();
  readonly curves: Curve[];
  readonly positions: Positions | null;
  /** In order of time, as those of the path and of windows alone. */
  readonly events: readonly Event[];
  readonly pathEvents: readonly Event[];
  readonly cutEvents: readonly Event[];
  private readonly curveOf = new Map<string, Curve>();
  private readonly phasesOf = new Map<number, Phases>();
  private readonly lossesOf = new Map<number, Losses[]>();

  constructor(
    readonly file: RunFile,
    private readonly buffers: Buffers,
    private readonly where: string,
  ) {
    for (const [at, node] of file.nodes.entries()) {
      if (this.place.has(node.id)) throw new SceneError(`${where}.nodes has the number ${node.id} twice`);
      this.place.set(node.id, at);
    }
    this.checkEnds("links", file.links);
    this.checkEnds("flows", file.flows);
    for (const flow of file.flows) this.flow.set(flow.id, flow);
    for (const link of file.links) this.join(link);
    this.curves = file.curves.map((curve, at) => new Curve(curve, buffers, `${where}.curves[${at}]`));
    for (const curve of this.curves) this.curveOf.set(`${curve.flow} ${curve.link} ${curve.quantity}`, curve);
    this.positions = file.positions && Positions.of(file.positions, this.place, buffers, `${where}.positions`);
    for (const [at, path] of file.paths.entries()) {
      this.paths.set(path.flow, pathOf(path, this.place, buffers, `${where}.paths[${at}]`));
    }
    this.events = [...file.events].sort((one, other) => one.time_s - other.time_s);
    this.cutEvents = this.events.filter(({ kind }) => OF_THE_WINDOW.includes(kind));
    this.pathEvents = this.events.filter(({ kind }) => OF_THE_PATH.includes(kind));
  }

  node(id: number): Node {
    return this.file.nodes[this.place.get(id)!];
  }

  curveOfFlow(flow: number, quantity: Quantity): Curve | null {
    return this.curveOf.get(`${flow} null ${quantity}`) ?? null;
  }

  curveOfLink(link: number, quantity: Quantity): Curve | null {
    return this.curveOf.get(`null ${link} ${quantity}`) ?? null;
  }

  /** The line between two nodes, whichever way round. */
  line(one: number, other: number): Line | null {
    return this.lineOf.get(lineKey(one, other)) ?? null;
  }

  /** The phases of a flow; `null` where it has none, and until they have come. */
  phases(flow: number): Phases | null {
    const known = this.phasesOf.get(flow);
    if (known) return known;
    const file = this.file.phases.find((phases) => phases.flow === flow);
    if (!file || !this.buffers.ready([file.time, file.name])) return null;
    const where = `${this.where}.phases of flow ${flow}`;
    const end = this.flow.get(flow)?.end_s ?? this.file.duration_s;
    const made = new Phases(file.names, this.buffers.f64(file.time, where), this.buffers.u32(file.name, where), end);
    this.phasesOf.set(flow, made);
    return made;
  }

  /** Times of a flow's losses by their true cause; empty until they have come. */
  losses(flow: number): readonly Losses[] {
    const known = this.lossesOf.get(flow);
    if (known) return known;
    const files = this.file.losses.filter((losses) => losses.flow === flow);
    if (!this.buffers.ready(files.map(({ time }) => time))) return [];
    const made = files.map(({ cause, time }) => ({
      cause,
      time: this.buffers.f64(time, `${this.where}.losses of flow ${flow}`),
    }));
    this.lossesOf.set(flow, made);
    return made;
  }

  private checkEnds(kind: string, rows: readonly { from: number; to: number }[]): void {
    for (const [at, { from, to }] of rows.entries()) {
      const missing = [from, to].find((id) => !this.place.has(id));
      if (missing === undefined) continue;
      throw new SceneError(`${this.where}.${kind}[${at}] ends at node ${missing}, which is not in the list`);
    }
  }

  private join(link: Link): void {
    const key = lineKey(link.from, link.to);
    const known = this.lineOf.get(key);
    if (known) {
      known.links.push(link);
      known.always ||= link.always;
      return;
    }
    const line: Line = { key, a: link.from, b: link.to, links: [link], always: link.always, kind: link.kind };
    this.lineOf.set(key, line);
    this.lines.push(line);
  }
}

export function lineKey(one: number, other: number): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
