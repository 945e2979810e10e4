import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { silentLog } from '@portolan/foundation/log';
import { enginePorts } from '@portolan/test-support/ports';
import { proofOf } from '../control/handshake.ts';
import { hostFilePath, makeEngineDirectory } from '../control/host-file.ts';
import { PROTOCOL_VERSION } from '../control/protocol.ts';
import { createEmbeddedEngine } from './engine.ts';

const ports = await enginePorts();
const token = 'token';

/**
 * Creates a data directory with a host whose greeting names the version `protocol`. Returns the directory and
 * the lines that the host receives.
 */
async function hostOfVersion(t: TestContext, protocol: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'portolan-older-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 }));
  const ended = spawn(process.execPath, ['--version']);
  await once(ended, 'exit');
  const lines: { call?: string; nonce?: string }[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(`${JSON.stringify({ engine: 'portolan-engine', protocol, nonce: 'n' })}\n`);
    createInterface(socket).on('line', (text) => {
      const line = JSON.parse(text);
      lines.push(line);
      const proof = proofOf('host', token, { host: 'n', client: line.nonce });
      if (line.nonce) socket.write(`${JSON.stringify({ proof, pid: ended.pid, settings: {} })}\n`);
      if (line.call === 'stop') {
        server.close();
        socket.end(`${JSON.stringify({ id: line.id, result: null })}\n`);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  makeEngineDirectory(dataDir);
  writeFileSync(
    hostFilePath(dataDir),
    JSON.stringify({ protocol, pid: ended.pid, host: '127.0.0.1', port, token }),
  );
  return { dataDir, lines };
}

test('ends a host of an earlier version and starts another', async (t) => {
  const { dataDir, lines } = await hostOfVersion(t, PROTOCOL_VERSION - 1);
  const warnings: string[] = [];
  const log = { ...silentLog(), warn: (_: object, message: string) => void warnings.push(message) };
  const engine = createEmbeddedEngine({ dataDir, log, ports });
  await engine.start();
  t.after(() => engine.stop());
  assert.deepEqual(
    lines.map(({ call }) => call),
    [undefined, 'stop'],
  );
  assert.deepEqual(warnings, ['the engine host has an earlier version and is restarted']);
  assert.equal((await engine.status()).deployments, 0);
});

test('does not end a host of a later version', async (t) => {
  const { dataDir, lines } = await hostOfVersion(t, PROTOCOL_VERSION + 1);
  const engine = createEmbeddedEngine({ dataDir, log: silentLog(), ports });
  t.after(() => engine.close());
  await assert.rejects(engine.start(), { name: 'ProtocolMismatch' });
  assert.deepEqual(lines, []);
});
