import type { RawDocument } from '../../bson/raw.ts';
import type { Connection } from '../../storage/file/connection.ts';
import type { SearchIndexRow } from '../../storage/search-index-table.ts';
import { type GenerationStatus, isServing } from '../file/search-reader.ts';
import { SegmentBuilder } from '../file/segment-builder.ts';
import { removeContents, removeGeneration, writeSegment } from '../file/segment-writer.ts';
import { type IndexPlan, planOf } from '../mapping/definition.ts';
import type { Changes, ClusterReader } from './cluster-reader.ts';
import { indexDocument } from './index-document.ts';
import { nextToMerge } from './merging.ts';

/** Memory limit of a segment while it is built. */
const SEGMENT_BYTES = 48 * 1024 * 1024;
const SEGMENT_DOCUMENTS = 20_000;
/** Number of documents per read. */
const BATCH = 200;

interface GenerationRow {
  readonly number: number;
  readonly status: GenerationStatus;
  readonly position: number;
  readonly scanned: number | null;
}

/**
 * The reason why a generation is stale. Its collection is read again to find changes that the oplog no longer
 * contains.
 */
const MISSED = 'changes are no longer in the oplog: the collection is read again';

/** The index of one version of a definition, as the follower updates it. */
export class IndexGeneration {
  readonly number: number;
  readonly index: SearchIndexRow;
  readonly plan: IndexPlan;
  readonly #connection: Connection;
  #builder = new SegmentBuilder();
  readonly #gone: Uint8Array[] = [];
  #changed = false;
  status: GenerationStatus;
  position: number;
  /** The numbers of changes that this object has read from the oplog. */
  readonly changes: Changes = { inserts: 0, updates: 0, deletes: 0 };
  /** The last row that the build has read; undefined once all rows are read. */
  #scanned: number | undefined;
  #merging: Iterator<readonly Uint8Array[]> | undefined;
  /** The last key that `sweep` has looked up in the collection; undefined if no deletion can have been missed. */
  #swept: Uint8Array | undefined;
  /** True if nothing can be merged until the next write. */
  #settled = false;

  constructor(connection: Connection, index: SearchIndexRow, row: GenerationRow) {
    this.#connection = connection;
    this.index = index;
    this.number = row.number;
    this.status = row.status;
    this.position = row.position;
    this.#scanned = row.scanned ?? undefined;
    if (row.status === 'STALE') this.#swept = new Uint8Array(0);
    this.plan = planOf(index.type, index.definition, index.analyzers);
  }

  /** Opens the generation of an index version. Creates it if it does not exist. */
  static open(connection: Connection, index: SearchIndexRow, newest: () => number): IndexGeneration {
    const find = () =>
      connection.get<[number, GenerationStatus, number, number | null]>(
        'SELECT number, status, position, scanned FROM generations WHERE ix = ? AND version = ?',
        index.id,
        index.version,
      );
    let row = find();
    if (row === undefined) {
      connection.run(
        `INSERT INTO generations (ix, version, definition, analyzers, created, status, position, scanned)
         VALUES (?, ?, ?, ?, ?, 'BUILDING', ?, 0)`,
        index.id,
        index.version,
        index.definition.toBytes(),
        index.analyzers?.toBytes() ?? null,
        index.created,
        newest(),
      );
      row = find();
    }
    const [number, status, position, scanned] = row as NonNullable<typeof row>;
    return new IndexGeneration(connection, index, { number, status, position, scanned });
  }

  /** Indexes the current state of documents that may have changed. */
  *touch(reader: ClusterReader, table: string, keys: Iterable<Uint8Array>): Generator<void> {
    for (const key of keys) yield* this.#index(key, reader.document(table, key));
  }

  count({ inserts, updates, deletes }: Changes): void {
    this.changes.inserts += inserts;
    this.changes.updates += updates;
    this.changes.deletes += deletes;
  }

