// SPDX-License-Identifier: MIT OR Apache-2.0
// Times at which stepping stops: losses, cuts, changes of the path, and phases of the shown flows.
import type { Run } from "./scene/model";
import { before, upTo } from "./scene/search";
import { OF_THE_WINDOW } from "./scene/story";
import type { Stops } from "./store";
import { CAUSES } from "./words";

/** Times that differ by at most this are treated as equal, because they have been rounded. */
const SAME_S = 1e-6;

export type Stop = { time_s: number; text: string };

/** The next stop after `time` (or the last stop before it), and its events. */
export function step(run: Run, flows: readonly number[], time: number, stops: Stops, forward: boolean): Stop | null {
  let best = null as Stop | null;
  const offer = (time_s: number | undefined, text: () => string) => {
    if (time_s === undefined) return;
    if (!best || (forward ? time_s < best.time_s : time_s > best.time_s)) best = { time_s, text: text() };
  };
  const near = (times: ArrayLike<number>, text: (at: number) => string, counts = (_: number) => true) => {
    let at = forward ? upTo(times, time) : before(times, time) - 1;
    while (at in times && !counts(at)) at += forward ? 1 : -1;
    offer(times[at], () => text(at));
  };
  const wants = (kind: Stops) => stops === "all" || stops === kind;
  for (const flow of flows) {
    const name = run.flow.get(flow)?.name ?? `flow ${flow}`;
    if (wants("loss")) {
      for (const { cause, time } of run.losses(flow))
        near(time, () => `${name}: ${cause === "none" ? CAUSES.none : `a packet is lost (${CAUSES[cause]})`}`);
    }
    if (wants("phase")) {
      const phases = run.phases(flow);
      if (phases) near(phases.time, (at) => `${name}: ${phases.names[phases.name[at]]}`);
    }
    const changes = run.changes(flow);
    if (changes && wants("path")) near(changes.time, (at) => changes.text(at));
    const events = run.events(flow);
    if (events && wants("cut")) {
      const counts = (at: number) => stops === "all" || OF_THE_WINDOW.includes(events.kind(at));
      near(events.time, (at) => events.text(at), counts);
    }
  }
  return best && { ...best, text: told(run, flows, best.time_s) || best.text };
}

/** The texts of the events at a time. They explain, for example, why a phase begins, or what a loss caused. */
function told(run: Run, flows: readonly number[], time: number): string {
  const texts = flows.flatMap((flow) =>
    run.stories(flow).flatMap((story) => {
      const found = [];
      for (let at = before(story.time, time - SAME_S); story.time[at] <= time + SAME_S; at++)
        found.push(story.text(at));
      return found;
    }),
  );
  return [...new Set(texts)].join("; ");
}
