// SPDX-License-Identifier: MIT OR Apache-2.0
// Finds the node or line under the pointer on globe or map.
import type { Frame } from "./earth/frame";
import type { Projected, View } from "./earth/view";
import type { Line } from "./scene/model";
import type { Picked } from "./store";

/** Largest distance from the pointer, in pixels. Nodes have priority over lines. */
const REACH = 9;

export function under(view: View, frame: Frame, flows: readonly number[], x: number, y: number): Picked | null {
  const { run } = frame;
  const at: Projected = { x: 0, y: 0, hidden: false };
  let best: Picked | null = null;
  let nearest = REACH;
  const offer = (place: number, favour: number) => {
    view.project(place, at);
    const away = Math.hypot(at.x - x, at.y - y) - favour;
    if (at.hidden || away >= nearest) return;
    nearest = away;
    best = { kind: "node", id: run.file.nodes[place].id };
  };
  for (const place of frame.satellites) offer(place, 0);
  // Sites have priority, because they are few, and they are the ends of flows. Hops of the followed paths also have
  // priority.
  for (const [place, { kind }] of run.file.nodes.entries()) if (kind !== "satellite") offer(place, 3);
  for (const { id } of frame.hops(flows)) offer(run.place.get(id)!, 5);
  if (best) return best;
  nearest = REACH * 0.7;
  for (const line of candidates(frame)) {
    const away = distance(view, run.place.get(line.a)!, run.place.get(line.b)!, x, y);
    if (away >= nearest) continue;
    nearest = away;
    best = { kind: "line", key: line.key };
  }
  return best;
}

/** All drawn lines: permanent lines, and lines of paths. */
function* candidates(frame: Frame): Generator<Line> {
  for (const { now } of frame.ways.values()) {
    for (let hop = 1; hop < (now?.nodes.length ?? 0); hop++) {
      const line = frame.run.line(now!.nodes[hop - 1], now!.nodes[hop]);
      if (line) yield line;
    }
  }
  yield* frame.lines;
}

function distance(view: View, one: number, other: number, x: number, y: number): number {
  const a: Projected = { x: 0, y: 0, hidden: false };
  const b: Projected = { x: 0, y: 0, hidden: false };
  view.project(one, a);
  view.project(other, b);
  if (a.hidden || b.hidden) return Number.POSITIVE_INFINITY;
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const along = Math.min(Math.max(((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1), 0), 1);
  return Math.hypot(a.x + along * dx - x, a.y + along * dy - y);
}
