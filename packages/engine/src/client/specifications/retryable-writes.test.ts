import assert from 'node:assert/strict';
import { type Case, fails, type Item, inSession, specification, untilStored, type World } from './testing.ts';

interface Write {
  readonly name: string;
  readonly command: string;
  run(world: World): Promise<unknown>;
  /** The items after the write. Before the write, there are items 1 to 3. */
  readonly after: readonly Item[];
}

const [one, two, three] = [1, 2, 3].map((_id) => ({ _id, x: _id * 11 })) as [Item, Item, Item];
const four = { _id: 4, x: 44 };
const moreX = { $inc: { x: 1 } };
const oneMore = { _id: 1, x: 12 };

/** Every kind of write that drivers retry. */
const writes: readonly Write[] = [
  {
    name: 'insertOne',
    command: 'insert',
    run: ({ items }) => items.insertOne(four),
    after: [one, two, three, four],
  },
  {
    name: 'insertMany',
    command: 'insert',
    run: ({ items }) => items.insertMany([four, { _id: 5 }]),
    after: [one, two, three, four, { _id: 5 }],
  },
  {
    name: 'updateOne',
    command: 'update',
    run: ({ items }) => items.updateOne({ _id: 1 }, moreX),
    after: [oneMore, two, three],
  },
  {
    name: 'updateOne that upserts',
    command: 'update',
    run: ({ items }) => items.updateOne({ _id: 4 }, { $inc: { x: 44 } }, { upsert: true }),
    after: [one, two, three, four],
  },
  {
    name: 'replaceOne',
    command: 'update',
    run: ({ items }) => items.replaceOne({ _id: 1 }, { x: 12 }),
    after: [oneMore, two, three],
  },
  {
    name: 'deleteOne',
    command: 'delete',
    run: ({ items }) => items.deleteOne({ x: { $gt: 0 } }),
    after: [two, three],
  },
  {
    name: 'findOneAndUpdate',
    command: 'findAndModify',
    run: ({ items }) => items.findOneAndUpdate({ _id: 1 }, moreX),
    after: [oneMore, two, three],
  },
  {
    name: 'findOneAndReplace',
    command: 'findAndModify',
    run: ({ items }) => items.findOneAndReplace({ _id: 1 }, { x: 12 }),
    after: [oneMore, two, three],
  },
  {
    name: 'findOneAndDelete',
    command: 'findAndModify',
    run: ({ items }) => items.findOneAndDelete({ x: { $gt: 0 } }, { sort: { _id: 1 } }),
    after: [two, three],
  },
  {
    name: 'bulkWrite of the collection',
    command: 'insert',
    run: ({ items }) =>
      items.bulkWrite([
        { insertOne: { document: four } },
        { updateOne: { filter: { _id: 1 }, update: moreX } },
      ]),
    after: [oneMore, two, three, four],
  },
  {
    name: 'bulkWrite of the client',
    command: 'bulkWrite',
    run: ({ client, items: { namespace } }) =>
      client.bulkWrite<Record<string, Item>>([
        { name: 'insertOne', namespace, document: four },
        { name: 'updateOne', namespace, filter: { _id: 1 }, update: moreX },
      ]),
    after: [oneMore, two, three, four],
  },
];

/** Writes that may change many documents are not retried. */
const notRetried: readonly Write[] = [
  {
    name: 'updateMany',
    command: 'update',
    run: ({ items }) => items.updateMany({}, moreX),
    after: [one, two, three],
  },
  {
    name: 'deleteMany',
    command: 'delete',
    run: ({ items }) => items.deleteMany({}),
    after: [one, two, three],
  },
];

const quick = { heartbeatFrequencyMS: 500, minHeartbeatFrequencyMS: 10 };
const retriable = [6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436];

const sentAgain = writes.flatMap(({ name, command, run, after }): Case[] => {
  const check = async (world: World) => {
    await run(world);
    assert.deepEqual(await world.stored(), after);
    const [first, second] = world.sent(command);
    assert.deepEqual(second?.txnNumber, first?.txnNumber);
    assert.deepEqual(second?.lsid, first?.lsid);
  };
  return [
    {
      name: `${name} after the connection has ended`,
      options: quick,
      async run(world) {
        await world.fail({ failCommands: [command], closeConnection: true });
        await check(world);
      },
    },
    {
      name: `${name} after a shutdown error`,
      options: quick,
      async run(world) {
        await world.fail({ failCommands: [command], errorCode: 91, errorLabels: ['RetryableWriteError'] });
        await check(world);
      },
    },
    {
      name: `${name} after it was executed with a write concern error`,
      options: quick,
      async run(world) {
        const writeConcernError = { code: 91, errmsg: 'Replication is being shut down' };
        await world.fail({ failCommands: [command], writeConcernError });
        await check(world);
      },
    },
    {
      name: `${name} but not if retries are off`,
      options: { ...quick, retryWrites: false },
      async run(world) {
        await world.fail({ failCommands: [command], closeConnection: true });
        await fails(run(world), { lacks: ['RetryableWriteError'] });
        assert.equal(world.sent(command)[0]?.txnNumber, undefined);
      },
    },
  ];
});

