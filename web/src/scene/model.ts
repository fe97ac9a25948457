// SPDX-License-Identifier: MIT OR Apache-2.0
// The model of a run for the views: nodes, links and flows by id, sorted times, and values at a time.
import { Positions } from "../earth/positions";
import type { Buffers } from "./buffers";
import { Curve } from "./curve";
import type { Cause, Flow, Link, Node, Quantity, RunFile } from "./format";
import { type Path, pathOf } from "./path";
import { Phases } from "./phases";
import { SceneError } from "./problem";
import { Changes, Events, type Story } from "./story";

/** A line between two nodes. It represents the link of one direction, or the links of both directions. */
export type Line = { key: string; a: number; b: number; links: Link[]; always: boolean; kind: Link["kind"] };
export type Losses = { cause: Cause; time: Float64Array };

export class Run {
  /** Index of a node in the list by its id. */
  readonly place = new Map<number, number>();
  readonly lines: Line[] = [];
  readonly lineOf = new Map<string, Line>();
  readonly paths = new Map<number, Path>();
  readonly flow = new Map<number, Flow>();
  readonly curves: Curve[];
  /**
   * Whether the satellites do not move over the ground. This is so if all altitudes equal that of the geostationary arc
   * within a few percent.
   */
  readonly still: boolean;
  /** Nodes with a link that has recorded values. */
  readonly busy: ReadonlySet<number>;
  readonly positions: Positions | null;
  private readonly curveOf = new Map<string, Curve>();
  private readonly phasesOf = new Map<number, Phases>();
  private readonly lossesOf = new Map<number, Losses[]>();
  private readonly changesOf = new Map<number, Changes | null>();
  private readonly eventsOf = new Map<number, Events>();

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
    this.curves = file.curves.map((curve, at) => {
      const end = "flow" in curve.of ? (this.flow.get(curve.of.flow)?.end_s ?? undefined) : undefined;
      return new Curve(curve, buffers, `${where}.curves[${at}]`, end);
    });
    for (const curve of this.curves) this.curveOf.set(`${curve.flow} ${curve.link} ${curve.quantity}`, curve);
    const linked = new Set(this.curves.map(({ link }) => link));
    this.busy = new Set(file.links.flatMap(({ id, from, to }) => (linked.has(id) ? [from, to] : [])));
    this.positions = file.positions && Positions.of(file.positions, this.place, buffers, `${where}.positions`);
    this.still = this.positions?.isGeostationary() ?? false;
    for (const [at, path] of file.paths.entries()) {
      this.paths.set(path.flow, pathOf(path, this.place, buffers, `${where}.paths[${at}]`));
    }
  }

  node(id: number): Node {
    return this.file.nodes[this.place.get(id)!];
  }

  /**
   * The name of a node on the stage. If a shell has only one satellite, this satellite has the name of the shell
   * ("KA-SAT", not "KA-SAT 1/1").
   */
  called(id: number): string {
    const { name, shell } = this.node(id);
    const of = typeof shell === "number" ? this.file.shells[shell] : undefined;
    return of?.count === 1 ? of.name : name;
  }

  /** The shells with drawn satellites, and the number of these satellites. */
  get shells(): { shell: number; name: string; count: number }[] {
    const counts = new Map<number, number>();
    for (const id of this.positions?.satellites ?? []) {
      const shell = this.node(id).shell ?? 0;
      counts.set(shell, (counts.get(shell) ?? 0) + 1);
    }
    return this.file.shells.flatMap(({ name }, shell) => {
      const count = counts.get(shell);
      return count === undefined ? [] : [{ shell, name, count }];
    });
  }

  curveOfFlow(flow: number, quantity: Quantity): Curve | null {
    return this.curveOf.get(`${flow} null ${quantity}`) ?? null;
  }

  curveOfLink(link: number, quantity: Quantity): Curve | null {
    return this.curveOf.get(`null ${link} ${quantity}`) ?? null;
  }

  /** The line between two nodes, in either order. */
  line(one: number, other: number): Line | null {
    return this.lineOf.get(lineKey(one, other)) ?? null;
  }

  /** The phases of a flow; `null` if it has no phases, or if they have not arrived yet. */
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

  /** Times of a flow's losses, by true cause; empty until they have arrived. */
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

  /** Changes of a flow's path; `null` if the path is not known. */
  changes(flow: number): Changes | null {
    const known = this.changesOf.get(flow);
    if (known !== undefined) return known;
    const [path, of] = [this.paths.get(flow), this.flow.get(flow)];
    const made = path && of ? new Changes(path, of, this.file.duration_s, (id) => this.node(id).name) : null;
    this.changesOf.set(flow, made);
    return made;
  }

  /** Cuts of a flow's window, its timeouts, start and end; `null` if there are no events, or if they have not arrived
   * yet. */
  events(flow: number): Events | null {
    const known = this.eventsOf.get(flow);
    if (known) return known;
    const file = this.file.events.find((events) => events.flow === flow);
    if (!file || !this.buffers.ready([file.time, file.kind, file.reason, file.before, file.after])) return null;
    const made = new Events(file, this.buffers, `${this.where}.events of flow ${flow}`, this.changes(flow));
    this.eventsOf.set(flow, made);
    return made;
  }

  /** All events of a flow that have arrived so far. */
  stories(flow: number): Story[] {
    return [this.changes(flow), this.events(flow)].filter((story) => story !== null);
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
