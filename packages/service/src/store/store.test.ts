import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type DatabaseLocation, onEachDatabase } from '@portolan/test-support/databases';
import { sql } from 'kysely';
import { cacheKeysOf } from './cache-keys.ts';
import { StoreError, UniqueViolation } from './errors.ts';
import type { StoreOptions } from './open.ts';
import { type Migration, subscribe, type Topic, type Tx } from './store.ts';
import { openTestStore } from './testing.ts';

interface Tables {
  shelf: { id: string };
  book: {
    id: string;
    shelf_id: string;
    title: string;
    pages: number;
    cover: Uint8Array | null;
    price: number;
  };
}

const migrations: readonly Migration[] = [
  {
    number: 900,
    name: 'books',
    async up(schema) {
      await schema.run('CREATE TABLE shelf (id {text} PRIMARY KEY) {strict}');
      await schema.run(`CREATE TABLE book (
        id {text} PRIMARY KEY,
        shelf_id {text} NOT NULL REFERENCES shelf (id),
        title {text} NOT NULL,
        pages {int64} NOT NULL CHECK (pages > 0),
        cover {bytes},
        price {real} NOT NULL,
        UNIQUE (shelf_id, title)
      ) {strict}`);
    },
  },
];

async function library(t: TestContext, database: DatabaseLocation, options: Partial<StoreOptions> = {}) {
  const store = await openTestStore(t, database, { migrations, ...options });
  await store.write((tx) => tx.from<Tables>().insertInto('shelf').values({ id: 's' }).execute());
  const titles = () =>
    store.read(async (tx) => {
      const rows = await tx.from<Tables>().selectFrom('book').select('title').orderBy('title').execute();
      return rows.map((row) => row.title);
    });
  return { store, titles };
}

const book = (title: string, more: Partial<Tables['book']> = {}): Tables['book'] => ({
  id: title,
  shelf_id: 's',
  title,
  pages: 1,
  cover: null,
  price: 0.5,
  ...more,
});

const insert = (tx: Tx, row: Tables['book']) => tx.from<Tables>().insertInto('book').values(row).execute();

onEachDatabase(
  'a transaction commits if its work resolves, and rolls back if it throws',
  async (t, database) => {
    const { store, titles } = await library(t, database);
    const answer = await store.write(async (tx) => {
      await insert(tx, book('kept'));
      return 'done';
    });
    assert.equal(answer, 'done');
    const reason = new Error('no');
    const undone = store.write(async (tx) => {
      await insert(tx, book('undone'));
      throw reason;
    });
    await assert.rejects(undone, (error) => error === reason);
    assert.deepEqual(await titles(), ['kept']);
  },
);

onEachDatabase('reads see committed data only', async (t, database) => {
  const { store, titles } = await library(t, database);
  const inserted = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const write = store.write(async (tx) => {
    await insert(tx, book('new'));
    inserted.resolve();
    await release.promise;
  });
  await inserted.promise;
  assert.deepEqual(await titles(), []);
  release.resolve();
  await write;
  assert.deepEqual(await titles(), ['new']);
});

onEachDatabase('values are read as they were written', async (t, database) => {
  const { store } = await library(t, database);
  const row = book('ünï', {
    pages: Number.MAX_SAFE_INTEGER,
    cover: new Uint8Array([0, 255, 1]),
    price: 1 / 3,
  });
  const [inserted] = await store.write((tx) =>
    tx.from<Tables>().insertInto('book').values(row).returning(['id', 'pages']).execute(),
  );
  assert.deepEqual(inserted, { id: 'ünï', pages: Number.MAX_SAFE_INTEGER });
  const found = await store.read((tx) =>
    tx.from<Tables>().selectFrom('book').selectAll().executeTakeFirstOrThrow(),
  );
  assert.deepEqual({ ...found, cover: new Uint8Array(found.cover ?? []) }, row);
});

onEachDatabase('an integer outside the safe range is an error', async (t, database) => {
  const { store } = await library(t, database);
  const read = store.read((tx) => sql`select 9007199254740993 as big`.execute(tx.from()));
  await assert.rejects(read, RangeError);
});

onEachDatabase('changes return the number of changed rows', async (t, database) => {
  const { store } = await library(t, database);
  await store.write(async (tx) => {
    for (const title of ['a', 'b', 'c']) await insert(tx, book(title));
    const books = tx.from<Tables>();
    const updated = await books
      .updateTable('book')
      .set({ pages: 2 })
      .where('id', '>', 'a')
      .executeTakeFirst();
    assert.equal(updated.numUpdatedRows, 2n);
    const deleted = await books.deleteFrom('book').executeTakeFirst();
    assert.equal(deleted.numDeletedRows, 3n);
    const none = await books.deleteFrom('book').returning('id').execute();
    assert.deepEqual(none, []);
  });
});

