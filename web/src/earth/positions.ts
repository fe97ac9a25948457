// SPDX-License-Identifier: MIT OR Apache-2.0
// Positions of satellites: cubic Hermite interpolation between knots of position (km) and velocity (km/s), Earth-fixed.
//
// The CPU computes them: 7,000 satellites take 0.1 ms.
import type { Buffers } from "../scene/buffers";
import type { PositionsFile } from "../scene/format";
import { SceneError } from "../scene/problem";

/** Radius of the geostationary orbit: one revolution per sidereal day (Kepler's third law with the GM of WGS84). */
const GEO_KM = 42_164;

export class Positions {
  private readonly place: ReadonlyMap<number, number>;

  constructor(
    readonly satellites: number[],
    private readonly start_s: number,
    private readonly step_s: number,
    private readonly knots: number,
    private readonly data: Float32Array,
  ) {
    this.place = new Map(satellites.map((id, at) => [id, at]));
  }

  static of(file: PositionsFile, nodes: ReadonlyMap<number, number>, buffers: Buffers, where: string): Positions {
    const data = buffers.f32(file.data, `${where}.data`);
    const wanted = file.knots * file.satellites.length * 6;
    if (data.length !== wanted || !(file.step_s > 0) || file.knots < 1) {
      throw new SceneError(
        `${where} has ${data.length} numbers; ${file.knots} knots of ${file.satellites.length} satellites need ${wanted}`,
      );
    }
    const missing = file.satellites.find((id) => !nodes.has(id));
    if (missing !== undefined)
      throw new SceneError(`${where} has satellite ${missing}, which is not in the list of nodes`);
    return new Positions(file.satellites, file.start_s, file.step_s, file.knots, data);
  }

  /** Whether all satellites are over the equator at the altitude of the geostationary arc (radius 42,164 km). */
  isGeostationary(): boolean {
    for (let at = 0; at < this.satellites.length * 6; at += 6) {
      const [x, y, z] = this.data.subarray(at, at + 3);
      if (!(Math.abs(Math.hypot(x, y, z) - GEO_KM) < 0.02 * GEO_KM && Math.abs(z) < 0.3 * GEO_KM)) return false;
    }
    return this.satellites.length > 0;
  }

  /**
   * All positions at a time in km: x, y, z of the first satellite, then of the second satellite, and so on. Before the
   * first knot and after the last knot, positions are constant.
   */
  at(moment: number, into: Float32Array): void {
    this.some(moment, 0, this.satellites.length, into);
  }

  /**
   * The position of a node; `null` if the node is not a satellite. Between a knot with a position and a knot without a
   * position, the position is NaN.
   */
  of(id: number, moment: number): Float32Array | null {
    const at = this.place.get(id);
    if (at === undefined) return null;
    const point = new Float32Array(3);
    this.some(moment, at, at + 1, point);
    return point;
  }

  private some(moment: number, first: number, end: number, into: Float32Array): void {
    const { data, step_s: step } = this;
    const place = Math.min(Math.max((moment - this.start_s) / step, 0), this.knots - 1);
    const knot = Math.min(Math.floor(place), Math.max(this.knots - 2, 0));
    const s = place - knot;
    const row = this.satellites.length * 6;
    const from = knot * row;
    const to = this.knots > 1 ? from + row : from;
    // https://en.wikipedia.org/wiki/Cubic_Hermite_spline: h00, h10, h01, h11 on the unit interval.
    const h00 = (1 + 2 * s) * (1 - s) * (1 - s);
    const h10 = s * (1 - s) * (1 - s) * step;
    const h01 = s * s * (3 - 2 * s);
    const h11 = s * s * (s - 1) * step;
    for (let at = first * 6, out = 0; at < end * 6; at += 6, out += 3) {
      for (let axis = 0; axis < 3; axis++) {
        const a = from + at + axis;
        const b = to + at + axis;
        into[out + axis] = h00 * data[a] + h10 * data[a + 3] + h01 * data[b] + h11 * data[b + 3];
      }
    }
  }
}
