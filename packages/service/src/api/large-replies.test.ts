import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Type from 'typebox';
import { LargeReply } from './operation.ts';
import { GROUP, listeningApi, operation, testApi } from './testing.ts';

const MB = 1024 * 1024;
const path = `/api/service/v2/groups/${GROUP}/cargo`;

/**
 * Declares an operation whose handler waits for `gate` and returns a `LargeReply` with the size that `bytesOf`
 * returns.
 */
function loading(
  bytesOf: (label: string) => number | undefined,
  gate: (label: string) => Promise<void>,
  make: (label: string) => Promise<void>,
) {
  return operation({
    id: 'load',
    summary: 'Takes cargo.',
    tag: 'Ships',
    method: 'POST',
    path: '/groups/{groupId}/cargo',
    access: 'Project Owner',
    body: Type.Object({ label: Type.String(), notes: Type.Array(Type.String()) }),
    reply: Type.Object({ label: Type.String() }),
    status: 200,
    async handler({ body: { label } }) {
      await gate(label);
      return new LargeReply(bytesOf(label), async () => {
        await make(label);
        return { label };
      });
    },
  });
}

/** Waits until something has happened, for at most 10,000 turns of the event loop. */
async function until(happened: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000 && !happened(); turn++) await setImmediate();
  assert.ok(happened());
}

test('a handler that waits for a database does not delay other large bodies', async (t) => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const done: string[] = [];
  const load = loading(
    () => 1,
    async (label) => (label === 'slow' ? opened : undefined),
    async () => {},
  );
  const { send } = await testApi(t, [load]);
  const notes = Array.from({ length: 20 }, () => 'x'.repeat(100_000));
  const sent = ['slow', 'quick'].map(async (label) => {
    assert.equal((await send({ method: 'POST', url: path, payload: { label, notes } })).statusCode, 200);
    done.push(label);
  });
  await until(() => done.length === 1);
  assert.deepEqual(done, ['quick']);
  open();
  await Promise.all(sent);
});

test('large replies are made one after another; beyond the share of a project, all but small ones get 503', async (t) => {
  const gates = new Map<string, () => void>();
  const make = (label: string) => new Promise<void>((resolve) => gates.set(label, resolve));
  const bytesOf = (label: string) => (label === 'small' ? 60_000 : 32 * MB);
  const { send } = await testApi(t, [loading(bytesOf, async () => {}, make)]);
  const load = (label: string) => send({ method: 'POST', url: path, payload: { label, notes: [] } });
  const [first, second] = [load('first'), load('second')];
  await until(() => gates.has('first'));
  const third = await load('third');
  assert.deepEqual([third.statusCode, third.headers['retry-after']], [503, '1']);
  const small = load('small');
  await until(() => gates.has('small'));
  gates.get('small')?.();
  assert.equal((await small).json().label, 'small');
  assert.deepEqual([...gates.keys()], ['first', 'small']);
  gates.get('first')?.();
  assert.equal((await first).json().label, 'first');
  await until(() => gates.has('second'));
  gates.get('second')?.();
  assert.equal((await second).json().label, 'second');
});

test('replies of unknown size are made one after another', async (t) => {
  const gates = new Map<string, () => void>();
  const make = (label: string) => new Promise<void>((resolve) => gates.set(label, resolve));
  const { send } = await testApi(t, [
    loading(
      () => undefined,
      async () => {},
      make,
    ),
  ]);
  const sent = ['first', 'second'].map((label) =>
    send({ method: 'POST', url: path, payload: { label, notes: [] } }),
  );
  await until(() => gates.has('first'));
  assert.deepEqual([...gates.keys()], ['first']);
  gates.get('first')?.();
  await until(() => gates.has('second'));
  gates.get('second')?.();
  for (const each of sent) assert.equal((await each).statusCode, 200);
});

test('a large reply counts until the client has read it or has gone', async (t) => {
  const text = 'x'.repeat(33 * MB);
  const load = operation({
    id: 'load',
    summary: 'Takes cargo.',
    tag: 'Ships',
    method: 'GET',
    path: '/groups/{groupId}/cargo',
    access: 'Project Owner',
    reply: Type.Object({ label: Type.String() }),
    status: 200,
    handler: async () => new LargeReply(undefined, async () => ({ label: text })),
  });
  const { port, open } = await listeningApi(t, [load]);
  const get = async () => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: 'Bearer owner' },
    });
    return { status: reply.status, length: (await reply.text()).length };
  };
  const unread: Socket[] = [];
  for (let count = 0; count < 2; count++) {
    const socket = await open();
    socket.write(`GET ${path} HTTP/1.1\r\nhost: h\r\nauthorization: Bearer owner\r\n\r\n`);
    await once(socket, 'data');
    socket.pause();
    unread.push(socket);
  }
  assert.equal((await get()).status, 503);
  for (const socket of unread) socket.destroy();
  let reply = await get();
  // The service notices after some turns that the clients have gone.
  for (let tries = 0; tries < 1_000 && reply.status === 503; tries++) reply = await get();
  assert.equal(reply.status, 200);
  assert.ok(reply.length > text.length);
});

/** An operation whose replies are large, without a declaration that they are. */
const listMuch = operation({
  id: 'listMuch',
  summary: 'Returns much.',
  tag: 'Ships',
  method: 'GET',
  path: '/groups/{groupId}/cargo',
  access: 'Project Owner',
  reply: Type.Object({ labels: Type.Array(Type.String()) }),
  status: 200,
  handler: async () => ({ labels: Array<string>(2_000).fill('x'.repeat(18_000)) }),
});

test('large replies of any operation count until they are read', async (t) => {
  const { open } = await listeningApi(t, [listMuch]);
  const get = async () => {
    const socket = await open();
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: h\r\nauthorization: Bearer owner\r\nconnection: close\r\n\r\n`,
    );
    const [first] = await once(socket, 'data');
    socket.pause();
    return { socket, status: String(first).slice(9, 12) };
  };
  const unread = [await get(), await get()];
  assert.deepEqual(
    unread.map(({ status }) => status),
    ['200', '200'],
  );
  assert.equal((await get()).status, '503');
  for (const { socket } of unread) socket.destroy();
  let { status } = await get();
  // The service notices after some turns that the clients have gone.
  for (let tries = 0; tries < 1_000 && status === '503'; tries++) ({ status } = await get());
  assert.equal(status, '200');
});
