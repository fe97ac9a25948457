// SPDX-License-Identifier: MIT OR Apache-2.0
// The phases of a flow's controller. A phase lasts until the next phase begins. The last phase lasts until the end of
// the flow.
import { upTo } from "./search";

export class Phases {
  constructor(
    readonly names: readonly string[],
    readonly time: Float64Array,
    readonly name: Uint32Array,
    readonly end_s: number,
  ) {}

  at(moment: number): string | null {
    const number = upTo(this.time, moment) - 1;
    return number < 0 || moment > this.end_s ? null : (this.names[this.name[number]] ?? null);
  }
}
