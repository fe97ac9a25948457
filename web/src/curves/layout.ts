// SPDX-License-Identifier: MIT OR Apache-2.0
// Which curves are in which plot, and how each curve is drawn.
import { flowColour } from "../palette";
import type { Curve } from "../scene/curve";
import type { Quantity } from "../scene/format";
import type { Line, Run } from "../scene/model";
import type { State } from "../store";
import { type Measure, QUANTITIES } from "../words";
import { access, Derived, type Drawn, flowAt, flowsOver } from "./derived";

export type Stroke = "solid" | "dashed" | "dotted" | "thin";
export type Series = {
  label: string;
  /** Name in the legend. Series with the same key share one entry. */
  key: string;
  run: number;
  flow: number | null;
  quantity: Measure;
  curve: Drawn;
  colour: number;
  stroke: Stroke;
};
/** If `many` is true, the colour of a curve identifies its flow or run. If `many` is false, it identifies the quantity. */
export type Panel = { name: string; title: string; unit: string; many: boolean; series: Series[] };

const PANELS: { name: string; title: string; of: [Quantity, Stroke][] }[] = [
  {
    name: "window",
    title: "Window",
    of: [
      ["cwnd", "solid"],
      ["ssthresh", "dashed"],
      ["in_flight", "thin"],
    ],
  },
  {
    name: "rate",
    title: "Rate",
    of: [
      ["delivery_rate", "solid"],
      ["pacing_rate", "dashed"],
    ],
  },
  {
    name: "rtt",
    title: "Round trip",
    of: [
      ["rtt", "solid"],
      ["propagation_rtt", "dashed"],
    ],
  },
  { name: "queue", title: "Queueing delay", of: [["queue", "solid"]] },
  { name: "losses", title: "Losses", of: [["losses", "solid"]] },
];

/** Largest number of links of a node that are drawn: the links with the highest utilisation. */
const LINKS = 8;

/** The panels: flows of the overlaid runs, and the queue of a link. */
export function panels(
  runs: readonly Run[],
  { overlaid, flows }: Pick<State, "overlaid" | "flows">,
  { line, node }: { line: Line | null; node: { run: Run; id: number } | null },
  lineOf: (run: Run) => Line | null,
): Panel[] {
  const drawn: Panel[] = node ? ofPickedNode(node.run, node.id, flows) : [];
  // With one flow of one run, the colour identifies the quantity. With more flows or runs, the colour identifies the
  // flow or run, and the stroke identifies the quantity.
  const many = overlaid.length * flows.length > 1;
  const whose = (run: number, at: number) => (overlaid.length > 1 ? overlaid.indexOf(run) * flows.length + at : at);
  const name = (run: number, flow: number) => {
    const words = [];
    if (overlaid.length > 1) words.push(runs[run].file.name);
    if (flows.length > 1 || words.length === 0) words.push(runs[run].flow.get(flow)?.name ?? `flow ${flow}`);
    return words.join(" · ");
  };
  for (const { name: panelName, title, of } of PANELS) {
    const series: Series[] = [];
    for (const run of overlaid) {
      for (const [at, flow] of flows.entries()) {
        for (const [place, [quantity, stroke]] of of.entries()) {
          const curve = runs[run]?.curveOfFlow(flow, quantity);
          // If each loss has a mark above the plots, the numbers of losses are not needed and are not fetched.
          if (!curve || (quantity === "losses" && runs[run].file.losses.some((losses) => losses.flow === flow)))
            continue;
          // An empty curve of the threshold is drawn, because it shows that the controller has no threshold.
          if ((curve.empty && quantity !== "ssthresh") || (quantity === "losses" && !lossy(curve))) continue;
          const label = many ? `${QUANTITIES[quantity]}, ${name(run, flow)}` : QUANTITIES[quantity];
          series.push({
            label,
            key: QUANTITIES[quantity],
            run,
            flow,
            quantity,
            curve,
            colour: many ? whose(run, at) : place,
            stroke,
          });
        }
      }
    }
    const unit = series[0]?.curve.unit ?? "";
    if (series.length > 0)
      drawn.push({ name: panelName, title, unit, many, series: series.filter((one) => one.curve.unit === unit) });
  }
  drawn.push(...ofLinks(runs, overlaid, line, lineOf));
  return drawn;
}

function lossy(curve: Curve): boolean {
  return curve.coarsest?.high.some((value) => value > 0) ?? false;
}

