import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoginLimits } from './limits.ts';

test('an identity provider that does not answer holds up only the logins of its own organization', async () => {
  const limits = new LoginLimits();
  const answer = Promise.withResolvers<string>();
  const waiting = Array.from({ length: 4 }, () => limits.run('hostile', () => answer.promise));
  assert.equal(await limits.run('hostile', async () => 'late'), undefined);
  assert.equal(await limits.run('friendly', async () => 'in'), 'in');
  assert.equal(await limits.run(undefined, async () => 'in'), 'in');
  answer.resolve('in');
  assert.deepEqual(await Promise.all(waiting), ['in', 'in', 'in', 'in']);
  assert.equal(await limits.run('hostile', async () => 'in'), 'in');
  await assert.rejects(limits.run('hostile', () => Promise.reject(new Error('no'))));
});
