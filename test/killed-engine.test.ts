import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { MongoClient } from 'mongodb';
import { LONG_TIMEOUTS } from './support/drivers.ts';
import { readyUri } from './support/engine-line.ts';
import { until } from './support/expect.ts';
import { portBlock } from './support/ports.ts';
import { end, isAlive } from './support/processes.ts';
import { MAIN } from './support/program.ts';
import { scopeOf, temporaryFolder } from './support/service.ts';

test('the host of a standalone engine stops when the command is killed, and its data is complete', async (t) => {
  const scope = scopeOf(t);
  const folder = await temporaryFolder(scope);
  const { first, release } = await portBlock();
  scope.after(release);

  /** Starts the command. Returns its process, its connection string and the process id of its host. */
  async function start() {
    const args = [MAIN, 'engine', '--data-dir', folder, '--port', String(first)];
    const command = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    scope.after(() => end(command.pid ?? 0));
    const uri = await readyUri(command);
    const host = JSON.parse(await readFile(join(folder, 'engine/host.json'), 'utf8')).pid as number;
    scope.after(() => end(host));
    return { command, uri, host };
  }

  const killed = await start();
  const driver = await MongoClient.connect(killed.uri, LONG_TIMEOUTS);
  await driver.db('harbour').collection('ports').insertOne({ name: 'Riga' });
  killed.command.kill('SIGKILL');
  await once(killed.command, 'exit');
  await until(
    'the end of the host',
    async () => isAlive(killed.host),
    (running) => !running,
  );
  await driver.close();

  const next = await start();
  const again = await MongoClient.connect(next.uri, LONG_TIMEOUTS);
  assert.equal(await again.db('harbour').collection('ports').countDocuments({ name: 'Riga' }), 1);
  await again.close();
  next.command.kill('SIGTERM');
  await once(next.command, 'exit');
  await until(
    'the end of the next host',
    async () => isAlive(next.host),
    (running) => !running,
  );
});
