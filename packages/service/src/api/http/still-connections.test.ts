import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { machineClock } from '@portolan/foundation/clock';
import { portOf } from '@portolan/test-support/listening';
import { defaultLimits } from './limits.ts';
import { boundedServer } from './server.ts';

/** Starts a server that soon closes connections without data. Returns its port. */
function serve(t: TestContext, listener: RequestListener): Promise<number> {
  const limits = { ...defaultLimits, stillMs: 500 };
  const server = boundedServer({ limits, tls: undefined, machine: machineClock() }, listener);
  return portOf(t, server);
}

test('a connection stays open while the service works on its request', async (t) => {
  const port = await serve(t, (request, response) => {
    request.socket.once('timeout', () => setImmediate(() => response.end('done')));
  });
  const outgoing = get({ port, agent: false });
  const [incoming] = await once(outgoing, 'response');
  assert.equal(Buffer.concat(await incoming.toArray()).toString(), 'done');
});

test('a connection without data is closed if its request is incomplete or its response has begun', async (t) => {
  const port = await serve(t, ({ method }, response) => {
    if (method === 'GET') response.write('begun');
  });
  for (const text of [
    'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
    'POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf',
  ]) {
    const socket = connect(port, '127.0.0.1');
    socket.resume();
    socket.write(text);
    await once(socket, 'close');
  }
});
