import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { machineClock } from '@portolan/foundation/clock';
import { portOf } from '@portolan/test-support/listening';
import { InputTurns } from './input-turns.ts';
import { inTurns } from './turns.ts';

async function served(t: TestContext, listener: RequestListener) {
  const inputs = new InputTurns(machineClock());
  const server = createServer(inTurns(listener, inputs));
  inputs.watch(server);
  const port = await portOf(t, server);
  return () => {
    const socket = connect({ port, host: '127.0.0.1' });
    t.after(() => socket.destroy());
    return socket;
  };
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

test('requests of a connection are served one after another, those of others in between', async (t) => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const open = await served(t, ({ url = '' }, response) => {
    begun.push(url);
    ends.push(() => response.end(url));
  });
  const first = open();
  first.write(get('/a1') + get('/a2') + get('/a3'));
  const began = async (count: number) => {
    while (begun.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  await began(1);
  const second = open();
  second.write(get('/b1'));
  await began(2);
  assert.deepEqual(begun, ['/a1', '/b1']);
  ends[0]?.();
  await began(3);
  ends[2]?.();
  await began(4);
  assert.deepEqual(begun, ['/a1', '/b1', '/a2', '/a3']);
});

test('thousands of pipelined requests are answered in order, without reading all of them first', async (t) => {
  const open = await served(t, ({ url }, response) => {
    setImmediate(() => response.end(url));
  });
  const socket = open();
  const wanted = Array.from({ length: 6_000 }, (_, index) => `/${index}.`);
  socket.write([...wanted.slice(1).map((path) => get(path)), get('/0.', 'Connection: close\r\n')].join(''));
  let text = '';
  socket.on('data', (piece) => {
    text += String(piece);
  });
  await once(socket, 'close');
  const answered = [...text.matchAll(/^\/\d+\./gm)].map(([path]) => path);
  assert.deepEqual(answered, [...wanted.slice(1), '/0.']);
});
