import { RawDocument } from '../bson/raw.ts';
import type { Connection } from './connection.ts';

/** How a search index is defined; what is indexed lies in a file of its own. */
export interface SearchIndexRow {
  /** 24 hexadecimal digits. */
  readonly id: string;
  /** Of its collection. */
  readonly uuid: Uint8Array;
  readonly name: string;
  readonly type: SearchIndexType;
  /** As it was given. */
  readonly definition: RawDocument;
  /** Custom analyzers of the cluster that it may name besides its own: a document with an array of that name. */
  readonly analyzers?: RawDocument | undefined;
  /** Of the definition, from 0. */
  readonly version: number;
  /** When this version was given: milliseconds of service time. */
  readonly created: number;
}

export type SearchIndexType = 'search' | 'vectorSearch';

type Row = [string, Uint8Array, string, SearchIndexType, Uint8Array, Uint8Array | null, number, number];

const COLUMNS = 'id, uuid, name, type, definition, analyzers, version, created';

/** The search indexes of a cluster: a table in its file, so that they come and go with their collections. */
export class SearchIndexTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** In the order in which they were made. */
  all(): SearchIndexRow[] {
    return this.#connection.all<Row>(`SELECT ${COLUMNS} FROM search_indexes ORDER BY id`).map(rowOf);
  }

  of(uuid: Uint8Array): SearchIndexRow[] {
    const sql = `SELECT ${COLUMNS} FROM search_indexes WHERE uuid = ? ORDER BY id`;
    return this.#connection.all<Row>(sql, uuid).map(rowOf);
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

  /** Inside `write`: makes one, or takes the place of that with its id. */
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

  /** Inside `write`. */
  remove(id: string): void {
    this.#connection.run('DELETE FROM search_indexes WHERE id = ?', id);
  }

  /** Inside `write`: those of a collection go with it. */
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
