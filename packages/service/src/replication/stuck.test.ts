import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { before, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { testClock } from '@portolan/foundation/testing';
import { engineAlone } from '@portolan/test-support/engine-alone';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { MongoClient } from 'mongodb';
import { closeAll, unlessStuck } from './stuck.ts';

const machine = testClock();
let client: MongoClient;
const uri = engineAlone(() => client.close());
before(async () => {
  client = await MongoClient.connect(uri(), { socketTimeoutMS: 60_000, ...LONG_TIMEOUTS });
});

/** Breaks the connection that sends a command, after the driver has begun to send it. */
function breakOnSending(t: TestContext, command: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const write = Socket.prototype.write;
  const mock = t.mock.method(Socket.prototype, 'write', function (this: Socket, ...given: [Buffer]) {
    if (Buffer.isBuffer(given[0]) && given[0].includes(command)) {
      mock.mock.restore();
      this.destroy();
      resolve();
    }
    return write.apply(this, given as never);
  });
  return promise;
}

test('work whose command never ends is rejected after the time limit of the client', async (t) => {
  const broken = breakOnSending(t, 'usersInfo');
  let isOver = false;
  const work = unlessStuck(machine, [client], () => client.db('admin').command({ usersInfo: 1 })).finally(
    () => {
      isOver = true;
    },
  );
  work.catch(() => {});
  await broken;
  machine.advance(74_000);
  await setImmediate();
  assert.equal(isOver, false);
  machine.advance(2_000);
  await assert.rejects(work, /a command to 127\.0\.0\.1:\d+ does not end/);
});

test('work that takes long, with commands that end, is not rejected', async () => {
  const found = await unlessStuck(machine, [client], async () => {
    for (let round = 0; round < 5; round++) {
      await client.db('admin').command({ ping: 1 });
      machine.advance(100_000);
    }
    return 'done';
  });
  assert.equal(found, 'done');
  await assert.rejects(
    unlessStuck(machine, [client], async () => assert.fail('broken')),
    /broken/,
  );
});

test('a client that never closes is not waited for', async () => {
  const endless = { close: () => new Promise(() => {}) } as unknown as MongoClient;
  const closed = closeAll(machine, [endless]);
  machine.advance(10_000);
  await closed;
});
