import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { CappedCollection } from '../collection/capped.ts';
import { ClusteredCollection } from '../collection/clustered.ts';
import { Collection, type CollectionRow } from '../collection/collection.ts';
import type { Connection } from '../file/connection.ts';
import type { Transaction } from '../file/transaction.ts';
import { documentKeys } from '../indexes/document-keys.ts';
import { duplicateKey } from '../indexes/duplicate.ts';
import { uniqueIdSpec } from '../indexes/id-uniqueness.ts';
import type { ScanFigures } from '../indexes/index-scan.ts';
import { ownerOf } from '../indexes/index-table.ts';
import type { AccessPath } from '../model/access-path.ts';
import { IndexDefinition } from '../model/index-definition.ts';
import { withArrays } from '../model/multikey.ts';
import type { KeyRange } from '../model/range.ts';
import { idKey } from '../records/id-key.ts';
import type { StoredRecord } from '../records/page.ts';
import type { RecordStream } from '../records/scan.ts';
import { documentName, writeConflict } from './held-keys.ts';
import { nameOf, Overlay, textOf } from './overlay.ts';
import { noRecords, OverlayScan } from './overlay-scan.ts';
import { orderOf } from './scan-orders.ts';
import type { TransactionWrites } from './transaction-writes.ts';
import { WrittenKeys } from './written-keys.ts';

/** A row id that no row has. */
const NO_ROW = -1;

/** A collection as a transaction sees it: a snapshot with the transaction's own writes. */
export class TransactionCollection extends Collection {
  readonly #connection: Connection;
  readonly #writes: TransactionWrites;
  readonly #overlay = new Overlay();
  readonly #writtenKeys: WrittenKeys;
  /** Returns the collection outside the transaction; undefined if the transaction created the collection. */
  readonly #shared: (() => Collection | undefined) | undefined;
  #made: readonly IndexDefinition[] = [];
  /** The internal index on `_id` of a collection that the transaction created, if there is one. */
  readonly #uniqueId: readonly IndexDefinition[];

  /** Without `shared`, the transaction creates the collection. */
  constructor(
    row: CollectionRow,
    { connection, transaction }: { connection: Connection; transaction: Transaction },
    writes: TransactionWrites,
    shared?: () => Collection | undefined,
  ) {
    super(row, connection, transaction, () => {});
    this.#connection = connection;
    this.#writes = writes;
    this.#shared = shared;
    this.#writtenKeys = new WrittenKeys(this.#overlay, this.running);
    const spec = uniqueIdSpec(row.options);
    this.#uniqueId = spec === undefined ? [] : [new IndexDefinition({ number: 0, spec, multikey: '' })];
  }

  override get documents(): number {
    return super.documents + this.#overlay.documents;
  }

  override get bytes(): number {
    return super.bytes + this.#overlay.bytes;
  }

  override get indexes(): readonly IndexDefinition[] {
    return this.#shared === undefined ? this.#made : super.indexes;
  }

  override get keptIndexes(): readonly IndexDefinition[] {
    return this.#shared === undefined ? [...this.#uniqueId, ...this.#made] : super.keptIndexes;
  }

  /** False, because the index has no keys for documents that only this transaction has written. */
  override get readsKeys(): boolean {
    return false;
  }

  override find(key: Uint8Array): StoredRecord | undefined {
    const written = this.#overlay.find(textOf(key));
    if (written === undefined) return this.#below(key);
    return written.doc && { rid: written.rid, doc: written.doc };
  }

