import { RawDocument } from '../bson/raw.ts';
import type { Connection } from './file/connection.ts';

/** The definition of a search index; the indexed data is in a separate file. */
export interface SearchIndexRow {
  /** The id of the index: 24 hexadecimal digits. */
  readonly id: string;
  /** The UUID of the collection. */
  readonly uuid: Uint8Array;
  readonly name: string;
  readonly type: SearchIndexType;
  /** The definition as the caller sent it. */
  readonly definition: RawDocument;
  /** The custom analyzers of the cluster, to which the definition may refer: a document with an array `analyzers`. */
  readonly analyzers?: RawDocument | undefined;
  /** The version of the definition, from 0. */
  readonly version: number;
  /** The time at which this version was created, in milliseconds of service time. */
  readonly created: number;
}

export type SearchIndexType = 'search' | 'vectorSearch';

type Row = [string, Uint8Array, string, SearchIndexType, Uint8Array, Uint8Array | null, number, number];

const COLUMNS = 'id, uuid, name, type, definition, analyzers, version, created';

/**
 * The definitions of all search indexes of a cluster. The table is in the data file, so that it changes in the same
 * transactions as collections.
 */
export class SearchIndexTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Returns all search indexes in the order of creation. */
  all(): SearchIndexRow[] {
    return this.#connection.all<Row>(`SELECT ${COLUMNS} FROM search_indexes ORDER BY id`).map(rowOf);
  }

  /** Returns the search indexes of a collection; with `after`, only those that follow this id. */
  of(uuid: Uint8Array, after: string | null = null): SearchIndexRow[] {
    const sql = `SELECT ${COLUMNS} FROM search_indexes WHERE uuid = ?1 AND (?2 IS NULL OR id > ?2) ORDER BY id`;
    return this.#connection.all<Row>(sql, uuid, after).map(rowOf);
  }

  /** Returns the number of search indexes, and the size of their definitions in bytes. */
  totals(): { readonly count: number; readonly bytes: number } {
    const [count, bytes] = this.#connection.get<[number, number]>(
      'SELECT count(*), coalesce(sum(length(definition) + coalesce(length(analyzers), 0)), 0) FROM search_indexes',
    ) ?? [0, 0];
    return { count, bytes };
  }

  byId(id: string): SearchIndexRow | undefined {
    const row = this.#connection.get<Row>(`SELECT ${COLUMNS} FROM search_indexes WHERE id = ?`, id);
    return row && rowOf(row);
  }

  named(uuid: Uint8Array, name: string): SearchIndexRow | undefined {
    const sql = `SELECT ${COLUMNS} FROM search_indexes WHERE uuid = ? AND name = ?`;
    const row = this.#connection.get<Row>(sql, uuid, name);
    return row && rowOf(row);
  }

  /** Must run inside `write`. Inserts a row, or replaces the row with the same id. */
  save({ id, uuid, name, type, definition, analyzers, version, created }: SearchIndexRow): void {
    this.#connection.run(
      `INSERT OR REPLACE INTO search_indexes (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      uuid,
      name,
      type,
      definition.toBytes(),
      analyzers?.toBytes() ?? null,
      version,
      created,
    );
  }

  /** Must run inside `write`. Deletes a row. */
  remove(id: string): void {
    this.#connection.run('DELETE FROM search_indexes WHERE id = ?', id);
  }

  /** Must run inside `write`. Deletes the indexes of a dropped collection. */
  forget(uuid: Uint8Array): void {
    this.#connection.run('DELETE FROM search_indexes WHERE uuid = ?', uuid);
  }
}

function rowOf([id, uuid, name, type, definition, analyzers, version, created]: Row): SearchIndexRow {
  return {
    id,
    uuid,
    name,
    type,
    definition: new RawDocument(definition),
    analyzers: analyzers === null ? undefined : new RawDocument(analyzers),
    version,
    created,
  };
}
