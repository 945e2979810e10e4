import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PermanentFailure } from '../../../tasks/index.ts';
import { expectDone } from './tasks.ts';

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
