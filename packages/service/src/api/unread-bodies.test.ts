import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Type from 'typebox';
import { GROUP, listeningApi, operation } from './testing.ts';

const MEGABYTE = 1024 * 1024;
const GIGABYTE = 1024 * MEGABYTE;
const path = `/api/service/v2/groups/${GROUP}/notes`;

const addNote = operation({
  id: 'addNote',
  summary: 'Adds a note.',
  tag: 'Notes',
  method: 'POST',
  path: '/groups/{groupId}/notes',
  access: 'Project Owner',
  body: Type.Object({ text: Type.String() }),
  reply: Type.Object({ length: Type.Integer() }),
  status: 200,
  handler: async ({ body }) => ({ length: body.text.length }),
});

/** Writes zeros until the connection ends. */
async function flood(socket: Socket, bytes: number): Promise<void> {
  const zeros = Buffer.alloc(64 * 1024);
  const closing = new AbortController();
  socket.once('close', () => closing.abort());
  for (let sent = 0; sent < bytes && !socket.destroyed; sent += zeros.length) {
    // This wait ends with an error if the other end closes the connection.
    if (!socket.write(zeros)) await once(socket, 'drain', { signal: closing.signal }).catch(() => undefined);
  }
}

/** Sends a head and then a gigabyte. */
async function send(t: TestContext, lines: readonly string[]) {
  const { app, open, machine } = await listeningApi(t, [addNote]);
  const accepted = once(app.server, 'connection') as Promise<[Socket]>;
  const client = await open();
  const [served] = await accepted;
  let answer = '';
  client.on('data', (piece) => {
    answer += String(piece);
  });
  const answered = once(client, 'data');
  const head = [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...lines, '', ''];
  client.write(head.join('\r\n'));
  if (lines.some((line) => line.startsWith('Transfer-Encoding')))
    client.write(`${GIGABYTE.toString(16)}\r\n`);
  const closed = once(served, 'close');
  const flooded = flood(client, GIGABYTE);
  await answered;
  return { answer: () => answer, served, client, machine, closed, flooded };
}

const OWNER = 'Authorization: Bearer owner';

for (const [what, status, lines] of [
  ['compressed', 415, [OWNER, 'Content-Encoding: gzip', `Content-Length: ${GIGABYTE}`]],
  ['compressed in chunks', 415, [OWNER, 'Content-Encoding: gzip', 'Transfer-Encoding: chunked']],
  ['too large', 413, [OWNER, `Content-Length: ${GIGABYTE}`]],
  ['without credentials', 401, [`Content-Length: ${GIGABYTE}`]],
] as const)
  test(`a body that is rejected by its headers (${what}) is not read`, async (t) => {
    const { answer, served, client, machine, closed, flooded } = await send(t, lines);
    await once(client, 'end');
    assert.match(answer(), new RegExp(`^HTTP/1.1 ${status} [^]*^connection: close\\r$[^]*}$`, 'im'));
    await setImmediate();
    machine.advance(1_000);
    await Promise.all([closed, flooded]);
    assert.ok(served.bytesRead < MEGABYTE, `${served.bytesRead} bytes were read`);
  });

test('a chunked body that is rejected before it is read is discarded up to the limit of bodies', async (t) => {
  const { answer, served, closed, flooded } = await send(t, ['Transfer-Encoding: chunked']);
  assert.match(answer(), /^HTTP\/1.1 401 /);
  await Promise.all([closed, flooded]);
  assert.ok(served.bytesRead < 6 * MEGABYTE, `${served.bytesRead} bytes were read`);
});
