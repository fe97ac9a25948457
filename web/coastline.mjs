// SPDX-License-Identifier: MIT OR Apache-2.0
// The coastline of `data/coastline.csv` (Natural Earth 1:110m, public domain) as a module. Each line is a list in which
// longitude and latitude alternate, in hundredths of a degree.
import { readFileSync } from "node:fs";

/** A plugin of esbuild that resolves `import coast from "coastline"`. */
export function coastline(file) {
  return {
    name: "coastline",
    setup(build) {
      build.onResolve({ filter: /^coastline$/ }, () => ({ path: file, namespace: "coastline" }));
      build.onLoad({ filter: /.*/, namespace: "coastline" }, () => {
        const lines = [];
        for (const row of readFileSync(file, "utf8").trim().split("\n").slice(1)) {
          const [line, latitude, longitude] = row.split(",").map(Number);
          lines[line] ??= [];
          lines[line].push(Math.round(longitude * 100), Math.round(latitude * 100));
        }
        return { contents: JSON.stringify(lines), loader: "json", watchFiles: [file] };
      });
    },
  };
}