const byCode = retriable.map(
  (errorCode): Case => ({
    name: `after error ${errorCode}`,
    options: quick,
    async run(world) {
      await world.fail({ failCommands: ['insert'], errorCode, errorLabels: ['RetryableWriteError'] });
      await world.items.insertOne(four);
      assert.equal(world.sent('insert').length, 2);
      assert.equal((await world.stored()).length, 4);
    },
  }),
);

const labelled = retriable.map(
  (errorCode): Case => ({
    name: `error ${errorCode} of a retryable write`,
    options: quick,
    async run(world) {
      await world.fail({ failCommands: ['insert'], errorCode }, 'alwaysOn');
      await fails(world.items.insertOne(four), { code: errorCode, has: ['RetryableWriteError'] });
    },
  }),
);

const other = [2, 11, 50, 64, 112, 11601].map(
  (errorCode): Case => ({
    name: `after error ${errorCode}`,
    async run(world) {
      await world.fail({ failCommands: ['insert'], errorCode });
      await fails(world.items.insertOne(four), { code: errorCode, lacks: ['RetryableWriteError'] });
      assert.equal(world.sent('insert').length, 1);
      assert.equal((await world.stored()).length, 3);
    },
  }),
);

const once = notRetried.map(
  ({ name, command, run, after }): Case => ({
    name,
    options: quick,
    async run(world) {
      await world.fail({ failCommands: [command], closeConnection: true });
      await fails(run(world));
      assert.deepEqual(await world.stored(), after);
      assert.equal(world.sent(command)[0]?.txnNumber, undefined);
    },
  }),
);

const numbers: readonly Case[] = [
  {
    name: 'grow with every write of a session',
    run: ({ client, items, sent }) =>
      inSession(client, async (session) => {
        for (const _id of [4, 5, 6]) await items.insertOne({ _id }, { session });
        const [first = 0n, ...more] = sent('insert').map(({ txnNumber }) => BigInt(txnNumber.toString()));
        assert.deepEqual(more, [first + 1n, first + 2n]);
      }),
  },
  {
    name: 'are absent in reads',
    async run({ items, sent }) {
      await items.findOne({});
      assert.equal(sent('find')[0]?.txnNumber, undefined);
    },
  },
  {
    name: 'are absent in unacknowledged writes',
    async run({ items, sent, stored }) {
      await items.insertOne(four, { writeConcern: { w: 0 } });
      await untilStored(4, stored);
      assert.equal(sent('insert')[0]?.txnNumber, undefined);
    },
  },
  {
    name: 'that are sent twice are executed once',
    options: quick,
    async run(world) {
      const writeConcernError = { code: 189, errmsg: 'stepped down', errorLabels: ['RetryableWriteError'] };
      await world.fail({ failCommands: ['update'], writeConcernError });
      const { modifiedCount } = await world.items.updateOne({ _id: 1 }, moreX);
      assert.equal(modifiedCount, 1);
      assert.deepEqual((await world.stored())[0], oneMore);
    },
  },
  {
    name: 'do not hide a duplicate key',
    async run(world) {
      await fails(world.items.insertOne(one), { code: 11000, lacks: ['RetryableWriteError'] });
      assert.equal(world.sent('insert').length, 1);
    },
  },
  {
    name: 'fail when the second attempt fails too',
    options: quick,
    async run(world) {
      await world.fail({ failCommands: ['insert'], closeConnection: true }, { times: 2 });
      await fails(world.items.insertOne(four), { has: ['RetryableWriteError'] });
      assert.equal((await world.stored()).length, 3);
    },
  },
];

specification('retryable writes', {
  retries: sentAgain,
  'retries a write': byCode,
  'labels for the driver': labelled,
  'does not retry': other,
  'does not retry writes of many documents': once,
  'transaction numbers of writes': numbers,
});
