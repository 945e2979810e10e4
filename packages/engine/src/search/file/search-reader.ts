import { RawDocument } from '../../bson/raw.ts';
import type { Connection } from '../../storage/file/connection.ts';
import type { SearchIndexRow } from '../../storage/search-index-table.ts';
import { type IndexPlan, planOf } from '../mapping/definition.ts';
import { ByteCache } from './cache.ts';
import { readSearchFile } from './search-file.ts';
import { NAMES, Segment } from './segment.ts';

/** Cache size per cluster in use, enough for 150,000 vectors of 256 dimensions. */
const CACHE_BYTES = 160 * 1024 * 1024;

/** A `STALE` generation serves queries while missed changes are being found. */
export type GenerationStatus = 'BUILDING' | 'READY' | 'STALE' | 'FAILED';

/** The SQL condition for generations that serve queries. */
export const SERVING = `status IN ('READY', 'STALE')`;

export function isServing({ status }: { readonly status: GenerationStatus }): boolean {
  return status === 'READY' || status === 'STALE';
}

/** The state of one generation. */
export interface GenerationState {
  readonly number: number;
  readonly version: number;
  readonly created: number;
  readonly definition: RawDocument;
  readonly status: GenerationStatus;
  readonly message: string | undefined;
  readonly position: number;
  readonly documents: number;
  readonly bytes: number;
}

/** The state of a generation that one search reads. */
export interface SearchSnapshot {
  readonly plan: IndexPlan;
  readonly segments: readonly Segment[];
}

interface IndexSize {
  readonly bytes: number;
  readonly documents: number;
  readonly fields: number;
}

/**
 * Maximum number of names that are compared in order to count the different fields of indexes. The segments of an index
 * usually have the same fields, so that the largest number of fields of a segment is right, too.
 */
const MAX_COUNTED = 5_000;

/** Returns the number of different fields of segments. */
function different(connection: Connection, segments: readonly number[]): number {
  const row = connection.get<[number]>(
    `SELECT count(DISTINCT term) FROM terms WHERE field = ${NAMES} AND segment IN (${segments.join()})`,
  );
  return row?.[0] ?? 0;
}

/** Reads the search file of a cluster concurrently with its writer. */
export class SearchReader {
  readonly #dir: string;
  readonly #key: Uint8Array | undefined;
  readonly #cache = new ByteCache(CACHE_BYTES);
  #connection: Connection | undefined;
  #depth = 0;
  readonly #plans = new Map<number, IndexPlan>();
  /** The numbers of the segments of each generation, as of the last search. */
  readonly #known = new Map<number, ReadonlySet<number>>();
  /** Why the indexes are no longer updated; undefined while they are. */
  stopped: string | undefined;

  constructor(dir: string, key: Uint8Array | undefined) {
    this.#dir = dir;
    this.#key = key;
  }

  /** Runs `work` on the generation that serves the queries of an index. Returns undefined if there is none. */
  read<T>(index: SearchIndexRow, work: (snapshot: SearchSnapshot) => T): T | undefined {
    return this.#within((connection) => {
      const generation = connection.get<[number, Uint8Array, Uint8Array | null]>(
        `SELECT number, definition, analyzers FROM generations WHERE ix = ? AND ${SERVING} ORDER BY version DESC LIMIT 1`,
        index.id,
      );
      if (generation === undefined) return undefined;
      const [number, definition, analyzers] = generation;
      let plan = this.#plans.get(number);
      if (plan === undefined) {
        const ofCluster = analyzers === null ? undefined : new RawDocument(analyzers);
        plan = planOf(index.type, new RawDocument(definition), ofCluster);
        this.#plans.set(number, plan);
      }
      return work({ plan, segments: this.#segments(connection, number) });
    });
  }

