import { steps } from '../../bson/turns.ts';
import type { Connection } from '../../storage/file/connection.ts';
import type { ByteCache } from './cache.ts';
import {
  decodePoints,
  decodePositions,
  decodePostings,
  decodeStrings,
  hasBit,
  type Points,
  type Postings,
} from './codec.ts';
import type { PartKind } from './segment-builder.ts';

/** The number of steps that each read from the file adds to the cost of a search. A read takes about 5 µs. */
const READ = 256;
/** The number of steps that each term of a field adds. It takes about 0.5 µs. */
const TERM = 32;
/** Maximum numbers of terms and of bytes in one read from the file. During a read, no other operation can run. */
const BATCH = 500;
const BATCH_BYTES = 1 << 18;

/** If at least one of this many terms is wanted, their postings are read together rather than one by one. */
const FEW = 8;

/** The number of the field in the file whose terms are the names of all fields. */
export const NAMES = -1;
/** Maximum number of names in one read. A name can have 8,000 characters. */
const NAMES_AT_ONCE = 64;
/** The approximate memory of the number of a field besides its name, in bytes. */
const NAME_BYTES = 200;

type StoredTerm = readonly [term: string, count: number, docs: Uint8Array];

interface SegmentRow {
  readonly number: number;
  readonly size: number;
  readonly dead: number;
  readonly deleted: Uint8Array | undefined;
}

export interface Spans {
  readonly spans: readonly Uint8Array[];
  readonly docs: Int32Array;
}

/** Reads a segment. The contents of a segment never change, except that documents may be marked as deleted. */
export class Segment {
  readonly number: number;
  /** Number of documents, including embedded and deleted ones. */
  readonly size: number;
  readonly dead: number;
  readonly #deleted: Uint8Array | undefined;
  readonly #connection: Connection;
  readonly #cache: ByteCache;
  #keys: readonly Uint8Array[] | undefined;
  #parents: { readonly all: Int32Array | undefined } | undefined;

  constructor(row: SegmentRow, connection: Connection, cache: ByteCache) {
    this.number = row.number;
    this.size = row.size;
    this.dead = row.dead;
    this.#deleted = row.deleted;
    this.#connection = connection;
    this.#cache = cache;
  }

  lives(doc: number): boolean {
    return this.#deleted === undefined || !hasBit(this.#deleted, doc);
  }

  /** Yields the names of the fields that begin with a prefix. All names together can be too large for the memory. */
  *fields(prefix: string): Generator<string> {
    for (const batch of this.#batches(NAMES, prefix, `${prefix}\u{10ffff}`, NAMES_AT_ONCE)) {
      for (const name of batch) {
        steps(TERM);
        yield name;
      }
    }
  }

  has(field: string): boolean {
    return this.#numberOf(field) !== undefined;
  }

