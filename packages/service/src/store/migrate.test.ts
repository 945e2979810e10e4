import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { sql } from 'kysely';
import type { Migration, Store } from './store.ts';
import { openTestStore } from './testing.ts';

const table = (number: number, name: string): Migration => ({
  number,
  name,
  up: (schema) => schema.run(`CREATE TABLE ${name} (id {text} PRIMARY KEY) {strict}`),
});

const applied = (store: Store) =>
  store.read(async (tx) => {
    const { rows } = await sql<{ number: number; name: string }>`
      select number, name from migration where number >= 900 order by number`.execute(tx.from());
    return rows.map(({ number, name }) => `${number} ${name}`);
  });

onEachDatabase('migrations are applied once, in the order of their numbers', async (t, database) => {
  const order: number[] = [];
  const noted = (migration: Migration): Migration => ({
    ...migration,
    async up(schema) {
      order.push(migration.number);
      await migration.up(schema);
    },
  });
  const first = await openTestStore(t, database, {
    migrations: [noted(table(902, 'b')), noted(table(901, 'a'))],
  });
  assert.deepEqual(await applied(first), ['901 a', '902 b']);
  await first.close();
  const all = [table(901, 'a'), table(902, 'b'), table(903, 'c'), table(900, 'z')].map(noted);
  const second = await openTestStore(t, database, { migrations: all });
  assert.deepEqual(await applied(second), ['900 z', '901 a', '902 b', '903 c']);
  assert.deepEqual(order, [901, 902, 900, 903]);
});

onEachDatabase('two migrations with the same number prevent the start', async (t, database) => {
  await assert.rejects(openTestStore(t, database, { migrations: [table(900, 'a'), table(900, 'b')] }), {
    kind: 'configuration',
    message: 'Two migrations have the number 900: "a" and "b"',
  });
});

onEachDatabase('data of a newer format is rejected in one sentence and not changed', async (t, database) => {
  const newer = await openTestStore(t, database, { migrations: [table(900, 'a'), table(950, 'later')] });
  await newer.close();
  await assert.rejects(openTestStore(t, database, { migrations: [table(900, 'a'), table(901, 'b')] }), {
    kind: 'newerFormat',
    message: /was written by a newer version of Portolan \(migration 950, "later"\): start that version/,
  });
  const again = await openTestStore(t, database, { migrations: [table(900, 'a'), table(950, 'later')] });
  assert.deepEqual(await applied(again), ['900 a', '950 later']);
});

onEachDatabase('a failed migration leaves nothing behind', async (t, database) => {
  const failing: Migration = {
    number: 901,
    name: 'failing',
    async up(schema) {
      await schema.run('CREATE TABLE half (id {text} PRIMARY KEY) {strict}');
      await schema.run('INSERT INTO nowhere VALUES (1)');
    },
  };
  await assert.rejects(openTestStore(t, database, { migrations: [table(900, 'a'), failing] }));
  const store = await openTestStore(t, database, { migrations: [table(900, 'a'), table(901, 'half')] });
  assert.deepEqual(await applied(store), ['900 a', '901 half']);
});

onEachDatabase(
  'concurrent starts of several instances apply each migration once',
  async (t, database, kind) => {
    let runs = 0;
    const migrations = [900, 901, 902].map((number) => ({
      ...table(number, `t${number}`),
      async up(schema: Parameters<Migration['up']>[0]) {
        runs++;
        await table(number, `t${number}`).up(schema);
      },
    }));
    // A SQLite file has one instance: the data directory is locked.
    const instances = { sqlite: 1, postgres: 5 }[kind];
    const stores = await Promise.all(
      Array.from({ length: instances }, () => openTestStore(t, database, { migrations })),
    );
    for (const store of stores) assert.deepEqual(await applied(store), ['900 t900', '901 t901', '902 t902']);
    assert.equal(runs, 3);
  },
);

onEachDatabase('text is sorted by bytes, and an unknown column type is rejected', async (t, database) => {
  const unknown: Migration = {
    number: 901,
    name: 'bad',
    up: (schema) => schema.run('CREATE TABLE x (a {txt})'),
  };
  await assert.rejects(openTestStore(t, database, { migrations: [unknown] }), {
    message: 'Unknown column type {txt} in a migration',
  });
  const store = await openTestStore(t, database, { migrations: [table(900, 'word')] });
  await store.write((tx) =>
    sql`insert into word values ('b'), ('A'), ('a'), ('É'), ('_')`.execute(tx.from()),
  );
  const { rows } = await store.read((tx) =>
    sql<{ id: string }>`select id from word order by id`.execute(tx.from()),
  );
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['A', '_', 'a', 'b', 'É'],
  );
});
