import { COLLATION_VERSION } from '../../bson/collation/index.ts';
import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { checkTextKeys } from '../../language/text/index-fields.ts';
import type { Connection } from '../file/connection.ts';
import { isLarge } from '../file/leftovers.ts';
import { requireRoomForTable } from '../file/table-count.ts';
import type { Transaction } from '../file/transaction.ts';
import { type DocumentKeys, IndexDefinition } from '../model/index-definition.ts';
import { encodeArrays, withArrays } from '../model/multikey.ts';
import type { Progress } from '../model/running-statement.ts';
import { decodeTypes, encodeTypes, noTypes, type ValueTypes } from '../model/value-types.ts';
import type { RecordStream } from '../records/scan.ts';
import { documentKeys } from './document-keys.ts';
import { duplicateKey } from './duplicate.ts';
import { ID_NAME } from './id-uniqueness.ts';
import { type BuildSteps, IndexBuilder } from './index-builder.ts';
import { duplicateKeys } from './index-count.ts';
import { addKey, createIndexTable, dropIndexTable, ownerOf, removeKey } from './index-table.ts';
import { KeyMemory, textOf } from './tuples.ts';

/** The index keys that a change of a document adds and removes, validated but not yet written. */
export interface PendingKeys {
  readonly index: IndexDefinition;
  readonly added: readonly Uint8Array[];
  readonly removed: readonly Uint8Array[];
  readonly after: DocumentKeys;
}

const noKey = new Uint8Array();
const noKeys: DocumentKeys = { keys: [] };
/** A row id that no row has. */
const NO_ROW = -1;

interface Indexes {
  readonly all: readonly IndexDefinition[];
  /** The indexes that commands list and queries use. */
  readonly shown: readonly IndexDefinition[];
  /** The indexes that have keys. */
  readonly kept: readonly IndexDefinition[];
  /** Text indexes, which have no keys but reject some documents. */
  readonly texts: readonly IndexDefinition[];
}

function groupsOf(all: readonly IndexDefinition[]): Indexes {
  return {
    all,
    shown: all.filter(({ name }) => name !== ID_NAME),
    kept: all.filter(({ hasKeys }) => hasKeys),
    texts: all.filter(({ kind }) => kind === 'text'),
  };
}

/** The indexes of one collection except the index on `_id`. */
export class IndexSet {
  readonly #connection: Connection;
  readonly #transaction: Transaction;
  readonly #collection: number;
  readonly #namespace: string;
  /** False for paths at which a document with an array is rejected. */
  readonly #mayHaveArrays: (path: string) => boolean;
  /** Undefined until the first use, because opening a file of thousands of collections must be quick. */
  #indexes: Indexes | undefined;

  constructor(
    connection: Connection,
    transaction: Transaction,
    collection: number,
    namespace: string,
    mayHaveArrays: (path: string) => boolean = () => true,
  ) {
    this.#connection = connection;
    this.#transaction = transaction;
    this.#collection = collection;
    this.#namespace = namespace;
    this.#mayHaveArrays = mayHaveArrays;
  }