  #segments(connection: Connection, generation: number): Segment[] {
    const rows = connection.all<[number, number, number, Uint8Array | null]>(
      'SELECT number, size, dead, deleted FROM segments WHERE generation = ? ORDER BY number',
      generation,
    );
    this.#forgetReplaced(generation, new Set(rows.map(([number]) => number)));
    return rows.map(
      ([number, size, dead, deleted]) =>
        new Segment({ number, size, dead, deleted: deleted ?? undefined }, connection, this.#cache),
    );
  }

  /** Releases the segments of a generation that other segments have replaced. */
  #forgetReplaced(generation: number, present: ReadonlySet<number>): void {
    const known = this.#known.get(generation) ?? new Set();
    const replaced = [...known].filter((number) => !present.has(number));
    if (replaced.length > 0) this.#cache.removeSegments(new Set(replaced));
    this.#known.set(generation, present);
  }

  /** Returns the states of all generations of an index, oldest first. */
  states(id: string): GenerationState[] {
    const states = this.#within((connection) =>
      connection
        .all<
          [
            number,
            number,
            number,
            Uint8Array,
            GenerationState['status'],
            string | null,
            number,
            number,
            number,
          ]
        >(
          `SELECT number, version, created, definition, status, message, position, documents,
             coalesce((SELECT sum(bytes) FROM segments WHERE generation = generations.number), 0)
           FROM generations WHERE ix = ? ORDER BY version`,
          id,
        )
        .map(([number, version, created, definition, status, message, position, documents, bytes]) => ({
          number,
          version,
          created,
          definition: new RawDocument(definition),
          status,
          message: message ?? undefined,
          position,
          documents,
          bytes,
        })),
    );
    return states ?? [];
  }

  /** Returns, by index id, the size of all generations of an index and the contents of the newest. */
  sizes(): Record<string, IndexSize> {
    const sizes = this.#within((connection) => {
      const found = new Map<string, IndexSize & { readonly version: number; readonly segments: number[] }>();
      const rows = connection.all<[string, number, number, number, number, number]>(
        `SELECT ix, version, documents, segments.number, segments.bytes, names
         FROM generations JOIN segments ON generation = generations.number ORDER BY version DESC`,
      );
      for (const [id, version, documents, segment, bytes, names] of rows) {
        const known = found.get(id) ?? { bytes: 0, documents, fields: 0, version, segments: [] };
        const newest = known.version === version;
        found.set(id, {
          ...known,
          bytes: known.bytes + bytes,
          fields: newest ? Math.max(known.fields, names) : known.fields,
          segments: newest ? [...known.segments, segment] : known.segments,
        });
      }
      let left = MAX_COUNTED;
      return [...found].map(([id, { bytes, documents, fields, segments }]) => {
        left -= fields * segments.length;
        return [
          id,
          { bytes, documents, fields: left < 0 ? fields : different(connection, segments) },
        ] as const;
      });
    });
    return Object.fromEntries(sizes ?? []);
  }

  /** Runs `work` in a read transaction. Nested calls share the transaction. */
  #within<T>(work: (connection: Connection) => T): T | undefined {
    this.#connection ??= readSearchFile(this.#dir, this.#key);
    const connection = this.#connection;
    if (connection === undefined) return undefined;
    if (this.#depth === 0) {
      connection.exec('BEGIN');
      this.#cache.begin();
    }
    this.#depth++;
    try {
      return work(connection);
    } finally {
      this.#depth--;
      if (this.#depth === 0) connection.exec('COMMIT');
    }
  }

  /** Releases the parts of the file that no search has used since the last call. */
  releaseUnused(): void {
    this.#cache.releaseUnused();
  }

  /** Releases memory. */
  shrink(): void {
    this.#cache.clear();
    this.#plans.clear();
    this.#known.clear();
  }

  /** The size of the cached parts in bytes. */
  get cachedBytes(): number {
    return this.#cache.bytes;
  }

  close(): void {
    this.shrink();
    this.#connection?.close();
    this.#connection = undefined;
  }
}
