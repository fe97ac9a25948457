// SPDX-License-Identifier: MIT OR Apache-2.0
// Helpers for elements. Text is inserted as text and never as markup, because names may come from files of other users.

type Attributes = Record<string, string | number | boolean | null | ((event: never) => void)>;
type Child = globalThis.Node | string | null;

/** Creates an element with attributes and children. If an attribute is a function, it is added as a listener. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value as EventListener);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== null && value !== false) made.setAttribute(name, String(value));
  }
  for (const child of children) if (child !== null) made.append(child);
  return made;
}

/** Sets the text of an element. If the text is the same, nothing is changed, so the browser has nothing to do. */
export function say(target: HTMLElement | SVGElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}

/** The element of the page with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** Pixels of a length in rem. */
export function rem(count: number): number {
  return count * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}
