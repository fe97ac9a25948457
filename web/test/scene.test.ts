// SPDX-License-Identifier: MIT OR Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { inflated } from "../src/scene/buffers";
import { checked } from "../src/scene/check";
import { step } from "../src/stops";
import { fullness } from "../src/tint";
import { absence, fate } from "../src/words";
import { numbers, opened, scene, twoWays } from "./scenes";

test("a curve of moments has the value of the last sample; one of intervals that of the interval around", async () => {
  const run = await opened();
  const cwnd = run.curveOfFlow(5, "cwnd")!;
  assert.deepEqual(
    [0.5, 1, 3.9, 4, 99].map((time) => cwnd.at(time)),
    [null, 1, 2, 8, 4],
  );
  const rtt = run.curveOfFlow(5, "rtt")!;
  assert.deepEqual(
    [0, 2, 3, 5, 7].map((time) => rtt.at(time)),
    [40, 40, null, 60, null],
  );
});

test("the finest level that is coarse enough is drawn, with a neighbour on each side", async () => {
  const curve = (await opened()).curveOfFlow(5, "cwnd")!;
  const few = curve.between(3.5, 5.5, 4)!;
  assert.deepEqual([...few.level.time.subarray(few.first, few.end)], [3, 4, 5, 6]);
  const whole = curve.between(0, 10, 4)!;
  assert.deepEqual([...whole.level.high], [8, 9]);
});

test("the way at a moment, since when it holds, and the one before", async () => {
  const path = (await opened()).paths.get(5)!;
  // The row at 2 s has another round trip but the same nodes. It is not a change of the path.
  assert.equal(path.at(3).now?.since_s, 0);
  assert.equal(path.at(3).now?.rtt_ms, 31);
  assert.equal(path.at(3).before, null);
  const { now, before } = path.at(4);
  assert.deepEqual([[...now!.nodes], now!.since_s, now!.rtt_ms], [[0, 3, 2], 4, null]);
  assert.deepEqual([...before!.nodes], [0, 1, 2]);
});

test("links there and back are one line, as full as the fuller of them", async () => {
  const run = await opened();
  assert.equal(run.lines.length, 4);
  const line = run.line(1, 0)!;
  assert.deepEqual(
    line.links.map(({ id }) => id),
    [7, 8],
  );
  // The longest queue of the run, 40 packets, counts as full.
  assert.equal(fullness(run, line, "queue", 1), 0.5);
  assert.equal(fullness(run, line, "queue", 6), 1);
  assert.equal(fullness(run, run.line(1, 2)!, "queue", 6), null);
  assert.equal(fullness(run, line, "none", 6), null);
});

test("steps go to the nearest moment of the chosen kind", async () => {
  const run = await opened();
  const times = (kind: "all" | "loss" | "cut" | "path" | "phase", from: number, forward: boolean) =>
    step(run, [5], from, kind, forward)?.time_s;
  assert.equal(times("all", 3.5, true), 4);
  assert.equal(times("all", 4, true), 6);
  assert.equal(times("loss", 3.5, true), 8);
  assert.equal(times("loss", 3.5, false), 3);
  assert.equal(times("path", 3, true), 4);
  assert.equal(times("path", 5, true), undefined);
  assert.equal(times("phase", 0, true), 3);
  assert.equal(times("all", 0, false), undefined);
  assert.equal(times("all", 1, false), 0);
  assert.equal(times("cut", 3, true), 6);
  assert.equal(times("cut", 6, true), undefined);
  // At 3 s, a packet is found lost, a phase begins, and the timer expires. The text of the event contains the reason.
  for (const kind of ["all", "loss", "phase"] as const)
    assert.equal(
      step(run, [5], 2, kind, true)?.text,
      "retransmission timeout; window 9 → 1 segments, for a retransmission timeout",
    );
  assert.equal(step(run, [5], 7, "all", true)?.text, "cubic: a packet is lost (full queue)");
  assert.equal(run.phases(5)!.at(2.9), "slow start");
  assert.equal(run.phases(5)!.at(3), "avoidance");
});

test("what happens to a way and a window is told with what came before", async () => {
  const run = await opened();
  const changes = run.changes(5)!;
  assert.deepEqual([...changes.time], [4]);
  // Both ends change to another router. The round trip of the new path is unknown.
  assert.equal(changes.kind(0), "handover");
  assert.equal(changes.text(0), "server: upper → lower; user: upper → lower");
  const events = run.events(5)!;
  assert.deepEqual([...events.kinds].sort(), ["cut", "start", "timeout"]);
  assert.equal(events.text(0), "the flow starts");
  assert.equal(
    events.text(3),
    "window 8 → 4 segments, for a packet that a full queue dropped, 2.000 s after a handover",
  );
});

