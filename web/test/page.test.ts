// SPDX-License-Identifier: MIT OR Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import * as address from "../src/address";
import { flowsOver, look } from "../src/curves/derived";
import { bottleneck, ofPickedNode, panels } from "../src/curves/layout";
import { outline } from "../src/curves/outline";
import { found } from "../src/panels/search";
import { format, ordered } from "../src/panels/table";
import { placed } from "../src/plain";
import { type State, Store } from "../src/store";
import { number, route, seconds, utc } from "../src/words";
import { opened } from "./scenes";

const START: State = {
  time: 0,
  playing: false,
  speed: 1,
  run: 0,
  overlaid: [0],
  flows: [5],
  picked: null,
  projection: "globe",
  tint: "none",
  hiddenShells: [],
  mesh: null,
  from: 0,
  to: 10,
  stops: "all",
  theme: "auto",
  shot: false,
  loaded: 0,
};

/** A store whose frames the test triggers. */
function withFrames(duration: number) {
  const waiting: ((now: number) => void)[] = [];
  const store = new Store(
    START,
    () => duration,
    (frame) => waiting.push(frame),
  );
  const frame = (now: number) => {
    for (const run of waiting.splice(0)) run(now);
  };
  return { store, waiting, frame };
}

test("time goes on at the chosen speed and stops at the end", () => {
  const { store, waiting, frame } = withFrames(30);
  store.set({ playing: true, speed: 10 });
  for (const now of [0, 100, 200]) frame(now);
  assert.ok(Math.abs(store.state.time - 2) < 1e-9);
  // After a pause of an hour, the time advances by a quarter of a second.
  frame(3_600_000);
  assert.ok(Math.abs(store.state.time - 4.5) < 1e-9);
  for (let now = 1; now < 40; now++) frame(3_600_000 + now * 100);
  assert.deepEqual([store.state.time, store.state.playing], [30, false]);
  frame(0);
  assert.equal(waiting.length, 0);
});

test("listeners hear of a change once a frame, and of nothing while nothing changes", () => {
  const { store, waiting, frame } = withFrames(30);
  const heard: string[][] = [];
  store.listen((_, changed) => heard.push([...changed]));
  store.set({ time: 3 });
  store.set({ time: 4, tint: "queue" });
  frame(0);
  store.set({ time: 4 });
  assert.equal(waiting.length, 0);
  assert.deepEqual(heard, [["time", "tint"]]);
  store.set({ time: 99 });
  assert.equal(store.state.time, 30);
});

test("an address leads back to the same moment and choice", () => {
  const state: State = {
    ...START,
    time: 12.5,
    flows: [3, 5],
    run: 1,
    picked: { kind: "line", key: "4 17" },
    projection: "map",
  };
  assert.equal(address.written(state), "#t=12.5&flow=3,5&run=1&link=4-17&view=map");
  assert.deepEqual(address.read(address.written(state)), {
    time: 12.5,
    flows: [3, 5],
    run: 1,
    picked: { kind: "line", key: "4 17" },
    map: true,
  });
  assert.deepEqual(address.read("#t=12.5&flow=3&run=0"), { time: 12.5, flows: [3], run: 0 });
  assert.equal(address.written({ ...START, shot: true }), "#t=0&flow=5&run=0&shot=1");
  assert.deepEqual(address.read("#t=0&shot=1"), { time: 0, shot: true });
  for (const bad of ["", "#", "#t=-1", "#t=abc&flow=x&run=1.5&link=1", "#flow=<b>&node=-1&page=x"]) {
    assert.deepEqual(address.read(bad), {}, bad);
  }
});

const NOTHING = { line: null, node: null };

test("an outline keeps the least and the greatest of every column", async () => {
  const curve = (await opened()).curveOfFlow(5, "cwnd")!;
  // Two columns of five seconds contain eight samples: 1 5 2 8 before second 5, and 3 3 9 4 from second 5 on.
  const line = outline(curve, 0, 10, 2);
  const inside = [...line.time.keys()];
  assert.deepEqual(
    inside.map((at) => line.low[at]),
    [1, 3],
  );
  assert.deepEqual(
    inside.map((at) => line.high[at]),
    [8, 9],
  );
  assert.deepEqual([line.least, line.most], [1, 9]);
  // If all samples fit, all are drawn. The scale depends only on visible samples.
  const part = outline(curve, 1.5, 3.5, 100);
  assert.deepEqual([...part.time], [1, 2, 3, 4]);
});

