// SPDX-License-Identifier: MIT OR Apache-2.0
// Checks that scene.json has the structure that the page needs. Error messages contain the place.
import { FORMAT, type SceneFile } from "./format";
import { SceneError } from "./problem";

type Shape = "string" | "number" | "array" | "object" | "boolean";

const RUN: Record<string, Shape> = {
  name: "string",
  scenario: "string",
  duration_s: "number",
  nodes: "array",
  shells: "array",
  links: "array",
  flows: "array",
  paths: "array",
  curves: "array",
  losses: "array",
  phases: "array",
  events: "array",
  findings: "array",
};
const ROWS: Record<string, Record<string, Shape>> = {
  nodes: { id: "number", name: "string", kind: "string" },
  links: { id: "number", name: "string", from: "number", to: "number" },
  flows: { id: "number", name: "string", from: "number", to: "number", start_s: "number", facts: "array" },
  paths: { flow: "number", time: "object", node_start: "object", nodes: "object", rtt_ms: "object" },
  curves: { of: "object", quantity: "string", unit: "string", levels: "array" },
  losses: { flow: "number", cause: "string", time: "object" },
  phases: { flow: "number", names: "array", time: "object", name: "object" },
  events: { flow: "number", kinds: "array", reasons: "array", time: "object", kind: "object", reason: "object" },
};

function shapeOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  return Array.isArray(value) ? "array" : typeof value;
}

function expect(value: unknown, shapes: Record<string, Shape>, where: string): void {
  if (shapeOf(value) !== "object") throw new SceneError(`${where} is ${shapeOf(value)} where an object was expected`);
  for (const key in shapes) {
    const found = shapeOf((value as Record<string, unknown>)[key]);
    if (found !== shapes[key]) throw new SceneError(`${where}.${key} is ${found} where ${shapes[key]} was expected`);
  }
}

/** Reads a scene from JSON. */
export function checked(text: string): SceneFile {
  let scene: SceneFile;
  try {
    scene = JSON.parse(text);
  } catch (error) {
    throw new SceneError(`scene.json is not JSON (${(error as Error).message}): the file is incomplete or was changed`);
  }
  const refusal = (scene as { error?: { text?: unknown } } | null)?.error?.text;
  if (typeof refusal === "string") throw new SceneError(refusal);
  expect(scene, { format: "number" }, "scene");
  if (scene.format !== FORMAT) {
    throw new SceneError(`the scene has format ${scene.format}, but this page reads format ${FORMAT}`);
  }
  const parts = { title: "string", kind: "string", runs: "array", tables: "array", pictures: "array", notes: "array" };
  expect(scene, parts as Record<string, Shape>, "scene");
  scene.runs.forEach((run, number) => {
    const where = `runs[${number}]`;
    expect(run, RUN, where);
    if (!(run.duration_s > 0)) throw new SceneError(`${where}.duration_s is ${run.duration_s}, and must be above 0`);
    for (const name in ROWS) {
      const rows = run[name as keyof typeof run] as unknown[];
      rows.forEach((row, at) => {
        expect(row, ROWS[name], `${where}.${name}[${at}]`);
      });
    }
  });
  scene.tables.forEach((table, number) => {
    const where = `tables[${number}]`;
    expect(table, { title: "string", columns: "array", rows: "array", open: "array", make: "array" }, where);
    const width = table.columns.length;
    table.rows.forEach((row, at) => {
      if (row.length !== width)
        throw new SceneError(`${where}.rows[${at}] has ${row.length} cells, but there are ${width} columns`);
    });
  });
  if (scene.runs.length + scene.tables.length + scene.pictures.length === 0) {
    throw new SceneError("the scene has no run, no table and no picture");
  }
  return scene;
}