test("a way that is gone, and is there again", async () => {
  const file = twoWays();
  // There is no path until 2 s, then the upper path, and no path from 4 s on.
  file.paths[0].node_start = numbers(0, 0, 3, 3);
  const run = await opened(file);
  const changes = run.changes(5)!;
  assert.deepEqual([...changes.time], [0, 2, 4]);
  assert.deepEqual(
    [0, 1, 2].map((at) => [changes.kind(at), changes.until(at), changes.text(at)]),
    [
      ["outage", 2, "no path"],
      ["path", null, "the path returns: server > upper > user"],
      ["outage", 10, "no path"],
    ],
  );
  assert.equal(changes.since(4.25), ", 0.250 s after the path was lost");
  assert.equal(changes.since(7), "");
});

test("a damaged scene is refused with the place", async () => {
  const damaged: [(file: ReturnType<typeof scene>) => unknown, RegExp][] = [
    [() => "{", /not JSON.*incomplete/],
    [(file) => ({ ...file, format: 1 }), /format 1, but this page reads format 2/],
    [(file) => ({ ...file, runs: [] }), /no run, no table and no picture/],
    [(file) => ({ ...file, runs: [{ ...file.runs[0], nodes: undefined }] }), /runs\[0\]\.nodes is nothing where array/],
    [(file) => ({ ...file, runs: [{ ...file.runs[0], duration_s: 0 }] }), /duration_s is 0, and must be above 0/],
    [
      (file) => ({
        ...file,
        tables: [{ title: "t", columns: [{ name: "a", unit: null }], rows: [[1], [1, 2]], open: [], make: [] }],
      }),
      /tables\[0\]\.rows\[1\] has 2 cells/,
    ],
    [() => ({ error: { code: "x", text: "the folder is gone" } }), /^the folder is gone$/],
  ];
  for (const [change, words] of damaged) {
    const text = change(scene());
    assert.throws(() => checked(typeof text === "string" ? text : JSON.stringify(text)), {
      name: "SceneError",
      message: words,
    });
  }
});

test("a run that does not fit together is refused with the place", async () => {
  const dangling = twoWays();
  dangling.links[1].to = 99;
  await assert.rejects(opened(dangling), /runs\[0\]\.links\[1\] ends at node 99/);
  await assert.rejects(
    opened(twoWays(), 16),
    /needs \d+ bytes of the buffer "all", which has 16 bytes: the buffer is incomplete/,
  );
  const askew = twoWays();
  askew.paths[0].time.offset = 4;
  await assert.rejects(opened(askew), /not a multiple of 8/);
  const twice = twoWays();
  twice.nodes[1].id = 0;
  await assert.rejects(opened(twice), /has the number 0 twice/);
});

test("a buffer in the page is unpacked, or refused by its name", async () => {
  // `printf bentpipe | gzip -n | base64`
  const packed = "H4sIAAAAAAAAA0tKzSspyCxIBQDajxAuCAAAAA==";
  assert.equal(new TextDecoder().decode(await inflated(packed, "x")), "bentpipe");
  await assert.rejects(inflated(packed.slice(0, 24), "x"), /"x" in this page cannot be unpacked/);
  await assert.rejects(inflated("not base64!", "r0-paths"), /"r0-paths" in this page cannot be unpacked/);
});

test("a flow that is over has no values, and its curves end with it", async () => {
  const file = twoWays();
  Object.assign(file.flows[0], { start_s: 1, end_s: 4.5, completed: true });
  const run = await opened(file);
  const cwnd = run.curveOfFlow(5, "cwnd")!;
  assert.deepEqual(
    [4, 4.5, 4.6, 8].map((time) => cwnd.at(time)),
    [8, 8, null, null],
  );
  // Values at times after the end are not drawn. Of values over intervals, the last is the value whose interval
  // contains the end.
  const drawn = cwnd.between(0, 10, 100)!;
  assert.deepEqual([...drawn.level.time.subarray(drawn.first, drawn.end)], [1, 2, 3, 4]);
  const rtt = run.curveOfFlow(5, "rtt")!.between(0, 10, 100)!;
  assert.deepEqual([...rtt.level.time.subarray(rtt.first, rtt.end)], [2, 4, 6]);
  // The curve of a link continues.
  assert.equal(run.curveOfLink(7, "queue")!.at(6), 40);
  const [flow] = file.flows;
  assert.deepEqual(
    [0.5, 2, 4.6].map((time) => absence(flow, time, 10)),
    ["starts at 1.000 s", null, "finished at 4.500 s"],
  );
  assert.equal(absence({ ...flow, completed: false }, 5, 10), "stopped at 4.500 s");
  assert.equal(absence({ ...flow, end_s: 10, completed: false }, 10, 10), null);
});

test("a spurious retransmission is not called a loss", () => {
  assert.equal(fate("none"), "spurious retransmission");
  assert.equal(fate("queue"), "lost: full queue");
});
