// SPDX-License-Identifier: MIT OR Apache-2.0
// Numbers and moments as a reader wants them.
import type { Cause, Flow, Quantity } from "./scene/format";

/** What is drawn: recorded quantities, and those that follow from positions and paths. */
export type Measure = Quantity | "elevation" | "range" | "flows";

export const QUANTITIES: Record<Measure, string> = {
  cwnd: "cwnd",
  ssthresh: "ssthresh",
  in_flight: "in flight",
  pacing_rate: "pacing rate",
  delivery_rate: "delivery rate",
  rtt: "RTT",
  propagation_rtt: "propagation RTT",
  queue: "queue",
  utilisation: "utilisation",
  losses: "losses",
  elevation: "elevation",
  range: "range",
  flows: "flows on it",
};

export const CAUSES: Record<Cause, string> = {
  queue: "full queue",
  error: "link error",
  outage: "outage",
  policer: "policer",
  none: "spurious retransmission",
};

/** What became of a packet that was declared lost; a spurious retransmission lost none. */
export function fate(cause: Cause): string {
  return cause === "none" ? CAUSES.none : `lost: ${CAUSES[cause]}`;
}

/** A number with three to four figures; a dash where it is not known. */
export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (size >= 10_000) return Math.round(value).toLocaleString("en").replaceAll(",", "\u202f");
  if (size >= 100 || Number.isInteger(value)) return value.toFixed(size >= 1000 || Number.isInteger(value) ? 0 : 1);
  if (size >= 1) return value.toFixed(2);
  return value === 0 ? "0" : value.toPrecision(3);
}

/** Seconds with as many decimals as a reader can use in a run of this length. */
export function seconds(value: number, duration: number): string {
  return value.toFixed(duration > 2000 ? 1 : duration > 20 ? 2 : 3);
}

export function degrees(latitude: number, longitude: number): string {
  const north = `${Math.abs(latitude).toFixed(1)}° ${latitude < 0 ? "S" : "N"}`;
  return `${north}, ${Math.abs(longitude).toFixed(1)}° ${longitude < 0 ? "W" : "E"}`;
}

/** Why a flow has no values at a moment: it has not started, or is over. `null` while it runs. */
export function absence(
  { start_s, end_s, completed }: Pick<Flow, "start_s" | "end_s" | "completed">,
  time: number,
  duration: number,
): string | null {
  if (time < start_s) return `starts at ${seconds(start_s, duration)} s`;
  if (end_s === null || time <= end_s || (end_s >= duration && !completed)) return null;
  return `${completed ? "finished" : "stopped"} at ${seconds(end_s, duration)} s`;
}

/** The moment in the world, where a run has a date. */
export function utc(epoch: string | null, time: number): string {
  if (!epoch) return "";
  return `${new Date(Date.parse(epoch) + time * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** A few names in full, more as ends and a count. */
export function route(names: readonly string[], most = 5): string {
  if (names.length === 0) return "not connected";
  if (names.length <= most) return names.join(" → ");
  return `${names[0]} → ${names.length - 2} nodes → ${names[names.length - 1]}`;
}
