// SPDX-License-Identifier: MIT OR Apache-2.0
// Measures how fast the page draws without a graphics card. This is not a test, because the numbers depend on the
// machine and its load. `npm run bench`; CHROMIUM names the browser if it is not /usr/bin/chromium.
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { walker } from "./scene.mjs";

const page = join(dirname(fileURLToPath(import.meta.url)), "../../python/bentpipe/show/viewer/page");
const TYPES = { html: "text/html", js: "text/javascript", css: "text/css" };
// Options of Chromium on a machine without a graphics card: WebGL by SwiftShader, plain canvases by the processor. The
// option --ignore-gpu-blocklist would also draw canvases by SwiftShader. It triples the time of a pan, and users do not
// have it.
const SOFTWARE = ["--no-sandbox", "--enable-unsafe-swiftshader"];

function serve({ scene, buffers }) {
  const server = createServer((request, answer) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const buffer = /^\/buffers\/(\w+)\.bin$/.exec(path)?.[1];
    if (path === "/scene.json") return answer.setHeader("content-type", "application/json").end(scene);
    if (buffer) return answer.end(buffers[buffer]);
    const name = path === "/" ? "index.html" : path.slice(1);
    return answer
      .setHeader("content-type", TYPES[name.split(".").at(-1)] ?? "text/plain")
      .end(readFileSync(join(page, name)));
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * Of the browser's processes together (Linux): seconds of CPU so far; and the memory of the largest that draws pages,
 * in MB.
 */
function used(root) {
  const all = new Map();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /, "")
        .split(" ");
      const renders = readFileSync(`/proc/${name}/cmdline`, "utf8").includes("--type=renderer");
      all.set(Number(name), {
        parent: Number(stat[1]),
        cpu: (Number(stat[11]) + Number(stat[12])) / 100,
        rss: renders ? Number(stat[21]) * 4096e-6 : 0,
      });
    } catch {
      // The process ended in the meantime.
    }
  }
  const ours = (pid) => pid === root || (all.has(pid) && ours(all.get(pid).parent));
  const mine = [...all].filter(([pid]) => ours(pid)).map(([, numbers]) => numbers);
  return { cpu: mine.reduce((sum, { cpu }) => sum + cpu, 0), rss: Math.max(...mine.map(({ rss }) => rss)) };
}

/** Frames of the stage in a second while it plays, and the CPU time that each takes in all processes. */
async function playing(tab, root) {
  await tab.evaluate(() => window.bentpipe.play());
  await wait(1000);
  const look = async () => [
    ...(await tab.evaluate(() => [window.bentpipe.state().frames, performance.now()])),
    used(root).cpu,
  ];
  const before = await look();
  await wait(6000);
  const after = await look();
  await tab.evaluate(() => window.bentpipe.pause());
  const frames = after[0] - before[0];
  return { rate: (frames / (after[1] - before[1])) * 1000, cpu: ((after[2] - before[2]) / frames) * 1000 };
}

/** Runs in the page: zooms in, then pans by the wheel, and takes the time until each frame is painted. */
async function panning(tab) {
  return tab.evaluate(async () => {
    const over = document.querySelector(".u-over");
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const turn = (keys) => over.dispatchEvent(new WheelEvent("wheel", { ...keys, bubbles: true, cancelable: true }));
    turn({ ctrlKey: true, deltaY: -400 });
    await frame();
    const took = [];
    for (let step = 0; step < 40; step++) {
      const start = performance.now();
      turn({ shiftKey: true, deltaY: step < 20 ? 30 : -30 });
      await frame();
      took.push(performance.now() - start);
    }
    took.sort((a, b) => a - b);
    return { median: took[20], worst: took[39] };
  });
}

async function measure({ browser, root }, name, of) {
  const server = await serve(walker(of));
  const tab = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  tab.on("pageerror", (error) => process.stderr.write(`${error.stack}\n`));
  const start = performance.now();
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  await tab.waitForFunction(() => document.documentElement.dataset.ready === "1", null, { timeout: 120_000 });
  const opened = (performance.now() - start) / 1000;
  const { rate, cpu } = await playing(tab, root);
  const pan = await panning(tab);
  const numbers = [
    `opened in ${opened.toFixed(1)} s`,
    `${rate.toFixed(1)} frames/s, ${cpu.toFixed(0)} ms of CPU each`,
    `pan ${pan.median.toFixed(0)} ms (worst ${pan.worst.toFixed(0)})`,
    `${used(root).rss.toFixed(0)} MB`,
  ];
  process.stdout.write(`${name}: ${numbers.join("; ")}\n`);
  await tab.close();
  server.close();
}

const server = await chromium.launchServer({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: SOFTWARE,
});
const where = { browser: await chromium.connect(server.wsEndpoint()), root: server.process().pid };
const wanted = process.argv.slice(2);
for (const [name, of] of [
  ["1,584 satellites, 3,168 links, four curves", { planes: 72, inPlane: 22, points: 6_000 }],
  ["7,000 satellites, 14,000 links, four curves", { planes: 100, inPlane: 70, points: 6_000 }],
  ["1,584 satellites, four curves of a million points", { planes: 72, inPlane: 22, points: 1_000_000 }],
]) {
  if (wanted.length === 0 || wanted.some((word) => name.includes(word))) await measure(where, name, of);
}
await server.close();
