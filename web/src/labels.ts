// SPDX-License-Identifier: MIT OR Apache-2.0
// Names on globe and map, beside their nodes and without overlap.
import { element, rem } from "./dom";
import type { Projected, View } from "./earth/view";

/** Largest number of names that are shown. */
const MOST = 24;

type Label = { place: number; root: HTMLElement; width: number };
type Box = { left: number; right: number; y: number };

export class Labels {
  readonly root = element("div", { class: "labels", "aria-hidden": "true" });
  private labels: Label[] = [];

  /** Writes the names of nodes, given by their index in the list. */
  write(names: readonly { place: number; name: string }[]): void {
    this.labels = names
      .slice(0, MOST)
      .map(({ place, name }) => ({ place, root: element("span", {}, name), width: Number.NaN }));
    this.root.replaceChildren(...this.labels.map(({ root }) => root));
  }

  draw(view: View): void {
    const at: Projected = { x: 0, y: 0, hidden: false };
    const [gap, line] = [rem(0.5), rem(1.2)];
    const taken: Box[] = [];
    const { clientWidth } = view.canvas;
    for (const label of this.labels) {
      view.project(label.place, at);
      label.root.style.display = at.hidden ? "none" : "";
      if (at.hidden) continue;
      if (!(label.width > 0)) label.width = label.root.offsetWidth;
      const choices = [
        { left: at.x + gap, y: at.y },
        { left: at.x - gap - label.width, y: at.y },
        { left: at.x + gap, y: at.y + line },
        { left: at.x + gap, y: at.y - line },
      ].map(({ left, y }) => ({ left, right: left + label.width, y }));
      const inside = choices.filter((box) => box.left >= 0 && box.right <= clientWidth);
      const free = inside.find((box) =>
        taken.every((other) => box.right < other.left || box.left > other.right || Math.abs(box.y - other.y) >= line),
      );
      const box = free ?? inside[0] ?? choices[0];
      taken.push(box);
      label.root.style.transform = `translate(${box.left.toFixed(1)}px, ${box.y.toFixed(1)}px)`;
    }
  }
}
