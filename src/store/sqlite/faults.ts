import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { storeMigrations } from '../migrations.ts';
import { FINGERPRINT } from '../settings.ts';
import type { Migration } from '../store.ts';

interface Wanted {
  /** Whether every page of it is looked at, which takes a second per gigabyte or so. */
  readonly whole?: boolean;
  /** All that this version knows, but the store's own. */
  readonly migrations?: readonly Migration[];
  /** That of the secret key which is to open what it has sealed. */
  readonly fingerprint?: string;
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

function faultIn(db: DatabaseSync, { whole, migrations, fingerprint }: Wanted): string | undefined {
  if (!db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'migration'`).get())
    return 'is no database of the service';
  if (whole && db.prepare('PRAGMA quick_check(1)').get()?.quick_check !== 'ok') return 'is damaged';
  if (migrations !== undefined) {
    const newest = Math.max(...[...storeMigrations, ...migrations].map(({ number }) => number));
    if (db.prepare('SELECT 1 FROM migration WHERE number > ?').get(newest))
      return 'was written by a newer version of Portolan';
  }
  if (fingerprint === undefined) return undefined;
  const stored = db.prepare('SELECT plain FROM setting WHERE name = ?').get(FINGERPRINT)?.plain;
  return stored === undefined || stored === JSON.stringify(fingerprint)
    ? undefined
    : 'was written with another secret key';
}
