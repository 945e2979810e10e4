import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { emptyDatabase } from '@portolan/test-support/databases';
import { sql } from 'kysely';
import type { ReadTx } from '../store.ts';
import { openTestStore } from '../testing.ts';

async function emptyFile(t: TestContext): Promise<string> {
  const database = await emptyDatabase.sqlite(t);
  assert.ok('file' in database);
  return database.file;
}

test('commits are synced to the disk, foreign keys are enforced, and readers do not wait', async (t) => {
  const store = await openTestStore(t, { file: await emptyFile(t) });
  const [journal, synchronous, keys] = await store.write(async (tx) => {
    const ask = async (pragma: string) =>
      (await sql.raw<object>(`PRAGMA ${pragma}`).execute(tx.from())).rows[0];
    return [await ask('journal_mode'), await ask('synchronous'), await ask('foreign_keys')];
  });
  // The value 2 of `synchronous` is FULL, which means that every commit syncs the log.
  assert.deepEqual(
    [journal, synchronous, keys],
    [{ journal_mode: 'wal' }, { synchronous: 2 }, { foreign_keys: 1 }],
  );
});

test('only writes that need a sync are synced', async (t) => {
  const store = await openTestStore(t, { file: await emptyFile(t) });
  const syncOf = async (tx: ReadTx) => {
    const asked = await sql.raw<{ synchronous: number }>('PRAGMA synchronous').execute(tx.from());
    return asked.rows[0]?.synchronous;
  };
  // Concurrent writes share one sync, so both see the value 2 (FULL). A group in which no write needs a sync sees the
  // value 1 (NORMAL). A write that needs a sync does not join such a group.
  const together = [store.write(syncOf, { synced: false }), store.write(syncOf)];
  assert.deepEqual(await Promise.all(together), [2, 2]);
  assert.equal(await store.write(syncOf, { synced: false }), 1);
  let late: Promise<unknown> = Promise.resolve();
  const early = await store.write(
    async (tx) => {
      late = store.write(syncOf);
      return syncOf(tx);
    },
    { synced: false },
  );
  assert.deepEqual([early, await late], [1, 2]);
});

test('reads cannot write', async (t) => {
  const store = await openTestStore(t, { file: await emptyFile(t) });
  const write = store.read((tx) => sql`delete from setting`.execute(tx.from()));
  await assert.rejects(write, { kind: 'readOnly' });
});

test('a damaged file, or one that is not a database, is reported in one sentence', async (t) => {
  const file = await emptyFile(t);
  writeFileSync(file, 'no database at all, but text that is long enough for a header'.repeat(100));
  await assert.rejects(openTestStore(t, { file }), {
    kind: 'damaged',
    message: `The database file ${file} is damaged or not a database`,
  });
});

test('a file that cannot be opened is reported in one sentence', async (t) => {
  const file = await emptyFile(t);
  const [missing, folder] = [join(dirname(file), 'missing', 'a.db'), join(dirname(file), 'folder')];
  mkdirSync(folder);
  for (const bad of [missing, folder]) {
    await assert.rejects(openTestStore(t, { file: bad }), {
      kind: 'unavailable',
      message: `The database file ${bad} cannot be read or written: unable to open database file`,
    });
  }
});

test('statements evicted from the cache still work', async (t) => {
  const store = await openTestStore(t, { file: await emptyFile(t) });
  for (let n = 0; n < 1200; n++) {
    const { rows } = await store.read((tx) =>
      sql<{ n: number }>`select ${sql.raw(`${n % 700}`)} as n`.execute(tx.from()),
    );
    assert.deepEqual(rows, [{ n: n % 700 }]);
  }
});
