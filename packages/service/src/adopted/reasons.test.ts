import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineUnavailable } from '@portolan/engine/management';
import { MongoClient, MongoNetworkError, MongoServerError } from 'mongodb';
import { answered, reasonOf } from './reasons.ts';

test('a reason says that a connection was closed', () => {
  const closed = new MongoNetworkError('This socket has been ended by the other party');
  assert.equal(reasonOf(closed), 'a connection was closed: This socket has been ended by the other party');
  const refused = new MongoServerError({ message: 'not authorized on admin' });
  assert.equal(reasonOf(refused), 'not authorized on admin');
});

test('a long message of a server is cut off', () => {
  const long = new MongoServerError({ message: 'x'.repeat(5_000_000) });
  assert.ok(reasonOf(long).length < 2_000);
});

test('only a command without a reply counts as unanswered', async () => {
  const client = new MongoClient('mongodb://127.0.0.1:1/', { serverSelectionTimeoutMS: 50 });
  const ping = (options: object = {}) => client.db('admin').command({ ping: 1 }, options);
  try {
    await assert.rejects(answered(ping()), EngineUnavailable);
    await assert.rejects(answered(ping({ signal: AbortSignal.timeout(1) })), EngineUnavailable);
  } finally {
    await client.close();
  }
  for (const error of [new MongoServerError({ message: 'not authorized' }), new TypeError('not iterable')])
    await assert.rejects(answered(Promise.reject(error)), error);
});
