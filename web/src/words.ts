// SPDX-License-Identifier: MIT OR Apache-2.0
// Formats of numbers and times.
import type { Cause, Flow, Quantity } from "./scene/format";

/** Quantities that can be drawn: recorded quantities, and quantities that are computed from positions and paths. */
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
  flows: "flows through this node",
};

export const CAUSES: Record<Cause, string> = {
  queue: "full queue",
  error: "link error",
  outage: "outage",
  policer: "policer",
  too_large: "larger than the MTU",
  none: "spurious retransmission",
};

/** What happened to a packet that was declared lost. A spurious retransmission is not a loss. */
export function fate(cause: Cause): string {
  return cause === "none" ? CAUSES.none : `lost: ${CAUSES[cause]}`;
}

/** A number with three or four significant digits; a dash if the number is unknown. */
export function number(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (size >= 10_000) return Math.round(value).toLocaleString("en").replaceAll(",", "\u202f");
  if (size >= 100 || Number.isInteger(value)) return value.toFixed(size >= 1000 || Number.isInteger(value) ? 0 : 1);
  if (size >= 1) return value.toFixed(2);
  return value === 0 ? "0" : value.toPrecision(3);
}

/** Seconds with a number of decimals that suits a run of this duration. */
export function seconds(value: number, duration: number): string {
  return value.toFixed(duration > 2000 ? 1 : duration > 20 ? 2 : 3);
}

export function degrees(latitude: number, longitude: number): string {
  const north = `${Math.abs(latitude).toFixed(1)}° ${latitude < 0 ? "S" : "N"}`;
  return `${north}, ${Math.abs(longitude).toFixed(1)}° ${longitude < 0 ? "W" : "E"}`;
}

/** Why a flow has no values at a time: it has not started, or it has ended. `null` while the flow runs. */
export function absence(
  { start_s, end_s, completed }: Pick<Flow, "start_s" | "end_s" | "completed">,
  time: number,
  duration: number,
): string | null {
  if (time < start_s) return `starts at ${seconds(start_s, duration)} s`;
  if (end_s === null || time <= end_s || (end_s >= duration && !completed)) return null;
  return `${completed ? "finished" : "stopped"} at ${seconds(end_s, duration)} s`;
}

/** The date and time; empty if the run has no date. */
export function utc(epoch: string | null, time: number): string {
  if (!epoch) return "";
  return `${new Date(Date.parse(epoch) + time * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** The nodes of a path, in words. Of more than `most` names, only the ends and the number of the others are listed. */
export function route(names: readonly string[], most = 5): string {
  if (names.length === 0) return "not connected";
  if (names.length <= most) return names.join(" → ");
  return `${names[0]} → ${names.length - 2} nodes → ${names[names.length - 1]}`;
}
