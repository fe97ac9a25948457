// SPDX-License-Identifier: MIT OR Apache-2.0
// Loads a scene from the page itself (an exported page, which requests nothing) or from the server of the page.
import { Buffers, inflated, type Source } from "./buffers";
import { checked } from "./check";
import type { Ref, RunFile, SceneFile } from "./format";
import { Run } from "./model";
import { SceneError } from "./problem";

export type Scene = { file: SceneFile; runs: Run[]; buffers: Buffers };

export async function loaded(): Promise<Scene> {
  const inPage = document.getElementById("scene");
  const file = checked(inPage ? (inPage.textContent ?? "") : await (await asked("scene.json")).text());
  const buffers = new Buffers(inPage ? fromPage : fromServer);
  await buffers.need(file.runs.flatMap(neededAtOnce));
  return { file, runs: file.runs.map((run, number) => new Run(run, buffers, `runs[${number}]`)), buffers };
}

function neededAtOnce(run: RunFile): Ref[] {
  const paths = run.paths.flatMap(({ time, node_start, nodes, rtt_ms }) => [time, node_start, nodes, rtt_ms]);
  return run.positions ? [...paths, run.positions.data] : paths;
}

const fromServer: Source = async (name) => (await asked(`buffers/${encodeURIComponent(name)}.bin`)).arrayBuffer();

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
