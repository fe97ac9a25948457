// SPDX-License-Identifier: MIT OR Apache-2.0
// Scenes for the benchmark, computed from formulas: a Walker shell on circular orbits with a grid of links, and curves
// of noise.

const EARTH_KM = 6371;
const MU = 398_600.4418; // km3/s2
const TURN = 7.292115e-5; // rad/s

class Buffer {
  constructor(name) {
    this.name = name;
    this.parts = [];
    this.size = 0;
  }
  add(array) {
    const bytes = Buffer.bytes(array);
    const type = { Float32Array: "f32", Float64Array: "f64", Uint32Array: "u32" }[array.constructor.name];
    const ref = { buffer: this.name, type, offset: this.size, count: array.length };
    this.parts.push(bytes, new Uint8Array((8 - (bytes.length % 8)) % 8));
    this.size += bytes.length + ((8 - (bytes.length % 8)) % 8);
    return ref;
  }
  static bytes(array) {
    return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  }
  whole() {
    const all = new Uint8Array(this.size);
    let at = 0;
    for (const part of this.parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

/** A circular orbit in the Earth-fixed frame: position in km, velocity in km/s. */
function state(node, phase, inclination, radius, time) {
  const at = (t) => {
    const u = phase + Math.sqrt(MU / radius ** 3) * t;
    const o = node - TURN * t;
    const [x, y] = [Math.cos(u), Math.sin(u) * Math.cos(inclination)];
    return [
      radius * (x * Math.cos(o) - y * Math.sin(o)),
      radius * (x * Math.sin(o) + y * Math.cos(o)),
      radius * Math.sin(u) * Math.sin(inclination),
    ];
  };
  const [before, here, after] = [at(time - 0.5), at(time), at(time + 0.5)];
  return [...here, ...here.map((_, axis) => after[axis] - before[axis])];
}

/** The level with every sample, and the coarser levels. */
function levels(buffer, time, value) {
  const made = [];
  let [times, low, high] = [time, value, value];
  for (;;) {
    made.push({ count: times.length, time: buffer.add(times), low: buffer.add(low), high: buffer.add(high) });
    if (times.length <= 2000) return made;
    const count = Math.floor(times.length / 4);
    const next = [new Float64Array(count), new Float32Array(count), new Float32Array(count)];
    for (let at = 0; at < count; at++) {
      next[0][at] = times[at * 4];
      next[1][at] = Math.min(...low.subarray(at * 4, at * 4 + 4));
      next[2][at] = Math.max(...high.subarray(at * 4, at * 4 + 4));
    }
    [times, low, high] = next;
  }
}

/** `planes` times `inPlane` satellites, four curves of `points` samples, one flow over a plane. */
export function walker({ planes, inPlane, points, duration = 600 }) {
  const count = planes * inPlane;
  const nodes = Array.from({ length: count }, (_, id) => ({
    id,
    name: `satellite ${id}`,
    kind: "satellite",
    shell: 0,
  }));
  for (const [name, latitude_deg, longitude_deg] of [
    ["Tokyo", 35.7, 139.7],
    ["Boston", 42.4, -71.1],
  ]) {
    nodes.push({ id: nodes.length, name, kind: "site", latitude_deg, longitude_deg, altitude_km: 0 });
  }
  const links = [];
  const join = (from, to) =>
    links.push({ id: links.length, name: `${from} > ${to}`, from, to, kind: "isl", always: true });
  for (let plane = 0; plane < planes; plane++) {
    for (let slot = 0; slot < inPlane; slot++) {
      const id = plane * inPlane + slot;
      join(id, plane * inPlane + ((slot + 1) % inPlane));
      join(id, ((plane + 1) % planes) * inPlane + slot);
    }
  }
  const knots = 11;
  const data = new Float32Array(knots * count * 6);
  for (let knot = 0; knot < knots; knot++) {
    for (let id = 0; id < count; id++) {
      const [plane, slot] = [Math.floor(id / inPlane), id % inPlane];
      const phase = 2 * Math.PI * (slot / inPlane + (plane * 0.5) / count);
      const step = duration / (knots - 1);
      data.set(
        state((2 * Math.PI * plane) / planes, phase, 0.925, EARTH_KM + 550, knot * step),
        (knot * count + id) * 6,
      );
    }
  }
  const sky = new Buffer("sky");
  const positions = {
    start_s: 0,
    step_s: duration / (knots - 1),
    knots,
    satellites: nodes.slice(0, count).map(({ id }) => id),
    data: sky.add(data),
  };
  const path = [count, ...Array.from({ length: 8 }, (_, hop) => hop), count + 1];
  const paths = [
    {
      flow: 0,
      count: 1,
      time: sky.add(Float64Array.of(0)),
      node_start: sky.add(Uint32Array.of(0, path.length)),
      nodes: sky.add(Uint32Array.from(path)),
      rtt_ms: sky.add(Float32Array.of(80)),
    },
  ];
  const curves = [];
  const buffer = new Buffer("curves");
  const time = Float64Array.from({ length: points }, (_, at) => ((at + 1) * duration) / points);
  for (const [quantity, unit] of [
    ["cwnd", "segments"],
    ["delivery_rate", "Mbit/s"],
    ["rtt", "ms"],
    ["queue", "ms"],
  ]) {
    let seed = 1;
    // Park and Miller's generator, which gives the same curve each time.
    const noise = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const value = Float32Array.from(
      { length: points },
      (_, at) => 100 + 60 * Math.sin(at / (points / 40)) + 30 * noise(),
    );
    curves.push({ of: { flow: 0 }, quantity, unit, step: false, levels: levels(buffer, time, value) });
  }
  const flow = {
    id: 0,
    name: "flow",
    controller: "cubic",
    from: count,
    to: count + 1,
    start_s: 0,
    end_s: null,
    color_index: 0,
    facts: [],
  };
  const run = {
    ...{ name: "benchmark", folder: "", scenario: "", seed: 1, duration_s: duration, warmup_s: 0, findings: [] },
    ...{ epoch_utc: "2026-06-21T09:00:00Z", nodes, shells: [{ name: "shell", count }], links, positions },
    ...{ flows: [flow], paths, curves, losses: [], phases: [], events: [] },
  };
  const scene = {
    format: 2,
    title: `${count} satellites`,
    kind: "run",
    build: "",
    notes: [],
    runs: [run],
    tables: [],
    pictures: [],
  };
  return { scene: JSON.stringify(scene), buffers: { sky: sky.whole(), curves: buffer.whole() } };
}
