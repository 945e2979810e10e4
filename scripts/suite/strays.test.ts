import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { endStrays } from './strays.ts';

/** A process that runs until it is killed. One of its arguments names its data directory. */
async function host(t: TestContext, directory: string): Promise<ChildProcess> {
  const program = "console.log('up'); setInterval(() => {}, 1000);";
  const child = spawn(process.execPath, ['-e', program, directory], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('processes with a data directory below the root are ended, and no others', async (t) => {
  const root = `/nowhere/portolan-test-${process.pid}`;
  const inside = await host(t, `${root}/data`);
  const outside = await host(t, `${root}-of-another-run/data`);
  const ended = once(inside, 'exit');
  assert.deepEqual(
    endStrays(root).map(({ pid }) => pid),
    [inside.pid],
  );
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  assert.equal(outside.exitCode ?? outside.signalCode, null);
});
