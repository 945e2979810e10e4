import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineUnavailable } from '@portolan/engine/management';
import { PermanentFailure } from '../../../tasks/index.ts';
import { sampleCollections } from './documents.ts';
import { expectDone, loadSampleData } from './tasks.ts';

const failure = (reply: Record<string, unknown>) => {
  try {
    expectDone(reply);
  } catch (error) {
    return { isPermanent: error instanceof PermanentFailure, message: (error as Error).message };
  }
  return undefined;
};

test('an error of the server is permanent unless a retry may succeed', () => {
  assert.equal(failure({ ok: 1, n: 3 }), undefined);
  const refused = { code: 13, errmsg: 'not authorized on sample to execute command' };
  const away = { code: 10_107, errmsg: 'not primary' };
  const overdue = { code: 64, errmsg: 'waiting for replication timed out' };
  for (const [error, isPermanent] of [
    [refused, true],
    [away, false],
    [overdue, false],
  ] as const) {
    const expected = { isPermanent, message: error.errmsg };
    assert.deepEqual(failure({ ok: 0, ...error }), expected);
    assert.deepEqual(failure({ ok: 1, n: 0, writeErrors: [{ index: 0, ...error }] }), expected);
    assert.deepEqual(failure({ ok: 1, n: 1, writeConcernError: error }), expected);
  }
});

test('each document is written once, in commands of few documents', async () => {
  const written = new Map<string, unknown[]>();
  const sizes: number[] = [];
  const run = async (_: string, { update, $db, updates = [] }: Record<string, unknown>) => {
    const ids = (updates as { readonly q: { readonly _id: unknown } }[]).map(({ q }) => q._id);
    const name = `${$db}.${update}`;
    if (update !== undefined) written.set(name, [...(written.get(name) ?? []), ...ids]);
    sizes.push(ids.length);
    return { ok: 1 };
  };
  const context = {
    services: { engines: { at: () => ({ run }) } },
    store: { read: async () => ({ id: 'c', state: 'IDLE', paused: false }) },
    payload: {},
  };
  await loadSampleData.steps[0]?.run?.(context as never);
  const expected = sampleCollections().map(
    ({ database, collection, documents }) =>
      [`${database}.${collection}`, documents.map(({ _id }) => _id)] as const,
  );
  assert.deepEqual(written, new Map(expected));
  // FerretDB 1.24 hangs at more than 50 updates of existing documents.
  assert.ok(Math.max(...sizes) <= 25, String(sizes));
});

test('a load names the data to which the servers do not reply', async () => {
  const run = async (_: string, { update }: Record<string, unknown>) => {
    if (update === 'sales') throw new EngineUnavailable('a connection was closed');
    return { ok: 1 };
  };
  const context = {
    services: { engines: { at: () => ({ run }) } },
    store: { read: async () => ({ id: 'c', state: 'IDLE', paused: false }) },
    payload: {},
  };
  await assert.rejects(loadSampleData.steps[0]?.run?.(context as never) as Promise<unknown>, {
    name: 'EngineUnavailable',
    message:
      'The servers did not reply to a write to sample_shops.sales, whose documents contain numbers of type Decimal128: ' +
      'a connection was closed',
  });
});

test('if the servers do not create an index, the reason names the collection', async () => {
  const refused = { ok: 0, code: 27, errmsg: 'can\'t find index with key: { location: "2dsphere" }' };
  const run = async (_: string, { createIndexes }: Record<string, unknown>) =>
    createIndexes === undefined ? { ok: 1 } : refused;
  const context = {
    services: { engines: { at: () => ({ run }) } },
    store: { read: async () => ({ id: 'c', state: 'IDLE', paused: false }) },
    payload: {},
  };
  await assert.rejects(async () => loadSampleData.steps[0]?.run?.(context as never), {
    message: /^The servers did not create the indexes of \w+\.\w+: can't find index with key: /,
  });
});
