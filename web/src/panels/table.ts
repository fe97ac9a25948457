// SPDX-License-Identifier: MIT OR Apache-2.0
// The page with the results of many runs: tables and pictures. A row links to the page of its run, or shows the
// commands that make the run.
import { element } from "../dom";
import type { Cell, SceneFile, Table } from "../scene/format";
import { number } from "../words";
import { open as openDialog } from "./dialogs";

export function tablePage(root: HTMLElement, { tables, pictures, notes }: SceneFile): void {
  // The page of a run has its own main element, which is hidden here.
  root.setAttribute("role", "main");
  const figures = pictures.map(({ name, src, alt }) =>
    element("figure", {}, element("img", { src: safe(src), alt, loading: "lazy" }), element("figcaption", {}, name)),
  );
  // Short content precedes long content.
  const [first, ...others] = tables.map((table) => new Sheet(table).root);
  if (notes.length > 0) root.append(element("ul", { class: "quiet" }, ...notes.map((note) => element("li", {}, note))));
  root.append(...(first ? [first] : []));
  if (figures.length > 0) root.append(element("div", { class: "pictures" }, ...figures));
  root.append(...others);
}

/** Number of characters above which a text may be cut. */
const LONG = 24;
/** Number of columns above which the texts of a table are cut to one line. */
const WIDE = 8;

/** A table that is sorted by clicks on the column heads. */
class Sheet {
  readonly root: HTMLElement;
  private sorted: { column: number; up: boolean } | null = null;
  private readonly body = element("tbody");
  private readonly heads: HTMLElement[] = [];
  private readonly formats: ((value: number) => string)[];

  constructor(private readonly table: Table) {
    const { title, columns, rows } = table;
    // A seed is an identifier. Therefore it is not formatted as a quantity.
    this.formats = columns.map(({ name, digits }, at) => {
      if (name === "seed") return String;
      return digits === undefined ? format(rows.map((row) => row[at])) : (value) => value.toFixed(digits);
    });
    const head = element("tr");
    for (const [at, { name, unit, align }] of columns.entries()) {
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
    const leads = rows.some((_, at) => table.open[at] !== null || table.make[at] !== null);
    const hint = `${rows.length} row${rows.length === 1 ? "" : "s"}. Click a column head to sort${leads ? ", or a row to open its run" : ""}.`;
    const caption = element("caption", {}, element("b", {}, title), ` ${hint}`);
    this.root = element(
      "div",
      // If there are many columns, rows of one line are easier to compare. If there are few columns, texts are shown
      // completely.
      { class: columns.length > WIDE ? "table dense" : "table" },
      element("table", {}, caption, element("thead", {}, head), this.body),
    );
    this.fill();
  }

  private sort(column: number): void {
    // The first click sorts numbers in descending order, and words in ascending order.
    const wordy = this.table.columns[column].align !== "right";
    const up = this.sorted?.column === column ? !this.sorted.up : wordy;
    this.sorted = { column, up };
    for (const [at, head] of this.heads.entries()) {
      if (at === column) head.setAttribute("aria-sort", up ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    }
    this.fill();
  }

  private fill(): void {
    const { rows } = this.table;
    const order = this.sorted ? ordered(rows, this.sorted.column, this.sorted.up) : [...rows.keys()];
    this.body.replaceChildren(...order.map((at) => this.row(at)));
  }

  private row(at: number): HTMLElement {
    const [open, make] = [this.table.open[at] ?? null, this.table.make[at] ?? null];
    const cells = this.table.rows[at].map((cell, column) => {
      const text = typeof cell === "number" ? this.formats[column](cell) : cell === null ? "–" : String(cell);
      const right = this.table.columns[column].align === "right" ? "right" : "left";
      // If a text is cut, its tooltip and the dialog of its row show the complete text.
      const title = text.length > LONG && this.table.columns.length > WIDE ? text : null;
      if (column > 0) return element("td", { class: right, title }, text);
      return element(
        "th",
        { class: right, scope: "row", title },
        leading(text, open, make === null ? null : () => this.explain(at, make)),
      );
    });
    const row = element("tr", { class: open !== null || make !== null ? "leads" : "" }, ...cells);
    row.addEventListener("click", (event) => {
      if ((event.target as HTMLElement).closest("a, button")) return;
      if (open !== null) location.assign(inside(open));
      else if (make !== null) this.explain(at, make);
    });
    return row;
  }

  /** Shows the complete texts of a row whose run is not stored, and the commands that make the run. */
  private explain(at: number, make: string): void {
    const texts = this.table.rows[at].flatMap((cell, column) =>
      column > 0 && typeof cell === "string" ? [`${this.table.columns[column].name}: ${cell}`] : [],
    );
    openDialog("This run is not stored here", [
      element("p", {}, element("b", {}, String(this.table.rows[at][0] ?? ""))),
      element("ul", {}, ...texts.map((text) => element("li", {}, text))),
      element("p", {}, "These commands make the run and show it:"),
      element("pre", { class: "command", tabindex: 0 }, make),
    ]);
  }
}

/** The first cell of a row. The keyboard reaches the run through this cell. */
function leading(text: string, open: string | null, explain: (() => void) | null): HTMLElement | string {
  if (open !== null) return element("a", { href: inside(open) }, text);
  if (explain) return element("button", { type: "button", class: "link", click: explain }, text);
  return text;
}

/** Accepts only addresses below this page, whatever the scene contains. */
function inside(address: string): string {
  return /^[\w.-]+(\/[\w.-]+)*\/?$/.test(address) ? address : "#";
}

function safe(src: string): string {
  return src.startsWith("data:image/") ? src : inside(src);
}

/**
 * Format of the numbers of a column. All numbers have the same number of decimals. The largest number has four
 * significant digits.
 */
export function format(cells: readonly Cell[]): (value: number) => string {
  const values = cells.filter((cell) => typeof cell === "number");
  if (values.every(Number.isInteger)) return number;
  const largest = Math.max(...values.map(Math.abs));
  const decimals = Math.min(Math.max(3 - Math.floor(Math.log10(largest || 1)), 0), 6);
  return (value) => value.toFixed(decimals);
}

/** Value of a cell for sorting. A text such as "> 120 s, 0 of 5 done" is a time that exceeds every known number. */
function amount(cell: Cell): Cell {
  return typeof cell === "string" && /^> [\d.]+ s, /.test(cell) ? 1e12 + Number.parseFloat(cell.slice(2)) : cell;
}

/** Row numbers, sorted by a column. Unknown values are last, and rows with equal values keep their order. */
export function ordered(rows: readonly Cell[][], column: number, up: boolean): number[] {
  const sign = up ? 1 : -1;
  return [...rows.keys()].sort((one, other) => {
    const [a, b] = [amount(rows[one][column]), amount(rows[other][column])];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), "en", { numeric: true });
  });
}