/** Panels with queue and utilisation of the links of a line, in both directions. */
function ofLinks(
  runs: readonly Run[],
  overlaid: readonly number[],
  line: Line | null,
  lineOf: (run: Run) => Line | null,
): Panel[] {
  const drawn: Panel[] = [];
  for (const quantity of ["queue", "utilisation"] as const) {
    const series: Series[] = [];
    for (const run of overlaid) {
      const shown = line ?? lineOf(runs[run]);
      if (!shown) continue;
      const links = (runs[run].lineOf.get(shown.key) ?? shown).links;
      for (const [place, link] of links.entries()) {
        const curve = runs[run].curveOfLink(link.id, quantity);
        if (!curve) continue;
        const label = overlaid.length > 1 ? `${link.name}, ${runs[run].file.name}` : link.name;
        const colour = overlaid.length > 1 ? overlaid.indexOf(run) : place;
        series.push({
          label,
          key: link.name,
          run,
          flow: null,
          quantity,
          curve,
          colour,
          stroke: place === 0 ? "solid" : "dashed",
        });
      }
    }
    const title = quantity === "queue" ? "Queue of the link" : "Utilisation of the link";
    if (series.length > 0)
      drawn.push({ name: `link-${quantity}`, title, unit: series[0].curve.unit, many: overlaid.length > 1, series });
  }
  return drawn;
}

/**
 * Panels of a node. A site has panels with the elevation and the distance of the satellite in use. Every node has
 * panels with the utilisation of its links and the number of its flows.
 */
export function ofPickedNode(run: Run, id: number, flows: readonly number[]): Panel[] {
  const { duration_s } = run.file;
  const one = (quantity: Measure, curve: Drawn, label = QUANTITIES[quantity], colour = 0): Series => {
    return { label, key: label, run: 0, flow: null, quantity, curve, colour, stroke: "solid" };
  };
  const drawn: Panel[] = [];
  const panel = (name: string, title: string, series: Series[]) => {
    if (series.length > 0) drawn.push({ name, title, unit: series[0].curve.unit, many: series.length > 1, series });
  };
  const flow = flowAt(run, id, flows);
  if (flow !== null && run.positions) {
    const seen = (moment: number) => access(run, id, flow, moment);
    const elevation = new Derived("deg", duration_s, (moment) => seen(moment)?.elevation_deg ?? null);
    const range = new Derived("km", duration_s, (moment) => seen(moment)?.range_km ?? null);
    panel("elevation", "Elevation of the satellite in use", [one("elevation", elevation)]);
    panel("range", "Range to the satellite in use", [one("range", range)]);
  }
  const links = run.file.links
    .flatMap(({ id: link, name, from, to }) => {
      const curve = from === id || to === id ? run.curveOfLink(link, "utilisation") : null;
      return curve ? [{ name, curve, peak: Math.max(0, ...(curve.coarsest?.high ?? [])) || 0 }] : [];
    })
    .sort((a, b) => b.peak - a.peak)
    .slice(0, LINKS);
  panel(
    "node-utilisation",
    "Utilisation of its links",
    links.map(({ name, curve }, at) => one("utilisation", curve, name, at)),
  );
  if (links.length > 0) {
    const over = new Derived("", duration_s, (moment) => flowsOver(run, id, moment));
    panel("node-flows", "Flows through this node", [one("flows", over)]);
  }
  return drawn;
}

/**
 * The line with the longest mean queue on the path of a flow at a time. If the path is unknown, the line with the
 * longest mean queue of all lines.
 */
export function bottleneck(run: Run, flow: number, time: number): Line | null {
  const nodes = run.paths.get(flow)?.at(time).now?.nodes;
  const lines = nodes ? [...nodes].slice(1).map((node, at) => run.line(nodes[at], node)) : run.lines;
  let best: Line | null = null;
  let longest = -1;
  for (const line of lines) {
    for (const link of line?.links ?? []) {
      const curve = run.curveOfLink(link.id, "queue");
      if (!curve) continue;
      const values = curve.coarsest?.high ?? new Float32Array(0);
      const mean = values.reduce((sum, value) => sum + (value || 0), 0) / (values.length || 1);
      if (mean > longest) [best, longest] = [line, mean];
    }
  }
  return best;
}

export function seriesColour(series: Series, dark: boolean): string {
  return flowColour(series.colour, dark);
}
