import { createHash } from 'node:crypto';
import { RawDocument } from '../bson/raw.ts';
import type { CollectionDigest } from '../interface/snapshot.ts';
import { VERSIONS } from '../parameters/parameters.ts';
import { Connection } from '../storage/file/connection.ts';
import { tableName } from '../storage/file/table-name.ts';
import { ID_NAME } from '../storage/indexes/id-uniqueness.ts';
import { OPLOG } from '../storage/oplog/name.ts';

/**
 * Returns a digest of each collection in the file. Omits the collections in `local`, which belong to single
 * members. Also omits the collection of the feature compatibility version, because its content depends on the
 * server that opens the file.
 */
export function digestsOf(file: string, key?: Uint8Array): CollectionDigest[] {
  const connection = new Connection(file, { readOnly: true, key });
  try {
    const rows = connection.all<[number, string, string, Uint8Array]>(
      `SELECT number, db, name, options FROM collections
       WHERE db <> ? AND (db, name) <> (?, ?) ORDER BY db, name`,
      OPLOG.database,
      VERSIONS.database,
      VERSIONS.collection,
    );
    return rows.map(([number, database, name, options]) => {
      return { database, name, ...digestOf(connection, number, options) };
    });
  } finally {
    connection.close();
  }
}

function digestOf(connection: Connection, number: number, options: Uint8Array) {
  const hash = createHash('sha256').update(options);
  const specs = connection.iterate<[Uint8Array]>(
    'SELECT spec FROM indexes WHERE collection = ? ORDER BY spec',
    number,
  );
  // Files of earlier versions lack the internal index on `_id`.
  for (const [spec] of specs) if (new RawDocument(spec).string('name') !== ID_NAME) hash.update(spec);
  let documents = 0;
  for (const [doc] of connection.iterate<[Uint8Array]>(`SELECT doc FROM ${tableName(number)} ORDER BY rid`)) {
    hash.update(doc);
    documents++;
  }
  return { documents, digest: hash.digest('hex') };
}
