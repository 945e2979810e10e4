import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectPlain, createServer, Server, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { connect, type TLSSocket, Server as TlsServer } from 'node:tls';
import { systemRandom } from '@portolan/foundation/random';
import { issueServerCertificate, makeAuthority } from '@portolan/foundation/tls/authority';
import { customerCertificate } from '@portolan/test-support/customer-certificate';
import { MAX_HANDSHAKE_BYTES } from './limited-handshake.ts';
import { TlsGate } from './tls-gate.ts';

const making = { now: Date.now(), random: systemRandom() };
const server = await makeAuthority(making);
const certificate = await issueServerCertificate(server, ['127.0.0.1'], making);
const client = await customerCertificate('CN=sailor');

/** Opens a port whose connections pass a gate, which asks for certificates of the authorities. */
async function gated(t: TestContext, authorities: readonly string[]) {
  const secured = Promise.withResolvers<TLSSocket>();
  const rejected = Promise.withResolvers<string>();
  const gate = new TlsGate({
    secured: secured.resolve,
    rejected: (_, reason) => rejected.resolve(reason),
  });
  gate.configure(certificate, { authorities });
  const sockets: Socket[] = [];
  const listener = createServer((socket) => {
    sockets.push(socket);
    gate.accept(socket);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  const { port } = listener.address() as { port: number };
  const open = (cert: string) => {
    const socket = connect({ port, host: '127.0.0.1', ca: server.cert, cert, key: client.key });
    t.after(() => socket.destroy());
    return socket.on('error', () => {});
  };
  return { open, port, secured: secured.promise, rejected: rejected.promise };
}

test('a connection with a client certificate has addresses, and carries many bytes', async (t) => {
  const { open, secured } = await gated(t, [client.authority]);
  const socket = open(client.certificate);
  const accepted = await secured;
  assert.equal(accepted.authorized, true);
  assert.deepEqual(
    [accepted.remoteAddress, accepted.remotePort, accepted.localPort],
    ['127.0.0.1', socket.localPort, socket.remotePort],
  );
  accepted.pipe(accepted);
  const sent = Buffer.alloc(4_000_000, 'x');
  socket.write(sent);
  const received: Buffer[] = [];
  for await (const bytes of socket) {
    received.push(bytes);
    if (Buffer.concat(received).length === sent.length) break;
  }
  assert.equal(Buffer.concat(received).equals(sent), true);
});

test('a chain of many certificates is rejected before it is verified', async (t) => {
  const { open, rejected } = await gated(t, [client.authority]);
  const count = Math.ceil(MAX_HANDSHAKE_BYTES / 256);
  open(client.certificate + client.authority.repeat(count));
  assert.match(await rejected, /./);
});

test('few handshakes of a cluster begin in one turn of the event loop', async (t) => {
  const emit = t.mock.method(Server.prototype, 'emit');
  const { port } = await gated(t, []);
  const begun = () =>
    emit.mock.calls.filter(
      ({ this: server, arguments: [name] }) => server instanceof TlsServer && String(name) === 'connection',
    ).length;
  const sockets = Array.from({ length: 100 }, () => connectPlain(port, '127.0.0.1'));
  t.after(() => sockets.forEach((socket) => void socket.destroy()));
  for (const socket of sockets) socket.on('error', () => {}).write('x');
  let most = 0;
  for (let before = 0; before < sockets.length; ) {
    await setImmediate();
    const now = begun();
    most = Math.max(most, now - before);
    before = now;
  }
  assert.ok(most <= 2, `${most} handshakes at once`);
});
