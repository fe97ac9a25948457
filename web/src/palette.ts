// SPDX-License-Identifier: MIT OR Apache-2.0
// Colours that people with any kind of colour vision can distinguish: Okabe and Ito, "Color Universal Design" (2008).
// The yellow of this palette is too pale on white, and its black is not visible on a dark background. The text colour
// of the theme replaces both.
import type { Cause } from "./scene/format";

export const OKABE_ITO = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"] as const;
const DARK = ["#56b4e9", "#e69f00", "#2fd1a5", "#e79ac6", "#f0e442", "#d55e00"] as const;

/** Colours of the style sheet that canvases use. */
export type Theme = {
  dark: boolean;
  ink: string;
  muted: string;
  grid: string;
  ground: string;
  ocean: string;
  land: string;
  coast: string;
  night: string;
  space: string;
  satellite: string;
  link: string;
  site: string;
};

export function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const names = [
    "ink",
    "muted",
    "grid",
    "ground",
    "ocean",
    "land",
    "coast",
    "night",
    "space",
    "satellite",
    "link",
    "site",
  ] as const;
  const colours = Object.fromEntries(names.map((name) => [name, of(name)])) as Record<(typeof names)[number], string>;
  return { dark: of("scheme") === "dark", ...colours };
}

export function flowColour(index: number, dark: boolean): string {
  const colours = dark ? DARK : OKABE_ITO;
  return colours[index % colours.length];
}

export function causeColour(cause: Cause, dark: boolean): string {
  return flowColour({ queue: 1, error: 3, outage: 0, policer: 4, too_large: 5, none: 2 }[cause], dark);
}

/** Colours from an empty link (grey) to a full link (dark red). They differ from the colours of flows. */
const HEAT: readonly [number, number, number][] = [
  [150, 165, 176],
  [228, 160, 122],
  [222, 88, 60],
  [168, 8, 30],
];

/** The colour of a share from 0 to 1, as red, green and blue from 0 to 1. */
export function heat(share: number): [number, number, number] {
  const place = Math.min(Math.max(share, 0), 1) * (HEAT.length - 1);
  const at = Math.min(Math.floor(place), HEAT.length - 2);
  const s = place - at;
  const mix = (channel: number) => (HEAT[at][channel] * (1 - s) + HEAT[at + 1][channel] * s) / 255;
  return [mix(0), mix(1), mix(2)];
}

export function heatColour(share: number): string {
  const [red, green, blue] = heat(share).map((value) => Math.round(value * 255));
  return `rgb(${red} ${green} ${blue})`;
}
