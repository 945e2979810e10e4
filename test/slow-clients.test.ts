import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { expectStatus } from './support/expect.ts';
import { onSetup } from './support/setups.ts';
import { everythingFrom, openPlainSocket, openSocket } from './support/sockets.ts';

/** The default time limit for receiving headers. */
const LIMIT_MS = 10_000;
/**
 * How much later than `LIMIT_MS` a connection may be closed. The sum is below one minute, the time after which Node.js
 * itself would close the connection by default.
 */
const SLACK_MS = 45_000;

/**
 * Returns a socket, and a promise that resolves when the socket is closed. The result contains the text that the socket
 * has received. `after` is the time from just before the opening to the close, in milliseconds.
 */
async function opened(open: Promise<Socket>): Promise<{ socket: Socket; ending: Promise<Ending> }> {
  const start = performance.now();
  const socket = await open;
  const ending = everythingFrom(socket).then((text) => ({ text, after: performance.now() - start }));
  return { socket, ending };
}

interface Ending {
  readonly text: string;
  readonly after: number;
}

onSetup('SQLite, one instance', 'slow clients', (setup) => {
  test('slow clients are disconnected after ten seconds, and others are served meanwhile', async (t) => {
    const [instance] = setup.instances;
    const opening = [openPlainSocket(instance), ...[1, 2, 3].map(() => openSocket(instance))];
    const all = await Promise.all(opening.map(opened));
    const [, , stuck, dripping] = all.map(({ socket }) => socket);
    assert.ok(stuck && dripping);
    t.after(() => {
      for (const { socket } of all) socket.destroy();
    });
    stuck.write('GET /api/service/v2 HTTP/1.1\r\nHost: x\r\nX-Half: ');
    dripping.write('GET /api/service/v2 HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const drip = setInterval(() => dripping.writable && dripping.write('x'), 200);
    t.after(() => clearInterval(drip));
    const endings = Promise.all(all.map(({ ending }) => ending));
    for (let count = 0; count < 10; count++) expectStatus(await setup.owner.get('/'), 200);
    const [, , half, slow] = await endings;
    for (const { after } of await endings) {
      assert.ok(after > LIMIT_MS - 1000 && after < LIMIT_MS + SLACK_MS, `closed after ${after} ms`);
    }
    for (const one of [half, slow]) assert.match(one?.text ?? '', /^HTTP\/1\.1 408 /);
  });
});
