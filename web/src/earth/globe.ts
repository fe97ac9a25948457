// SPDX-License-Identifier: MIT OR Apache-2.0
// The globe in Earth-fixed axes: continents do not move, but the Sun and the satellites do. One unit is the equatorial
// radius.
import {
  BufferAttribute,
  BufferGeometry,
  CanvasTexture,
  Color,
  ColorManagement,
  DynamicDrawUsage,
  LinearSRGBColorSpace,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  PerspectiveCamera,
  Points,
  Scene,
  ShaderMaterial,
  SphereGeometry,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { flowColour, heat, type Theme, theme } from "../palette";
import type { State } from "../store";
import { type Frame, isGround, strength } from "./frame";
import { EQUATOR_KM, earthFixed, POLE_KM, subsolar } from "./geodesy";
import { Segments } from "./segments";
import { DOT_FRAGMENT, DOT_VERTEX, EARTH_FRAGMENT, EARTH_VERTEX, LINK_FRAGMENT, LINK_VERTEX } from "./shaders";
import { softwareRendering } from "./software";
import type { Projected, View } from "./view";
import { coastPieces, fillLand } from "./world";

type Colour = [number, number, number];

/** Altitude of satellites above which the camera is nearer to the globe than the satellites are. */
const FAR_KM = 20_000;

// Colours are drawn exactly as in the style sheet, because the scene has no lights.
ColorManagement.enabled = false;

export class Globe implements View {
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(34, 1, 0.1, 60);
  private readonly controls: OrbitControls;
  private readonly earth = new ShaderMaterial({ vertexShader: EARTH_VERTEX, fragmentShader: EARTH_FRAGMENT });
  private readonly coast: LineSegments<BufferGeometry, LineBasicMaterial>;
  private readonly dots = new Points(
    new BufferGeometry(),
    new ShaderMaterial({ vertexShader: DOT_VERTEX, fragmentShader: DOT_FRAGMENT }),
  );
  private readonly sites = new Points(new BufferGeometry(), this.dots.material.clone());
  private readonly links = new LineSegments(
    new BufferGeometry(),
    new ShaderMaterial({
      vertexShader: LINK_VERTEX,
      fragmentShader: LINK_FRAGMENT,
      transparent: true,
      depthWrite: false,
    }),
  );
  /**
   * Hops of the followed paths. Each is a dot in the colour of the flow, with a smaller dot in the background colour
   * inside.
   */
  private readonly hops = new Points(new BufferGeometry(), this.dots.material.clone());
  private readonly holes = new Points(new BufferGeometry(), this.dots.material.clone());
  private readonly casing = new Segments(5, 0.85);
  private readonly others = new Segments(3, 0.5);
  private readonly former = new Segments(2, 0.8, true);
  private readonly fill = new Segments(2.4, 1);
  private readonly chosen = new Segments(4, 1);
  private xyz = new Float32Array(0);
  private colours: Theme = theme();
  private frame: Frame | null = null;
  private version = -1;
  private themed = "";
  private marked = "";

  constructor(
    label: string,
    private readonly redraw: () => void,
  ) {
    // Drawing may take longer if the page is a picture or a report.
    const antialias = document.documentElement.classList.contains("shot") || !softwareRendering();
    this.renderer = new WebGLRenderer({ antialias, powerPreference: "high-performance" });
    this.renderer.outputColorSpace = LinearSRGBColorSpace;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.addEventListener("webglcontextrestored", redraw);
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", label);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enablePan = false;
    this.controls.rotateSpeed = 0.55;
    this.controls.minDistance = 1.25;
    this.controls.maxDistance = 30;
    this.controls.addEventListener("change", redraw);
    this.coast = new LineSegments(coastGeometry(), new LineBasicMaterial());
    for (const drawn of [this.links, this.dots, this.sites, this.hops, this.holes]) drawn.frustumCulled = false;
    for (const points of [this.hops, this.holes]) {
      points.material.uniforms = { size: { value: 10 }, space: { value: new Color() } };
      // Points are drawn on top of lines at the same positions.
      points.material.depthWrite = false;
      points.material.transparent = true;
    }
    this.sites.material.uniforms = { size: { value: 6 }, space: { value: new Color() } };
    this.dots.material.uniforms = { size: { value: 4 }, space: { value: new Color() } };
    this.links.material.uniforms = { colour: { value: new Color() }, strength: { value: 0.5 } };
    const globe = new SphereGeometry(1, 96, 64);
    // In the sphere of three.js, longitudes begin at 180 degrees west. The x axis points to the Greenwich meridian, and
    // the y axis to the pole.
    globe.scale(1, POLE_KM / EQUATOR_KM, 1);
    this.scene.add(
      new Mesh(globe, this.earth),
      this.coast,
      this.links,
      this.former.mesh,
      this.others.mesh,
      this.casing.mesh,
      this.fill.mesh,
    );
    this.scene.add(this.chosen.mesh, this.dots, this.sites, this.hops, this.holes);
    this.casing.mesh.renderOrder = 1;
    this.fill.mesh.renderOrder = 2;
    this.chosen.mesh.renderOrder = 3;
    this.hops.renderOrder = 4;
    this.holes.renderOrder = 5;
  }

  show(frame: Frame): void {
    this.frame = frame;
    this.version = -1;
    this.xyz = new Float32Array(frame.xyz.length);
  }

  /** Turns the globe so that a place is in the middle. */
  lookAt(latitude_deg: number, longitude_deg: number, highest_km: number): void {
    // If satellites are high, only satellites over this side of the Earth are in the picture. If all were in the
    // picture, the Earth would be too small.
    const far = highest_km > FAR_KM;
    // The middle of the picture stays away from the poles, so that north is up.
    const most = far ? 20 : 55;
    const [x, y, z] = earthFixed(Math.min(Math.max(latitude_deg, -most), most), longitude_deg, 0);
    const radius = 1 + highest_km / EQUATOR_KM;
    const distance = far
      ? radius + 1.06 / Math.tan((7 * Math.PI) / 180)
      : (1.06 * radius) / Math.sin((17 * Math.PI) / 180);
    this.camera.position.set(x, z, -y).setLength(Math.min(distance, this.controls.maxDistance));
    this.controls.update();
  }

  turn(right: number, up: number): void {
    const at = this.camera.position;
    const radius = at.length();
    const polar = Math.min(Math.max(Math.acos(at.y / radius) - up, 0.05), Math.PI - 0.05);
    const around = Math.atan2(at.x, at.z) + right;
    at.setFromSphericalCoords(radius, polar, around);
    this.controls.update();
    this.redraw();
  }

  zoom(factor: number): void {
    const at = this.camera.position;
    at.setLength(Math.min(Math.max(at.length() / factor, this.controls.minDistance), this.controls.maxDistance));
    this.controls.update();
    this.redraw();
  }

  resize(width: number, height: number): void {
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    // The globe must also fit into a narrow stage.
    this.camera.fov =
      width < height ? 2 * Math.atan(Math.tan((17 * Math.PI) / 180) * (height / width)) * (180 / Math.PI) : 34;
    this.camera.updateProjectionMatrix();
  }

  draw(state: Readonly<State>): void {
    const { frame } = this;
    if (!frame) return;
    this.dress(state.theme);
    this.place(frame);
    if (this.version !== frame.version) this.rebuild(frame);
    this.move(frame);
    this.light(frame, state.time);
    this.lines(frame, state);
    this.marks(frame, state);
    this.renderer.render(this.scene, this.camera);
  }

  project(place: number, into: Projected): void {
    const at = new Vector3(this.xyz[place * 3], this.xyz[place * 3 + 1], this.xyz[place * 3 + 2]);
    // A point is behind the Earth if the line of sight passes the centre at a distance below the radius, in front of
    // the point.
    const sight = at.clone().sub(this.camera.position);
    const along = -this.camera.position.dot(sight) / sight.lengthSq();
    const nearest = this.camera.position.clone().addScaledVector(sight, Math.min(Math.max(along, 0), 1));
    into.hidden = (nearest.lengthSq() < 0.99 && along < 1) || at.lengthSq() === 0;
    at.project(this.camera);
    into.x = ((at.x + 1) / 2) * this.canvas.clientWidth;
    into.y = ((1 - at.y) / 2) * this.canvas.clientHeight;
  }

  dispose(): void {
    this.controls.dispose();
    this.renderer.dispose();
  }

  private dress(name: string): void {
    const colours = theme();
    const signature = JSON.stringify([name, colours]);
    if (signature === this.themed) return;
    this.themed = signature;
    this.colours = colours;
    const first = !this.earth.uniforms.land;
    this.scene.background = new Color(colours.space);
    this.earth.uniforms = {
      land: first ? { value: landTexture() } : this.earth.uniforms.land,
      oceanColour: { value: new Color(colours.ocean) },
      landColour: { value: new Color(colours.land) },
      sun: { value: new Vector3(0, 0, 0) },
      nightColour: { value: new Color(colours.night) },
      night: { value: 0 },
      rim: { value: colours.dark ? 0.55 : 0.22 },
    };
    this.coast.material.color.set(colours.coast);
    this.links.material.uniforms.colour.value.set(colours.link);
    for (const { material } of [this.dots, this.sites, this.hops, this.holes])
      material.uniforms.space.value.set(colours.space);
    this.version = -1;
  }

  /** Positions in units of the globe. The y axis points to the pole. */
  private place({ xyz }: Frame): void {
    const out = this.xyz;
    for (let at = 0; at < xyz.length; at += 3) {
      out[at] = xyz[at] / EQUATOR_KM;
      out[at + 1] = xyz[at + 2] / EQUATOR_KM;
      out[at + 2] = -xyz[at + 1] / EQUATOR_KM;
      // A satellite that has left its orbit is placed at the centre of the Earth, where it is not visible.
      if (Number.isNaN(xyz[at])) out.fill(0, at, at + 3);
    }
  }

  private rebuild(frame: Frame): void {
    const { nodes, shells } = frame.run.file;
    this.version = frame.version;
    const shades = shells.map((_, shell) => shellColour(this.colours, shell));
    cloud(
      this.dots,
      frame.satellites.length,
      (at) => shades[nodes[frame.satellites[at]].shell ?? 0] ?? triple(this.colours.satellite),
    );
    const sites = nodes.flatMap((node, place) => (isGround(node.kind) ? [place] : []));
    cloud(this.sites, sites.length, () => triple(this.colours.site));
    const places = this.sites.geometry.getAttribute("position") as BufferAttribute;
    for (const [at, place] of sites.entries()) {
      // A site is drawn slightly above the ground. Otherwise the ground would hide half of its dot.
      places.setXYZ(at, ...([0, 1, 2].map((axis) => this.xyz[place * 3 + axis] * 1.004) as Colour));
    }
    this.links.material.uniforms.strength.value = strength(frame.lines.length, this.colours.dark ? 0.5 : 0.6);
    this.links.geometry.dispose();
    this.links.geometry = new BufferGeometry();
    this.links.geometry.setAttribute(
      "position",
      new BufferAttribute(new Float32Array(frame.lines.length * 6), 3).setUsage(DynamicDrawUsage),
    );
  }

  private move(frame: Frame): void {
    const { xyz } = this;
    const dots = this.dots.geometry.getAttribute("position") as BufferAttribute;
    for (const [at, place] of frame.satellites.entries()) {
      dots.array[at * 3] = xyz[place * 3];
      dots.array[at * 3 + 1] = xyz[place * 3 + 1];
      dots.array[at * 3 + 2] = xyz[place * 3 + 2];
    }
    dots.needsUpdate = true;
    const ends = this.links.geometry.getAttribute("position") as BufferAttribute;
    for (let at = 0, out = 0; at < frame.ends.length; at += 2, out += 6) {
      const [a, b] = [frame.ends[at] * 3, frame.ends[at + 1] * 3];
      const there = xyz[a] !== 0 && xyz[b] !== 0;
      for (let axis = 0; axis < 3; axis++) {
        ends.array[out + axis] = there ? xyz[a + axis] : 0;
        ends.array[out + 3 + axis] = there ? xyz[b + axis] : 0;
      }
    }
    ends.needsUpdate = true;
    // If there are many satellites, their dots are smaller. On a large stage, all dots are larger.
    const many = frame.satellites.length > 3000 ? 0.75 : frame.satellites.length < 200 ? 1.6 : 1;
    const scale = this.renderer.getPixelRatio() * Math.max(1, this.canvas.clientHeight / 700);
    this.dots.material.uniforms.size.value = 3.6 * many * scale;
    this.sites.material.uniforms.size.value = 7 * scale;
    this.hops.material.uniforms.size.value = 11 * scale;
    this.holes.material.uniforms.size.value = 5 * scale;
    for (const [lines, width] of [
      [this.casing, 7],
      [this.others, 3.2],
      [this.fill, 2.4],
      [this.former, 1.6],
      [this.chosen, 4],
    ] as const) {
      lines.material.linewidth = width * Math.max(1, this.canvas.clientHeight / 700);
    }
  }

  private light({ run }: Frame, time: number): void {
    const { sun, night } = this.earth.uniforms;
    if (!run.file.epoch_utc) {
      night.value = 0;
      return;
    }
    night.value = this.colours.dark ? 0.45 : 0.42;
    const { latitude_deg, longitude_deg } = subsolar(new Date(Date.parse(run.file.epoch_utc) + time * 1000));
    const [x, y, z] = earthFixed(latitude_deg, longitude_deg, 0);
    sun.value.set(x, z, -y).normalize();
  }

  private marks(frame: Frame, state: Readonly<State>): void {
    const { run } = frame;
    const hops = frame.hops(state.flows);
    const colours = hops.map(({ flow }) => triple(flowColour(run.flow.get(flow)?.color_index ?? 0, this.colours.dark)));
    const signature = JSON.stringify([colours, this.colours.space]);
    if (signature !== this.marked) {
      this.marked = signature;
      cloud(this.hops, hops.length, (at) => colours[at]);
      cloud(this.holes, hops.length, () => triple(this.colours.space));
    }
    for (const points of [this.hops, this.holes]) {
      const places = points.geometry.getAttribute("position") as BufferAttribute;
      for (const [at, { id }] of hops.entries()) {
        const place = run.place.get(id)! * 3;
        // Nodes on the ground are drawn slightly above the ground, like sites.
        const lift = isGround(run.node(id).kind) ? 1.004 : 1;
        places.setXYZ(at, ...([0, 1, 2].map((axis) => this.xyz[place + axis] * lift) as Colour));
      }
      places.needsUpdate = true;
    }
  }

  private lines(frame: Frame, state: Readonly<State>): void {
    const { run } = frame;
    const at = (id: number) => run.place.get(id)!;
    const all = [this.casing, this.others, this.former, this.fill, this.chosen];
    for (const lines of all) lines.clear();
    const hop = (lines: Segments, one: number, other: number, colour: Colour) => {
      const ground = isGround(run.node(one).kind) && isGround(run.node(other).kind);
      if (ground) lines.addOverGround(this.xyz, at(one), at(other), colour);
      else lines.add(this.xyz, at(one), at(other), colour);
    };
    const follow = (lines: Segments, nodes: Uint32Array, colour: Colour) => {
      for (let number = 1; number < nodes.length; number++) hop(lines, nodes[number - 1], nodes[number], colour);
    };
    // The followed flow is emphasised. Other flows are drawn so that they do not hide it.
    for (const [flow, { now, before }] of frame.ways) {
      const colour = triple(flowColour(run.flow.get(flow)?.color_index ?? 0, this.colours.dark));
      if (now) follow(state.flows.includes(flow) ? this.casing : this.others, now.nodes, colour);
      if (before && flow === state.flows[0]) follow(this.former, before.nodes, triple(this.colours.muted));
    }
    for (const { line, share } of frame.full) hop(this.fill, line.a, line.b, heat(share));
    const picked = state.picked?.kind === "line" ? run.lineOf.get(state.picked.key) : null;
    if (picked) hop(this.chosen, picked.a, picked.b, triple(this.colours.ink));
    this.former.material.dashSize = 0.02;
    this.former.material.gapSize = 0.02;
    for (const lines of all) lines.done();
  }
}

function coastGeometry(): BufferGeometry {
  const places: number[] = [];
  for (const [longitude, latitude, otherLongitude, otherLatitude] of coastPieces()) {
    for (const [lat, lon] of [
      [latitude, longitude],
      [otherLatitude, otherLongitude],
    ]) {
      const [x, y, z] = earthFixed(lat, lon, 8);
      places.push(x / EQUATOR_KM, z / EQUATOR_KM, -y / EQUATOR_KM);
    }
  }
  return new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
}

function landTexture(): CanvasTexture {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2048, 1024];
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  context.fillStyle = "#000";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "#fff";
  fillLand(context, canvas.width, canvas.height);
  return new CanvasTexture(canvas);
}

/** Points with individual colours. Their positions are written later. */
function cloud(points: Points<BufferGeometry, ShaderMaterial>, count: number, colour: (at: number) => Colour): void {
  const tint = new Float32Array(count * 3);
  for (let at = 0; at < count; at++) tint.set(colour(at), at * 3);
  points.geometry.dispose();
  points.geometry = new BufferGeometry();
  points.geometry.setAttribute(
    "position",
    new BufferAttribute(new Float32Array(count * 3), 3).setUsage(DynamicDrawUsage),
  );
  points.geometry.setAttribute("tint", new BufferAttribute(tint, 3));
}

/** Colours of satellites of several shells: lighter and darker variants of the theme's colour. */
function shellColour({ satellite, ink, ground }: Theme, shell: number): Colour {
  const colour = new Color(satellite);
  if (shell % 3 === 1) colour.lerp(new Color(ink), 0.45);
  if (shell % 3 === 2) colour.lerp(new Color(ground), 0.4);
  return triple(`#${colour.getHexString()}`);
}

function triple(colour: string): Colour {
  return new Color(colour).toArray() as Colour;
}
