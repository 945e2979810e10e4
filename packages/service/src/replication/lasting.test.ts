import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MongoServerError } from 'mongodb';
import { attemptsFor } from '../resources/backup/chunk-store/attempts.ts';
import { endsCopy, lastingOr } from './lasting.ts';
import { PermanentError } from './permanent-error.ts';
import { Stalled } from './stall.ts';

const coded = (code: number) => new MongoServerError({ message: `code ${code}`, code });

test('a copy whose history is lost ends, but another one may follow', () => {
  for (const code of [222, 280, 286]) {
    assert.equal(endsCopy(coded(code)), true);
    assert.ok(attemptsFor(lastingOr(coded(code))) > 1, `${code}`);
  }
});

test('errors that a new copy cannot mend end all attempts', () => {
  for (const error of [coded(13), coded(18), new Stalled(), new PermanentError('no')]) {
    assert.equal(endsCopy(error), true);
    assert.equal(attemptsFor(lastingOr(error)), 1);
  }
  for (const error of [coded(91), new Error('cut off')]) assert.equal(endsCopy(error), false);
});
