import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand } from './support/service.ts';

test('the tour runs all steps and prints the time of each', async () => {
  const { code, out, err } = await runCommand('tour', {});
  assert.equal(code, 0, out + err);
  const lines = out.trimEnd().split('\n');
  for (const line of lines) assert.match(line, /^ *\d+ ms {2}\S/);
  for (const step of [
    'IDLE',
    'driver',
    'drop and restore',
    'migrate it',
    'search for words',
    'lose a region',
    'pause',
    'resume',
    'delete',
  ])
    assert.ok(out.includes(step), step);
});
