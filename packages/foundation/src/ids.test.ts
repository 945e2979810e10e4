import assert from 'node:assert/strict';
import { test } from 'node:test';
import { creationOf, ids } from './ids.ts';
import { systemRandom } from './random.ts';

test('an id contains the second of its creation', () => {
  for (const at of ['2026-01-02T03:04:05.678Z', '2099-12-31T23:59:59.999Z'])
    assert.equal(
      creationOf(ids(() => Date.parse(at), systemRandom()).next()).toISOString(),
      at.replace(/\.\d+/, '.000'),
    );
});
