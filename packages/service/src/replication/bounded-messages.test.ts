import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { scopeOf } from '@portolan/test-support/service';
import { replicaSet, serverWithLongReply, standInServer } from '@portolan/test-support/stand-in-server';
import { clientOf } from '../adopted/connection.ts';
import { boundMessages, tooLong } from './bounded-messages.ts';

const message = (size: number) => {
  const bytes = Buffer.alloc(size, 1);
  bytes.writeInt32LE(size);
  return bytes;
};

test('messages up to the limit pass, however they are divided', async () => {
  for (const step of [1, 3, 7, 1000]) {
    const socket = new PassThrough();
    boundMessages(socket as unknown as Socket, (bytes) => tooLong(bytes, 40));
    const bytes = Buffer.concat([message(16), message(40), message(17)]);
    for (let at = 0; at < bytes.length; at += step) socket.write(bytes.subarray(at, at + step));
    socket.end();
    await once(socket, 'end');
    assert.equal(socket.errored, null);
  }
});

test('a longer message closes the connection with the reason as soon as its size is known', async () => {
  const socket = new PassThrough();
  boundMessages(socket as unknown as Socket, (bytes) => tooLong(bytes, 40));
  const failed = once(socket, 'error');
  socket.write(message(40));
  socket.write(message(41).subarray(0, 4));
  const [error] = await failed;
  assert.match(error.message, /^a reply has 41 bytes, and the service reads at most 40$/);
});

test('a client of a deployment reports a message that is too long', async (t) => {
  const client = await clientOf({ connectionString: await serverWithLongReply(scopeOf(t)) });
  await assert.rejects(client.db('admin').command({ ping: 1 }), /a reply has 2000000000 bytes/);
  await client.close();
});

test('replies of few bytes and many values are not decoded', async (t) => {
  const answers = {
    buildInfo: { version: '8.0.4', junk: Array(200_000).fill(1) },
    listDatabases: { databases: Array(100_000).fill(null) },
  };
  const { host } = await standInServer(scopeOf(t), replicaSet(answers));
  for (const limit of [undefined, 60_000]) {
    const client = await clientOf({ connectionString: `mongodb://${host}/` }, limit);
    const admin = client.db('admin');
    await assert.rejects(admin.command({ buildInfo: 1 }), /a reply has more than 200000 values/);
    const { databases } = await admin.command({ listDatabases: 1 });
    assert.equal(databases.length, 100_000);
    await client.close();
  }
});

test('a server is not usable if a reply takes long to decode', async (t) => {
  const junk = Array.from({ length: 200_000 }, () => ({ a: 'abcdefghijklmnopqrstuvwxyz' }));
  const { host } = await standInServer(scopeOf(t), replicaSet({ buildInfo: { version: '8.0.4', junk } }));
  const client = await clientOf({ connectionString: `mongodb://${host}/` });
  await assert.rejects(
    client.db('admin').command({ buildInfo: 1 }),
    /the service reads at most 8000000$|connection .* closed/,
  );
  await client.close();
});
