// SPDX-License-Identifier: MIT OR Apache-2.0
// What stands on the stage besides the network: how it is drawn, and what the colours of links mean.
import { element, say } from "../dom";
import { heatColour } from "../palette";
import type { Run } from "../scene/model";
import type { State, Store, Tint } from "../store";
import { longestQueue } from "../tint";
import { number } from "../words";

const TINTS: Record<Tint, string> = { utilisation: "Utilisation", queue: "Queue", none: "Off" };

export class Legend {
  private readonly projection = element("div", { class: "segmented", role: "group", "aria-label": "Projection" });
  private readonly tints = element("div", { class: "segmented", role: "group", "aria-label": "Colour of links" });
  private readonly shells = element("div", { class: "shells", role: "group", "aria-label": "Shells" });
  private readonly scale = element("div", { class: "scale" });
  private readonly full = element("span");
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
      element("span", { class: "quiet" }, "Links by"),
      this.tints,
      this.setTo,
      this.scale,
    );
    root.append(
      element("div", { class: "stage-top" }, this.projection, this.shells),
      element("div", { class: "stage-bottom" }, links),
    );
    store.listen((state, changed) => {
      if (changed.has("run")) this.offerShells();
      if (["run", "projection", "tint", "hiddenShells", "loaded"].some((key) => changed.has(key as keyof State)))
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
    for (const [shell, box] of [...this.shells.querySelectorAll("input")].entries()) {
      box.checked = !state.hiddenShells.includes(shell);
    }
  }

  private offerShells(): void {
    const { shells, positions } = this.runs[this.store.state.run].file;
    this.shells.replaceChildren();
    this.shells.hidden = !positions || shells.length < 2;
    for (const [shell, { name, count }] of shells.entries()) {
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
          element("input", { type: "checkbox", checked: true, change: toggle }),
          name,
          element("small", {}, ` ${count}`),
        ),
      );
    }
  }
}

function press(group: HTMLElement, value: string): void {
  for (const button of group.querySelectorAll("button"))
    button.setAttribute("aria-pressed", String(button.dataset.value === value));
}
