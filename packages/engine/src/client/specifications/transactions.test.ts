import assert from 'node:assert/strict';
import type { ClientSession, Document } from 'mongodb';
import { type Case, fails, type Item, inSession, specification, type World } from './testing.ts';

interface Step {
  readonly name: string;
  readonly command: string;
  run(world: World, session: ClientSession): Promise<unknown>;
  /** The items after a commit. Before the commit, and after an abort, there are items 1 to 3. */
  readonly after: readonly Item[];
}

const before = [1, 2, 3].map((_id) => ({ _id, x: _id * 11 })) as [Item, Item, Item];
const [one, two, three] = before;
const four = { _id: 4, x: 44 };
const moreX = { $inc: { x: 1 } };
const oneMore = { _id: 1, x: 12 };
const all = before.map(({ _id, x = 0 }) => ({ _id, x: x + 1 }));

/** Every operation that transactions support. */
const steps: readonly Step[] = [
  {
    name: 'insertOne',
    command: 'insert',
    run: ({ items }, session) => items.insertOne(four, { session }),
    after: [...before, four],
  },
  {
    name: 'insertMany',
    command: 'insert',
    run: ({ items }, session) => items.insertMany([four, { _id: 5 }], { session }),
    after: [...before, four, { _id: 5 }],
  },
  {
    name: 'updateOne',
    command: 'update',
    run: ({ items }, session) => items.updateOne({ _id: 1 }, moreX, { session }),
    after: [oneMore, two, three],
  },
  {
    name: 'updateOne that upserts',
    command: 'update',
    run: ({ items }, session) => items.updateOne({ _id: 4 }, { $set: { x: 44 } }, { session, upsert: true }),
    after: [...before, four],
  },
  {
    name: 'updateMany',
    command: 'update',
    run: ({ items }, session) => items.updateMany({}, moreX, { session }),
    after: all,
  },
  {
    name: 'replaceOne',
    command: 'update',
    run: ({ items }, session) => items.replaceOne({ _id: 1 }, { x: 12 }, { session }),
    after: [oneMore, two, three],
  },
  {
    name: 'deleteOne',
    command: 'delete',
    run: ({ items }, session) => items.deleteOne({ _id: 1 }, { session }),
    after: [two, three],
  },
  {
    name: 'deleteMany',
    command: 'delete',
    run: ({ items }, session) => items.deleteMany({}, { session }),
    after: [],
  },
  {
    name: 'findOneAndUpdate',
    command: 'findAndModify',
    run: ({ items }, session) => items.findOneAndUpdate({ _id: 1 }, moreX, { session }),
    after: [oneMore, two, three],
  },
  {
    name: 'findOneAndReplace',
    command: 'findAndModify',
    run: ({ items }, session) => items.findOneAndReplace({ _id: 1 }, { x: 12 }, { session }),
    after: [oneMore, two, three],
  },
  {
    name: 'findOneAndDelete',
    command: 'findAndModify',
    run: ({ items }, session) => items.findOneAndDelete({ _id: 1 }, { session }),
    after: [two, three],
  },
  {
    name: 'bulkWrite of the collection',
    command: 'insert',
    run: ({ items }, session) =>
      items.bulkWrite([{ insertOne: { document: four } }, { deleteOne: { filter: { _id: 1 } } }], {
        session,
      }),
    after: [two, three, four],
  },
  {
    name: 'bulkWrite of the client',
    command: 'bulkWrite',
    run: ({ client, items: { namespace } }, session) =>
      client.bulkWrite<Record<string, Item>>([{ name: 'insertOne', namespace, document: four }], { session }),
    after: [...before, four],
  },
  {
    name: 'find',
    command: 'find',
    run: ({ items }, session) => items.find({}, { session }).toArray(),
    after: before,
  },
  {
    name: 'find in batches',
    command: 'find',
    run: ({ items }, session) => items.find({}, { session, batchSize: 1 }).toArray(),
    after: before,
  },
  {
    name: 'aggregate',
    command: 'aggregate',
    run: ({ items }, session) =>
      items.aggregate([{ $group: { _id: null, n: { $sum: 1 } } }], { session }).toArray(),
    after: before,
  },
  {
    name: 'countDocuments',
    command: 'aggregate',
    run: ({ items }, session) => items.countDocuments({}, { session }),
    after: before,
  },
  {
    name: 'distinct',
    command: 'distinct',
    run: ({ items }, session) => items.distinct('x', {}, { session }),
    after: before,
  },
  {
    name: 'runCommand',
    command: 'insert',
    run: ({ db }, session) => db.command({ insert: 'items', documents: [four] }, { session }),
    after: [...before, four],
  },
];

const options = { writeConcern: { w: 'majority' } } as const;

const inTransactions = steps.flatMap(({ name, command, run, after }): Case[] => [
  {
    name: `${name} and commits`,
    run: (world) =>
      inSession(world.client, async (session) => {
        session.startTransaction(options);
        await run(world, session);
        await session.commitTransaction();
        assert.deepEqual(await world.stored(), after);
      }),
  },
  {
    name: `${name} and aborts`,
    run: (world) =>
      inSession(world.client, async (session) => {
        session.startTransaction(options);
        await run(world, session);
        await session.abortTransaction();
        assert.deepEqual(await world.stored(), before);
      }),
  },
  {
    name: `${name} with the transaction number`,
    run: (world) =>
      inSession(world.client, async (session) => {
        session.startTransaction(options);
        await run(world, session);
        await run(world, session).catch(() => {});
        await session.abortTransaction();
        const [first, second] = world.sent(command);
        assert.deepEqual([first?.autocommit, first?.startTransaction], [false, true]);
        assert.deepEqual([second?.autocommit, second?.startTransaction], [false, undefined]);
        assert.deepEqual(first?.txnNumber, second?.txnNumber);
        assert.equal(first?.writeConcern, undefined);
      }),
  },
]);

