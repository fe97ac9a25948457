// SPDX-License-Identifier: MIT OR Apache-2.0
// Land on a flat map (equirectangular), drawn from the coastline. It is the surface of the globe and the background of
// the flat map.
import lines from "coastline";

/** Fills land on a canvas that shows the whole world. */
export function fillLand(context: CanvasRenderingContext2D, width: number, height: number): void {
  const x = (hundredths: number) => (hundredths / 36_000 + 0.5) * width;
  const y = (hundredths: number) => (0.5 - hundredths / 18_000) * height;
  context.beginPath();
  for (const line of lines) {
    for (let at = 0; at < line.length; at += 2) {
      if (at === 0) context.moveTo(x(line[0]), y(line[1]));
      else context.lineTo(x(line[at]), y(line[at + 1]));
    }
    // If a coast leads from one edge of the map to the other, it is the coast of Antarctica. Its land extends to the
    // lower edge.
    const [first, last] = [line[0], line[line.length - 2]];
    if (Math.abs(last - first) > 18_000) {
      const edge = Math.sign(last) * 18_000;
      context.lineTo(x(edge), y(line[line.length - 1]));
      context.lineTo(x(edge), height);
      context.lineTo(x(-edge), height);
      context.lineTo(x(-edge), y(line[1]));
    }
    context.closePath();
  }
  // Seas within land are inner rings.
  context.fill("evenodd");
}

/** Pieces of the coast: longitude and latitude of both ends, in degrees. */
export function* coastPieces(): Generator<[number, number, number, number]> {
  for (const line of lines) {
    for (let at = 2; at < line.length; at += 2) {
      if (Math.abs(line[at] - line[at - 2]) > 18_000) continue;
      yield [line[at - 2] / 100, line[at - 1] / 100, line[at] / 100, line[at + 1] / 100];
    }
  }
}
