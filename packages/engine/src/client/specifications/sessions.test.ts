import assert from 'node:assert/strict';
import { type ClientSession, type Document, Timestamp } from 'mongodb';
import { type Case, fails, inSession, specification, untilStored, type World } from './testing.ts';

interface Operation {
  readonly name: string;
  readonly command: string;
  run(world: World, session?: ClientSession): Promise<unknown>;
}

const withSession = (session?: ClientSession) => (session === undefined ? {} : { session });

const operations: readonly Operation[] = [
  {
    name: 'find',
    command: 'find',
    run: ({ items }, session) => items.find({}, withSession(session)).toArray(),
  },
  {
    name: 'aggregate',
    command: 'aggregate',
    run: ({ items }, session) => items.aggregate([{ $match: {} }], withSession(session)).toArray(),
  },
  {
    name: 'distinct',
    command: 'distinct',
    run: ({ items }, session) => items.distinct('x', {}, withSession(session)),
  },
  {
    name: 'count',
    command: 'count',
    run: ({ items }, session) => items.estimatedDocumentCount(withSession(session)),
  },
  {
    name: 'insert',
    command: 'insert',
    run: ({ items }, session) => items.insertOne({ _id: 4 }, withSession(session)),
  },
  {
    name: 'update',
    command: 'update',
    run: ({ items }, session) => items.updateOne({ _id: 1 }, { $inc: { x: 1 } }, withSession(session)),
  },
  {
    name: 'delete',
    command: 'delete',
    run: ({ items }, session) => items.deleteOne({ _id: 1 }, withSession(session)),
  },
  {
    name: 'findAndModify',
    command: 'findAndModify',
    run: ({ items }, session) => items.findOneAndDelete({ _id: 1 }, withSession(session)),
  },
  {
    name: 'listCollections',
    command: 'listCollections',
    run: ({ db }, session) => db.listCollections({}, withSession(session)).toArray(),
  },
  {
    name: 'listIndexes',
    command: 'listIndexes',
    run: ({ items }, session) => items.listIndexes(withSession(session)).toArray(),
  },
  {
    name: 'createIndexes',
    command: 'createIndexes',
    run: ({ items }, session) => items.createIndex({ y: 1 }, withSession(session)),
  },
  { name: 'ping', command: 'ping', run: ({ db }, session) => db.command({ ping: 1 }, withSession(session)) },
];

const idOf = (lsid: Document): string => lsid.id.toString('hex');

const own = operations.flatMap(({ name, command, run }): Case[] => [
  {
    name: `${name} is sent in its explicit session`,
    run: (world) =>
      inSession(world.client, async (session) => {
        await run(world, session);
        assert.equal(idOf(world.sent(command)[0]?.lsid), idOf(session.id ?? {}));
      }),
  },
  {
    name: `${name} is sent in an implicit session`,
    async run(world) {
      await run(world);
      await run(world).catch(() => {});
      const [first, second] = world.sent(command).map(({ lsid }) => idOf(lsid));
      assert.ok(first);
      // The driver reuses the most recently used session.
      assert.equal(first, second);
    },
  },
  {
    name: `${name} cannot be sent in a session that has ended`,
    async run(world) {
      const session = world.client.startSession();
      await session.endSession();
      await fails(run(world, session));
    },
  },
]);

const snapshotReads = operations.slice(0, 3).map(
  ({ name, command, run }): Case => ({
    name: `${name} reads the snapshot of the first read`,
    run: (world) =>
      inSession(
        world.client,
        async (session) => {
          const first = await run(world, session);
          await world.items.insertOne({ _id: 9, x: 99 });
          await world.items.updateOne({ _id: 1 }, { $set: { x: 0 } });
          assert.deepEqual(await run(world, session), first);
          const [one, two] = world.sent(command).map(({ readConcern }) => readConcern);
          assert.deepEqual([one.level, one.atClusterTime, two.level], ['snapshot', undefined, 'snapshot']);
          assert.ok(two.atClusterTime);
        },
        { snapshot: true },
      ),
  }),
);

const snapshotRefused = operations.slice(3, 8).map(
  ({ name, run }): Case => ({
    name: `${name} does not support snapshots`,
    run: (world) =>
      inSession(world.client, (session) => fails(run(world, session), { code: 72 }), { snapshot: true }),
  }),
);

