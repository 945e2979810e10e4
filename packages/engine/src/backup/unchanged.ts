import { hash } from 'node:crypto';
import { join } from 'node:path';
import { encodeOplogFrame, type OplogMark, type OplogPosition } from '../interface/oplog.ts';
import { Connection } from '../storage/file/connection.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { tableName } from '../storage/file/table-name.ts';
import { positionOfParts } from '../storage/oplog/position.ts';

const NUMBER = "SELECT number FROM collections WHERE db = 'local' AND name = 'oplog.rs'";

/**
 * If `after` is the newest entry of the oplog, returns the frames of an empty part of the oplog. Otherwise
 * returns undefined. Takes a millisecond and loads little code, because it is called periodically for idle
 * clusters.
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