const alone: readonly Case[] = [
  {
    name: 'is invisible to others before the commit',
    run: (world) =>
      inSession(world.client, async (session) => {
        session.startTransaction();
        await world.items.insertOne(four, { session });
        assert.equal(await world.items.countDocuments({}), 3);
        assert.equal(await world.items.countDocuments({}, { session }), 4);
        await session.commitTransaction();
        assert.equal(await world.items.countDocuments({}), 4);
      }),
  },
  {
    name: 'does not see later writes of others',
    run: (world) =>
      inSession(world.client, async (session) => {
        session.startTransaction({ readConcern: { level: 'snapshot' } });
        assert.equal(await world.items.countDocuments({}, { session }), 3);
        await world.items.insertOne(four);
        assert.equal(await world.items.countDocuments({}, { session }), 3);
        await session.commitTransaction();
        assert.equal(await world.items.countDocuments({}), 4);
      }),
  },
  {
    name: 'fails with a write conflict',
    run: (world) =>
      inSession(world.client, (first) =>
        inSession(world.client, async (second) => {
          first.startTransaction();
          second.startTransaction();
          await world.items.updateOne({ _id: 1 }, moreX, { session: first });
          const conflict = { code: 112, has: ['TransientTransactionError'] };
          await fails(world.items.updateOne({ _id: 1 }, moreX, { session: second }), conflict);
          await second.abortTransaction();
          await first.commitTransaction();
          assert.deepEqual((await world.stored())[0], oneMore);
        }),
      ),
  },
  {
    name: 'blocks conflicting writes until it ends',
    run: (world) =>
      inSession(world.client, async (session) => {
        session.startTransaction();
        await world.items.updateOne({ _id: 1 }, moreX, { session });
        let done = false;
        const other = world.items.updateOne({ _id: 1 }, moreX).then(() => {
          done = true;
        });
        await world.db.command({ ping: 1 });
        assert.equal(done, false);
        await session.commitTransaction();
        await other;
        assert.deepEqual((await world.stored())[0], { _id: 1, x: 13 });
      }),
  },
  {
    name: 'rejects a duplicate key',
    run: (world) =>
      inSession(world.client, async (session) => {
        session.startTransaction();
        const duplicate = { code: 11000, lacks: ['TransientTransactionError'] };
        await fails(world.items.insertOne(one, { session }), duplicate);
        await fails(world.items.insertOne(four, { session }), {
          code: 251,
          has: ['TransientTransactionError'],
        });
        await session.abortTransaction();
      }),
  },
  {
    name: 'creates collections and indexes',
    run: (world) =>
      inSession(world.client, async (session) => {
        await world.db.dropCollection('made');
        session.startTransaction();
        await world.db.createCollection('made', { session });
        await world.db.collection('made').createIndex({ x: 1 }, { session });
        await world.db.collection('made').insertOne({ x: 1 }, { session });
        assert.equal((await world.db.listCollections({ name: 'made' }).toArray()).length, 0);
        await session.commitTransaction();
        assert.deepEqual(
          (await world.db.collection('made').indexes()).map(({ name }) => name),
          ['_id_', 'x_1'],
        );
      }),
  },
  {
    name: 'appears in change streams with its number',
    run: (world) =>
      inSession(world.client, async (session) => {
        const stream = world.items.watch();
        await stream.tryNext();
        session.startTransaction();
        await world.items.insertOne(four, { session });
        await world.items.deleteOne({ _id: 1 }, { session });
        await session.commitTransaction();
        const events: Document[] = [await stream.next(), await stream.next()];
        await stream.close();
        assert.deepEqual(
          events.map(({ operationType }) => operationType),
          ['insert', 'delete'],
        );
        assert.deepEqual(String(events[0]?.txnNumber), String(world.sent('insert')[0]?.txnNumber));
        assert.deepEqual(events[0]?.clusterTime, events[1]?.clusterTime);
      }),
  },
];

const refused = (
  [
    ['count', (db, session) => db.command({ count: 'items' }, { session })],
    ['drop', (db, session) => db.command({ drop: 'items' }, { session })],
    ['listCollections', (db, session) => db.command({ listCollections: 1 }, { session })],
    [
      'an index of a collection with documents',
      (db, session) =>
        db.command({ createIndexes: 'items', indexes: [{ key: { y: 1 }, name: 'y' }] }, { session }),
    ],
    [
      '$out',
      (db, session) =>
        db
          .collection('items')
          .aggregate([{ $out: 'x' }], { session })
          .toArray(),
    ],
    [
      'another database of the server',
      (db, session) => db.client.db('config').command({ find: 'x' }, { session }),
    ],
  ] as ReadonlyArray<readonly [string, (db: World['db'], session: ClientSession) => Promise<unknown>]>
).map(
  ([name, run]): Case => ({
    name,
    run: ({ client, db }) =>
      inSession(client, async (session) => {
        session.startTransaction();
        await fails(run(db, session), { code: 263, lacks: ['TransientTransactionError'] });
        await session.abortTransaction();
      }),
  }),
);

specification('transactions', {
  'a transaction sends': inTransactions,
  isolation: alone,
  'a transaction does not support': refused,
});