const snapshots: readonly Case[] = [
  ...snapshotReads,
  ...snapshotRefused,
  {
    name: 'two snapshot sessions have different times',
    run: ({ client, items }) =>
      inSession(
        client,
        async (first) => {
          assert.equal(await items.countDocuments({}, { session: first }), 3);
          await items.insertOne({ _id: 9 });
          await inSession(
            client,
            async (second) => assert.equal(await items.countDocuments({}, { session: second }), 4),
            { snapshot: true },
          );
          assert.equal(await items.countDocuments({}, { session: first }), 3);
        },
        { snapshot: true },
      ),
  },
  {
    name: 'a cursor continues in its snapshot',
    run: ({ client, items }) =>
      inSession(
        client,
        async (session) => {
          const cursor = items.find({}, { session, batchSize: 1 });
          await cursor.next();
          await items.deleteMany({});
          assert.equal((await cursor.toArray()).length, 2);
        },
        { snapshot: true },
      ),
  },
  {
    name: 'an old snapshot is too old',
    async run({ db }) {
      const { operationTime } = await db.command({ ping: 1 });
      await db.collection('items').insertMany([{ y: 1 }, { y: 2 }]);
      const readConcern = { level: 'snapshot', atClusterTime: operationTime };
      await fails(db.command({ find: 'items', readConcern }), { code: 239 });
    },
  },
];

const causal: readonly Case[] = [
  {
    name: 'a read sees the write before it',
    run: ({ client, items, sent }) =>
      inSession(client, async (session) => {
        await items.insertOne({ _id: 4 }, { session });
        assert.equal((await items.find({}, { session }).toArray()).length, 4);
        assert.deepEqual(sent('find')[0]?.readConcern.afterClusterTime, session.operationTime);
      }),
  },
  {
    name: 'the first read of a session has no afterClusterTime',
    run: ({ client, items, sent }) =>
      inSession(client, async (session) => {
        await items.findOne({}, { session });
        assert.equal(sent('find')[0]?.readConcern?.afterClusterTime, undefined);
      }),
  },
  {
    name: 'a session without causal consistency sends no time',
    run: ({ client, items, sent }) =>
      inSession(
        client,
        async (session) => {
          await items.insertOne({ _id: 4 }, { session });
          await items.findOne({}, { session });
          assert.equal(sent('find')[0]?.readConcern?.afterClusterTime, undefined);
        },
        { causalConsistency: false },
      ),
  },
  {
    name: 'every reply has a cluster time, which the next command sends',
    async run({ db, events, sent }) {
      await db.command({ ping: 1 });
      await db.command({ ping: 1 });
      const reply = events.find(({ kind }) => kind === 'succeeded')?.reply;
      assert.ok(reply?.operationTime && reply.$clusterTime?.signature);
      assert.deepEqual(sent('ping')[1]?.$clusterTime.clusterTime, reply.$clusterTime.clusterTime);
    },
  },
  {
    name: 'a cluster time in the future is rejected',
    async run({ db }) {
      const { operationTime } = await db.command({ ping: 1 });
      const later = new Timestamp({ t: operationTime.getHighBits() + 60, i: 1 });
      await fails(db.command({ find: 'items', readConcern: { afterClusterTime: later } }), { code: 72 });
    },
  },
  {
    name: 'an unacknowledged write has no session',
    async run({ items, sent, stored }) {
      await items.insertOne({ _id: 4 }, { writeConcern: { w: 0 } });
      await untilStored(4, stored);
      assert.equal(sent('insert')[0]?.lsid, undefined);
    },
  },
  {
    name: 'closing a client ends its sessions',
    async run({ connect, db }) {
      const client = await connect();
      const ended: Document[] = [];
      client.on('commandStarted', ({ commandName, command }) => {
        if (commandName === 'endSessions') ended.push(command);
      });
      await client.db(db.databaseName).command({ ping: 1 });
      await client.close();
      assert.equal(ended[0]?.endSessions.length, 1);
    },
  },
  {
    name: 'a getMore uses the session of its cursor',
    async run({ items, sent }) {
      await items.find({}, { batchSize: 2 }).toArray();
      assert.equal(idOf(sent('getMore')[0]?.lsid), idOf(sent('find')[0]?.lsid));
    },
  },
];

specification('sessions', { 'one session': own, 'snapshot reads': snapshots, 'causal consistency': causal });
