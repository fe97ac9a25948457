// SPDX-License-Identifier: MIT OR Apache-2.0
// Drawing of networks without satellites: dumbbells, chains, stars. The colour of a line shows the load of its links.
// Queues are bars.
import { rem, say } from "./dom";
import { flowColour, heatColour, theme } from "./palette";
import type { Line, Run } from "./scene/model";
import type { Way } from "./scene/path";
import type { State, Store } from "./store";
import { fullness, longestQueue } from "./tint";
import { number } from "./words";

const SVG = "http://www.w3.org/2000/svg";
type Size = { width: number; height: number };
type Point = { x: number; y: number };

export class Plain {
  readonly root = svg("svg", { class: "plain", role: "group", preserveAspectRatio: "xMidYMid meet" });
  private readonly below = svg("g", {});
  private readonly queues: { link: number; bar: SVGElement; word: SVGElement; full: number }[] = [];
  private readonly lines = new Map<string, SVGElement>();
  private readonly nodes = new Map<number, SVGElement>();
  private points: Point[] = [];
  ways = new Map<number, { now: Way | null; before: Way | null }>();

  constructor(
    readonly run: Run,
    private readonly store: Store,
  ) {
    this.root.setAttribute("aria-label", `Network: ${run.file.nodes.length} nodes, ${run.lines.length} links`);
  }

  /** Draws the layout again. One unit is a sixteenth of a rem, so that text has the same size as in the rest of the
   * page. */
  resize(): void {
    const unit = rem(1 / 16);
    const size = { width: this.root.clientWidth / unit, height: this.root.clientHeight / unit };
    if (size.width < 50 || size.height < 50) return;
    this.root.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    this.points = placed(this.run, size);
    this.queues.length = 0;
    this.lines.clear();
    this.nodes.clear();
    const links = svg("g", {});
    for (const line of this.run.lines) links.append(...this.line(line));
    const nodes = [...this.run.file.nodes.keys()].map((at) => this.node(at));
    this.root.replaceChildren(this.below, links, ...nodes);
  }

  draw(state: Readonly<State>): void {
    const colours = theme();
    const { run } = this;
    this.ways.clear();
    for (const [flow, path] of run.paths) {
      const { start_s, end_s } = run.flow.get(flow) ?? { start_s: 0, end_s: null };
      const active = state.time >= start_s && state.time <= (end_s ?? Number.POSITIVE_INFINITY);
      this.ways.set(flow, active ? path.at(state.time) : { now: null, before: null });
    }
    for (const [key, line] of this.lines) {
      const share = fullness(run, run.lineOf.get(key)!, state.tint, state.time);
      line.style.stroke = share === null ? colours.muted : heatColour(share);
      line.classList.toggle("picked", state.picked?.kind === "line" && state.picked.key === key);
    }
    for (const [id, node] of this.nodes) {
      node.classList.toggle("picked", state.picked?.kind === "node" && state.picked.id === id);
    }
    for (const { link, bar, word, full } of this.queues) {
      const curve = run.curveOfLink(link, "queue");
      const value = curve?.at(state.time) ?? null;
      const share = Math.min((value ?? 0) / full, 1);
      bar.setAttribute("transform", `scale(${share.toFixed(4)} 1)`);
      bar.style.fill = heatColour(share);
      say(word, value === null || value === 0 ? "" : `${number(value)} ${curve?.unit}`);
    }
    this.paths(state, colours.dark);
  }

  /** Draws the paths of the followed flows. On shared links they are side by side. */
  private paths(state: Readonly<State>, dark: boolean): void {
    this.below.replaceChildren();
    // Before the first layout, nodes have no positions.
    if (this.points.length === 0) return;
    const shown = state.flows.length > 0 ? state.flows : [...this.ways.keys()].slice(0, 6);
    for (const [at, flow] of shown.slice(0, 6).entries()) {
      const nodes = this.ways.get(flow)?.now?.nodes;
      if (!nodes) continue;
      const aside = (at - (Math.min(shown.length, 6) - 1) / 2) * 9;
      const points = [...nodes].map((id) => this.points[this.run.place.get(id)!]);
      const path = svg("polyline", { class: "way", points: points.map(({ x, y }) => `${x},${y + aside}`).join(" ") });
      path.style.stroke = flowColour(this.run.flow.get(flow)?.color_index ?? 0, dark);
      this.below.append(path);
    }
  }

