// SPDX-License-Identifier: MIT OR Apache-2.0
// Loads a scene from the page itself (an exported page, which requests nothing) or from the server of the page.
import { Buffers, inflated, type Source } from "./buffers";
import { checked } from "./check";
import type { Ref, RunFile, SceneFile } from "./format";
import { Run } from "./model";
import { SceneError } from "./problem";

export type Scene = { file: SceneFile; runs: Run[]; buffers: Buffers };

/** Loads the scene. Of a run in progress, also loads all buffers that an earlier scene of this run had loaded. */
export async function loaded(earlier?: Buffers): Promise<Scene> {
  const inPage = document.getElementById("scene");
  const file = checked(inPage ? (inPage.textContent ?? "") : await (await asked("scene.json")).text());
  const buffers = new Buffers(inPage ? fromPage : fromServer(file.live ?? ""));
  const again = file.live === undefined ? [] : (earlier?.held(file.runs.flatMap(neededLater)) ?? []);
  await buffers.need([...file.runs.flatMap(neededAtOnce), ...again]);
  return { file, runs: file.runs.map((run, number) => new Run(run, buffers, `runs[${number}]`)), buffers };
}

function neededAtOnce(run: RunFile): Ref[] {
  const paths = run.paths.flatMap(({ time, node_start, nodes, rtt_ms }) => [time, node_start, nodes, rtt_ms]);
  return run.positions ? [...paths, run.positions.data] : paths;
}

function neededLater(run: RunFile): Ref[] {
  return [
    ...run.curves.flatMap(({ levels }) => levels.flatMap(({ time, low, high }) => [time, low, high])),
    ...run.losses.map(({ time }) => time),
    ...run.phases.flatMap(({ time, name }) => [time, name]),
    ...run.events.flatMap(({ time, kind, reason, before, after }) => [time, kind, reason, before, after]),
  ];
}

const fromServer =
  (live: string): Source =>
  async (name) =>
    (await asked(`${live}buffers/${encodeURIComponent(name)}.bin`)).arrayBuffer();

const fromPage: Source = async (name) => {
  const element = document.getElementById(`buffer-${name}`);
  if (!element) throw new SceneError(`the buffer "${name}" is not in this page: the file is incomplete or was changed`);
  const buffer = await inflated(element.textContent ?? "", name);
  // The packed data are no longer needed. They are the largest part of an exported page.
  element.remove();
  return buffer;
};

async function asked(address: string): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(address);
  } catch {
    throw new SceneError(`${address} cannot be fetched: does \`bentpipe view\` still run?`);
  }
  if (answer.ok) return answer;
  const body = (await answer.text().catch(() => "")).trim();
  const words = answer.headers.get("content-type")?.startsWith("text/plain") && body.length < 500 ? body : "";
  throw new SceneError(words || `the server has no ${address} (status ${answer.status})`);
}
