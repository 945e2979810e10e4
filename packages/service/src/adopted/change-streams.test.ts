import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MongoClient, MongoServerError } from 'mongodb';
import { canFollowChanges } from './change-streams.ts';
import { Probes } from './probes.ts';

const privileges = [{ resource: { db: '', collection: '' }, actions: ['changeStream', 'find'] }];
const data = '82000000010000000A2B0429296E04';

/**
 * Creates a client, and counts the calls that read its change streams. With `code`, such a call fails with this error
 * code. Without it, the call returns no change.
 */
function clientOf(code?: number) {
  const opened = { count: 0 };
  const tryNext = async () => {
    opened.count++;
    if (code !== undefined) throw new MongoServerError({ message: 'refused', code });
    return null;
  };
  const watch = () => ({ tryNext, resumeToken: { _data: data }, close: async () => {} });
  return { opened, client: { watch } as unknown as MongoClient };
}

test('servers are asked for a change stream once, unless they cannot say', async () => {
  for (const [code, can, times] of [
    [undefined, true, 1],
    // The codes of three errors: no change streams, an unauthorized user, and a primary that steps down.
    [40_573, false, 1],
    [13, false, 1],
    [189, false, 2],
  ] as const) {
    const { opened, client } = clientOf(code);
    const seen = { privileges, probes: new Probes() };
    for (const _ of ['once', 'twice']) assert.equal(await canFollowChanges(client, false, seen), can);
    assert.equal(opened.count, times);
  }
});

test('standalone servers, and users without the privileges, are not asked', async () => {
  const { opened, client } = clientOf();
  assert.equal(await canFollowChanges(client, true, { privileges, probes: new Probes() }), false);
  assert.equal(await canFollowChanges(client, false, { privileges: [], probes: new Probes() }), false);
  assert.equal(opened.count, 0);
});
