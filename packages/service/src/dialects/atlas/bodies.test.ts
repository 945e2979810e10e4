import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutSharedDisk } from './bodies.ts';

test('an upgrade chooses the disk of a dedicated cluster, unless it names one', () => {
  assert.deepEqual(withoutSharedDisk({ name: 'free', diskSizeGB: 0.5 }), { name: 'free' });
  assert.deepEqual(withoutSharedDisk({ name: 'free', diskSizeGB: 20 }), { name: 'free', diskSizeGB: 20 });
  assert.deepEqual(withoutSharedDisk({ name: 'free' }), { name: 'free' });
});
