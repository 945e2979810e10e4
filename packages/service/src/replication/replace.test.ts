import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { machineClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { engineAlone } from '@portolan/test-support/engine-alone';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { MongoClient } from 'mongodb';
import { Checkpoint } from './checkpoint.ts';
import { endpointsOf } from './endpoints.ts';
import { ATTEMPT } from './fill.ts';
import { CHECKPOINTS } from './names.ts';
import { replaceDatabases } from './replace.ts';
import { createIndexes } from './structure.ts';

const clients: MongoClient[] = [];
const leave = () => Promise.all(clients.splice(0).map((client) => client.close()));
const [sourceUri, targetUri] = [engineAlone(leave), engineAlone()];
let source: MongoClient;
let target: MongoClient;

async function connected(uri: string, options = {}): Promise<MongoClient> {
  const client = await MongoClient.connect(uri, { ...LONG_TIMEOUTS, ...options });
  clients.push(client);
  return client;
}

before(async () => {
  [source, target] = await Promise.all([connected(sourceUri()), connected(targetUri())]);
  for (const name of ['cranes', 'docks']) await source.db(name).collection('all').insertOne({ name });
});

const into = (client: MongoClient) => ({ target: client, builder: client });
const partsWith = (signal: AbortSignal) => ({
  ...{ machine: machineClock(), random: systemRandom(), log: silentLog(), signal },
});

/** Returns a client that calls `meanwhile` before it first drops a database. */
function interrupted(client: MongoClient, name: string, meanwhile: () => Promise<unknown>): MongoClient {
  const db = client.db.bind(client);
  let isDone = false;
  client.db = (...given) => {
    const found = db(...given);
    const drop = found.dropDatabase.bind(found);
    found.dropDatabase = async (...more) => {
      if (found.databaseName === name && !isDone) {
        isDone = true;
        await meanwhile();
      }
      return drop(...more);
    };
    return found;
  };
  return client;
}

test('a run that another one supersedes drops nothing afterwards', async () => {
  const newer = new Checkpoint(target, 'replace', 'newer');
  const older = interrupted(await connected(targetUri()), 'cranes', async () => {
    await newer.take(ATTEMPT);
    await target.db('docks').collection('all').insertOne({ name: 'of the newer run' });
  });
  const run = replaceDatabases(source, into(older), partsWith(new AbortController().signal));
  await assert.rejects(run, { name: 'Superseded' });
  assert.equal(await target.db('docks').collection('all').countDocuments(), 1);
  await newer.assertOwned();
  await target.db(CHECKPOINTS).dropDatabase();
});

test('a run that another one supersedes after its last drop copies nothing', async () => {
  const newer = new Checkpoint(target, 'replace', 'newer');
  const older = interrupted(await connected(targetUri()), 'docks', () => newer.take(ATTEMPT));
  const run = replaceDatabases(source, into(older), partsWith(new AbortController().signal));
  await assert.rejects(run, { name: 'Superseded' });
  await newer.assertOwned();
  assert.deepEqual([await newer.copies(), await target.db('docks').listCollections().toArray()], [[], []]);
  await target.db(CHECKPOINTS).dropDatabase();
});

test('a run that is aborted drops nothing afterwards', async () => {
  const abort = new AbortController();
  await target.db('docks').collection('all').insertOne({ name: 'kept' });
  const client = interrupted(await connected(targetUri()), 'cranes', async () =>
    abort.abort(new Error('gone')),
  );
  await assert.rejects(replaceDatabases(source, into(client), partsWith(abort.signal)), /gone/);
  assert.equal(await target.db('docks').collection('all').countDocuments({ name: 'kept' }), 1);
  await replaceDatabases(source, into(target), partsWith(new AbortController().signal));
  const names = await target.db('docks').collection('all').distinct('name');
  assert.deepEqual(names, ['docks']);
});

test('indexes are built with a client of their own, since a build may take longer than other commands', async () => {
  // Index builds with this client fail, as if the time limit of the client were too short for them.
  const hasty = await connected(targetUri(), { appName: 'hasty' });
  const data = { failCommands: ['createIndexes'], errorCode: 262, appName: 'hasty' };
  await target.db('admin').command({ configureFailPoint: 'failCommand', mode: 'alwaysOn', data });
  const endpoints = { ...(await endpointsOf(source, hasty)), builder: target };
  await createIndexes(endpoints, { db: 'cranes', coll: 'all' }, [{ key: { name: 1 }, name: 'name_1' }]);
  await target.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' });
  assert.equal((await target.db('cranes').collection('all').indexes()).length, 2);
});
