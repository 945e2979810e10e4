import { hash } from 'node:crypto';
import { join } from 'node:path';
import { encodeOplogFrame, type OplogMark, type OplogPosition } from '../interface/oplog.ts';
import { Connection } from '../storage/connection.ts';
import { FILE_NAME } from '../storage/format.ts';
import { positionOfParts } from '../storage/oplog/position.ts';
import { tableName } from '../storage/table-name.ts';

const NUMBER = "SELECT number FROM collections WHERE db = 'local' AND name = 'oplog.rs'";

/**
 * The frames of an oplog where an entry is its newest. Found out in a millisecond, with nothing loaded: it is asked for
 * again and again of clusters to which nothing is written.
 */
export function unchangedOplog(
  directory: string,
  after: OplogMark | OplogPosition,
  key?: Uint8Array,
): Uint8Array | undefined {
  if (!('digest' in after) || newestDigest({ directory, key }, positionOfParts(after)) !== after.digest)
    return undefined;
  const head = encodeOplogFrame({ kind: 'head', head: { format: 1, after, whole: true } });
  return Buffer.concat([head, encodeOplogFrame({ kind: 'end', to: after })]);
}

function newestDigest(
  { directory, key }: { readonly directory: string; readonly key: Uint8Array | undefined },
  position: number,
): string | undefined {
  const connection = new Connection(join(directory, FILE_NAME), { readOnly: true, key });
  try {
    const [number = 0] = connection.get<[number]>(NUMBER) ?? [];
    const sql = `SELECT rid, doc FROM ${tableName(number)} ORDER BY rid DESC LIMIT 1`;
    const [rid, doc] = connection.get<[number, Uint8Array]>(sql) ?? [];
    return rid === position && doc !== undefined ? hash('sha256', doc, 'hex') : undefined;
  } finally {
    connection.close();
  }
}
