import type { RawDocument } from '../../bson/raw.ts';
import type { IndexDefinition } from '../model/index-definition.ts';
import { idKey } from '../records/id-key.ts';
import type { StoredRecord } from '../records/page.ts';

/** The state of a document that a transaction has written. */
export interface Written {
  /** The key of the document as a string. */
  readonly name: string;
  /**
   * The row id in the snapshot. A new document has a number after all row ids. This number determines its
   * place in insertion order.
   */
  readonly rid: number;
  /** The document; undefined if it was removed. */
  readonly doc: RawDocument | undefined;
  /** The number of writes when the transaction first wrote the document. */
  readonly since: number;
}

/** A row id after all possible rows of a table, far enough below 2^53 for any number of inserts. */
const AFTER_ALL_ROWS = 2 ** 52;

/** The documents of one collection that a transaction has written. */
export class Overlay {
  readonly #written = new Map<string, Written>();
  /** The written documents by row id. */
  readonly #rows = new Map<number, Written>();
  /** For each unique index, the names of documents by the keys that they own. */
  readonly #owners = new Map<IndexDefinition, Map<string, string>>();
  #inserted = 0;
  /** Number of writes of the transaction. */
  writes = 0;
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

  /** Returns the written state of a record, or undefined if the transaction has not written it. */
  ofRecord({ rid }: StoredRecord): Written | undefined {
    return this.#rows.get(rid);
  }

  hasRow(rid: number): boolean {
    return this.#rows.has(rid);
  }

  /** Records a write. `before` is the document as the transaction saw it. */
  put(name: string, before: StoredRecord | undefined, doc: RawDocument | undefined): void {
    const former = this.#written.get(name);
    const rid = former?.rid ?? before?.rid ?? AFTER_ALL_ROWS + ++this.#inserted;
    const written = { name, rid, doc, since: former?.since ?? ++this.writes };
    if (former !== undefined) this.writes++;
    this.#written.set(name, written);
    this.#rows.set(rid, written);
    this.documents += Number(doc !== undefined) - Number(before !== undefined);
    this.bytes += (doc?.length ?? 0) - (before?.doc.length ?? 0);
  }

  values(): Iterable<Written> {
    return this.#written.values();
  }

  /** Returns the name of the document that owns a key of a unique index. */
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

/** Returns the name of a document, which is the key of its `_id` as a string. */
export function nameOf(doc: RawDocument): string {
  return textOf(idKey(doc));
}

export function textOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
}
