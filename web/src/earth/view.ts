// SPDX-License-Identifier: MIT OR Apache-2.0
import type { State } from "../store";
import type { Frame } from "./frame";

/** Position of a node in pixels of the canvas. */
export type Projected = { x: number; y: number; hidden: boolean };

/** A view of the constellation: the globe, or the flat map. */
export interface View {
  readonly canvas: HTMLCanvasElement;
  show(frame: Frame): void;
  resize(width: number, height: number): void;
  draw(state: Readonly<State>): void;
  project(place: number, into: Projected): void;
  lookAt(latitude_deg: number, longitude_deg: number, highest_km: number): void;
  /** Moves the view by keyboard commands: radians to the right and up. */
  turn(right: number, up: number): void;
  zoom(factor: number): void;
  dispose(): void;
}