test("plots: quantities of a flow, then the queue of its bottleneck", async () => {
  const run = await opened();
  // On the upper path, links 7 and 8 have queues. On the lower path, nothing was recorded.
  assert.equal(bottleneck(run, 5, 1)?.key, "0 1");
  assert.equal(bottleneck(run, 5, 5), null);
  assert.equal(bottleneck(run, 99, 5)?.key, "0 1");
  const drawn = panels([run], { overlaid: [0], flows: [5] }, NOTHING, (of) => bottleneck(of, 5, 1));
  assert.deepEqual(
    drawn.map(({ name, series }) => [name, series.length]),
    [
      ["window", 1],
      ["rtt", 1],
      ["link-queue", 2],
    ],
  );
  const two = panels([run, run], { overlaid: [0, 1], flows: [5] }, NOTHING, () => null);
  assert.deepEqual(
    two.map(({ many, series }) => [many, series.map(({ colour }) => colour)]),
    [
      [true, [0, 1]],
      [true, [0, 1]],
    ],
  );
});

test("a node that is picked has curves of its links, where anything passed", async () => {
  const run = await opened();
  run.file.links.push({ id: 12, name: "aside", from: 3, to: 3, kind: "plain", always: true });
  const names = (id: number) => ofPickedNode(run, id, [5]).map(({ name, series }) => [name, series.length]);
  // In this scene, only queues were recorded. There is no utilisation to draw.
  assert.deepEqual(names(1), []);
  assert.deepEqual(
    [0, 1, 2, 3].map((id) => run.busy.has(id)),
    [true, true, false, false],
  );
  assert.deepEqual(
    [1, 3, 3].map((id, at) => flowsOver(run, id, [1, 1, 5][at])),
    [1, 0, 1],
  );
});

test("a satellite overhead, on the horizon and below it", () => {
  // On the equator, the radius of the WGS84 ellipsoid is 6378.137 km. The first point is straight up at 550 km. The
  // second point is 2704 km to the east, in the plane that touches the ellipsoid at the place, so its elevation is
  // zero.
  const site = { id: 0, name: "", kind: "site", latitude_deg: 0, longitude_deg: 0, altitude_km: 0 } as const;
  const up = look(site, [6928.137, 0, 0]);
  assert.ok(Math.abs(up.elevation_deg - 90) < 1e-6 && Math.abs(up.range_km - 550) < 1e-6);
  const level = look(site, [6378.137, 2704, 0]);
  assert.ok(Math.abs(level.elevation_deg) < 1e-9 && Math.abs(level.range_km - 2704) < 1e-9);
  assert.ok(look(site, [0, 6928, 0]).elevation_deg < 0);
});

test("a table is sorted with what is not known last, and equals in their order", () => {
  const rows = [
    ["b", 2],
    ["a", null],
    ["c 10", 10],
    ["c 9", 2],
  ];
  assert.deepEqual(ordered(rows, 1, true), [0, 3, 2, 1]);
  assert.deepEqual(ordered(rows, 1, false), [2, 0, 3, 1]);
  assert.deepEqual(ordered(rows, 0, true), [1, 0, 3, 2]);
  // A transfer that is not done took longer than all transfers that are done.
  const times = [["> 20 s, 0 of 1 done"], [13.8], [null], ["> 120 s, 0 of 5 done"], [4.1]];
  assert.deepEqual(ordered(times, 0, true), [4, 1, 0, 3, 2]);
});

test("numbers of a column stand in line", () => {
  assert.deepEqual([23.9, 24, 0.123].map(format([23.9, 24, null, 0.123])), ["23.90", "24.00", "0.12"]);
  assert.deepEqual([0.99, 1].map(format([0.99, 1])), ["0.990", "1.000"]);
  assert.deepEqual([3, 12].map(format([3, 12])), ["3", "12"]);
});

test("things are found by words of their name, flows first", async () => {
  const run = await opened();
  assert.deepEqual(
    found(run, "upper", 9).map(({ kind }) => kind),
    ["router", "link", "link"],
  );
  assert.deepEqual(
    found(run, "SERVER lower", 9).map(({ name }) => name),
    ["server > lower"],
  );
  assert.equal(found(run, "", 1)[0].kind, "flow");
  assert.deepEqual(found(run, "nowhere", 9), []);
});

test("a drawing fills its room, and a row of nodes stands in the middle", async () => {
  const run = await opened();
  const points = placed(run, { width: 800, height: 400 });
  assert.deepEqual([Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))], [70, 730]);
  for (const node of run.file.nodes) node.y = 0.3;
  assert.ok(placed(run, { width: 800, height: 400 }).every(({ y }) => y === 200));
});

test("numbers and moments in words", () => {
  const numbers = [0, 0.04567, 1.234, 123.47, 1234.6, 1234567, null, Number.NaN];
  assert.deepEqual(numbers.map(number), ["0", "0.0457", "1.23", "123.5", "1235", "1\u202f234\u202f567", "–", "–"]);
  assert.equal(seconds(12.3456, 60), "12.35");
  assert.equal(utc("2026-06-21T23:59:00Z", 61.5), "2026-06-22 00:00:01 UTC");
  assert.equal(utc(null, 5), "");
  assert.equal(route([]), "not connected");
  assert.equal(route(["a", "b", "c"], 2), "a → 1 nodes → c");
});