  /** Draws a line, with its queues beside it. */
  private line(line: Line): SVGElement[] {
    const [a, b] = [line.a, line.b].map((id) => this.points[this.run.place.get(id)!]);
    const name = line.links.map((link) => link.name).join(", ");
    const group = svg("g", { class: "line", tabindex: 0, role: "button", "aria-label": `Link ${name}` });
    const drawn = svg("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y, class: "wire" });
    const target = svg("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y, class: "target" });
    const title = svg("title", {});
    title.textContent = name;
    group.append(title, drawn, target);
    const pick = () => this.store.set({ picked: { kind: "line", key: line.key } });
    this.picks(group, pick);
    this.lines.set(line.key, drawn);
    const bars = line.links.flatMap(
      (link) => this.queue(link.id, link.from === line.a ? a : b, link.from === line.a ? b : a) ?? [],
    );
    for (const bar of bars) bar.addEventListener("click", pick);
    return [group, ...bars];
  }

  /** Draws a queue as a bar at the start of its link, beside the line, on the right in the direction of the packets. */
  private queue(link: number, from: Point, to: Point): SVGElement | null {
    const curve = this.run.curveOfLink(link, "queue");
    if (!curve) return null;
    const full = peak(curve.coarsest?.high ?? new Float32Array(0)) || longestQueue(this.run) || 1;
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
    const room = Math.min(length * 0.4, 110);
    if (room < 10) return null;
    const height = room < 30 ? 6 : 12;
    const group = svg("g", {
      // Screen readers skip the bar. The facts of the link contain the number, and the button has the name of the link.
      "aria-hidden": "true",
      transform: `translate(${from.x} ${from.y}) rotate(${angle}) translate(${length * 0.5 - room - 4} 12)`,
    });
    const back = svg("rect", { class: "queue-room", width: room, height, rx: 3 });
    // The bar fills from the end at the link, where the next packet leaves.
    const inner = svg("g", { transform: `translate(${room} 0) scale(-1 1)` });
    const bar = svg("rect", { class: "queue-fill", width: room, height, rx: 3 });
    const upright = Math.abs(angle) > 90;
    const word = svg("text", {
      class: "queue-word",
      x: upright ? -room : 0,
      y: upright ? -16 : 30,
      transform: upright ? "rotate(180)" : "",
    });
    inner.append(bar);
    group.append(back, inner, word);
    this.queues.push({ link, bar, word, full });
    return group;
  }

  private node(at: number): SVGElement {
    const node = this.run.file.nodes[at];
    const { x, y } = this.points[at];
    const group = svg("g", {
      class: `node ${node.kind}`,
      tabindex: 0,
      role: "button",
      "aria-label": `${node.kind} ${node.name}`,
    });
    const crowded = this.run.file.nodes.length > 30;
    const narrow = this.run.file.nodes.length > 10;
    const size = crowded ? 6 : narrow ? 9 : 14;
    // Beside short lines, names are above the queues.
    const lift = narrow ? 20 : 8;
    const shape =
      node.kind === "router"
        ? svg("circle", { cx: x, cy: y, r: size })
        : svg("rect", { x: x - size, y: y - size * 0.8, width: size * 2, height: size * 1.6, rx: 4 });
    const word = svg("text", { x, y: y - size - lift, "text-anchor": "middle" });
    word.textContent = crowded && this.run.file.nodes.length > 80 ? "" : node.name;
    const title = svg("title", {});
    title.textContent = node.name;
    group.append(title, shape, word);
    this.picks(group, () => this.store.set({ picked: { kind: "node", id: node.id } }));
    this.nodes.set(node.id, group);
    return group;
  }

  private picks(group: SVGElement, pick: () => void): void {
    group.addEventListener("click", pick);
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter") pick();
    });
  }
}

function svg(tag: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== "") made.setAttribute(name, String(value));
  return made;
}

function peak(values: Float32Array): number {
  return values.reduce((most, value) => Math.max(most, value || 0), 0);
}

/** Positions from the scene, scaled to the drawing. Nodes without positions are placed on a circle. */
export function placed(run: Run, size: Size): Point[] {
  const { nodes } = run.file;
  const known = nodes.every((node) => typeof node.x === "number" && typeof node.y === "number");
  const points = nodes.map((node, at) => {
    const angle = (2 * Math.PI * at) / nodes.length - Math.PI;
    return known
      ? { x: node.x as number, y: node.y as number }
      : { x: (1 + Math.cos(angle)) / 2, y: (1 + Math.sin(angle)) / 2 };
  });
  const stretch = (of: (point: Point) => number, length: number, edge: number) => {
    const [least, most] = [Math.min(...points.map(of)), Math.max(...points.map(of))];
    if (most <= least) return () => length / 2;
    return (value: number) => edge + ((value - least) / (most - least)) * (length - 2 * edge);
  };
  const x = stretch((point) => point.x, size.width, Math.min(70, size.width / 8));
  const y = stretch((point) => point.y, size.height, Math.min(60, size.height / 5));
  return points.map((point) => ({ x: x(point.x), y: y(point.y) }));
}
