// SPDX-License-Identifier: MIT OR Apache-2.0
// The head of the page: title, overlaid runs, and links to more information.
import { element, say } from "../dom";
import { flowColour, theme } from "../palette";
import type { SceneFile } from "../scene/format";
import type { Run } from "../scene/model";
import type { State, Store } from "../store";
import { showText } from "./dialogs";

export class Header {
  private readonly title = element("h1");
  private readonly runs = element("div", { class: "runs", role: "group", "aria-label": "Runs" });
  private readonly theme = element("button", { type: "button", class: "icon", click: () => this.turnLights() });
  /** Fades away, so that the picture has no controls. Afterwards a click on the title ends picture mode. */
  private readonly leave = element("button", { type: "button", class: "leave" }, "Show controls: h, or tap the title");

  constructor(
    root: HTMLElement,
    private readonly file: SceneFile,
    private readonly all: readonly Run[],
    private readonly store: Store,
    help: () => void,
  ) {
    this.runs.hidden = all.length < 2;
    for (const [at, { file: run }] of all.entries()) this.runs.append(this.chip(at, run.name));
    const about = element(
      "button",
      { type: "button", "aria-label": "About", title: "About", click: () => this.about() },
      element("span", { class: "wide" }, "About"),
      element("span", { class: "narrow", "aria-hidden": "true" }, "i"),
    );
    const words = "Picture mode: hide the controls (h)";
    const picture = element(
      "button",
      { type: "button", class: "icon", "aria-label": words, title: words, click: () => this.turnPicture() },
      "▣",
    );
    this.leave.hidden = true;
    root.addEventListener("click", ({ target }) => {
      if (this.store.state.shot && target !== picture) this.turnPicture();
    });
    const findings = this.findings();
    root.append(
      element("span", { class: "mark", "aria-hidden": "true" }),
      this.title,
      // The page of a run to which a table links is two folders below the page of the table.
      /\/run\/\d+\/$/.test(location.pathname) ? element("a", { href: "../../" }, "back to the table") : "",
      this.runs,
      element("span", { class: "spring" }),
      findings ?? "",
      this.leave,
      about,
      all.length > 0 ? picture : "",
      this.theme,
      element(
        "button",
        { type: "button", class: "icon wide", "aria-label": "Keys (?)", title: "Keys (?)", click: help },
        "?",
      ),
    );
    store.listen((state, changed) => {
      if (["run", "overlaid", "theme"].some((key) => changed.has(key as keyof State))) this.draw(state);
    });
  }

  turnLights(): void {
    this.store.set({ theme: theme().dark ? "light" : "dark" });
  }

  /** Hides or shows the controls. */
  turnPicture(): void {
    const shot = !this.store.state.shot;
    this.leave.hidden = !shot;
    this.store.set({ shot });
  }

  private chip(at: number, name: string): HTMLElement {
    const box = element("input", { type: "checkbox", "aria-label": `Curves of ${name}`, change: () => this.lay(at) });
    const choose = () =>
      this.store.set({ run: at, overlaid: this.store.state.overlaid.includes(at) ? this.store.state.overlaid : [at] });
    return element(
      "span",
      { class: "chip" },
      box,
      element("i", { class: "flow-colour", "aria-hidden": "true" }),
      element("button", { type: "button", click: choose }, name),
    );
  }

  /** Adds the curves of a run, or removes them. */
  private lay(at: number): void {
    const { overlaid, run } = this.store.state;
    const next = overlaid.includes(at)
      ? overlaid.filter((other) => other !== at)
      : [...overlaid, at].sort((a, b) => a - b);
    if (next.length > 0) this.store.set({ overlaid: next, run: next.includes(run) ? run : next[0] });
    else this.draw(this.store.state);
  }

  private draw(state: Readonly<State>): void {
    say(this.title, this.file.title);
    const { dark } = theme();
    for (const [at, chip] of [...this.runs.children].entries()) {
      const place = state.overlaid.indexOf(at);
      chip.querySelector("input")!.checked = place >= 0;
      chip.querySelector<HTMLElement>("i")!.style.backgroundColor =
        place >= 0 ? flowColour(place, dark) : "transparent";
      chip.classList.toggle("chosen", at === state.run);
    }
    say(this.theme, dark ? "☀" : "☾");
    const words = dark ? "Light colours (l)" : "Dark colours (l)";
    this.theme.setAttribute("aria-label", words);
    this.theme.title = words;
  }

  private findings(): HTMLElement | null {
    const all = this.all.flatMap(({ file }) => file.findings.map((finding) => ({ run: file.name, ...finding })));
    if (all.length === 0) return null;
    const show = () =>
      showText(
        "Findings",
        all.map(({ run, text }) => (this.all.length > 1 ? `${run}: ${text}` : text)),
      );
    const words = `${all.length} finding${all.length > 1 ? "s" : ""}`;
    return element(
      "button",
      { type: "button", class: "warn", "aria-label": words, title: words, click: show },
      element("span", { class: "wide" }, words),
      element("span", { class: "narrow", "aria-hidden": "true" }, `! ${all.length}`),
    );
  }

  private about(): void {
    const run = this.all[this.store.state.run]?.file;
    const facts = run
      ? [`${run.name}: seed ${run.seed}, ${Number(run.duration_s.toFixed(3))} s, folder ${run.folder}`]
      : [];
    showText("About this scene", [...facts, `Made by Bentpipe ${this.file.build}`, ...this.file.notes], run?.scenario);
  }
}
