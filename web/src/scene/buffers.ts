// SPDX-License-Identifier: MIT OR Apache-2.0
// The buffers of a scene: raw little-endian numbers from the server, or gzipped and base64-encoded in the page itself.
// A long run has hundreds of megabytes. Therefore a buffer is requested only when its data are first shown.
//
// Paths and positions are requested immediately.
import type { Ref } from "./format";
import { SceneError } from "./problem";

export type Numbers = Float32Array | Float64Array | Uint32Array | Int32Array;
export type Source = (name: string) => Promise<ArrayBuffer>;

const TYPES = { f32: Float32Array, f64: Float64Array, u32: Uint32Array, i32: Int32Array } as const;

export class Buffers {
  private readonly here = new Map<string, ArrayBuffer>();
  private readonly coming = new Map<string, Promise<void>>();
  /** Called when a buffer has arrived, or when fetching it has failed. */
  arrived: () => void = () => {};
  failed: (error: unknown) => void = () => {};

  constructor(private readonly source: Source) {}

  /** Number of buffers that are being fetched. */
  get pending(): number {
    return this.coming.size;
  }

  /** Returns whether all buffers of these references have arrived. Requests missing buffers. */
  ready(refs: readonly Ref[]): boolean {
    let all = true;
    for (const { buffer } of refs) {
      if (this.here.has(buffer)) continue;
      all = false;
      this.fetch(buffer).catch((error) => this.failed(error));
    }
    return all;
  }

  /** Returns the references to buffers that have arrived. */
  held(refs: readonly Ref[]): Ref[] {
    return refs.filter(({ buffer }) => this.here.has(buffer));
  }

  /** Waits for the buffers of these references. */
  async need(refs: readonly Ref[]): Promise<void> {
    await Promise.all([...new Set(refs.map(({ buffer }) => buffer))].map((name) => this.fetch(name)));
  }

  f32 = (ref: Ref, where: string) => this.of(Float32Array, ref, where);
  f64 = (ref: Ref, where: string) => this.of(Float64Array, ref, where);
  u32 = (ref: Ref, where: string) => this.of(Uint32Array, ref, where);

  private async fetch(name: string): Promise<void> {
    if (this.here.has(name)) return;
    const begun = this.coming.get(name);
    if (begun) return begun;
    const fetching = this.source(name).then((buffer) => {
      this.here.set(name, buffer);
      this.coming.delete(name);
      this.arrived();
    });
    // A failed buffer stays in the list of requested buffers. Otherwise it would be requested again with every frame.
    this.coming.set(name, fetching);
    return fetching;
  }

  /** A view into a buffer, without a copy. */
  private view(ref: Ref, where: string): Numbers {
    const buffer = this.here.get(ref.buffer);
    if (!buffer) throw new SceneError(`${where} needs the buffer "${ref.buffer}", which is missing`);
    const type = TYPES[ref.type];
    if (!type)
      throw new SceneError(
        `${where} has numbers of type "${ref.type}", but this page reads only f32, f64, u32 and i32`,
      );
    const end = ref.offset + ref.count * type.BYTES_PER_ELEMENT;
    if (!Number.isInteger(ref.offset) || ref.offset < 0 || ref.offset % 8 !== 0 || !(ref.count >= 0)) {
      throw new SceneError(`${where} begins at byte ${ref.offset} of "${ref.buffer}", which is not a multiple of 8`);
    }
    if (end > buffer.byteLength) {
      throw new SceneError(
        `${where} needs ${end} bytes of the buffer "${ref.buffer}", which has ${buffer.byteLength} bytes: the buffer is incomplete`,
      );
    }
    return new type(buffer, ref.offset, ref.count);
  }

  private of<T extends Numbers>(type: new (from: Numbers) => T, ref: Ref, where: string): T {
    const numbers = this.view(ref, where);
    return numbers instanceof type ? numbers : new type(numbers);
  }
}

/** Decodes gzipped and base64-encoded bytes. */
export async function inflated(text: string, name: string): Promise<ArrayBuffer> {
  try {
    const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return await new Response(stream).arrayBuffer();
  } catch {
    throw new SceneError(`the buffer "${name}" in this page cannot be unpacked: the file is incomplete or was changed`);
  }
}
