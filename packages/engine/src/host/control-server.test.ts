import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { machineClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { clientOf } from '../client/call-client.ts';
import { type ControlConnection, connectToHost } from '../client/control-connection.ts';
import type { HostEndpoint } from '../client/endpoint.ts';
import { ConnectionLost, EngineError, EngineUnavailable, ProtocolMismatch } from '../client/errors.ts';
import { type ControlCalls, controlCalls } from '../control/calls.ts';
import { PROTOCOL_VERSION } from '../control/protocol.ts';
import { type ControlServer, listenForControl } from './control-server.ts';

const random = systemRandom();
const clock = machineClock();
const connect = (endpoint: HostEndpoint) => connectToHost(endpoint, controlCalls, { random, clock });
const callsOf = (connection: ControlConnection) => clientOf(controlCalls, connection);
const token = 'token';
const settings = {
  dataDir: '/d',
  listen: '127.0.0.1',
  advertise: 'db.test',
  ports: { from: 1, to: 2, first: 1 },
  keyFolder: '/nowhere',
};
const calls: Partial<ControlCalls> = {
  pause: async (id) => ({ id, state: 'paused', members: [], primaries: [], accessRevision: 1 }),
  remove: async (id) => {
    throw new Error(`${id} cannot be removed`);
  },
  status: () => new Promise(() => {}),
};

suite('control', () => {
  let server: ControlServer;
  let file: HostEndpoint;
  before(async () => {
    const options = {
      token,
      settings,
      table: controlCalls,
      calls: calls as ControlCalls,
      random,
      clock,
      log: silentLog(),
    };
    server = await listenForControl(options, { host: '127.0.0.1', port: 0 });
    file = { host: '127.0.0.1', port: server.port, token };
  });
  after(() => server.close());

  test('a client that holds the token receives the settings and may call', async () => {
    const connection = await connect(file);
    assert.deepEqual(connection.settings, settings);
    assert.equal((await callsOf(connection).pause('c1')).id, 'c1');
    connection.close();
  });

  test('the host notices when a client leaves', async () => {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    let isGone = false;
    const own = await listenForControl(
      {
        ...{ token, settings, table: controlCalls, calls: calls as ControlCalls },
        ...{ random, clock, log: silentLog() },
        onLeave() {
          assert.ok(isGone);
          resolve();
        },
      },
      { host: '127.0.0.1', port: 0 },
    );
    const connection = await connect({ ...file, port: own.port });
    assert.equal((await callsOf(connection).pause('c1')).id, 'c1');
    isGone = true;
    connection.close();
    await left;
    own.close();
  });

  test('a failed call returns its reason, and the connection continues', async () => {
    const connection = await connect(file);
    await assert.rejects(callsOf(connection).remove('c1'), new EngineError('c1 cannot be removed'));
    assert.equal((await callsOf(connection).pause('c2')).id, 'c2');
    connection.close();
  });

  test('a call in progress fails when the connection ends', async () => {
    const connection = await connect(file);
    const status = callsOf(connection).status();
    connection.close();
    await assert.rejects(status, ConnectionLost);
  });

  test('rejects a client with another token', async () => {
    await assert.rejects(connect({ ...file, token: 'other' }), EngineUnavailable);
  });

  test('a client does not accept a program without the token as the host', async () => {
    const fake = createServer((socket) => {
      socket.write(
        `${JSON.stringify({ engine: 'portolan-engine', protocol: PROTOCOL_VERSION, nonce: 'n' })}\n`,
      );
      // Without the token, a program can only send back the proof that it has received.
      socket.on('data', (line) => socket.write(line));
    });
    await assert.rejects(against(fake), /does not hold the token/);
  });

  test('a client rejects a host with another protocol version and names both versions', async () => {
    const newer = createServer((socket) => {
      socket.write('{"engine": "portolan-engine", "protocol": 99, "nonce": "n"}\n');
      socket.on('error', () => {});
    });
    await assert.rejects(against(newer), (error) => {
      const versions = new RegExp(`version 99 .* version ${PROTOCOL_VERSION}`);
      return error instanceof ProtocolMismatch && versions.test(error.message);
    });
  });

  test('a client does not accept another program on the port as the host', async () => {
    await assert.rejects(
      against(createServer((socket) => socket.end('220 mail ready\n'))),
      EngineUnavailable,
    );
  });

  async function against(other: Server): Promise<void> {
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    try {
      await connect({ ...file, port });
    } finally {
      other.close();
    }
  }
});
