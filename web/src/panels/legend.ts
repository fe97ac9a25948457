// SPDX-License-Identifier: MIT OR Apache-2.0
// Controls and legend on the stage: the view of the network, and the meaning of the colours of links.
import { element, say } from "../dom";
import { isMeshed } from "../earth/frame";
import { heatColour } from "../palette";
import type { Run } from "../scene/model";
import type { State, Store, Tint } from "../store";
import { longestQueue } from "../tint";
import { number } from "../words";

const TINTS: Record<Tint, string> = { utilisation: "Utilisation", queue: "Queue", none: "None" };

export class Legend {
  private readonly projection = element("div", { class: "segmented", role: "group", "aria-label": "Projection" });
  private readonly tints = element("div", { class: "segmented", role: "group", "aria-label": "Colour of links" });
  private readonly shells = element("div", { class: "shells", role: "group", "aria-label": "Shells" });
  private readonly scale = element("div", { class: "scale" });
  private readonly full = element("span");
  private readonly name = element("p", { class: "constellation" });
  private readonly box = element("input", { type: "checkbox" });
  private readonly mesh = element("label", { class: "mesh" }, this.box, "All links");
  private readonly setTo = element("span", { class: "set-to" });

  constructor(
    root: HTMLElement,
    private readonly store: Store,
    private readonly runs: readonly Run[],
  ) {
    for (const [name, word] of [
      ["globe", "Globe"],
      ["map", "Map"],
    ] as const) {
      this.projection.append(
        element("button", { type: "button", "data-value": name, click: () => store.set({ projection: name }) }, word),
      );
    }
    for (const [tint, word] of Object.entries(TINTS) as [Tint, string][]) {
      this.tints.append(
        element("button", { type: "button", "data-value": tint, click: () => store.set({ tint }) }, word),
      );
    }
    const ramp = element("i", { class: "ramp", "aria-hidden": "true" });
    ramp.style.background = `linear-gradient(90deg, ${[0, 1 / 3, 2 / 3, 1].map(heatColour).join(", ")})`;
    this.scale.append("0", ramp, this.full);
    const links = element(
      "div",
      { class: "links-by" },
      element("span", { class: "quiet" }, "Colour of links"),
      this.tints,
      this.setTo,
      this.scale,
    );
    root.append(
      element(
        "div",
        { class: "stage-top" },
        this.projection,
        element("div", { class: "sky" }, this.name, this.mesh, this.shells),
      ),
      element("div", { class: "stage-bottom" }, links),
    );
    this.mesh.title = "Links between satellites that no path uses now (m)";
    this.box.addEventListener("change", () => store.set({ mesh: this.box.checked }));
    store.listen((state, changed) => {
      if (changed.has("run")) this.offerShells();
      if (
        ["run", "projection", "tint", "hiddenShells", "mesh", "loaded"].some((key) => changed.has(key as keyof State))
      )
        this.draw(state);
    });
  }

  private draw(state: Readonly<State>): void {
    const run = this.runs[state.run];
    this.projection.hidden = !run.positions;
    press(this.projection, state.projection);
    press(this.tints, state.tint);
    say(this.setTo, TINTS[state.tint].toLowerCase());
    this.scale.hidden = state.tint === "none";
    say(this.full, state.tint === "queue" ? `${number(longestQueue(run))} packets` : "100 %");
    for (const box of this.shells.querySelectorAll("input")) {
      box.checked = !state.hiddenShells.includes(Number(box.value));
    }
    this.mesh.hidden = !run.positions || !run.lines.some(({ always }) => always);
    this.box.checked = isMeshed(run, state.mesh);
  }

  private offerShells(): void {
    const run = this.runs[this.store.state.run];
    const { shells } = run;
    const count = run.positions?.satellites.length ?? 0;
    const { constellation } = run.file;
    this.name.replaceChildren(
      constellation ? element("b", {}, constellation) : "",
      element("small", {}, ` ${number(count)} satellite${count === 1 ? "" : "s"}`),
    );
    this.name.hidden = !run.positions;
    this.shells.replaceChildren();
    // If each shell has only one satellite, the stage shows the names of the satellites.
    this.shells.hidden = shells.length < 2 || shells.every(({ count }) => count === 1);
    if (this.shells.hidden) return;
    for (const { shell, name, count } of shells) {
      const toggle = () => {
        const { hiddenShells } = this.store.state;
        const hidden = hiddenShells.includes(shell)
          ? hiddenShells.filter((other) => other !== shell)
          : [...hiddenShells, shell];
        this.store.set({ hiddenShells: hidden });
      };
      this.shells.append(
        element(
          "label",
          {},
          element("input", { type: "checkbox", value: shell, checked: true, change: toggle }),
          name,
          element("small", {}, ` ${number(count)}`),
        ),
      );
    }
  }
}

function press(group: HTMLElement, value: string): void {
  for (const button of group.querySelectorAll("button"))
    button.setAttribute("aria-pressed", String(button.dataset.value === value));
}
