import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withBucketErrors } from './bucket-errors.ts';

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

const cases: ReadonlyArray<readonly [Error, reason: string]> = [
  [refused(), 'ECONNREFUSED'],
  [new AggregateError([refused(), refused()]), 'ECONNREFUSED'],
  [new TypeError('fetch failed', { cause: refused() }), 'ECONNREFUSED'],
  [new Error('socket hang up'), 'socket hang up'],
  [Object.assign(new Error('slow'), { name: 'TimeoutError' }), 'TimeoutError'],
];

for (const [error, reason] of cases) {
  test(`a bucket that does not answer is reported with the reason: ${error} means ${reason}`, async () => {
    const failing = () => Promise.reject(error);
    const store = withBucketErrors(
      { put: failing, get: failing, list: failing, delete: failing },
      { kind: 'bucket', name: 'exports' },
      ({ name }) => ({ status: undefined, reason: name }),
    );
    const message = `the bucket exports did not answer (${reason})`;
    await assert.rejects(store.get('key'), { trouble: 'unavailable', message });
  });
}
