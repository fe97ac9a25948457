// SPDX-License-Identifier: MIT OR Apache-2.0
// On a narrow screen, map, flows and curves are in tabs. On a wide screen, there are no tabs, and everything is
// visible.
import { byId, element } from "../dom";

const TABS = { map: "stage", flows: "side", curves: "curves" } as const;
type Tab = keyof typeof TABS;
/** The width at which the style sheet shows tabs. */
const NARROW = "(max-width: 760px)";

export class Tabs {
  private readonly buttons = new Map<Tab, HTMLButtonElement>();
  private readonly narrow = matchMedia(NARROW);
  private chosen: Tab = "map";

  constructor(root: HTMLElement) {
    for (const tab of Object.keys(TABS) as Tab[]) {
      const button = element("button", {
        type: "button",
        role: "tab",
        id: `tab-${tab}`,
        "aria-controls": TABS[tab],
        click: () => this.choose(tab),
      });
      this.buttons.set(tab, button);
      root.append(button);
    }
    root.addEventListener("keydown", (event) => this.press(event));
    this.narrow.addEventListener("change", () => this.mark());
    this.name("Map", 0);
    this.mark();
  }

  /** Sets the name of the first tab, and the number of flows. */
  name(map: string, flows: number): void {
    const words = { map, flows: `Flows (${flows})`, curves: "Curves" };
    for (const [tab, button] of this.buttons) button.textContent = words[tab];
  }

  private choose(tab: Tab): void {
    this.chosen = tab;
    this.mark();
  }

  /** Arrow keys move between tabs, as in the ARIA pattern for tabs. */
  private press(event: KeyboardEvent): void {
    const all = [...this.buttons.keys()];
    const at = all.indexOf(this.chosen);
    const next = {
      ArrowLeft: all[(at + all.length - 1) % all.length],
      ArrowRight: all[(at + 1) % all.length],
      Home: all[0],
      End: all[all.length - 1],
    }[event.key];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(next);
    this.buttons.get(next)?.focus();
  }

  private mark(): void {
    document.documentElement.dataset.tab = this.chosen;
    for (const [tab, button] of this.buttons) {
      const is = tab === this.chosen;
      button.setAttribute("aria-selected", String(is));
      button.tabIndex = is ? 0 : -1;
      const panel = byId(TABS[tab]);
      if (this.narrow.matches) {
        panel.setAttribute("role", "tabpanel");
        panel.setAttribute("aria-labelledby", button.id);
      } else {
        panel.removeAttribute("role");
        panel.removeAttribute("aria-labelledby");
      }
    }
  }
}
