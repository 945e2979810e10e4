import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { postgresDatabase } from './postgres.ts';
import { type CallPlan, mishaps, type PostgresProxy, startPostgresProxy } from './postgres-proxy.ts';
import { scopeOf } from './service.ts';

const scope = scopeOf({ after });
let proxy: PostgresProxy;
let direct: pg.Client;

before(async () => {
  const database = await postgresDatabase();
  scope.after(() => database.drop());
  direct = new pg.Client({ connectionString: database.url });
  await direct.connect();
  scope.after(() => direct.end());
  await direct.query('CREATE TABLE ships (name text)');
  proxy = await startPostgresProxy(database.url);
  scope.after(() => proxy.close());
});

/** What a transaction of four calls ends with, one of which goes wrong, and whether its row is there. */
async function written(plan: CallPlan) {
  const client = new pg.Client({ connectionString: proxy.url });
  client.on('error', () => {});
  await client.connect();
  proxy.plan(plan);
  const work = async () => {
    await client.query('BEGIN');
    await client.query('SELECT $1::text', ['harbour']);
    await client.query('INSERT INTO ships VALUES ($1)', ['Vasa']);
    await client.query('COMMIT');
  };
  const failure = await work().then(
    () => undefined,
    (error: { code?: string; message: string }) => error,
  );
  assert.equal(proxy.endPlan(), true);
  await client.end().catch(() => {});
  await proxy.settled();
  const { rowCount } = await direct.query('DELETE FROM ships');
  return [failure?.code ?? failure?.message, rowCount];
}

/** The error that the client sees, by kind of failure; an SQLSTATE is its own name. */
const LOST = 'Connection terminated unexpectedly';
const told: Readonly<Record<string, string | undefined>> = { before: LOST, after: LOST, late: undefined };
const toldOf = (mishap: string) => (mishap in told ? told[mishap] : mishap);

test('a COMMIT is cut before the server sees it or after it is done, comes late, or fails', async () => {
  for (const mishap of mishaps) {
    const isDone = mishap === 'after' || mishap === 'late';
    const found = await written({ at: 1, of: 'commits', mishap });
    assert.deepEqual(found, [toldOf(mishap), isDone ? 1 : 0], mishap);
  }
});

test('any other call goes wrong as well, with what comes before it', async () => {
  for (const mishap of mishaps)
    for (const at of [1, 2, 3]) {
      const found = await written({ at, of: 'all', mishap });
      assert.deepEqual(found, [toldOf(mishap), mishap === 'late' ? 1 : 0], `${mishap} ${at}`);
    }
});
