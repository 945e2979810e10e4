import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '@portolan/foundation/log';
import { enginePorts } from '@portolan/test-support/ports';
import { createEmbeddedEngine } from './engine.ts';
import { startHost } from './testing/host.ts';

test('the log says with which signal the process of a host has exited', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'portolan-exit-'));
  const { promise: exited, resolve } = Promise.withResolvers<object>();
  const warn = (fields: object, message: string) => {
    if (message === 'the process of the engine host has exited') resolve(fields);
  };
  const log = { ...silentLog(), warn };
  const engine = createEmbeddedEngine({ dataDir, startHost, log, ports: await enginePorts() });
  t.after(async () => {
    await engine.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });
  await engine.start();
  const { pid } = await engine.status();
  process.kill(pid, 'SIGKILL');
  assert.deepEqual(await exited, { pid, exitCode: undefined, signal: 'SIGKILL', reason: undefined });
});
