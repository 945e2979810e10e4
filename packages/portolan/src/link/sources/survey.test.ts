import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PROBLEM_LENGTH } from '@portolan/service/live-migrations';
import { MongoServerError } from 'mongodb';
import { problemOf } from './survey.ts';

test('a problem is one sentence', () => {
  const refused = new MongoServerError({ message: 'Authentication failed.', code: 18 });
  assert.equal(problemOf(refused), 'The source rejects the user name or password: Authentication failed.');
});

test('a problem is truncated to the length that a report accepts, even within a character', () => {
  const begin = 'The source cannot be reached: ';
  const fill = 'x'.repeat(MAX_PROBLEM_LENGTH - begin.length - 1);
  assert.equal(problemOf(new Error(`${fill}\u{1f6a2}${fill}`)), `${begin}${fill}\ufffd`);
});
