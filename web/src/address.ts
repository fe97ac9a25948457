// SPDX-License-Identifier: MIT OR Apache-2.0
// The time and the selection in the address of the page: `#t=12.5&flow=3&run=0`. If another user opens this address,
// the page has the same time and selection.
import type { Picked, State } from "./store";

export type Choice = {
  time?: number;
  run?: number;
  flows?: number[];
  picked?: Picked;
  map?: boolean;
  mesh?: boolean;
  shot?: boolean;
};

export function read(hash: string): Choice {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const choice: Choice = {};
  const whole = (name: string) => {
    const value = words.get(name);
    return value !== null && /^\d+$/.test(value) ? Number(value) : undefined;
  };
  const time = Number(words.get("t") ?? Number.NaN);
  if (Number.isFinite(time) && time >= 0) choice.time = time;
  const run = whole("run");
  if (run !== undefined) choice.run = run;
  const flow = words.get("flow");
  if (flow !== null && /^\d+(,\d+)*$/.test(flow)) choice.flows = flow.split(",").map(Number);
  const node = whole("node");
  const link = words.get("link");
  if (node !== undefined) choice.picked = { kind: "node", id: node };
  else if (link !== null && /^\d+-\d+$/.test(link)) choice.picked = { kind: "line", key: link.replace("-", " ") };
  if (words.get("view") === "map") choice.map = true;
  const mesh = words.get("mesh");
  if (mesh === "on" || mesh === "off") choice.mesh = mesh === "on";
  if (words.get("shot") === "1") choice.shot = true;
  return choice;
}

export function written(state: Readonly<State>): string {
  const words = [`t=${Number(state.time.toFixed(6))}`];
  if (state.flows.length > 0) words.push(`flow=${state.flows.join(",")}`);
  words.push(`run=${state.run}`);
  if (state.picked?.kind === "node") words.push(`node=${state.picked.id}`);
  if (state.picked?.kind === "line") words.push(`link=${state.picked.key.replace(" ", "-")}`);
  if (state.projection === "map") words.push("view=map");
  if (state.mesh !== null) words.push(`mesh=${state.mesh ? "on" : "off"}`);
  if (state.shot) words.push("shot=1");
  return `#${words.join("&")}`;
}
