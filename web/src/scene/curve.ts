// SPDX-License-Identifier: MIT OR Apache-2.0
// A quantity over time, in levels of detail. The first level contains every sample. Each further level contains the
// smallest and the largest value of groups of samples.
import type { Buffers } from "./buffers";
import type { CurveFile, Quantity } from "./format";
import { SceneError } from "./problem";
import { before, upTo } from "./search";

export type Level = { time: Float64Array; low: Float32Array; high: Float32Array };

export class Curve {
  readonly quantity: Quantity;
  readonly unit: string;
  /** Whether a sample describes the interval that ends at its time. Otherwise it is the value at its time. */
  readonly step: boolean;
  readonly flow: number | null;
  readonly link: number | null;
  private made: Level[] | null = null;

  constructor(
    private readonly file: CurveFile,
    private readonly buffers: Buffers,
    private readonly where: string,
    /** End of the flow. Later samples are ignored. */
    private readonly end_s = Number.POSITIVE_INFINITY,
  ) {
    this.quantity = file.quantity;
    this.unit = file.unit;
    this.step = file.step;
    this.flow = "flow" in file.of ? file.of.flow : null;
    this.link = "link" in file.of ? file.of.link : null;
    if (file.levels.length === 0) throw new SceneError(`${where} has no levels`);
  }

  /** Levels, the finest first; `null` until they have arrived. Reading this property requests them. */
  get levels(): Level[] | null {
    const { file, buffers, where } = this;
    if (!this.made && buffers.ready(file.levels.flatMap(({ time, low, high }) => [time, low, high]))) {
      this.made = file.levels.map((level, number) => {
        const here = `${where}.levels[${number}]`;
        const time = buffers.f64(level.time, `${here}.time`);
        const low = buffers.f32(level.low, `${here}.low`);
        const high = buffers.f32(level.high, `${here}.high`);
        if (low.length !== time.length || high.length !== time.length) {
          throw new SceneError(`${here} has ${time.length} times, ${low.length} lows and ${high.length} highs`);
        }
        return { time, low, high };
      });
    }
    return this.made;
  }

  /** The coarsest level, for properties of the complete curve. */
  get coarsest(): Level | null {
    return this.levels?.at(-1) ?? null;
  }

  /** Whether the curve has no values, according to the data that have arrived. */
  get empty(): boolean {
    return this.coarsest?.high.every(Number.isNaN) ?? false;
  }

  /** The value at a time; `null` if there is no value. */
  at(moment: number): number | null {
    const finest = this.levels?.[0];
    if (!finest || moment > this.end_s) return null;
    const value = finest.high[this.step ? before(finest.time, moment) : upTo(finest.time, moment) - 1];
    return value === undefined || Number.isNaN(value) ? null : value;
  }

  /**
   * The finest level with at most `most` points between two times, and the range of points to draw. The range includes
   * one more point on each side.
   */
  between(from: number, to: number, most: number): { level: Level; first: number; end: number } | null {
    const levels = this.levels ?? [];
    for (const [number, level] of levels.entries()) {
      const first = Math.max(0, upTo(level.time, from) - 1);
      // The time of the sample whose interval contains the end of the flow is after this end.
      const over = this.step ? before(level.time, this.end_s) + 1 : upTo(level.time, this.end_s);
      const end = Math.min(level.time.length, before(level.time, to) + 1, over);
      if (end - first <= most || number === levels.length - 1) return { level, first, end };
    }
    return null;
  }
}
