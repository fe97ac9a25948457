// SPDX-License-Identifier: MIT OR Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { earthFixed, geodetic, subsolar, turned } from "../src/earth/geodesy";
import { Positions } from "../src/earth/positions";
import { coastPieces } from "../src/earth/world";

function near(found: number, wanted: number, by: number): void {
  assert.ok(Math.abs(found - wanted) <= by, `${found} is not within ${by} of ${wanted}`);
}

test("places on the ellipsoid: the example of IOGP 373-7-2, section 4.1.1", () => {
  // On WGS 84, 53°48'33.820"N, 2°07'46.380"E, 73.0 m is X 3771793.968, Y 140253.342, Z 5124304.349 m.
  const [latitude, longitude] = [53 + 48 / 60 + 33.82 / 3600, 2 + 7 / 60 + 46.38 / 3600];
  const place = earthFixed(latitude, longitude, 0.073);
  for (const [axis, wanted] of [3771.793968, 140.253342, 5124.304349].entries()) near(place[axis], wanted, 2e-6);
  const back = geodetic(3771.793968, 140.253342, 5124.304349);
  near(back.latitude_deg, latitude, 1e-7);
  near(back.longitude_deg, longitude, 1e-7);
  near(back.altitude_km, 0.073, 1e-5);
});

test("the Sun stands over the equator at the equinox, over the tropic at the solstice", () => {
  // Times in 2026 by the US Naval Observatory: 20 March 14:46 UT, 21 June 08:25 UT.
  near(subsolar(new Date("2026-03-20T14:46:00Z")).latitude_deg, 0, 0.02);
  near(subsolar(new Date("2026-06-21T08:25:00Z")).latitude_deg, 23.436, 0.01);
  // The equation of time is +16 min 26 s in early November, and -14 min 14 s in mid-February. A minute is a quarter of
  // a degree.
  near(subsolar(new Date("2026-11-03T12:00:00Z")).longitude_deg, -(16 + 26 / 60) / 4, 0.05);
  near(subsolar(new Date("2026-02-11T12:00:00Z")).longitude_deg, (14 + 14 / 60) / 4, 0.05);
  assert.equal(turned(190), -170);
  assert.equal(turned(-181), 179);
});

test("between knots a cubic is met exactly, a circle within the bound of Hermite interpolation", () => {
  // x = t^3 - 2t, y = t^2 and z = 5 with their derivatives, at t = 1 and t = 3. At t = 2, the values are 4, 4, 5.
  const cubic = Float32Array.of(-1, 1, 5, 1, 2, 0, 21, 9, 5, 25, 6, 0);
  const found = new Float32Array(3);
  new Positions([0], 1, 2, 2, cubic).at(2, found);
  assert.deepEqual([...found], [4, 4, 5]);
  // In a low orbit, the error on each axis is at most max|f''''| h^4 / 384 = R w^4 h^4 / 384 = 6928 km *
  // (0.0010948/s)^4 * (300 s)^4 / 384 = 0.21 km (de Boor, A Practical Guide to Splines, ch. IV).
  const [radius, rate, step] = [6928, 0.0010948, 300];
  const knot = (t: number) => [
    radius * Math.cos(rate * t),
    radius * Math.sin(rate * t),
    0,
    -radius * rate * Math.sin(rate * t),
    radius * rate * Math.cos(rate * t),
    0,
  ];
  const circle = new Positions([0], 0, step, 2, Float32Array.from([...knot(0), ...knot(step)]));
  circle.at(150, found);
  near(found[0], radius * Math.cos(rate * 150), 0.22);
  near(found[1], radius * Math.sin(rate * 150), 0.22);
});

test("before the first and after the last knot satellites stand still; one that left stays unknown", () => {
  const found = new Float32Array(6);
  const row = (x: number) => [x, 0, 0, 0, 0, 0, ...Array(6).fill(Number.NaN)];
  const positions = new Positions([0, 1], 0, 10, 2, Float32Array.from([...row(1), ...row(2)]));
  positions.at(-5, found);
  assert.equal(found[0], 1);
  positions.at(50, found);
  assert.equal(found[0], 2);
  assert.ok(Number.isNaN(found[3]));
  assert.equal(positions.of(0, 5)?.[0], 1.5);
  assert.ok(Number.isNaN(positions.of(1, 5)?.[0]));
  assert.equal(positions.of(7, 5), null);
});

test("the coast is the world's: on land and sea where the atlas has it, no piece across the map", () => {
  let [north, south, longest] = [-90, 90, 0];
  for (const [longitude, latitude, otherLongitude] of coastPieces()) {
    north = Math.max(north, latitude);
    south = Math.min(south, latitude);
    longest = Math.max(longest, Math.abs(otherLongitude - longitude));
  }
  // Cape Morris Jesup is at 83.63° N. The edge of the ice shelves reaches 85° S.
  near(north, 83.63, 0.2);
  assert.ok(south < -78 && south > -86);
  assert.ok(longest < 20);
});
