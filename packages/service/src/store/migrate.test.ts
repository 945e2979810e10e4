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
    // Only one instance can use a SQLite file, since the data directory is locked.
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

onEachDatabase('a migration moves facts of documents into columns, row by row', async (t, database) => {
  interface Former {
    id: string;
    document: string;
  }
  // Insert more rows than one batch reads, in another order than that of their keys.
  const ids = Array.from({ length: 1001 }, (_, n) => `${(n * 10) % 1001}`.padStart(4, '0'));
  const filled: Migration = {
    number: 900,
    name: 'boxes',
    async up(schema) {
      await schema.run('CREATE TABLE box (id {text} PRIMARY KEY, document {text} NOT NULL) {strict}');
      const rows = ids.map((id) => ({
        id,
        document: JSON.stringify({ label: `"${id}" É`, weight: 2 ** 40 }),
      }));
      await schema.from<{ box: Former }>().insertInto('box').values(rows).execute();
    },
  };
  const read: string[] = [];
  const moved: Migration = {
    number: 901,
    name: 'facts of boxes',
    async up(schema) {
      await schema.run('ALTER TABLE box ADD COLUMN label {text}');
      await schema.run('ALTER TABLE box ADD COLUMN weight {int64}');
      const boxes = schema.from<{ box: Former & { label: string; weight: number } }>();
      for await (const { id, document } of schema.rows<Former>('box', 'id')) {
        read.push(id);
        await boxes.updateTable('box').set(JSON.parse(document)).where('id', '=', id).execute();
      }
      await schema.run('ALTER TABLE box DROP COLUMN document');
      const [last] = await boxes.selectFrom('box').selectAll().orderBy('id', 'desc').limit(1).execute();
      assert.deepEqual(last, { id: '1000', label: '"1000" É', weight: 2 ** 40 });
    },
  };
  await (await openTestStore(t, database, { migrations: [filled] })).close();
  const store = await openTestStore(t, database, { migrations: [filled, moved] });
  assert.deepEqual(read, ids.toSorted());
  const boxes = await store.read((tx) =>
    tx.from<{ box: { id: string; label: string } }>().selectFrom('box').selectAll().orderBy('id').execute(),
  );
  assert.deepEqual(
    boxes,
    ids.toSorted().map((id) => ({ id, label: `"${id}" É`, weight: 2 ** 40 })),
  );
});

onEachDatabase('a migration reads the columns that it has just changed', async (t, database) => {
  const seen: object[] = [];
  const changing: Migration = {
    ...table(900, 'box'),
    async up(schema) {
      await table(900, 'box').up(schema);
      const boxes = schema.from<{ box: { id: string } }>();
      await boxes.insertInto('box').values({ id: 'a' }).execute();
      const all = async () => seen.push(...(await boxes.selectFrom('box').selectAll().execute()));
      await all();
      await schema.run("ALTER TABLE box ADD COLUMN label {text} NOT NULL DEFAULT 'none'");
      await all();
      await schema.run('ALTER TABLE box RENAME COLUMN label TO mark');
      await all();
    },
  };
  await openTestStore(t, database, { migrations: [changing] });
  assert.deepEqual(seen, [{ id: 'a' }, { id: 'a', label: 'none' }, { id: 'a', mark: 'none' }]);
});
