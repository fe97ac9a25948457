// SPDX-License-Identifier: MIT OR Apache-2.0

/** How many of sorted times are at or before a moment. */
export function upTo(times: ArrayLike<number>, moment: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle] <= moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of sorted times are before a moment. */
export function before(times: ArrayLike<number>, moment: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle] < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
