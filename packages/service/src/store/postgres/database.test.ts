import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { emptyDatabase } from '@portolan/test-support/databases';
import { sql } from 'kysely';
import type { Store } from '../store.ts';
import { openTestStore } from '../testing.ts';

async function postgresUrl(t: TestContext): Promise<URL> {
  const database = await emptyDatabase.postgres(t);
  assert.ok('url' in database);
  return new URL(database.url);
}

const opened = (t: TestContext, url: URL | string) => openTestStore(t, { url: String(url) });
const backend = (store: Store) =>
  store.read(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.from());
    return rows[0]?.pid;
  });

test('an unreachable server is reported in one sentence without the password', async (t) => {
  // Find a free port: listen on a port that the system chooses, and close the server again.
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await new Promise((resolve) => server.close(resolve));
  await assert.rejects(opened(t, `postgres://me:hidden@127.0.0.1:${port}/some`), {
    kind: 'unavailable',
    message: `The database some at 127.0.0.1:${port} cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}`,
  });
});

test('an invalid URL is rejected without repeating it', async (t) => {
  for (const url of ['mysql://me:hidden@host/some', 'postgres//me:hidden@host', '']) {
    await assert.rejects(opened(t, url), {
      kind: 'configuration',
      message:
        /^The database URL is invalid: it has the form postgres:\/\/user:password@host:5432\/database$/,
    });
  }
});

test('a wrong password and a missing database are reported in one sentence', async (t) => {
  const url = await postgresUrl(t);
  const [wrong, missing] = [new URL(url), new URL(url)];
  wrong.password = 'wrong';
  await assert.rejects(opened(t, wrong), {
    kind: 'configuration',
    message:
      /^The database test_\w+ at 127\.0\.0\.1:\d+ rejected the connection: password authentication failed/,
  });
  missing.pathname = '/missing';
  await assert.rejects(opened(t, missing), {
    kind: 'configuration',
    message: /rejected the connection: database "missing" does not exist$/,
  });
});

test('a broken connection fails its transaction, and the next one gets a new connection', async (t) => {
  const url = await postgresUrl(t);
  const store = await openTestStore(t, { url: url.href });
  const other = await openTestStore(t, { url: url.href });
  const end = (pid: number | undefined) =>
    other.read((tx) => sql`select pg_terminate_backend(${pid})`.execute(tx.from()));
  let runs = 0;
  const broken = store.write(async (tx) => {
    runs++;
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.from());
    await end(rows[0]?.pid);
    await sql`select 1`.execute(tx.from());
  });
  await assert.rejects(broken, { kind: 'unavailable' });
  // The transaction must not run again, since it may have been committed before the connection broke.
  assert.equal(runs, 1);
  assert.ok(await backend(store));
});

test('reports a read-only database', async (t) => {
  const url = await postgresUrl(t);
  await (await opened(t, url)).close();
  url.searchParams.set('options', '-c default_transaction_read_only=on');
  const store = opened(t, url);
  await assert.rejects(store, {
    kind: 'readOnly',
    message: /^The database test_\w+ at .* is read-only$/,
  });
});

test('callers wait while all connections are in use', async (t) => {
  const url = await postgresUrl(t);
  const store = await openTestStore(t, { url: url.href, poolSize: 2 });
  const pids = await Promise.all(Array.from({ length: 20 }, () => backend(store)));
  assert.ok(new Set(pids).size <= 2);
});
