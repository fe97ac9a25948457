// SPDX-License-Identifier: MIT OR Apache-2.0
// Lines with a width of several pixels and moving ends: paths, and coloured links. Memory is reused, and grows if
// necessary.
import { InstancedBufferAttribute, InstancedInterleavedBuffer, InterleavedBufferAttribute } from "three";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import { LineSegments2 } from "three/addons/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/addons/lines/LineSegmentsGeometry.js";

type Triple = readonly [number, number, number];

/** Lines over the ground: length of a piece, and distance from the centre of the Earth, both in Earth radii. */
const [PIECE, ABOVE] = [0.03, 1.004];

export class Segments {
  readonly mesh: LineSegments2;
  readonly material: LineMaterial;
  private places = new Float32Array(0);
  private colours = new Float32Array(0);
  private count = 0;

  constructor(width: number, opacity: number, dashed = false) {
    this.material = new LineMaterial({ linewidth: width, vertexColors: true, transparent: true, opacity, dashed });
    // Lines may coincide and have almost equal depths. Therefore the order of drawing determines which line is on top.
    this.material.depthWrite = false;
    this.mesh = new LineSegments2(new LineSegmentsGeometry(), this.material);
    this.mesh.frustumCulled = false;
    this.grow(64);
  }

  clear(): void {
    this.count = 0;
  }

  /** Adds a straight line between two triples of `xyz`. */
  add(xyz: Float32Array, one: number, other: number, colour: Triple): void {
    this.piece(xyz.subarray(one * 3, one * 3 + 3), xyz.subarray(other * 3, other * 3 + 3), colour);
  }

  /**
   * Adds a line along the ground, in pieces of a few degrees slightly above the ground. A straight line would pass
   * below the ground.
   */
  addOverGround(xyz: Float32Array, one: number, other: number, colour: Triple): void {
    const [a, b] = [xyz.subarray(one * 3, one * 3 + 3), xyz.subarray(other * 3, other * 3 + 3)];
    const pieces = Math.max(1, Math.ceil(Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) / PIECE));
    const at = (share: number) => {
      const point = [0, 1, 2].map((axis) => a[axis] * (1 - share) + b[axis] * share);
      const height = ABOVE / Math.hypot(...point);
      return point.map((value) => value * height);
    };
    for (let piece = 0; piece < pieces; piece++) this.piece(at(piece / pieces), at((piece + 1) / pieces), colour);
  }

  private piece(from: ArrayLike<number>, to: ArrayLike<number>, colour: Triple): void {
    if ((this.count + 1) * 6 > this.places.length) this.grow(this.count * 2);
    const at = this.count * 6;
    for (let axis = 0; axis < 3; axis++) {
      this.places[at + axis] = from[axis];
      this.places[at + 3 + axis] = to[axis];
      this.colours[at + axis] = colour[axis];
      this.colours[at + 3 + axis] = colour[axis];
    }
    this.count++;
  }

  /** Passes the added lines to the graphics card. */
  done(): void {
    const { geometry } = this.mesh;
    geometry.instanceCount = this.count;
    this.mesh.visible = this.count > 0;
    for (const name of ["instanceStart", "instanceColorStart"]) {
      (geometry.getAttribute(name) as InterleavedBufferAttribute).data.needsUpdate = true;
    }
    if (this.material.dashed) this.measure();
  }

  private measure(): void {
    const start = this.mesh.geometry.getAttribute("instanceDistanceStart") as InstancedBufferAttribute;
    const end = this.mesh.geometry.getAttribute("instanceDistanceEnd") as InstancedBufferAttribute;
    let length = 0;
    for (let piece = 0; piece < this.count; piece++) {
      const at = piece * 6;
      start.setX(piece, length);
      length += Math.hypot(...[0, 1, 2].map((axis) => this.places[at + axis] - this.places[at + 3 + axis]));
      end.setX(piece, length);
    }
    start.needsUpdate = true;
    end.needsUpdate = true;
  }

  private grow(pieces: number): void {
    const geometry = new LineSegmentsGeometry();
    const [places, colours] = [new Float32Array(pieces * 6), new Float32Array(pieces * 6)];
    places.set(this.places);
    colours.set(this.colours);
    [this.places, this.colours] = [places, colours];
    for (const [name, array] of [
      ["instance", places],
      ["instanceColor", colours],
    ] as const) {
      const buffer = new InstancedInterleavedBuffer(array, 6, 1);
      geometry.setAttribute(`${name}Start`, new InterleavedBufferAttribute(buffer, 3, 0));
      geometry.setAttribute(`${name}End`, new InterleavedBufferAttribute(buffer, 3, 3));
    }
    geometry.setAttribute("instanceDistanceStart", new InstancedBufferAttribute(new Float32Array(pieces), 1));
    geometry.setAttribute("instanceDistanceEnd", new InstancedBufferAttribute(new Float32Array(pieces), 1));
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
  }
}
