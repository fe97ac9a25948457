// SPDX-License-Identifier: MIT OR Apache-2.0
// The world as a flat map: longitude to the right, latitude up (equirectangular).
import { element } from "../dom";
import { flowColour, heatColour, type Theme, theme } from "../palette";
import type { State } from "../store";
import { type Frame, isGround, strength } from "./frame";
import { geodetic, subsolar, turned } from "./geodesy";
import type { Projected, View } from "./view";
import { coastPieces, fillLand } from "./world";

export class FlatMap implements View {
  readonly canvas = element("canvas", { tabindex: 0, role: "img" });
  private readonly context = this.canvas.getContext("2d") as CanvasRenderingContext2D;
  private readonly ground = element("canvas");
  private frame: Frame | null = null;
  private colours: Theme = theme();
  private dressed = "";
  private size = { width: 1, height: 1 };
  private ratio = 1;
  /** Centre of the map in degrees, and magnification relative to the size at which the map fits. */
  private middle = { longitude: 0, latitude: 0 };
  private scale = 1;
  /** Longitude and latitude of every node, in degrees. */
  private degrees = new Float32Array(0);

  constructor(
    label: string,
    private readonly redraw: () => void,
  ) {
    this.canvas.setAttribute("aria-label", label);
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons !== 1) return;
      this.middle.longitude -= event.movementX / this.perDegree;
      this.middle.latitude += event.movementY / this.perDegree;
      this.settle();
    });
    this.canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.zoom(Math.exp(-event.deltaY / 600));
      },
      { passive: false },
    );
  }

  show(frame: Frame): void {
    this.frame = frame;
    this.degrees = new Float32Array(frame.run.file.nodes.length * 2);
  }

  resize(width: number, height: number): void {
    this.size = { width, height };
    this.ratio = Math.min(devicePixelRatio, 2);
    this.canvas.width = Math.round(width * this.ratio);
    this.canvas.height = Math.round(height * this.ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
  }

  lookAt(): void {
    this.middle = { longitude: 0, latitude: 0 };
    this.scale = 1;
  }

  turn(right: number, up: number): void {
    this.middle.longitude += (right * 60) / this.scale;
    this.middle.latitude += (up * 60) / this.scale;
    this.settle();
  }

  zoom(factor: number): void {
    this.scale = Math.min(Math.max(this.scale * factor, 1), 12);
    this.settle();
  }

  project(place: number, into: Projected): void {
    into.x = this.x(this.degrees[place * 2]);
    into.y = this.y(this.degrees[place * 2 + 1]);
    // The position of a satellite that has left its orbit is NaN. Such a satellite is hidden.
    into.hidden = !(into.x >= 0 && into.y >= 0 && into.x <= this.size.width && into.y <= this.size.height);
  }

  dispose(): void {}

  draw(state: Readonly<State>): void {
    const { frame, context } = this;
    if (!frame) return;
    this.dress(state.theme);
    this.locate(frame);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = this.colours.space;
    context.fillRect(0, 0, this.size.width, this.size.height);
    const [left, top] = [this.x(-180), this.y(90)];
    context.drawImage(this.ground, left, top, this.x(180) - left, this.y(-90) - top);
    this.coast();
    this.night(frame, state.time);
    this.links(frame);
    this.dots(frame);
    this.paths(frame, state);
  }

  private dress(name: string): void {
    const colours = theme();
    const signature = JSON.stringify([name, colours]);
    if (signature === this.dressed) return;
    this.dressed = signature;
    this.colours = colours;
    [this.ground.width, this.ground.height] = [2048, 1024];
    const context = this.ground.getContext("2d") as CanvasRenderingContext2D;
    context.fillStyle = colours.ocean;
    context.fillRect(0, 0, 2048, 1024);
    context.fillStyle = colours.land;
    fillLand(context, 2048, 1024);
  }

  private locate({ xyz }: Frame): void {
    for (let at = 0; at < xyz.length / 3; at++) {
      const { latitude_deg, longitude_deg } = geodetic(xyz[at * 3], xyz[at * 3 + 1], xyz[at * 3 + 2]);
      this.degrees[at * 2] = longitude_deg;
      this.degrees[at * 2 + 1] = latitude_deg;
    }
  }

  private coast(): void {
    const { context } = this;
    context.beginPath();
    for (const [longitude, latitude, otherLongitude, otherLatitude] of coastPieces()) {
      context.moveTo(this.x(longitude), this.y(latitude));
      context.lineTo(this.x(otherLongitude), this.y(otherLatitude));
    }
    context.strokeStyle = this.colours.coast;
    context.lineWidth = 0.8;
    context.stroke();
  }

  /**
   * Shades the area in which the Sun is below the horizon. The boundary is tan(latitude) = -cos(longitude from the Sun)
   * / tan(declination).
   */
  private night({ run }: Frame, time: number): void {
    if (!run.file.epoch_utc) return;
    const sun = subsolar(new Date(Date.parse(run.file.epoch_utc) + time * 1000));
    const { context } = this;
    const edge = sun.latitude_deg >= 0 ? -90 : 90;
    context.beginPath();
    context.moveTo(this.x(-180), this.y(edge));
    for (let longitude = -180; longitude <= 180; longitude += 2) {
      const around = ((longitude - sun.longitude_deg) * Math.PI) / 180;
      const latitude = Math.atan(-Math.cos(around) / Math.tan((sun.latitude_deg * Math.PI) / 180 || 1e-6));
      context.lineTo(this.x(longitude), this.y((latitude * 180) / Math.PI));
    }
    context.lineTo(this.x(180), this.y(edge));
    context.fillStyle = this.colours.night;
    context.globalAlpha = this.colours.dark ? 0.6 : 0.3;
    context.fill();
    context.globalAlpha = 1;
  }

  private links(frame: Frame): void {
    const { context } = this;
    context.beginPath();
    for (let at = 0; at < frame.ends.length; at += 2) this.join(frame.ends[at], frame.ends[at + 1]);
    context.strokeStyle = this.colours.link;
    context.globalAlpha = strength(frame.lines.length, 0.35);
    context.lineWidth = 0.7;
    context.stroke();
    context.globalAlpha = 1;
  }

  private dots(frame: Frame): void {
    const { context } = this;
    const largest = frame.satellites.length > 200 ? 2.6 : 4.5;
    const side = Math.min(
      Math.max(this.perDegree * (frame.satellites.length > 1000 ? 0.75 : 2), 1.2),
      largest * Math.max(1, this.scale / 2),
    );
    context.fillStyle = this.colours.satellite;
    for (const place of frame.satellites) {
      context.fillRect(
        this.x(this.degrees[place * 2]) - side / 2,
        this.y(this.degrees[place * 2 + 1]) - side / 2,
        side,
        side,
      );
    }
    context.fillStyle = this.colours.site;
    for (const [place, { kind }] of frame.run.file.nodes.entries()) {
      if (!isGround(kind)) continue;
      context.beginPath();
      context.arc(this.x(this.degrees[place * 2]), this.y(this.degrees[place * 2 + 1]), 3.5, 0, 7);
      context.fill();
    }
  }

  private paths(frame: Frame, state: Readonly<State>): void {
    const { context } = this;
    const { run } = frame;
    const at = (id: number) => run.place.get(id)!;
    const stroke = (nodes: Uint32Array, colour: string, width: number, dash: number[]) => {
      context.beginPath();
      for (let hop = 1; hop < nodes.length; hop++) this.join(at(nodes[hop - 1]), at(nodes[hop]));
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.setLineDash(dash);
      context.stroke();
      context.setLineDash([]);
    };
    const order = [...frame.ways].sort(
      ([one], [other]) => Number(state.flows.includes(one)) - Number(state.flows.includes(other)),
    );
    for (const [flow, { now, before }] of order) {
      if (before && flow === state.flows[0]) stroke(before.nodes, this.colours.muted, 1.5, [4, 4]);
      if (!now) continue;
      const followed = state.flows.includes(flow);
      context.globalAlpha = followed ? 1 : 0.5;
      stroke(now.nodes, flowColour(run.flow.get(flow)?.color_index ?? 0, this.colours.dark), followed ? 6 : 2.5, []);
      context.globalAlpha = 1;
    }
    for (const { line, share } of frame.full) {
      stroke(Uint32Array.of(line.a, line.b), heatColour(share), 2, []);
    }
    for (const { id, flow } of frame.hops(state.flows)) {
      context.beginPath();
      context.arc(this.x(this.degrees[at(id) * 2]), this.y(this.degrees[at(id) * 2 + 1]), 5, 0, 7);
      context.fillStyle = this.colours.space;
      context.fill();
      context.lineWidth = 2.5;
      context.strokeStyle = flowColour(run.flow.get(flow)?.color_index ?? 0, this.colours.dark);
      context.stroke();
    }
    const picked = state.picked?.kind === "line" ? run.lineOf.get(state.picked.key) : null;
    if (picked) stroke(Uint32Array.of(picked.a, picked.b), this.colours.ink, 3, []);
  }

  /**
   * Draws a straight line on the map. If the line across the edge of the map is shorter, the line leaves on one side
   * and enters on the other side.
   */
  private join(one: number, other: number): void {
    const { context, degrees } = this;
    const [a, b] = [degrees[one * 2], degrees[other * 2]];
    const [top, bottom] = [this.y(degrees[one * 2 + 1]), this.y(degrees[other * 2 + 1])];
    const turn = Math.abs(b - a) > 180 ? Math.sign(a - b) * 360 : 0;
    context.moveTo(this.x(a), top);
    context.lineTo(this.x(b + turn), bottom);
    if (turn === 0) return;
    context.moveTo(this.x(a - turn), top);
    context.lineTo(this.x(b), bottom);
  }

  private settle(): void {
    const room = 90 - this.size.height / this.perDegree / 2;
    this.middle.latitude = room > 0 ? Math.min(Math.max(this.middle.latitude, -room), room) : 0;
    const wide = 180 - this.size.width / this.perDegree / 2;
    this.middle.longitude = wide > 0 ? Math.min(Math.max(turned(this.middle.longitude), -wide), wide) : 0;
    this.redraw();
  }

  private get perDegree(): number {
    return Math.min(this.size.width / 360, this.size.height / 180) * this.scale;
  }
  private x(longitude: number): number {
    return this.size.width / 2 + (longitude - this.middle.longitude) * this.perDegree;
  }
  private y(latitude: number): number {
    return this.size.height / 2 - (latitude - this.middle.latitude) * this.perDegree;
  }
}
