// SPDX-License-Identifier: MIT OR Apache-2.0
// Interface for tests and scripts: the current time, the drawn objects, and the values in the legends.
import type { Curves } from "./curves/curves";
import type { Run } from "./scene/model";
import type { Stage } from "./stage";
import type { Store } from "./store";

export function hook(scene: unknown, store: Store, runs: readonly Run[], stage: Stage, curves: Curves): unknown {
  return Object.freeze({
    scene,
    state: () => {
      const { time, run, flows, picked, projection, playing, speed } = store.state;
      const paths = [...stage.ways].flatMap(([flow, { now }]) => {
        if (!now) return [];
        const nodes = [...now.nodes];
        return [
          [
            flow,
            { since_s: now.since_s, nodes, names: nodes.map((id) => runs[run].node(id).name), rtt_ms: now.rtt_ms },
          ],
        ];
      });
      return {
        ...{ time_s: time, run, flows, picked, projection, playing, speed, frames: stage.frames },
        paths: Object.fromEntries(paths),
        legend: curves.legend(),
      };
    },
    at: (time: number, flow: number, run = 0) => {
      const of = runs[run];
      const value = (quantity: "rtt" | "propagation_rtt" | "cwnd") => of.curveOfFlow(flow, quantity)?.at(time) ?? null;
      const nodes = of.paths.get(flow)?.at(time).now?.nodes ?? [];
      return {
        way: [...nodes].map((id) => of.node(id).name),
        rtt_ms: value("rtt"),
        propagation_rtt_ms: value("propagation_rtt"),
        cwnd: value("cwnd"),
      };
    },
    /** Position of a node on the stage, in pixels from the corner; null if the node is hidden. */
    where: (id: number) => stage.where(id),
    /** Number of drawn lines that no path uses. */
    mesh: () => stage.meshed,
    seek: (time: number) => store.set({ time }),
    play: () => store.set({ playing: true }),
    pause: () => store.set({ playing: false }),
  });
}