  #numberOf(field: string): number | undefined {
    return this.#cache.get(this.number, `number ${field}`, () => {
      steps(READ);
      const row = this.#connection.get<[number]>(
        'SELECT count FROM terms WHERE segment = ? AND field = ? AND term = ?',
        this.number,
        NAMES,
        field,
      );
      return { value: row?.[0], bytes: NAME_BYTES + 4 * field.length };
    });
  }

  postings(field: string, term: string): Postings | undefined {
    const number = this.#numberOf(field);
    if (number === undefined) return undefined;
    steps(READ);
    const row = this.#connection.get<[number, Uint8Array]>(
      'SELECT count, docs FROM terms WHERE segment = ? AND field = ? AND term = ?',
      this.number,
      number,
      term,
    );
    return row && decodePostings(row[1], row[0]);
  }

  positions(field: string, term: string, postings: Postings): readonly Int32Array[] {
    steps(READ);
    const row = this.#connection.get<[Uint8Array | null]>(
      'SELECT positions FROM terms WHERE segment = ? AND field = ? AND term = ?',
      this.number,
      this.#numberOf(field) ?? -1,
      term,
    );
    return row?.[0] ? decodePositions(row[0], postings) : [];
  }

  /** Yields the terms of a field in byte order, from `low` to `high` if given. */
  *terms(field: string, low = '', high?: string): Generator<string> {
    const number = this.#numberOf(field);
    if (number === undefined) return;
    for (const batch of this.#batches(number, low, high)) {
      for (const term of batch) {
        steps(TERM);
        yield term;
      }
    }
  }

  *#batches(
    number: number,
    low: string,
    high: string | undefined,
    most = BATCH,
  ): Generator<readonly string[]> {
    const sql = (from: '>' | '>=') =>
      `SELECT term FROM terms WHERE segment = ? AND field = ? AND term ${from} ?${high === undefined ? '' : ' AND term <= ?'} ORDER BY term LIMIT ${most}`;
    const ends = high === undefined ? [] : [high];
    let rows = this.#connection.all<[string]>(sql('>='), this.number, number, low, ...ends);
    while (rows.length > 0) {
      steps(READ);
      yield rows.map(([term]) => term);
      if (rows.length < most) return;
      const last = rows.at(-1)?.[0] ?? '';
      rows = this.#connection.all<[string]>(sql('>'), this.number, number, last, ...ends);
    }
  }

  /** Yields the terms of a field that pass a test, from `low` to `high` if given, with their postings. */
  *postingsOf(
    field: string,
    test: (term: string) => boolean,
    low = '',
    high?: string,
  ): Generator<readonly [term: string, postings: Postings]> {
    const number = this.#numberOf(field);
    if (number === undefined) return;
    for (const batch of this.#batches(number, low, high)) {
      const wanted = new Set<string>();
      for (const term of batch) {
        steps(TERM);
        if (test(term)) wanted.add(term);
      }
      if (wanted.size * FEW > batch.length) {
        for (const one of this.allPostings(field, batch[0], batch.at(-1))) if (wanted.has(one[0])) yield one;
        continue;
      }
      for (const term of wanted) {
        const postings = this.postings(field, term);
        if (postings !== undefined) yield [term, postings];
      }
    }
  }

  /** Yields all terms of a field with their postings, from `low` to `high` if given. */
  *allPostings(
    field: string,
    low = '',
    high?: string,
  ): Generator<readonly [term: string, postings: Postings]> {
    const number = this.#numberOf(field);
    if (number === undefined) return;
    let rows = this.#postingsFrom(number, '>=', low, high);
    while (rows.length > 0) {
      for (const [term, count, docs] of rows) {
        steps(TERM);
        yield [term, decodePostings(docs, count)];
      }
      rows = this.#postingsFrom(number, '>', rows.at(-1)?.[0] ?? '', high);
    }
  }

  /**
   * Reads the next terms of a field with their postings, as stored. Returns fewer terms if their postings are large.
   */
  #postingsFrom(field: number, from: '>' | '>=', term: string, high: string | undefined): StoredTerm[] {
    const sql = `SELECT term, count, docs FROM terms WHERE segment = ? AND field = ? AND term ${from} ?${high === undefined ? '' : ' AND term <= ?'} ORDER BY term LIMIT ${BATCH}`;
    const ends = high === undefined ? [] : [high];
    const rows: StoredTerm[] = [];
    let bytes = 0;
    for (const row of this.#connection.iterate<StoredTerm>(sql, this.number, field, term, ...ends)) {
      rows.push(row);
      bytes += row[2].length;
      if (bytes >= BATCH_BYTES) break;
    }
    steps(READ);
    return rows;
  }

  lengths(field: string): Int32Array | undefined {
    return this.#part('lengths', field, (data) => {
      const count = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
      const { docs, freqs } = decodePostings(data.subarray(4), count);
      const lengths = new Int32Array(this.size);
      for (let i = 0; i < count; i++) lengths[docs[i] as number] = freqs[i] as number;
      return { value: lengths, bytes: lengths.byteLength };
    });
  }

  points(field: string): Points | undefined {
    return this.#part('points', field, (data) => ({ value: decodePoints(data), bytes: data.length }));
  }

  spans(field: string): Spans | undefined {
    const docs = this.#part('owners', field, (data) => ({
      value: new Int32Array(new Uint8Array(data).buffer),
      bytes: data.length,
    }));
    const spans = this.#part('spans', field, (data) => ({
      value: decodeStrings(data.slice()),
      bytes: data.length,
    }));
    return docs && spans && { docs, spans };
  }

  /** Returns the vectors of a field in one array, and the document number of each. */
  vectors(field: string): { readonly values: Float32Array; readonly docs: Int32Array } | undefined {
    const docs = this.#part('owners', field, (data) => ({
      value: new Int32Array(new Uint8Array(data).buffer),
      bytes: data.length,
    }));
    const values = this.#part(
      'spans',
      `${field}`,
      (data) => {
        const head = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
        const own = new Float32Array(data.slice(4 + head).buffer);
        return { value: own, bytes: data.length };
      },
      'vectors',
    );
    return docs && values && { docs, values };
  }

  /**
   * Returns the key of each document of the collection. The result is cached, because callers read the keys even
   * after the file has changed.
   */
  keys(): readonly Uint8Array[] {
    this.#keys ??= this.#part('keys', undefined, (data) => ({
      value: decodeStrings(data.slice()),
      bytes: data.length + this.size * 100,
    })) as readonly Uint8Array[];
    return this.#keys;
  }

  /**
   * Returns the number of each document's enclosing document, -1 for documents of the collection. Returns undefined if
   * the segment has no embedded documents.
   */
  parents(): Int32Array | undefined {
    this.#parents ??= {
      all: this.#part('parents', undefined, (data) => ({
        value: new Int32Array(new Uint8Array(data).buffer),
        bytes: data.length,
      })),
    };
    return this.#parents.all;
  }

  #part<T>(
    kind: PartKind,
    field: string | undefined,
    decode: (data: Uint8Array) => { readonly value: T; readonly bytes: number },
    as: string = kind,
  ): T | undefined {
    const number = field === undefined ? -1 : this.#numberOf(field);
    if (number === undefined) return undefined;
    return this.#cache.get<T | undefined>(this.number, `${as} ${number}`, () => {
      const row = this.#connection.get<[Uint8Array]>(
        'SELECT data FROM parts WHERE segment = ? AND kind = ? AND field = ?',
        this.number,
        kind,
        number,
      );
      return row === undefined ? { value: undefined, bytes: 0 } : decode(row[0]);
    });
  }
}