  #below(key: Uint8Array): StoredRecord | undefined {
    return this.#shared === undefined ? undefined : super.find(key);
  }

  override insertTogether(): boolean {
    return false;
  }

  override insert(key: Uint8Array, doc: RawDocument): boolean {
    if (this.find(key) !== undefined) return false;
    this.#hold(key);
    const kept = doc.compact();
    const change = (collection: Collection) => {
      if (!collection.insert(key, kept)) throw writeConflict();
    };
    this.#writes.add(this.#target, change, kept.length);
    this.#put(undefined, kept);
    return true;
  }

  override replace(record: StoredRecord, doc: RawDocument, difference?: RawDocument): void {
    const key = idKey(record.doc);
    this.#hold(key);
    const kept = doc.compact();
    const change = (collection: Collection) =>
      collection.replace(recordOf(collection, key), kept, difference);
    this.#writes.add(this.#target, change, kept.length + (difference?.length ?? 0));
    this.#put(record, kept);
  }

  override remove(record: StoredRecord): void {
    const key = idKey(record.doc);
    this.#hold(key);
    this.#put(record, undefined);
    this.#writes.add(this.#target, (collection) => collection.remove(recordOf(collection, key)));
  }

  get #target() {
    const { database, name, uuid } = this;
    return { database, name, uuid };
  }

  /** Locks a document. Throws if another writer has changed it since the transaction began. */
  #hold(key: Uint8Array): void {
    if (this.#shared === undefined) return;
    const shared = this.#shared();
    if (shared === undefined) throw writeConflict();
    if (shared instanceof CappedCollection) {
      throw new ServerError(
        'OperationNotSupportedInTransaction',
        `Collection '${this.namespace}' is a capped collection. Writes in transactions are not allowed on capped collections.`,
      );
    }
    if (!this.#writes.hold(documentName(this.number, key))) return;
    if (!isSame(shared.find(key), super.find(key))) throw writeConflict();
  }

  #put(before: StoredRecord | undefined, doc: RawDocument | undefined): void {
    const name = nameOf((doc ?? before?.doc) as RawDocument);
    for (const index of this.keptIndexes) if (index.hasKeys) this.#index(index, name, before?.doc, doc);
    this.#overlay.put(name, before, doc);
  }

  #index(
    index: IndexDefinition,
    name: string,
    before: RawDocument | undefined,
    doc: RawDocument | undefined,
  ): void {
    const made = doc && documentKeys(index, doc);
    const { multikey, arrayPaths } = made ?? {};
    if (multikey !== undefined) index.arrays = withArrays(index.arrays, { multikey, arrayPaths });
    if (made?.types !== undefined) index.types = made.types;
    if (!index.enforcesUnique) return;
    const former = before === undefined ? [] : documentKeys(index, before).keys;
    for (const key of former) this.#overlay.disown(index, textOf(key));
    for (const key of made?.keys ?? []) {
      this.#writes.hold(`${documentName(this.number, key)}#${index.number}`);
      if (doc !== undefined && this.#isTaken(index, key, name)) {
        throw duplicateKey(this.namespace, index, doc, key);
      }
      this.#overlay.own(index, textOf(key), name);
    }
  }

  #isTaken(index: IndexDefinition, key: Uint8Array, name: string): boolean {
    const owner = this.#overlay.ownerOf(index, textOf(key));
    if (owner !== undefined) return owner !== name;
    if (this.#shared === undefined) return false;
    const rid = ownerOf(this.#connection, index.table, key, NO_ROW);
    if (rid === undefined || this.#overlay.hasRow(rid)) return false;
    return this.#overlay.find(name)?.rid !== rid && this.#below(keyOf(name))?.rid !== rid;
  }

  override scan(path: AccessPath, expected?: number, figures?: ScanFigures): RecordStream {
    if (path.kind === 'union' || path.kind === 'merge') return super.scan(path, expected, figures);
    const below = this.#shared === undefined ? noRecords : this.#scanBelow(path, expected, figures);
    if (this.#overlay.isEmpty) return below;
    const clustered = this.#isClustered;
    const above = this.#writtenKeys.on(path, clustered);
    return new OverlayScan(below, this.#overlay, orderOf(path, clustered), above);
  }

  #scanBelow(path: AccessPath, expected?: number, figures?: ScanFigures): RecordStream {
    const clustered = path.kind === 'natural' && this.#isClustered;
    return super.scan(clustered ? { kind: 'byId', reverse: path.reverse } : path, expected, figures);
  }

  override countIn(
    index: IndexDefinition,
    ranges: readonly KeyRange[],
    most = Number.POSITIVE_INFINITY,
  ): number {
    if (this.#overlay.isEmpty && this.#shared !== undefined) return super.countIn(index, ranges, most);
    const records = this.scan({ kind: 'index', index, ranges, reverse: false });
    let count = 0;
    while (count < most && records.next() !== undefined) count++;
    return count;
  }

  override estimateIn(index: IndexDefinition, ranges: readonly KeyRange[], most: number): number {
    const below = this.#shared === undefined ? 0 : super.estimateIn(index, ranges, most);
    return Math.min(below + this.#overlay.size, most);
  }

  get #isClustered(): boolean {
    return this.#shared?.() instanceof ClusteredCollection;
  }

  /** Allowed only in a collection that the transaction creates. */
  override buildIndex(spec: RawDocument): () => IndexDefinition {
    if (this.#shared !== undefined || this.documents > 0) {
      throw new ServerError(
        'OperationNotSupportedInTransaction',
        `Cannot create new indexes on existing collection ${this.namespace} in a multi-document transaction.`,
      );
    }
    return () => {
      const kept = spec.compact();
      const index = new IndexDefinition({ number: NO_ROW - this.#made.length, spec: kept, multikey: '' });
      this.#made = [...this.#made, index];
      this.#writes.add(this.#target, (collection) => {
        collection.createIndex(kept);
      });
      return index;
    };
  }
}

function keyOf(name: string): Uint8Array {
  return Buffer.from(name, 'latin1');
}

function recordOf(collection: Collection, key: Uint8Array): StoredRecord {
  const record = collection.find(key);
  if (record === undefined) throw writeConflict();
  return record;
}

/** True if both records are the same version of the same row. */
function isSame(one: StoredRecord | undefined, other: StoredRecord | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.rid === other.rid && Buffer.compare(one.doc.toBytes(), other.doc.toBytes()) === 0;
}
