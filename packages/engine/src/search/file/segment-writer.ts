import type { Connection } from '../../storage/file/connection.ts';
import { setBit } from './codec.ts';
import { NAMES } from './segment.ts';
import type { SegmentBuilder } from './segment-builder.ts';

/** The documents to mark as deleted, by segment. */
type Marks = Map<number, number[]>;

/** Number of rows that are written before yielding. This takes some tens of milliseconds. */
const AT_ONCE = 2_000;
/** Number of bytes that take as long to write as a row. */
const ROW_BYTES = 1_024;
/** Number of rows that are deleted before yielding. A row can have 60 kB and more. */
const DELETED_AT_ONCE = 100;
/** The same number for documents, each of which takes several statements. */
const DOCUMENTS_AT_ONCE = 500;

/**
 * Writes a segment and marks replaced and removed documents as deleted. Must run in a transaction, which may stay open
 * while the generator yields.
 */
export function* writeSegment(
  connection: Connection,
  generation: number,
  builder: SegmentBuilder,
  gone: Iterable<Uint8Array>,
): Generator<void> {
  const marks: Marks = new Map();
  let handled = 0;
  for (const key of gone) {
    unplace(connection, generation, key, marks);
    if (++handled % DOCUMENTS_AT_ONCE === 0) yield;
  }
  const living = [...builder.places()];
  if (living.length > 0) {
    const segment = yield* insertSegment(connection, generation, builder);
    for (const [key, number] of living) {
      unplace(connection, generation, key, marks);
      connection.run(
        'INSERT INTO places (generation, key, segment, number) VALUES (?, ?, ?, ?)',
        generation,
        key,
        segment,
        number,
      );
      if (++handled % DOCUMENTS_AT_ONCE === 0) yield;
    }
    connection.run(
      'UPDATE generations SET documents = documents + ? WHERE number = ?',
      living.length,
      generation,
    );
  }
  for (const [segment, numbers] of marks) markDeleted(connection, segment, numbers);
}

function unplace(connection: Connection, generation: number, key: Uint8Array, marks: Marks): void {
  const place = connection.get<[number, number]>(
    'SELECT segment, number FROM places WHERE generation = ? AND key = ?',
    generation,
    key,
  );
  if (place === undefined) return;
  const [segment, number] = place;
  connection.run('DELETE FROM places WHERE generation = ? AND key = ?', generation, key);
  connection.run('UPDATE generations SET documents = documents - 1 WHERE number = ?', generation);
  const numbers = marks.get(segment);
  if (numbers === undefined) marks.set(segment, [number]);
  else numbers.push(number);
}

const noBytes = new Uint8Array(0);

/** Stores the names of the fields of a segment. */
function* insertNames(connection: Connection, segment: number, names: readonly string[]): Generator<void> {
  let written = 0;
  for (const [number, name] of names.entries()) {
    connection.run(
      'INSERT INTO terms (segment, field, term, count, docs) VALUES (?, ?, ?, ?, ?)',
      segment,
      NAMES,
      name,
      number,
      noBytes,
    );
    written += 1 + name.length / ROW_BYTES;
    if (written < AT_ONCE) continue;
    written = 0;
    yield;
  }
}

function* insertSegment(
  connection: Connection,
  generation: number,
  builder: SegmentBuilder,
): Generator<void, number> {
  const { dead, size, roots } = builder;
  const fields = builder.fields();
  let deleted: Uint8Array | null = null;
  if (dead.size > 0) {
    deleted = new Uint8Array((size + 7) >> 3);
    for (const number of dead) setBit(deleted, number);
  }
  const { rid: segment } = connection.run(
    'INSERT INTO segments (generation, size, roots, dead, deleted, names, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)',
    generation,
    size,
    roots,
    roots - [...builder.places()].length,
    deleted,
    fields.length,
    builder.bytes,
  );
  yield* insertNames(connection, segment, fields);
  let written = 0;
  for (const encoded of builder.terms()) {
    if (encoded === undefined || written >= AT_ONCE) {
      written = 0;
      yield;
    }
    if (encoded === undefined) continue;
    const { field, term, count, docs, positions } = encoded;
    written += 1 + (term.length + docs.length + (positions?.length ?? 0)) / ROW_BYTES;
    connection.run(
      'INSERT INTO terms (segment, field, term, count, docs, positions) VALUES (?, ?, ?, ?, ?, ?)',
      segment,
      field,
      term,
      count,
      docs,
      positions,
    );
  }
  for (const part of builder.parts()) {
    if (part === undefined || written >= AT_ONCE) {
      written = 0;
      yield;
    }
    if (part === undefined) continue;
    const { kind, field, data } = part;
    written += 1 + data.length / ROW_BYTES;
    connection.run(
      'INSERT INTO parts (segment, kind, field, data) VALUES (?, ?, ?, ?)',
      segment,
      kind,
      field,
      data,
    );
  }
  return segment;
}

