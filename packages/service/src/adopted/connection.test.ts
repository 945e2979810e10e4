import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineAlone } from '@portolan/test-support/engine-alone';
import { MongoClient } from 'mongodb';
import { askIfKnown } from './connection.ts';

const clients: MongoClient[] = [];
const uri = engineAlone(() => Promise.all(clients.map((client) => client.close())));

test('a server that does not know a command is told apart from one that shuts down', async () => {
  // Use one member only: a fail point is set on one, and `askIfKnown` asks the nearest.
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
