import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { portOf } from '@portolan/test-support/listening';
import { InputTurns } from './input-turns.ts';
import { inTurns } from './turns.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Opens a server on whose clock each slice takes one millisecond. Connections have the addresses in their order. */
async function served(t: TestContext, addresses: readonly string[], listener: RequestListener) {
  let time = 0;
  const inputs = new InputTurns({ monotonic: () => time++ });
  const server = createServer(inTurns(listener, inputs));
  const left = [...addresses];
  server.on('connection', (socket: Socket) => {
    Object.defineProperty(socket, 'remoteAddress', { value: left.shift() });
  });
  inputs.watch(server);
  const port = await portOf(t, server);
  const open = async () => {
    const accepted = once(server, 'connection');
    const socket = connect({ port, host: '127.0.0.1' });
    t.after(() => socket.destroy());
    await accepted;
    return socket;
  };
  const openAll = async (count: number) => {
    const sockets: Socket[] = [];
    while (sockets.length < count) sockets.push(await open());
    return sockets;
  };
  const pass = (ms: number) => {
    time += ms;
  };
  return { server, open, openAll, pass };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('the requests of another network are read between slices of much input', async (t) => {
  const addresses = [...Array<string>(40).fill('192.0.2.1'), '192.0.2.2'];
  const parsed = { '/many': 0, '/one': 0 };
  const { server, open, openAll } = await served(t, addresses, (_, response) => void response.end());
  let isSeen = () => {};
  const seen = new Promise<void>((done) => {
    isSeen = done;
  });
  let before = 0;
  const sent = 2_000;
  server.on('request', ({ url }) => {
    if (url === '/many' && parsed['/many']++ === 0) isSeen();
    if (url === '/one') before = parsed['/many'];
  });
  const many = await openAll(addresses.length - 1);
  const one = await open();
  for (const socket of many) socket.resume().write(get('/many').repeat(sent));
  await seen;
  one.write(get('/one'));
  await once(one, 'data');
  assert.ok(before < (many.length * sent) / 4, `${before} requests of the other network came first`);
});

test('a body in thousands of pieces does not keep the requests of others waiting', async (t) => {
  const addresses = [...Array<string>(20).fill('192.0.2.1'), '192.0.2.2'];
  let pieces = 0;
  const { open, openAll } = await served(t, addresses, (request, response) => {
    request.on('data', () => pieces++);
    request.on('end', () => response.end());
    request.resume();
  });
  const many = await openAll(addresses.length - 1);
  const one = await open();
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  for (const socket of many) socket.write(head + '1\r\nx\r\n'.repeat(20_000));
  while (pieces === 0) await nextTurn();
  one.write(get('/'));
  await once(one, 'data');
  assert.ok(pieces < (many.length * 20_000) / 4, `${pieces} pieces came first`);
});

test('one request of a network begins per turn of the event loop if requests are slow', async (t) => {
  const addresses = [...Array<string>(30).fill('192.0.2.1'), '192.0.2.2'];
  const begun: string[] = [];
  const { open, openAll, pass } = await served(t, addresses, async ({ url = '' }, response) => {
    begun.push(url);
    await Promise.resolve();
    // The request takes ten milliseconds after the parser has returned.
    pass(10);
    response.end();
  });
  const many = await openAll(addresses.length - 1);
  const one = await open();
  for (const socket of many) socket.resume().write(get('/many').repeat(20));
  while (begun.length === 0) await nextTurn();
  one.write(get('/one'));
  await once(one, 'data');
  const before = begun.indexOf('/one');
  assert.ok(before < (many.length * 20) / 4, `${before} requests of the other network came first`);
});

test('while a request is served, few of the next ones are read', async (t) => {
  let parsed = 0;
  const ends: (() => void)[] = [];
  const { server, open } = await served(t, ['192.0.2.1'], (_, response) => {
    ends.push(() => response.end());
  });
  server.on('request', () => parsed++);
  const socket = await open();
  const sent = 4_000;
  socket.resume().write(get('/').repeat(sent));
  while (ends.length === 0) await nextTurn();
  for (let turn = 0; turn < 1_000; turn++) await nextTurn();
  assert.ok(parsed < 200, `${parsed} requests were read`);
  let ended = 0;
  while (ended < sent) {
    for (const end of ends.splice(0)) {
      end();
      ended++;
    }
    await nextTurn();
  }
  assert.equal(parsed, sent);
});

test('a body is read to its end, and the connection serves further requests', async (t) => {
  const { open } = await served(t, ['192.0.2.1'], (request, response) => {
    let length = 0;
    request.on('data', (piece: Buffer) => {
      length += piece.length;
    });
    request.on('end', () => response.end(`length ${length}.`));
  });
  const socket = await open();
  let text = '';
  socket.on('data', (piece) => {
    text += String(piece);
  });
  const body = 'x'.repeat(1_000_000);
  for (let count = 0; count < 3; count++)
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  while (text.match(/length 1000000\./g)?.length !== 3) await nextTurn();
});
