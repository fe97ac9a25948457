// SPDX-License-Identifier: MIT OR Apache-2.0
declare module "coastline" {
  /** For each line, longitude and latitude alternate, in hundredths of a degree. */
  const lines: number[][];
  export default lines;
}

declare module "*.css";