onEachDatabase('violated constraints have a kind, a table and columns', async (t, database) => {
  const { store, titles } = await library(t, database);
  const write = (row: Tables['book']) => store.write((tx) => insert(tx, row));
  const thrown = (row: Tables['book']) =>
    write(row).then(
      () => assert.fail('it was written'),
      (error: unknown) => error,
    );
  await write(book('a'));
  const clash = await thrown(book('a', { id: 'other' }));
  assert.ok(clash instanceof UniqueViolation);
  assert.ok(clash.on('book', 'title', 'shelf_id'));
  assert.ok(!clash.on('book', 'title'));
  const key = await thrown(book('b', { id: 'a' }));
  assert.ok(key instanceof UniqueViolation && key.on('book', 'id'));
  const kinds = [await thrown(book('c', { shelf_id: 'none' })), await thrown(book('d', { pages: 0 }))];
  assert.deepEqual(
    kinds.map((error) => error instanceof StoreError && error.kind),
    ['foreignKey', 'constraint'],
  );
  assert.deepEqual(await titles(), ['a']);
});

onEachDatabase('no statement runs after a failed one, even if the error was ignored', async (t, database) => {
  const { store, titles } = await library(t, database);
  const write = store.write(async (tx) => {
    await insert(tx, book('a'));
    await insert(tx, book('a')).catch(() => {});
    await assert.rejects(insert(tx, book('b')), { kind: 'aborted' });
  });
  await assert.rejects(write, UniqueViolation);
  assert.deepEqual(await titles(), []);
});

onEachDatabase('the work can replace a translated error by another', async (t, database) => {
  const { store } = await library(t, database);
  const write = store.write(async (tx) => {
    await insert(tx, book('a'));
    await insert(tx, book('a')).catch((error) => {
      throw error instanceof UniqueViolation ? new Error('title taken') : error;
    });
  });
  await assert.rejects(write, { message: 'title taken' });
});

onEachDatabase('a transaction accepts no statements after its end', async (t, database) => {
  const { store, titles } = await library(t, database);
  let escaped: Tx | undefined;
  await store.write(async (tx) => {
    escaped = tx;
  });
  const late = escaped;
  assert.ok(late);
  await assert.rejects(async () => insert(late, book('late')));
  assert.deepEqual(await titles(), []);
});

onEachDatabase(
  'callbacks after a commit run before the write resolves, and only after a commit',
  async (t, database) => {
    const { store } = await library(t, database);
    const notified: string[] = [];
    const keys = cacheKeysOf('book');
    store.onTouch((keys) => notified.push(`touched ${[...keys].join(' ')}`));
    await store.write(async (tx) => {
      tx.touch(keys('a'), keys('b'));
      tx.touch(keys('a'));
      tx.afterCommit(() => {
        throw new Error('must not matter');
      });
      tx.afterCommit(() => void notified.push('after'));
      notified.push('work');
    });
    notified.push('answered');
    const failed = store.write(async (tx) => {
      tx.touch(keys('never'));
      tx.afterCommit(() => void notified.push('never'));
      throw new Error('undone');
    });
    await assert.rejects(failed);
    assert.deepEqual(notified, ['work', 'touched book a book b', 'after', 'answered']);
  },
);

onEachDatabase(
  'subscribers of a topic run in the same transaction, and can roll it back',
  async (t, database) => {
    const arrived: Topic<string> = { name: 'arrived' };
    const handlers = [
      subscribe(arrived, async (tx, title) => void (await insert(tx, book(`index of ${title}`)))),
      subscribe(arrived, async (_, title) => {
        if (title === 'bad') throw new Error('refused');
      }),
    ];
    const { store, titles } = await library(t, database, { handlers });
    await store.write((tx) => tx.publish(arrived, 'good'));
    await assert.rejects(
      store.write((tx) => tx.publish(arrived, 'bad')),
      { message: 'refused' },
    );
    assert.deepEqual(await titles(), ['index of good']);
  },
);

onEachDatabase('machine time is in milliseconds, from the clock of leases', async (t, database) => {
  const { store } = await library(t, database, { leaseClock: () => 1_700_000_000_123 });
  const row = await store.read((tx) =>
    tx.from<Tables>().selectFrom('shelf').select(tx.machineTime().as('now')).executeTakeFirstOrThrow(),
  );
  assert.equal(row.now, 1_700_000_000_123);
});

onEachDatabase('a closed store reports that it is closed', async (t, database) => {
  const { store } = await library(t, database);
  await store.close();
  await assert.rejects(
    store.write(async () => {}),
    { kind: 'closed' },
  );
  await assert.rejects(
    store.read(async () => {}),
    { kind: 'closed' },
  );
});
