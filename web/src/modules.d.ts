// SPDX-License-Identifier: MIT OR Apache-2.0
declare module "coastline" {
  /** Each line is a list in which longitude and latitude alternate, in hundredths of a degree. */
  const lines: number[][];
  export default lines;
}

declare module "*.css";
