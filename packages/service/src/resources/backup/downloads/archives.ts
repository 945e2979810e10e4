import { createHash, hash as digestOf } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ObjectStore } from '../../../objects/object-store.ts';
import { BackupDamaged } from '../chunk-store/chunk-store.ts';
import type { Archive } from '../model/downloads/rows.ts';

interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** The size of a part; each reader holds one part in memory. */
const PART_BYTES = 4 * 1024 * 1024;

/** The archives of one download, stored in parts in the folder of the cluster. */
export class Archives {
  readonly #objects: ObjectStore;
  readonly #folder: string;

  constructor(objects: ObjectStore, { clusterId, id }: { readonly clusterId: string; readonly id: string }) {
    this.#objects = objects;
    this.#folder = `${clusterId}/downloads/${id}/`;
  }

  /** Stores an archive. Calls `proceed` with the size so far before each part; `proceed` throws to cancel. */
  async keep(
    index: number,
    bytes: AsyncIterable<Uint8Array>,
    proceed: (bytes: number) => Promise<void>,
  ): Promise<Archive> {
    const hash = createHash('sha256');
    let total = 0;
    const parts: string[] = [];
    const put = async (part: Buffer) => {
      await proceed(total);
      await this.#objects.put(this.#key(index, parts.length), part);
      parts.push(digestOf('sha256', part));
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
    return { bytes: total, hash: hash.digest('hex'), parts };
  }

  /**
   * Streams the bytes from `first` to `last`, inclusive. If the first part is damaged, rejects with `BackupDamaged`. If
   * a later part is damaged, the stream fails.
   */
  async stream(index: number, archive: Archive, { first, last }: ByteRange): Promise<Readable> {
    const bytes = this.#read(index, archive, { first, last });
    const begun = await bytes.next();
    const all = async function* () {
      if (begun.done) return;
      yield begun.value;
      yield* bytes;
    };
    return Readable.from(all(), { objectMode: false });
  }

  async *#read(index: number, { parts }: Archive, { first, last }: ByteRange): AsyncGenerator<Uint8Array> {
    for (let at = first; at <= last; ) {
      const number = Math.floor(at / PART_BYTES);
      const part = await this.#part(index, number, parts?.[number]);
      const start = number * PART_BYTES;
      const piece = part.subarray(at - start, last + 1 - start);
      if (piece.length === 0) throw new BackupDamaged(`part ${number} of archive ${index} is too short`);
      yield piece;
      at += piece.length;
    }
  }

  async #part(index: number, number: number, hash: string | undefined): Promise<Uint8Array> {
    const part = await this.#objects.get(this.#key(index, number));
    if (part === undefined)
      throw new BackupDamaged(`part ${number} of archive ${index} is not in the snapshot store`);
    if (hash !== undefined && digestOf('sha256', part) !== hash)
      throw new BackupDamaged(`part ${number} of archive ${index} is damaged`);
    return part;
  }

  /** Removes all archives, including incomplete ones. */
  async remove(): Promise<void> {
    await this.#objects.tidy?.(this.#folder);
    const names = [...(await this.#objects.list(this.#folder)).keys()];
    await this.#objects.delete(names.map((name) => this.#folder + name));
  }

  #key(index: number, number: number): string {
    return `${this.#folder}${index}-${number}`;
  }
}
