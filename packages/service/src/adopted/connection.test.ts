import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { engineAlone } from '@portolan/test-support/engine-alone';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { MongoClient } from 'mongodb';
import { findAccounts } from './accounts/index.ts';
import { ask, askIfKnown, clientOf, replyOf } from './connection.ts';

const clients: MongoClient[] = [];
const uri = engineAlone(() => Promise.all(clients.map((client) => client.close())));

test('a server that does not know a command is told apart from one that shuts down', async () => {
  // Connect to a single member: a fail point affects one member only, and `askIfKnown` uses the nearest member.
  const oneMember = uri()
    .replace(/,[^/]*/, '')
    .replace(/replicaSet=[^&]*&?/, '');
  const client = new MongoClient(oneMember, { appName: 'asked', retryReads: false, directConnection: true });
  clients.push(client);
  const fail = (errorCode: number) =>
    client.db('admin').command({
      configureFailPoint: 'failCommand',
      mode: { times: 1 },
      data: { failCommands: ['usersInfo'], errorCode, appName: 'asked' },
    });
  await fail(59);
  assert.equal(await askIfKnown(client, { usersInfo: 1 }), undefined);
  for (const code of [11_600, 50]) {
    await fail(code);
    await assert.rejects(askIfKnown(client, { usersInfo: 1 }), { code });
  }
  assert.deepEqual((await askIfKnown(client, { usersInfo: 'nobody' }))?.users, []);
});

/** Breaks the connection that sends a command, after the driver has begun to send it. Then calls `broken`. */
function breakOnSending(t: TestContext, command: string, broken: () => void): void {
  const write = Socket.prototype.write;
  const mock = t.mock.method(Socket.prototype, 'write', function (this: Socket, ...given: [Buffer]) {
    if (Buffer.isBuffer(given[0]) && given[0].includes(command)) {
      mock.mock.restore();
      this.destroy();
      setImmediate(broken);
    }
    return write.apply(this, given as never);
  });
}

test('a command whose connection breaks as it is sent ends, and short commands are sent again', async (t) => {
  const client = await MongoClient.connect(uri(), { appName: 'cut', ...LONG_TIMEOUTS });
  clients.push(client);
  const limits: number[] = [];
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  let first = new AbortController();
  t.mock.method(AbortSignal, 'timeout', (ms: number) => {
    limits.push(ms);
    return limits.length === 1 ? first.signal : timeout(ms);
  });
  /** When `command` is sent next, breaks the connection and ends the time limit of the command. */
  const breakOn = (command: string) => {
    const limit = new AbortController();
    first = limit;
    breakOnSending(t, command, () => limit.abort(new DOMException('the limit has passed', 'TimeoutError')));
  };
  const account = { kind: 'USER', database: 'admin', name: 'nobody' } as const;
  const sentAgain: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['listDatabases', () => ask(client, { listDatabases: 1 })],
    ['usersInfo', () => findAccounts(client, [account])],
  ];
  for (const [command, call] of sentAgain) {
    breakOn(command);
    await call();
    assert.deepEqual(limits.splice(0), [15_000, 15_000], command);
  }
  const calls: readonly (readonly [string, number, () => Promise<unknown>])[] = [
    ['listCollections', 60_000, () => replyOf(client, { listCollections: 1 }, 'harbour')],
    [
      'createIndexes',
      86_400_000,
      () => replyOf(client, { createIndexes: 'ships', indexes: [{ key: { n: 1 }, name: 'n_1' }] }, 'harbour'),
    ],
  ];
  for (const [command, limit, call] of calls) {
    breakOn(command);
    await assert.rejects(call, /imed out|timeout/, command);
    assert.deepEqual(limits.splice(0), [limit], command);
  }
});

test('the error of a malformed connection string contains no credentials', async () => {
  for (const host of ['', ':99999', '@', '%zz@127.0.0.1', '@:1', '/x@127.0.0.1'])
    await assert.rejects(
      clientOf({ connectionString: `mongodb://keeper:lantern${host}` }),
      ({ message }: Error) => message.length > 10 && !message.includes('lantern'),
      host,
    );
});
