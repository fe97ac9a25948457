// SPDX-License-Identifier: MIT OR Apache-2.0
// A curve reduced to the pixels of a plot. If there are more samples than columns of pixels, each column keeps the
// smallest and the largest value.
import type { Drawn } from "./derived";

export type Outline = {
  /** Times, each with the smallest and the largest value; NaN in a gap. */
  time: Float64Array;
  low: Float32Array;
  high: Float32Array;
  count: number;
  /** Smallest and largest visible value. */
  least: number;
  most: number;
};

/** Number of points per column of pixels above which the curve is reduced. */
const PER_COLUMN = 4;

export function outline(curve: Drawn, from: number, to: number, columns: number): Outline {
  const found = curve.between(from, to, columns * PER_COLUMN);
  if (!found) return seen(new Float64Array(0), new Float32Array(0), new Float32Array(0), from, to);
  const { level, first, end } = found;
  const samples = end - first;
  if (samples <= columns * 2)
    return seen(
      level.time.subarray(first, end),
      level.low.subarray(first, end),
      level.high.subarray(first, end),
      from,
      to,
    );
  const time = new Float64Array(columns + 2);
  const low = new Float32Array(columns + 2);
  const high = new Float32Array(columns + 2);
  let count = -1;
  let column = Number.NEGATIVE_INFINITY;
  const scale = columns / (to - from);
  for (let at = first; at < end; at++) {
    const here = Math.min(Math.max(Math.floor((level.time[at] - from) * scale), -1), columns);
    if (here !== column) {
      column = here;
      count++;
      time[count] = level.time[at];
      low[count] = level.low[at];
      high[count] = level.high[at];
      continue;
    }
    if (!(low[count] <= level.low[at])) low[count] = level.low[at];
    if (!(high[count] >= level.high[at])) high[count] = level.high[at];
  }
  count++;
  return seen(time.subarray(0, count), low.subarray(0, count), high.subarray(0, count), from, to);
}

function seen(time: Float64Array, low: Float32Array, high: Float32Array, from: number, to: number): Outline {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < time.length; at++) {
    // A neighbour outside the range only determines where the line reaches the edge. It does not affect the scale.
    if (time[at] < from && at + 1 < time.length && time[at + 1] <= from) continue;
    if (time[at] > to) break;
    if (low[at] < least) least = low[at];
    if (high[at] > most) most = high[at];
  }
  return { time, low, high, count: time.length, least, most };
}
