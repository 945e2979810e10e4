import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { reasonOf } from './deployment.ts';

test('a reason says that a connection was closed', () => {
  const closed = new MongoNetworkError('This socket has been ended by the other party');
  assert.equal(reasonOf(closed), 'a connection was closed: This socket has been ended by the other party');
  const refused = new MongoServerError({ message: 'not authorized on admin' });
  assert.equal(reasonOf(refused), 'not authorized on admin');
});
