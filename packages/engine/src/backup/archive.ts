import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { WrappedKey } from '@portolan/foundation/keys/wrapped-key';
import { RawDocument } from '../bson/raw.ts';
import { encodeOplogFrame, type OplogMark, type OplogPosition } from '../interface/oplog.ts';
import { checkDocument } from '../storage/file/checksum.ts';
import { Connection } from '../storage/file/connection.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { partsOfPosition, positionOfParts } from '../storage/oplog/position.ts';
import { oplogTable } from './copy.ts';
import { type OplogRow, packRows, SEGMENT_BYTES } from './segments.ts';

export interface ArchiveRequest {
  /** The directory of the cluster. */
  readonly directory: string;
  /**
   * Reading starts after this entry. If it is undefined, reading starts after the newest entry, so the result
   * contains only the position of the newest entry.
   */
  readonly after: OplogMark | OplogPosition | undefined;
  /** Set if the file is encrypted: its key, both unwrapped and wrapped with the master key. */
  readonly encryption?: { readonly key: Uint8Array; readonly wrapped: WrappedKey } | undefined;
}

/** Yields the entries of a cluster's oplog after a given entry, as frames. Does not block writers. */
export function* readOplog({ directory, after, encryption }: ArchiveRequest): Generator<Uint8Array> {
  const oplog = new ArchivedOplog(join(directory, FILE_NAME), encryption?.key);
  try {
    const found = after === undefined ? undefined : oplog.find(after);
    let last = found ?? oplog.newest();
    const head = { format: 1, after: markOf(last), whole: found !== undefined } as const;
    yield encodeOplogFrame({ kind: 'head', head });
    for (let rows = oplog.behind(last); rows.length > 0; rows = oplog.behind(last)) {
      const to = rows.at(-1) as OplogRow;
      const { content, hash: name } = packRows(rows, encryption?.key);
      const key = encryption === undefined ? {} : { key: encryption.wrapped };
      const segment = { hash: name, after: markOf(last), to: markOf(to), ...key };
      yield encodeOplogFrame({ kind: 'segment', segment, content });
      last = to;
    }
    yield encodeOplogFrame({ kind: 'end', to: markOf(last) });
  } finally {
    oplog.close();
  }
}

/** Returns the newest entry in the oplog of a cluster's file. */
export function newestMark(file: string, key: Uint8Array | undefined): OplogMark {
  const oplog = new ArchivedOplog(file, key);
  try {
    return markOf(oplog.newest());
  } finally {
    oplog.close();
  }
}

export function markOf({ rid, doc }: OplogRow): OplogMark {
  return { ...partsOfPosition(rid), digest: hash('sha256', doc.toBytes(), 'hex') };
}

type Row = [number, Uint8Array, number | null];

/** Reads the rows of an oplog concurrently with its writer. */
class ArchivedOplog {
  readonly #connection: Connection;
  readonly #table: string;

  constructor(file: string, key: Uint8Array | undefined) {
    this.#connection = new Connection(file, { readOnly: true, key });
    this.#table = oplogTable(this.#connection);
  }

  /**
   * Returns the row of an entry. Returns undefined if the oplog no longer contains the entry, or if the digest of the
   * entry differs from the digest in `after`.
   */
  find(after: OplogMark | OplogPosition): OplogRow | undefined {
    const sql = `SELECT rid, doc, checksum FROM ${this.#table} WHERE rid = ?`;
    const row = this.#connection.get<Row>(sql, positionOfParts(after));
    const found = row && this.#checked(row);
    if (found === undefined || !('digest' in after)) return found;
    return markOf(found).digest === after.digest ? found : undefined;
  }

  newest(): OplogRow {
    const sql = `SELECT rid, doc, checksum FROM ${this.#table} ORDER BY rid DESC LIMIT 1`;
    const row = this.#connection.get<Row>(sql);
    if (row === undefined) throw new Error('the oplog is empty');
    return this.#checked(row);
  }

  /**
   * Returns the rows of the next segment. Throws if the oplog no longer contains all entries after `last`.
   */
  behind(last: OplogRow): OplogRow[] {
    const sql = `SELECT rid, doc, checksum FROM ${this.#table} WHERE rid >= ? ORDER BY rid`;
    const rows: OplogRow[] = [];
    let [bytes, first] = [0, true];
    for (const row of this.#connection.iterate<Row>(sql, last.rid)) {
      if (first && row[0] !== last.rid) break;
      if (!first) {
        const next = this.#checked(row);
        rows.push(next);
        bytes += next.doc.length;
      }
      first = false;
      if (bytes >= SEGMENT_BYTES) break;
    }
    if (first) throw new Error('the oplog was trimmed while it was read');
    return rows;
  }

  #checked([rid, bytes, checksum]: Row): OplogRow {
    checkDocument(bytes, checksum, { file: this.#connection.file, table: this.#table, rid });
    return { rid, doc: new RawDocument(bytes) };
  }

  close(): void {
    this.#connection.close();
  }
}
