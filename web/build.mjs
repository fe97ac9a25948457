// SPDX-License-Identifier: MIT OR Apache-2.0
// Builds the page: index.html, viewer.js (with the coastline) and viewer.css. The same sources give the same bytes.
// With `--out FOLDER`, it writes to this folder instead of the package. With `--tests`, it bundles the unit tests
// instead.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { coastline } from "./coastline.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const page = join(here, "../python/bentpipe/show/viewer/page");

const common = {
  absWorkingDir: here,
  bundle: true,
  charset: "utf8",
  format: "esm",
  target: "es2022",
  logLevel: "warning",
  plugins: [coastline(join(here, "../data/coastline.csv"))],
};

async function tests() {
  await build({
    ...common,
    entryPoints: readdirSync(join(here, "test"))
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => `test/${name}`),
    outdir: ".tests",
    outExtension: { ".js": ".mjs" },
    platform: "node",
    sourcemap: "inline",
  });
}

/** The licences of the libraries require that their text is part of every copy. */
function notices() {
  const text = ["three", "uplot"].map((name) => {
    const licence = readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim();
    return `${name}\n${licence}`;
  });
  return `/*! Bentpipe's viewer: MIT OR Apache-2.0. Coastline: Natural Earth, public domain. In it:\n\n${text.join("\n\n")}\n*/`;
}

async function bundle(out) {
  const { outputFiles } = await build({
    ...common,
    entryPoints: ["src/main.ts"],
    outdir: "unused",
    write: false,
    minify: true,
    legalComments: "none",
  });
  const text = (end) => outputFiles.find((file) => file.path.endsWith(end)).text.trim();
  const script = `${notices()}\n${text(".js").replaceAll("</script", "<\\/script")}\n`;
  const style = `${text(".css")}\n`;
  // The hashes also allow both files inside the page itself, as in an exported page.
  const hash = (what) => `'sha256-${createHash("sha256").update(what).digest("base64")}'`;
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${hash(script)}`,
    `style-src 'self' ${hash(style)}`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const html = readFileSync(join(here, "src/index.html"), "utf8").replace("{{POLICY}}", policy);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, "index.html"), html);
  writeFileSync(join(out, "viewer.js"), script);
  writeFileSync(join(out, "viewer.css"), style);
}

if (process.argv.includes("--tests")) {
  await tests();
} else {
  const at = process.argv.indexOf("--out");
  await bundle(at < 0 ? page : process.argv[at + 1]);
}
