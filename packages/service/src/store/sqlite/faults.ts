import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { type Fitting, misfit } from '../fitting.ts';
import { FINGERPRINT } from '../settings.ts';

interface Wanted extends Fitting {
  /** Whether to check every page, which takes about one second per gigabyte. */
  readonly whole?: boolean;
}

/**
 * Returns what is wrong with the file of a store; undefined if the file is readable and meets the requirements. Nothing
 * may write to the file at the same time.
 */
export function faultOfDatabase(file: string, wanted: Wanted = {}): string | undefined {
  // Open the file as immutable. Otherwise, SQLite creates other files beside a database in WAL mode, even if it only
  // reads.
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
    return 'is not a database of the service';
  if (whole && db.prepare('PRAGMA quick_check(1)').get()?.quick_check !== 'ok') return 'is damaged';
  const newest = Number(db.prepare('SELECT max(number) AS number FROM migration').get()?.number);
  const fingerprint = fingerprintIn(db);
  return misfit({ newest, fingerprint }, fitting);
}

/** Returns the stored fingerprint. Undefined if the first start was interrupted before it created the settings. */
function fingerprintIn(db: DatabaseSync): string | undefined {
  if (!db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'setting'`).get()) return undefined;
  const row = db.prepare('SELECT plain FROM setting WHERE name = ?').get(FINGERPRINT);
  return typeof row?.plain === 'string' ? row.plain : undefined;
}
