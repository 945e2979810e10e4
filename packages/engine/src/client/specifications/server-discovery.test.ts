import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { MongoClient, ServerDescriptionChangedEvent, TopologyDescriptionChangedEvent } from 'mongodb';
import { type Case, fails, specification, type World } from './testing.ts';

/**
 * Interval at which the driver asks a member for its state. It is longer than a test may take. Therefore the driver
 * learns of changes only from replies to its operations, and from the replies that a member streams to a `hello`
 * command.
 */
const HEARTBEAT_MS = 3_600_000;
const rare = { heartbeatFrequencyMS: HEARTBEAT_MS };

interface Seen {
  readonly unknown: string[];
  readonly cleared: string[];
  readonly primaries: string[];
}

/** Records what a client learns from now on. */
function watch(client: MongoClient): Seen {
  const seen: Seen = { unknown: [], cleared: [], primaries: [] };
  client.on('serverDescriptionChanged', ({ address, newDescription }: ServerDescriptionChangedEvent) => {
    if (newDescription.type === 'Unknown') seen.unknown.push(address);
    if (newDescription.type === 'RSPrimary') seen.primaries.push(address);
  });
  client.on('connectionPoolCleared', ({ address }) => seen.cleared.push(address));
  return seen;
}

/** Errors of fail points have no topology version, so drivers never regard them as stale. */
const codes = [
  ...[10107, 13435, 13436, 189, 11602].map((code) => ({ code, clears: false })),
  ...[91, 11600].map((code) => ({ code, clears: true })),
];

const stateChanges = codes.map(
  ({ code, clears }): Case => ({
    name: `error ${code}${clears ? ', which clears the connection pool' : ''}`,
    options: { heartbeatFrequencyMS: 500, minHeartbeatFrequencyMS: 10, retryWrites: false },
    async run(world) {
      await world.items.findOne({});
      const seen = watch(world.client);
      await world.fail({ failCommands: ['insert'], errorCode: code });
      await fails(world.items.insertOne({ _id: 4 }), { code });
      assert.equal(seen.unknown.length, 1);
      assert.equal(seen.cleared.length, clears ? 1 : 0);
      await world.items.insertOne({ _id: 4 });
      assert.ok(seen.primaries.length >= 1);
    },
  }),
);

const others = [2, 26, 50, 112, 11601].map(
  (code): Case => ({
    name: `error ${code}`,
    options: rare,
    async run(world) {
      await world.items.findOne({});
      const seen = watch(world.client);
      await world.fail({ failCommands: ['insert'], errorCode: code });
      await fails(world.items.insertOne({ _id: 4 }), { code });
      assert.deepEqual(seen, { unknown: [], cleared: [], primaries: [] });
    },
  }),
);

const primaryOf = async ({ db }: World): Promise<string> => (await db.command({ hello: 1 })).primary;

const elections: readonly Case[] = [
  {
    name: 'is noticed without a heartbeat, and writes continue',
    options: rare,
    async run(world) {
      const before = await primaryOf(world);
      await world.items.insertOne({ _id: 4 });
      const seen = watch(world.client);
      await world.failover();
      await world.items.insertOne({ _id: 5 });
      const after = await primaryOf(world);
      assert.notEqual(after, before);
      assert.deepEqual(seen.primaries, [after]);
    },
  },
  {
    name: 'has a greater election id each time',
    options: rare,
    async run(world) {
      const ids: string[] = [];
      for (let election = 0; election < 3; election++) {
        ids.push((await world.db.command({ hello: 1 })).electionId.toHexString());
        await world.failover();
        await world.items.updateOne({ _id: 1 }, { $inc: { x: 1 } });
      }
      assert.deepEqual(ids, ids.toSorted());
      assert.equal(new Set(ids).size, 3);
    },
  },
  {
    name: 'does not end the writes of other members of the client',
    options: rare,
    async run(world) {
      const writing = Array.from({ length: 50 }, (_, i) => world.items.insertOne({ _id: 100 + i }));
      await world.failover();
      await Promise.all(writing);
      assert.equal((await world.stored()).length, 53);
    },
  },
  {
    name: 'ends an open transaction, which can be retried',
    options: rare,
    async run(world) {
      const session = world.client.startSession();
      let attempts = 0;
      await session.withTransaction(async () => {
        await world.items.insertOne({ _id: 4 }, { session });
        if (++attempts === 1) await world.failover();
        await world.items.insertOne({ _id: 5 }, { session });
      });
      await session.endSession();
      assert.equal(attempts, 2);
      assert.equal((await world.stored()).length, 5);
    },
  },
];

const discovery: readonly Case[] = [
  {
    name: 'finds all members and the primary from any one of them',
    async run({ client, db }) {
      const { hosts, primary, me, setName } = await db.command({ hello: 1 });
      assert.equal(hosts.length, 3);
      assert.equal(primary, me);
      assert.equal(client.options.replicaSet, setName);
    },
  },
  {
    name: 'reads from a secondary if allowed',
    async run({ db }) {
      const { secondary } = await db.command({ hello: 1 }, { readPreference: 'secondary' });
      assert.equal(secondary, true);
    },
  },
  {
    name: 'recovers from failed greetings',
    async run({ connect, fail }) {
      await fail(
        { failCommands: ['hello', 'isMaster', 'ismaster'], closeConnection: true, appName: 'greeted' },
        { times: 2 },
      );
      const client = await connect({ appName: 'greeted' });
      assert.equal((await client.db('admin').command({ ping: 1 })).ok, 1);
    },
  },
  {
    name: 'waits for topology changes instead of polling',
    options: { heartbeatFrequencyMS: 500 },
    async run({ connect }) {
      const client = await connect({ heartbeatFrequencyMS: 500 });
      let changes = 0;
      client.on('topologyDescriptionChanged', ({ previousDescription }: TopologyDescriptionChangedEvent) => {
        // A client is connected as soon as it has found one member. It may find the others later.
        const known = [...previousDescription.servers.values()];
        if (known.every(({ type }) => type !== 'Unknown')) changes++;
      });
      await once(client, 'serverHeartbeatSucceeded');
      await once(client, 'serverHeartbeatSucceeded');
      assert.equal(changes, 0);
    },
  },
];

specification('server discovery and monitoring', {
  'a state change error': stateChanges,
  'an error without a state change': others,
  'an election': elections,
  'a driver': discovery,
});
