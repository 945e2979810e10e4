import { closeSync, fsyncSync, openSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { Connection } from '../storage/file/connection.ts';
import { reseal } from '../storage/file/sealed-database.ts';
import { digestsOf } from './digests.ts';
import type { StageKeys } from './stage.ts';

/** Copies a closed file, encrypts the copy with another key, and verifies that both have the same content. */
export async function resealCopy(file: string, to: string, { from, into }: StageKeys): Promise<undefined> {
  settleLog(file, from);
  await copyFile(file, to);
  reseal(to, from, into);
  if (!isDeepStrictEqual(digestsOf(to, into), digestsOf(file, from)))
    throw new Error(`the re-encrypted copy of ${file} differs from it`);
  const copy = openSync(to, 'r+');
  try {
    fsyncSync(copy);
  } finally {
    closeSync(copy);
  }
}

/** Checkpoints a WAL that a killed process has left behind. After a clean close there is no WAL. */
function settleLog(file: string, key: Uint8Array | undefined): void {
  const connection = new Connection(file, { key });
  try {
    connection.get('SELECT count(*) FROM sqlite_schema');
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    connection.close();
  }
}
