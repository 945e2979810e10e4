import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type { Migration, Store } from '../store.ts';
import { openTestStore } from '../testing.ts';

const table = (number: number, name: string): Migration => ({
  number,
  name,
  up: (schema) => schema.run(`CREATE TABLE ${name} (id {text} PRIMARY KEY) {strict}`),
});

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Returns a database that contains only the first of two tables. */
async function emptyDatabase(t: TestContext, folder: string): Promise<string> {
  const file = join(folder, 'empty.sqlite');
  await (await openTestStore(t, { file }, { migrations: [table(901, 'a')] })).close();
  return file;
}

const tablesOf = (store: Store) =>
  store.read(async (tx) => {
    const named = sql<{
      name: string;
    }>`select name from sqlite_schema where name in ('a', 'b') order by name`;
    return (await named.execute(tx.from())).rows.map(({ name }) => name);
  });

test('a new database is a copy of the empty one, private to its owner, with missing migrations applied', async (t) => {
  const folder = newFolder(t);
  const empty = await emptyDatabase(t, folder);
  const file = join(folder, 'new.sqlite');
  // The file is empty, as after a start that was interrupted before it wrote anything.
  writeFileSync(file, '');
  const made: string[] = [];
  const noted = (migration: Migration): Migration => ({
    ...migration,
    async up(schema) {
      made.push(migration.name);
      await migration.up(schema);
    },
  });
  const migrations = [table(901, 'a'), table(902, 'b')].map(noted);
  const store = await openTestStore(t, { file, empty }, { migrations });
  assert.deepEqual(made, ['b']);
  assert.deepEqual(await tablesOf(store), ['a', 'b']);
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('an existing database is not replaced, and a missing template is ignored', async (t) => {
  const folder = newFolder(t);
  const file = join(folder, 'own.sqlite');
  const migrations = [table(902, 'b')];
  const own = await openTestStore(t, { file, empty: join(folder, 'nothing.sqlite') }, { migrations });
  assert.deepEqual(await tablesOf(own), ['b']);
  await own.close();
  const empty = await emptyDatabase(t, folder);
  assert.deepEqual(await tablesOf(await openTestStore(t, { file, empty }, { migrations })), ['b']);
});
