import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ObjectStore } from '../../../runtime/objects/object-store.ts';

/** An archive as it is kept. */
export interface Archive {
  readonly bytes: number;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
}

/** Parts that a slow reader has in memory one of. */
const PART_BYTES = 4 * 1024 * 1024;

/** The archives of one download, each cut into parts, beside the snapshots of the cluster. */
export class Archives {
  readonly #objects: ObjectStore;
  readonly #folder: string;

  constructor(objects: ObjectStore, { clusterId, id }: { readonly clusterId: string; readonly id: string }) {
    this.#objects = objects;
    this.#folder = `${clusterId}/downloads/${id}/`;
  }

  /** `proceed` is asked before each part, and may throw. */
  async keep(
    index: number,
    bytes: AsyncIterable<Uint8Array>,
    proceed: () => Promise<void>,
  ): Promise<Archive> {
    const hash = createHash('sha256');
    let [total, number] = [0, 0];
    const put = async (part: Buffer) => {
      await proceed();
      await this.#objects.put(this.#key(index, number++), part);
    };
    let held: Uint8Array[] = [];
    let size = 0;
    for await (const piece of bytes) {
      hash.update(piece);
      total += piece.length;
      held.push(piece);
      size += piece.length;
      if (size < PART_BYTES) continue;
      let rest = Buffer.concat(held);
      for (; rest.length >= PART_BYTES; rest = rest.subarray(PART_BYTES))
        await put(rest.subarray(0, PART_BYTES));
      held = [rest];
      size = rest.length;
    }
    if (size > 0) await put(Buffer.concat(held));
    return { bytes: total, hash: hash.digest('hex') };
  }

  /** From `first` to `last`, both counted from 0 and part of it. Throws where it is not there any more. */
  stream(index: number, first: number, last: number): Readable {
    return Readable.from(this.#read(index, first, last), { objectMode: false });
  }

  async *#read(index: number, first: number, last: number): AsyncGenerator<Uint8Array> {
    for (let at = first; at <= last; ) {
      const number = Math.floor(at / PART_BYTES);
      const part = await this.#objects.get(this.#key(index, number));
      if (part === undefined) throw new Error('the archive is gone');
      const start = number * PART_BYTES;
      const piece = part.subarray(at - start, last + 1 - start);
      if (piece.length === 0) throw new Error('the archive is shorter than it was');
      yield piece;
      at += piece.length;
    }
  }

  /** With what was cut off. */
  async remove(): Promise<void> {
    await this.#objects.tidy?.(this.#folder);
    const names = [...(await this.#objects.list(this.#folder)).keys()];
    await this.#objects.delete(names.map((name) => this.#folder + name));
  }

  #key(index: number, number: number): string {
    return `${this.#folder}${index}-${number}`;
  }
}