  #read(): Indexes {
    this.#indexes ??= groupsOf(this.#stored());
    return this.#indexes;
  }

  #stored(): IndexDefinition[] {
    return this.#connection
      .all<[number, Uint8Array, string, string | null, string | null]>(
        'SELECT number, spec, multikey, types, collation_version FROM indexes WHERE collection = ? ORDER BY number',
        this.#collection,
      )
      .map(
        ([number, spec, multikey, types, collationVersion]) =>
          new IndexDefinition({
            number,
            spec: new RawDocument(spec),
            multikey,
            types: decodeTypes(types),
            collationVersion,
          }),
      );
  }

  /** The indexes that commands list and queries use, in the order of creation. */
  get shown(): readonly IndexDefinition[] {
    return this.#read().shown;
  }

  /** All indexes, including the internal index on `_id`. */
  get all(): readonly IndexDefinition[] {
    return this.#read().all;
  }

  /** True if a write has no index to update: no index has keys, and there is no text index. */
  get isEmpty(): boolean {
    const { kept, texts } = this.#read();
    return kept.length === 0 && texts.length === 0;
  }

  /**
   * Builds an index over the existing records. `total` is their number. Returns a function that adds the index. Until
   * then, the index has no row, so that its table is left over if the build fails (see `leftovers.ts`). Throws
   * `DuplicateKey`, or the error for a document that cannot be indexed. If `tolerant` is true, existing documents may
   * share keys.
   */
  build(
    spec: RawDocument,
    total: number,
    records: () => RecordStream,
    tolerant = false,
  ): () => IndexDefinition {
    requireRoomForTable(this.#connection);
    const types = noTypes([...(spec.document('key') ?? RawDocument.empty)].length);
    const number = this.#reserve();
    const index = new IndexDefinition({ number, spec: spec.compact(), multikey: '', types });
    const progress = this.#begin(total);
    if (index.hasKeys) {
      createIndexTable(this.#connection, number);
      const builder = new IndexBuilder(this.#connection, this.#transaction, index, true);
      try {
        builder.build(records(), progress, this.#steps(index, index.enforcesUnique && !tolerant, false));
      } catch (error) {
        this.#connection.onLeftover?.();
        throw error;
      }
    } else {
      const stream = records();
      for (let one = stream.next(); one !== undefined; one = stream.next(), progress.done++)
        checkTextKeys(spec, one.doc);
    }
    return () => {
      const { all } = this;
      this.#insert(index);
      this.#set([...all, index]);
      return index;
    };
  }

  /** Returns a number that no index of the file has had. */
  #reserve(): number {
    const { rid } = this.#connection.run('INSERT INTO indexes (collection, spec) VALUES (?, ?)', 0, noKey);
    this.#connection.run('DELETE FROM indexes WHERE number = ?', rid);
    return rid;
  }

  #insert({ number, spec, arrays, types }: IndexDefinition): void {
    this.#connection.run(
      'INSERT INTO indexes (number, collection, spec, multikey, types, collation_version) VALUES (?, ?, ?, ?, ?, ?)',
      number,
      this.#collection,
      spec.toBytes(),
      encodeArrays(arrays),
      types === undefined ? null : encodeTypes(types),
      COLLATION_VERSION,
    );
  }

  /** Returns the steps of a build. `stored` is true if the index has a row. */
  #steps(index: IndexDefinition, unique: boolean, stored: boolean): BuildSteps {
    const accept = (made: DocumentKeys) => {
      this.#rejectArrays(index, made);
      if (stored) this.#grow(index, made);
      else grow(index, made);
    };
    if (!unique) return { accept };
    return {
      accept,
      rejectDuplicates: (keys, { doc, rid }) => this.#rejectDuplicates(index, keys, doc, rid),
    };
  }

  /** Recomputes the keys of the outdated indexes. `total` is the number of records. */
  renew(total: number, records: () => RecordStream): void {
    const sql = `UPDATE indexes SET multikey = '', types = ?, collation_version = ? WHERE number = ?`;
    for (const outdated of this.all.filter(({ outdated }) => outdated)) {
      const { number, spec } = outdated;
      const types = noTypes(outdated.parts.length);
      this.#connection.run(sql, encodeTypes(types), COLLATION_VERSION, number);
      dropIndexTable(this.#connection, number);
      createIndexTable(this.#connection, number);
      const index = new IndexDefinition({ number, spec, multikey: '', types });
      // Accept texts that are equal only in the new version of the collation, even in a unique index, because the
      // file must open in any case.
      const builder = new IndexBuilder(this.#connection, this.#transaction, index, false);
      builder.build(records(), this.#begin(total), this.#steps(index, false, true));
      this.#set(this.all.map((other) => (other === outdated ? index : other)));
    }
  }

  /** Drops an index of a collection with this number of bytes and documents. */
  drop(index: IndexDefinition, counts: { readonly bytes: number; readonly documents: number }): void {
    this.#connection.run('DELETE FROM indexes WHERE number = ?', index.number);
    if (index.hasKeys) dropIndexTable(this.#connection, index.number, isLarge(counts));
    this.#set(this.all.filter((other) => other !== index));
    index.dropped = true;
    this.#transaction.undoing(() => {
      index.dropped = false;
    });
  }

  /** Changes the specification of an index. The key must stay the same. */
  change(index: IndexDefinition, spec: RawDocument): IndexDefinition {
    const sql = 'UPDATE indexes SET spec = ? WHERE number = ?';
    this.#connection.run(sql, spec.toBytes(), index.number);
    const multikey = encodeArrays(index.arrays);
    const { number, types, collationVersion } = index;
    const changed = new IndexDefinition({ number, spec: spec.compact(), multikey, types, collationVersion });
    // A scan may still use the old definition. The old definition no longer receives the types of later
    // documents, so the scan must not decode values.
    index.types = undefined;
    this.#transaction.undoing(() => {
      index.types = types;
    });
    this.#set(this.all.map((other) => (other === index ? changed : other)));
    return changed;
  }

  /** Returns keys that several documents share, before an index becomes unique. */
  duplicates(index: IndexDefinition): readonly Uint8Array[] {
    return duplicateKeys(this.#connection, index);
  }

  #set(indexes: readonly IndexDefinition[]): void {
    const before = this.#read();
    this.#indexes = groupsOf(indexes);
    this.#transaction.undoing(() => {
      this.#indexes = before;
    });
  }

  /** Starts to record the progress of an index build over `total` records. `currentOp` shows the progress. */
  #begin(total: number): Progress {
    const progress = { done: 0, total };
    const { operation } = this.#connection.running;
    if (operation !== undefined) operation.progress = progress;
    return progress;
  }

  /** Computes how a change of a document changes the index keys. Throws `DuplicateKey` before anything is written. */
  prepare(
    before: RawDocument | undefined,
    after: RawDocument | undefined,
    rid: number = NO_ROW,
  ): PendingKeys[] {
    if (after !== undefined) for (const { spec } of this.#read().texts) checkTextKeys(spec, after);
    const { running } = this.#connection;
    const memory = [new KeyMemory(), new KeyMemory()] as const;
    return this.#read().kept.map((index) => {
      const from = before === undefined ? noKeys : documentKeys(index, before, running, memory[0]);
      const to = after === undefined ? noKeys : documentKeys(index, after, running, memory[1]);
      this.#rejectArrays(index, to);
      const added = before === undefined ? to.keys : without(to.keys, from.keys);
      const removed = after === undefined ? from.keys : without(from.keys, to.keys);
      if (after !== undefined && index.enforcesUnique) this.#rejectDuplicates(index, added, after, rid);
      return { index, added, removed, after: to };
    });
  }

  apply(pending: readonly PendingKeys[], rid: number): void {
    const { examined } = this.#connection.running;
    for (const { index, added, removed, after } of pending) {
      examined.keysInserted += added.length;
      examined.keysDeleted += removed.length;
      for (const key of removed) {
        this.#connection.running.check();
        removeKey(this.#connection, index.table, key, rid);
      }
      for (const key of added) {
        this.#connection.running.check();
        addKey(this.#connection, index.table, key, rid);
      }
      this.#grow(index, after);
    }
  }

  #rejectArrays({ parts }: IndexDefinition, { multikey }: DocumentKeys): void {
    if (multikey?.some((depths, i) => depths.size > 0 && !this.#mayHaveArrays(parts[i]?.path.text ?? ''))) {
      throw new ServerError(5930501, 'Indexed measurement field contains an array value');
    }
  }

  #rejectDuplicates(
    index: IndexDefinition,
    keys: readonly Uint8Array[],
    doc: RawDocument,
    rid: number,
  ): void {
    for (const key of keys) {
      this.#connection.running.check();
      if (ownerOf(this.#connection, index.table, key, rid) === undefined) continue;
      throw duplicateKey(this.#namespace, index, doc, key);
    }
  }

  #grow(index: IndexDefinition, { multikey, arrayPaths, types }: DocumentKeys): void {
    if (types !== undefined) this.#addTypes(index, types);
    if (multikey === undefined) return;
    const before = index.arrays;
    const grown = withArrays(before, { multikey, arrayPaths });
    if (grown === before) return;
    index.arrays = grown;
    this.#transaction.undoing(() => {
      index.arrays = before;
    });
    const sql = 'UPDATE indexes SET multikey = ? WHERE number = ?';
    this.#connection.run(sql, encodeArrays(grown), index.number);
  }

  #addTypes(index: IndexDefinition, types: ValueTypes): void {
    const before = index.types;
    index.types = types;
    this.#transaction.undoing(() => {
      index.types = before;
    });
    const sql = 'UPDATE indexes SET types = ? WHERE number = ?';
    this.#connection.run(sql, encodeTypes(types), index.number);
  }
}

/** Records which values the keys of an index contain that is being built. */
function grow(index: IndexDefinition, { multikey, arrayPaths, types }: DocumentKeys): void {
  if (types !== undefined) index.types = types;
  if (multikey !== undefined) index.arrays = withArrays(index.arrays, { multikey, arrayPaths });
}

/** Returns those of `keys` that are not in `others`. */
function without(keys: readonly Uint8Array[], others: readonly Uint8Array[]): readonly Uint8Array[] {
  const [key, more] = keys;
  const [other, further] = others;
  if (key && other && more === undefined && further === undefined) {
    return Buffer.compare(key, other) === 0 ? [] : keys;
  }
  const known = new Set<string>();
  for (const one of others) known.add(textOf(one));
  return keys.filter((one) => !known.has(textOf(one)));
}
