// SPDX-License-Identifier: MIT OR Apache-2.0
// The table of a comparison, a sweep or a league, with its pictures. A row leads to its run.
import { element } from "../dom";
import type { Cell, SceneFile, Table } from "../scene/format";
import type { Store } from "../store";
import { number } from "../words";

export class TablePage {
  private sorted: { column: number; up: boolean } | null = null;
  private readonly body = element("tbody");
  private readonly heads: HTMLElement[] = [];
  private readonly formats: ((value: number) => string)[] = [];

  constructor(
    root: HTMLElement,
    private readonly file: SceneFile,
    private readonly store: Store,
  ) {
    if (file.table) {
      const { columns, rows } = file.table;
      this.formats = columns.map((_, column) => format(rows.map((row) => row[column])));
      root.append(this.table(file.table));
    }
    const pictures = file.pictures.map(({ name, src, alt }) =>
      element("figure", {}, element("img", { src: safe(src), alt, loading: "lazy" }), element("figcaption", {}, name)),
    );
    if (pictures.length > 0) root.append(element("div", { class: "pictures" }, ...pictures));
    store.listen((state, changed) => {
      if (changed.has("run")) this.fill(state.run);
    });
  }

  private table(table: Table): HTMLElement {
    const head = element("tr");
    for (const [at, { name, unit, align }] of table.columns.entries()) {
      const button = element(
        "button",
        { type: "button", click: () => this.sort(at) },
        name,
        unit ? element("small", {}, ` ${unit}`) : null,
      );
      const cell = element("th", { scope: "col", class: align === "right" ? "right" : "left" }, button);
      this.heads.push(cell);
      head.append(cell);
    }
    const caption = element("caption", {}, `${table.rows.length} rows. Press a head to sort, a row to see its run.`);
    return element("div", { class: "table" }, element("table", {}, caption, element("thead", {}, head), this.body));
  }

  private sort(column: number): void {
    // The first press sorts numbers from the greatest, words from A.
    const wordy = this.file.table?.columns[column].align !== "right";
    const up = this.sorted?.column === column ? !this.sorted.up : wordy;
    this.sorted = { column, up };
    for (const [at, head] of this.heads.entries()) {
      if (at === column) head.setAttribute("aria-sort", up ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    }
    this.fill(this.store.state.run);
  }

  private fill(run: number): void {
    const { table } = this.file;
    if (!table) return;
    const order = this.sorted ? ordered(table.rows, this.sorted.column, this.sorted.up) : [...table.rows.keys()];
    this.body.replaceChildren(...order.map((at) => this.row(table, at, run)));
  }

  private row(table: Table, at: number, shown: number): HTMLElement {
    const target = table.run_of_row?.[at] ?? null;
    const open = table.open?.[at] ?? null;
    const cells = table.rows[at].map((cell, column) => {
      const text = typeof cell === "number" ? this.formats[column](cell) : cell === null ? "–" : String(cell);
      const linked = column === 0 && (target !== null || open !== null);
      const child = linked
        ? target !== null
          ? this.toRun(text, target)
          : element("a", { href: inside(open as string) }, text)
        : text;
      return element(
        column === 0 ? "th" : "td",
        { class: table.columns[column].align === "right" ? "right" : "left", scope: column === 0 ? "row" : null },
        child,
      );
    });
    const row = element(
      "tr",
      { class: [target === shown ? "shown" : "", linkedClass(target, open)].join(" ") },
      ...cells,
    );
    row.addEventListener("click", (event) => {
      if ((event.target as HTMLElement).closest("a, button")) return;
      if (target !== null) this.show(target);
      else if (open !== null) location.assign(inside(open));
    });
    return row;
  }

  private toRun(text: string, run: number): HTMLElement {
    return element("button", { type: "button", class: "link", click: () => this.show(run) }, text);
  }

  private show(run: number): void {
    this.store.set({ run, overlaid: [run], page: "runs" });
  }
}

function linkedClass(target: number | null, open: string | null): string {
  return target !== null || open !== null ? "leads" : "";
}

/** Only addresses below this page, whatever a scene says. */
function inside(address: string): string {
  return /^[\w.-]+(\/[\w.-]+)*\/?$/.test(address) ? address : "#";
}

function safe(src: string): string {
  return src.startsWith("data:image/") ? src : inside(src);
}

/** How a column's numbers are written: with the same decimals, four figures of the largest, so that they stand in line. */
export function format(cells: readonly Cell[]): (value: number) => string {
  const values = cells.filter((cell) => typeof cell === "number");
  if (values.every(Number.isInteger)) return number;
  const largest = Math.max(...values.map(Math.abs));
  const decimals = Math.min(Math.max(3 - Math.floor(Math.log10(largest || 1)), 0), 6);
  return (value) => value.toFixed(decimals);
}

/** Rows in the order of a column; what is not known comes last, and equals stay as they were. */
export function ordered(rows: readonly Cell[][], column: number, up: boolean): number[] {
  const sign = up ? 1 : -1;
  return [...rows.keys()].sort((one, other) => {
    const [a, b] = [rows[one][column], rows[other][column]];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), "en", { numeric: true });
  });
}
