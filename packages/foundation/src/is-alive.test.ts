import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mock, test } from 'node:test';
import { isAlive } from './is-alive.ts';

test('a process is alive until it has exited', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const pid = child.pid ?? 0;
  assert.equal(isAlive(pid), true);
  child.stdin.end();
  await once(child, 'exit');
  assert.equal(isAlive(pid), false);
});

test('a process that may not be signalled is alive, and no process has the id 0', () => {
  const kill = mock.method(process, 'kill', () => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
  });
  try {
    assert.equal(isAlive(1), true);
    assert.equal(isAlive(0), false);
  } finally {
    kill.mock.restore();
  }
});
