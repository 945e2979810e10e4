import type { RawDocument } from '../../bson/raw.ts';
import type { IndexDefinition } from '../model/index-definition.ts';
import { idKey } from '../records/id-key.ts';
import type { StoredRecord } from '../records/page.ts';

/** The state of one document after a transaction's writes. */
export interface Written {
  /** The key of the document as a string. */
  readonly name: string;
  /**
   * The row in the snapshot; for a new document, a number after all rows, which gives its position in insertion order.
   */
  readonly rid: number;
  /** Absent: the document was removed. */
  readonly doc: RawDocument | undefined;
}

/** After every possible row of a table, and far enough below 2^53 for all inserts. */
const AFTER_ALL_ROWS = 2 ** 52;

/** The documents of one collection that a transaction has written. */
export class Overlay {
  readonly #written = new Map<string, Written>();
  /** The same entries by their rows. */
  readonly #rows = new Map<number, Written>();
  /** The documents that own the keys of unique indexes. */
  readonly #owners = new Map<IndexDefinition, Map<string, string>>();
  #inserted = 0;
  documents = 0;
  bytes = 0;

  get isEmpty(): boolean {
    return this.#written.size === 0;
  }

  get size(): number {
    return this.#written.size;
  }

  find(name: string): Written | undefined {
    return this.#written.get(name);
  }

  /** The written state of a record, if it was written. */
  ofRecord({ rid }: StoredRecord): Written | undefined {
    return this.#rows.get(rid);
  }

  hasRow(rid: number): boolean {
    return this.#rows.has(rid);
  }

  /** `before` is the document as the transaction saw it. */
  put(name: string, before: StoredRecord | undefined, doc: RawDocument | undefined): void {
    const rid = this.#written.get(name)?.rid ?? before?.rid ?? AFTER_ALL_ROWS + ++this.#inserted;
    const written = { name, rid, doc };
    this.#written.set(name, written);
    this.#rows.set(rid, written);
    this.documents += Number(doc !== undefined) - Number(before !== undefined);
    this.bytes += (doc?.length ?? 0) - (before?.doc.length ?? 0);
  }

  values(): Iterable<Written> {
    return this.#written.values();
  }

  /** The name of the document that has a key of a unique index. */
  ownerOf(index: IndexDefinition, key: string): string | undefined {
    return this.#owners.get(index)?.get(key);
  }

  own(index: IndexDefinition, key: string, name: string): void {
    const owners = this.#owners.get(index) ?? new Map<string, string>();
    this.#owners.set(index, owners);
    owners.set(key, name);
  }

  disown(index: IndexDefinition, key: string): void {
    this.#owners.get(index)?.delete(key);
  }
}

/** The name of a document: the key of its `_id`, as a string. */
export function nameOf(doc: RawDocument): string {
  return textOf(idKey(doc));
}

export function textOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
}
