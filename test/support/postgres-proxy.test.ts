import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { postgresDatabase } from './postgres.ts';
import { type CallPlan, failures, type PostgresProxy, startPostgresProxy } from './postgres-proxy.ts';
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

/** Runs a transaction of four calls, one of which fails as planned. Returns its error, and how many rows it left. */
async function outcomeOf(plan: CallPlan) {
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

/** The error that the client gets for each kind of failure. A failure with an SQLSTATE reaches the client unchanged. */
const LOST = 'Connection terminated unexpectedly';
const errors: Readonly<Record<string, string | undefined>> = {
  before: LOST,
  after: LOST,
  delayed: undefined,
};
const errorOf = (failure: string) => (failure in errors ? errors[failure] : failure);

test('a COMMIT is cut off before or after its execution, is delayed, or fails', async () => {
  for (const failure of failures) {
    const isDone = failure === 'after' || failure === 'delayed';
    const found = await outcomeOf({ at: 1, of: 'commits', failure });
    assert.deepEqual(found, [errorOf(failure), isDone ? 1 : 0], failure);
  }
});

test('any other call can fail as well, which rolls back the calls before it', async () => {
  for (const failure of failures)
    for (const at of [1, 2, 3]) {
      const found = await outcomeOf({ at, of: 'all', failure });
      assert.deepEqual(found, [errorOf(failure), failure === 'delayed' ? 1 : 0], `${failure} ${at}`);
    }
});
