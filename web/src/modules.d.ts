// SPDX-License-Identifier: MIT OR Apache-2.0
declare module "coastline" {
  /** Longitude and latitude by turns in hundredths of a degree, line by line. */
  const lines: number[][];
  export default lines;
}

declare module "*.css";
