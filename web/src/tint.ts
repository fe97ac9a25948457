// SPDX-License-Identifier: MIT OR Apache-2.0
// The fullness of a link at a time, for the colour of its line.
import type { Line, Run } from "./scene/model";
import type { Tint } from "./store";

const peaks = new WeakMap<Run, number>();

/** The longest queue of all links of the run whose data have arrived. It is the upper end of the scale. */
export function longestQueue(run: Run): number {
  const known = peaks.get(run);
  if (known !== undefined) return known;
  let peak = 0;
  let whole = true;
  for (const curve of run.curves) {
    if (curve.link === null || curve.quantity !== "queue") continue;
    const level = curve.coarsest;
    whole &&= level !== null;
    for (const value of level?.high ?? []) if (value > peak) peak = value;
  }
  if (whole) peaks.set(run, peak);
  return peak;
}

/** A value from 0 to 1; `null` if nothing was recorded. If a line has two directions, the larger value. */
export function fullness(run: Run, line: Line, tint: Tint, time: number): number | null {
  if (tint === "none") return null;
  let most: number | null = null;
  for (const link of line.links) {
    const curve = run.curveOfLink(link.id, tint);
    const value = curve?.at(time) ?? null;
    if (value === null) continue;
    const full = tint === "queue" ? longestQueue(run) || 1 : 100;
    const share = value / full;
    most = Math.max(most ?? 0, share);
  }
  return most;
}
