import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { machineClock } from '@portolan/foundation/clock';
import { entryPoint } from '@portolan/foundation/entry-point';
import { silentLog } from '@portolan/foundation/log';
import { poll } from '@portolan/foundation/wait';
import { enginePorts } from '@portolan/test-support/ports';
import { OUTCOME_FD } from '../control/outcome.ts';
import { deploymentSpec } from '../testing.ts';
import { WireClient } from '../wire/testing.ts';
import { createEmbeddedEngine } from './engine.ts';

const ENTRY = entryPoint(import.meta.filename, '../host/main');
const MAX_FILES = 200;

/** Starts a host that can open at most `MAX_FILES` files, and an engine that uses the host. */
async function limitedHost(t: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'portolan-files-'));
  mkdirSync(join(dataDir, 'engine'));
  const listen = '127.0.0.1';
  const ports = await enginePorts();
  const settings = { dataDir, listen, advertise: listen, ports, keyFolder: join(dataDir, 'keys') };
  const command = ['-c', `ulimit -n ${MAX_FILES}; exec "$0" "$@"`, process.execPath, ENTRY];
  const host = spawn('sh', [...command, JSON.stringify(settings)], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  await (host.stdio[OUTCOME_FD] as Readable).toArray();
  const engine = createEmbeddedEngine({ dataDir, ports, log: silentLog() });
  t.after(async () => {
    await engine.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });
  assert.equal((await engine.status()).pid, host.pid);
  return { engine, host };
}

/** Opens connections that send nothing. Returns a function that returns how many of them the member has accepted. */
async function bareConnections(t: TestContext, port: number, count: number): Promise<() => number> {
  const sockets: Socket[] = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1' }));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  const settled = sockets.map((socket) => {
    socket.on('error', () => {}).resume();
    return once(socket, 'connect').catch(() => {});
  });
  await Promise.all(settled);
  return () => sockets.filter(({ closed }) => !closed).length;
}

test("silent connections affect neither the host's files nor its clusters", async (t) => {
  const { engine, host } = await limitedHost(t);
  const access = { revision: 1, users: [], addresses: ['127.0.0.1/32'] };
  const { members } = await engine.provision(deploymentSpec({ access }));
  const [{ port = 0 } = {}] = members;
  const greeted = await WireClient.connect(port);
  const taken = await bareConnections(t, port, 2 * MAX_FILES);
  const steps = { step: 20, limit: 180_000 };
  const refused = await poll(machineClock(), steps, () => (taken() < MAX_FILES ? true : undefined));
  assert.equal(refused, true, 'connections above the limit are closed');
  assert.equal((await greeted.command({ hello: 1, $db: 'admin' })).ok, 1);
  // Starting another cluster opens more files.
  const other = deploymentSpec({ id: '6500000000000000000000a2', access });
  assert.equal((await engine.provision(other)).state, 'running');
  const left = await poll(machineClock(), steps, () => (taken() === 0 ? true : undefined));
  assert.equal(left, true, 'silent connections are closed after a while');
  assert.equal((await greeted.command({ hello: 1, $db: 'admin' })).ok, 1);
  assert.equal(host.exitCode, null);
  greeted.end();
});
