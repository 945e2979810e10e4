import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { testClock } from '@portolan/foundation/testing';
import { sql } from 'kysely';
import type { Connection } from '../database.ts';
import { SqliteConnection } from './connection.ts';
import { WriteQueue, type WriteQueueOptions } from './write-queue.ts';

/** Returns a queue on a new database file with a table of names, and a counter of commits. */
function openQueue(t: TestContext, options: Partial<WriteQueueOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-queue-'));
  const file = join(folder, 'test.db');
  const connection = new SqliteConnection(file, ['journal_mode = WAL', 'foreign_keys = ON']);
  connection.exec('CREATE TABLE name (name TEXT PRIMARY KEY) STRICT');
  connection.exec(
    'CREATE TABLE nickname (name TEXT REFERENCES name (name) DEFERRABLE INITIALLY DEFERRED) STRICT',
  );
  const reader = new SqliteConnection(file, []);
  t.after(() => {
    reader.close();
    connection.close();
    rmSync(folder, { recursive: true });
  });
  const queue = new WriteQueue(connection, { machine: testClock(), ...options });
  const write = <T>(work: (db: Connection) => Promise<T>, committed = () => {}) =>
    queue.write(async (db) => ({ value: await work(db), committed }));
  const names = () => read(reader, 'SELECT name FROM name ORDER BY name');
  return { write, names, connection, queue };
}

function read(connection: SqliteConnection, text: string): string[] {
  const compiled = {
    sql: text,
    parameters: [],
    query: { kind: 'SelectQueryNode' },
    queryId: { queryId: '' },
  };
  const { rows } = connection.execute<{ name: string }>(compiled as never);
  return rows.map((row) => row.name);
}

const add = (name: string) => (db: Connection) => sql`insert into name values (${name})`.execute(db);

test('waiting writes share a commit, and none resolves before it', async (t) => {
  const { write, names } = openQueue(t);
  const seen: string[][] = [];
  const order: string[] = [];
  const all = ['a', 'b', 'c'].map(async (name) => {
    await write(add(name), () => {
      seen.push(names());
      order.push(`committed ${name}`);
    });
    order.push(`answered ${name}`);
  });
  await Promise.all(all);
  // The first callback already sees all three names, since they become visible together.
  assert.deepEqual(seen[0], ['a', 'b', 'c']);
  assert.deepEqual(order.slice(0, 3), ['committed a', 'committed b', 'committed c']);
});

test('a failed write is rolled back alone', async (t) => {
  const { write, names } = openQueue(t);
  const results = await Promise.allSettled([
    write(add('a')),
    write(add('a')),
    write(async (db) => {
      await add('half')(db);
      throw new Error('changed its mind');
    }),
    write(add('b')),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(names(), ['a', 'b']);
});

test('if the commit fails, every write of the group fails', async (t) => {
  const { write, names } = openQueue(t);
  let notified = 0;
  const results = await Promise.allSettled([
    write(add('a'), () => void notified++),
    // The statement violates a deferred constraint, which only COMMIT checks.
    write((db) => sql`insert into nickname values ('nobody')`.execute(db)),
    write(add('b')),
  ]);
  const kinds = results.map((result) => result.status === 'rejected' && result.reason.kind);
  assert.deepEqual(kinds, ['foreignKey', 'foreignKey', 'foreignKey']);
  assert.equal(notified, 0);
  assert.deepEqual(names(), []);
  await write(add('later'));
  assert.deepEqual(names(), ['later']);
});

test('a full disk fails only the current group', async (t) => {
  const { write, names, connection } = openQueue(t);
  await write(add('before'));
  connection.exec('PRAGMA max_page_count = 8');
  const large = write((db) => sql`insert into name select hex(zeroblob(100000))`.execute(db));
  const small = write(add('after'));
  await assert.rejects(large, { kind: 'full' });
  await small.catch((error) => assert.equal(error.kind, 'full'));
  await write(add('last'));
  const kept = names();
  assert.ok(kept.includes('before') && kept.includes('last'));
  assert.equal(connection.inTransaction, false);
});

test('a database locked by another program fails the waiting writes', async (t) => {
  const { write, names, connection } = openQueue(t);
  connection.exec('PRAGMA busy_timeout = 1');
  connection.exec('BEGIN IMMEDIATE');
  const results = await Promise.allSettled([write(add('a')), write(add('b'))]);
  assert.ok(results.every(({ status }) => status === 'rejected'));
  connection.exec('ROLLBACK');
  await write(add('c'));
  assert.deepEqual(names(), ['c']);
});

test('a write that never ends times out, and the others continue', async (t) => {
  const machine = testClock();
  const { write, names } = openQueue(t, { machine, workLimit: 1000 });
  const begun = Promise.withResolvers<Connection>();
  const endless = write(async (db) => {
    await add('endless')(db);
    begun.resolve(db);
    return new Promise(() => {});
  });
  const other = write(add('other'));
  const db = await begun.promise;
  machine.advance(1000);
  await assert.rejects(endless, { kind: 'busy' });
  await other;
  assert.deepEqual(names(), ['other']);
  await assert.rejects(add('too late')(db), { kind: 'closed' });
});

test('a group is limited by number and time', async (t) => {
  const machine = testClock();
  const { write, names } = openQueue(t, { machine, groupSize: 4, groupTime: 10 });
  const visible: number[] = [];
  const slow = (name: string) => async (db: Connection) => {
    await add(name)(db);
    if (name > 'h') machine.advance(6);
  };
  const letters = [...'abcdefghijkl'];
  await Promise.all(letters.map((name) => write(slow(name), () => void visible.push(names().length))));
  // The first two groups have four writes, because that is the maximum number. The other two groups have two writes,
  // because of the time limit.
  assert.deepEqual(visible, [4, 4, 4, 4, 8, 8, 8, 8, 10, 10, 12, 12]);
});

test('close waits for accepted writes', async (t) => {
  const { write, names, queue } = openQueue(t);
  const writes = ['a', 'b', 'c'].map((name) => write(add(name)));
  await queue.idle();
  assert.deepEqual(names(), ['a', 'b', 'c']);
  await Promise.all(writes);
});
