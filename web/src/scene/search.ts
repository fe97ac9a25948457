// SPDX-License-Identifier: MIT OR Apache-2.0

/** Number of sorted times at or before a time. */
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

/** Number of sorted times before a time. */
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
