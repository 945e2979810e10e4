import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { type Fitting, misfit } from '../fitting.ts';
import { FINGERPRINT } from '../settings.ts';

interface Wanted extends Fitting {
  /** Whether every page of it is looked at, which takes a second per gigabyte or so. */
  readonly whole?: boolean;
}

/** What is wrong with the file of a store, which nobody writes to: nothing for one that can be read, and is as it is wanted. */
export function faultOfDatabase(file: string, wanted: Wanted = {}): string | undefined {
  // Else SQLite makes files beside one whose journal is a write-ahead log, to read it as well.
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  try {
    const db = new DatabaseSync(url, { readOnly: true });
    try {
      return faultIn(db, wanted);
    } finally {
      db.close();
    }
  } catch {
    return 'is damaged';
  }
}

function faultIn(db: DatabaseSync, { whole, ...fitting }: Wanted): string | undefined {
  if (!db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'migration'`).get())
    return 'is no database of the service';
  if (whole && db.prepare('PRAGMA quick_check(1)').get()?.quick_check !== 'ok') return 'is damaged';
  const newest = Number(db.prepare('SELECT max(number) AS number FROM migration').get()?.number);
  const fingerprint = fingerprintIn(db);
  return misfit({ newest, fingerprint }, fitting);
}

/** A database that was only begun has no settings yet. */
function fingerprintIn(db: DatabaseSync): string | undefined {
  if (!db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'setting'`).get()) return undefined;
  const row = db.prepare('SELECT plain FROM setting WHERE name = ?').get(FINGERPRINT);
  return typeof row?.plain === 'string' ? row.plain : undefined;
}
