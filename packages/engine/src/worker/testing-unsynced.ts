import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** This program acknowledges writes without syncing them. `sync.test.ts` must detect such writes. */
const [, , dir = ''] = process.argv;
const db = new DatabaseSync(join(dir, 'unsynced.db'));
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE t (n INTEGER)');
for (let n = 0; ; n++) {
  db.exec(`INSERT INTO t VALUES (${n})`);
  writeSync(1, `${n}\n`);
}
