import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { expectStatus } from './support/expect.ts';
import { onSetup } from './support/setups.ts';
import { everythingFrom, openPlainSocket, openSocket } from './support/sockets.ts';

/** Headers must be complete after this, by default. */
const LIMIT_MS = 10_000;
/** Within this of the limit a connection is closed: the server looks every second, and the machine may be busy. */
const SLACK_MS = 5_000;

/** What a socket gets before it is closed, and after how many milliseconds that is. */
async function ending(socket: Socket): Promise<{ text: string; after: number }> {
  const start = performance.now();
  const text = await everythingFrom(socket);
  return { text, after: performance.now() - start };
}

onSetup('SQLite, one instance', 'slow clients', (setup) => {
  test('who does not come to the point within ten seconds is let go, and others are served', async (t) => {
    const [instance] = setup.instances;
    const silent = await openPlainSocket(instance);
    const sockets = await Promise.all([1, 2, 3].map(() => openSocket(instance)));
    const [quiet, stuck, dripping] = sockets;
    assert.ok(quiet && stuck && dripping);
    t.after(() => {
      for (const socket of [silent, ...sockets]) socket.destroy();
    });
    stuck.write('GET /api/service/v2 HTTP/1.1\r\nHost: x\r\nX-Half: ');
    dripping.write('GET /api/service/v2 HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const drip = setInterval(() => dripping.writable && dripping.write('x'), 200);
    t.after(() => clearInterval(drip));
    const endings = Promise.all([silent, quiet, stuck, dripping].map(ending));
    for (let count = 0; count < 10; count++) expectStatus(await setup.owner.get('/'), 200);
    const [, , half, slow] = await endings;
    for (const { after } of await endings) {
      assert.ok(after > LIMIT_MS - 1000 && after < LIMIT_MS + SLACK_MS, `closed after ${after} ms`);
    }
    for (const one of [half, slow]) assert.match(one?.text ?? '', /^HTTP\/1\.1 408 /);
  });
});