function markDeleted(connection: Connection, segment: number, numbers: readonly number[]): void {
  const row = connection.get<[number, number, number, Uint8Array | null]>(
    'SELECT size, roots, dead, deleted FROM segments WHERE number = ?',
    segment,
  );
  if (row === undefined) return;
  const [size, roots, dead, before] = row;
  if (dead + numbers.length >= roots) {
    removeSegment(connection, segment);
    return;
  }
  const deleted = before === null ? new Uint8Array((size + 7) >> 3) : before.slice();
  const parents = parentsOf(connection, segment);
  for (const number of numbers) {
    setBit(deleted, number);
    if (parents === undefined) continue;
    for (let at = number + 1; at < size && (parents[at] as number) >= number; at++) setBit(deleted, at);
  }
  connection.run(
    'UPDATE segments SET dead = dead + ?, deleted = ? WHERE number = ?',
    numbers.length,
    deleted,
    segment,
  );
}

export function parentsOf(connection: Connection, segment: number): Int32Array | undefined {
  const row = connection.get<[Uint8Array]>(
    `SELECT data FROM parts WHERE segment = ? AND kind = 'parents' AND field = -1`,
    segment,
  );
  return row && new Int32Array(new Uint8Array(row[0]).buffer);
}

/** Removes a segment. `deleteRemoved` later deletes its terms and parts, because it may have millions. */
function removeSegment(connection: Connection, segment: number): void {
  connection.run('DELETE FROM segments WHERE number = ?', segment);
}

/** Yields the numbers of the segments in a table that have been removed. Reads one row per segment. */
const removed = (table: 'terms' | 'parts') => `
  WITH RECURSIVE found (segment) AS (
    SELECT min(segment) FROM ${table}
    UNION ALL
    SELECT (SELECT min(segment) FROM ${table} WHERE segment > found.segment) FROM found WHERE segment IS NOT NULL
  )
  SELECT segment FROM found WHERE segment IS NOT NULL AND segment NOT IN (SELECT number FROM segments)`;

const deletions = {
  terms: `DELETE FROM terms WHERE segment = ?1 AND (field, term) IN
    (SELECT field, term FROM terms WHERE segment = ?1 LIMIT ${DELETED_AT_ONCE})`,
  parts: `DELETE FROM parts WHERE segment = ?1 AND (kind, field) IN
    (SELECT kind, field FROM parts WHERE segment = ?1 LIMIT ${DELETED_AT_ONCE})`,
} as const;

/** Deletes the terms and parts of removed segments. Must not run in a transaction. */
export function* deleteRemoved(connection: Connection): Generator<void> {
  for (const table of ['terms', 'parts'] as const) {
    for (const [segment] of connection.all<[number]>(removed(table)))
      while (connection.run(deletions[table], segment).changes > 0) yield;
  }
}

/** Deletes a generation. Must run in a transaction. */
export function removeGeneration(connection: Connection, generation: number): void {
  removeContents(connection, generation);
  connection.run('DELETE FROM generations WHERE number = ?', generation);
}

/** Deletes all documents of a generation. Must run in a transaction. */
export function removeContents(connection: Connection, generation: number): void {
  const segments = connection.all<[number]>('SELECT number FROM segments WHERE generation = ?', generation);
  for (const [segment] of segments) removeSegment(connection, segment);
  connection.run('DELETE FROM places WHERE generation = ?', generation);
}