  *#index(key: Uint8Array, doc: RawDocument | undefined): Generator<void> {
    this.#changed = true;
    if (doc === undefined) {
      this.#builder.drop(key);
      this.#gone.push(key);
    } else {
      yield* indexDocument(this.plan, this.#builder, key, doc);
    }
    if (this.#builder.bytes > SEGMENT_BYTES || this.#builder.size > SEGMENT_DOCUMENTS)
      yield* this.flush(this.position);
    yield;
  }

  /**
   * Continues the build. Reads at least one document, and more while `inTime` returns true. Returns false
   * when nothing is left to build, and true if only missed deletions are left to find (`sweep`).
   */
  *scan(reader: ClusterReader, table: string, inTime: () => boolean): Generator<void, boolean> {
    if (this.#scanned === undefined) return false;
    const rows = reader.rows(table, this.#scanned, BATCH);
    for (const { rid, key, doc } of rows) {
      yield* this.#index(key, doc);
      this.#scanned = rid;
      if (!inTime()) break;
    }
    if (rows.length > 0) return true;
    this.#scanned = undefined;
    if (this.#swept === undefined) yield* this.#ready();
    else yield* this.#written();
    return this.building;
  }

  /** Finds missed deletions by looking up indexed documents in the collection. Returns false when all are looked up. */
  *sweep(reader: ClusterReader, table: string): Generator<void, boolean> {
    if (this.#swept === undefined) return false;
    const keys = this.#connection
      .all<[Uint8Array]>(
        'SELECT key FROM places WHERE generation = ? AND key > ? ORDER BY key LIMIT ?',
        this.number,
        this.#swept,
        BATCH,
      )
      .map(([key]) => key);
    for (const key of keys) {
      const doc = reader.document(table, key);
      if (doc === undefined) yield* this.#index(key, undefined);
    }
    this.#swept = keys.at(-1);
    if (this.#swept === undefined) yield* this.#ready();
    return this.building;
  }

  *#ready(): Generator<void> {
    this.status = 'READY';
    yield* this.#written();
  }

  *#written(): Generator<void> {
    this.#changed = true;
    yield* this.flush(this.position);
  }

  get building(): boolean {
    return this.#scanned !== undefined || this.#swept !== undefined;
  }

  /** True if the generation serves queries. */
  get serving(): boolean {
    return isServing(this);
  }

  /** Why the generation may lack changes; undefined if it lacks none. */
  get stale(): string | undefined {
    return this.status === 'STALE' ? MISSED : undefined;
  }

  /** Merges small segments, some documents at a time. Returns false when there is nothing to merge. */
  *merge(reader: ClusterReader, table: string): Generator<void, boolean> {
    if (this.#settled) return false;
    this.#merging ??= nextToMerge(this.#connection, this.number);
    if (this.#merging === undefined) {
      this.#settled = true;
      return false;
    }
    const next = this.#merging.next();
    if (next.done) {
      this.#merging = undefined;
      yield* this.flush(this.position);
      return true;
    }
    yield* this.touch(reader, table, next.value);
    return true;
  }

  /** Writes the collected changes and the oplog position that they include. */
  *flush(position: number): Generator<void> {
    if (!this.#changed && position === this.position) return;
    const [builder, gone] = [this.#builder, this.#gone.splice(0)];
    this.#builder = new SegmentBuilder();
    this.#connection.exec('BEGIN IMMEDIATE');
    try {
      yield* writeSegment(this.#connection, this.number, builder, gone);
      this.#connection.run(
        'UPDATE generations SET position = ?, scanned = ?, status = ?, message = ? WHERE number = ?',
        position,
        this.#scanned ?? null,
        this.status,
        this.stale ?? null,
        this.number,
      );
      this.#connection.exec('COMMIT');
    } catch (error) {
      rollBack(this.#connection);
      throw error;
    }
    this.position = position;
    this.#changed = false;
    this.#settled = false;
  }

  fail(message: string): void {
    this.status = 'FAILED';
    this.#builder = new SegmentBuilder();
    this.#gone.length = 0;
    this.#connection.run(
      `UPDATE generations SET status = 'FAILED', message = ? WHERE number = ?`,
      message,
      this.number,
    );
  }

  /** Like `fail`, and removes the documents, so that their space becomes free. */
  discard(message: string): void {
    inTransaction(this.#connection, () => {
      removeContents(this.#connection, this.number);
      this.#connection.run('UPDATE generations SET documents = 0 WHERE number = ?', this.number);
      this.fail(message);
    });
  }

  /** The memory of documents that are not written yet, in bytes. */
  get held(): number {
    return this.#builder.bytes;
  }

  remove(): void {
    removeInTransaction(this.#connection, this.number);
  }
}

/**
 * Records that changes were missed, so that the next follower reads the collection again. Until then the generation
 * serves queries as it is.
 */
export function markMissed(connection: Connection, generation: number, newest: number): void {
  connection.run(
    `UPDATE generations SET status = 'STALE', message = ?, scanned = 0, position = ? WHERE number = ?`,
    MISSED,
    newest,
    generation,
  );
}

export function removeInTransaction(connection: Connection, generation: number): void {
  inTransaction(connection, () => removeGeneration(connection, generation));
}

function inTransaction(connection: Connection, work: () => void): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    work();
    connection.exec('COMMIT');
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

/**
 * Rolls back, unless a full disk has already ended the transaction. In that case, a rollback would fail, and its
 * error would replace the original one.
 */
function rollBack(connection: Connection): void {
  if (connection.inTransaction) connection.exec('ROLLBACK');
}
