import { closeSync, fsyncSync, openSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { Connection } from '../storage/connection.ts';
import { reseal } from '../storage/sealed-database.ts';
import { digestsOf } from './digests.ts';
import type { StageKeys } from './stage.ts';

/** Copies a file that nobody has open, with other encryption, and proves that the copy holds the same. */
export async function resealCopy(file: string, to: string, { from, into }: StageKeys): Promise<undefined> {
  settleLog(file, from);
  await copyFile(file, to);
  reseal(to, from, into);
  if (!isDeepStrictEqual(digestsOf(to, into), digestsOf(file, from)))
    throw new Error(`the copy of ${file} with other encryption differs from it`);
  const copy = openSync(to, 'r+');
  try {
    fsyncSync(copy);
  } finally {
    closeSync(copy);
  }
}

/** The last to close a file writes its log into it; one that was killed has not. */
function settleLog(file: string, key: Uint8Array | undefined): void {
  const connection = new Connection(file, { key });
  try {
    connection.get('SELECT count(*) FROM sqlite_schema');
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    connection.close();
  }
}
