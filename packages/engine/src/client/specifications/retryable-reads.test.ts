import assert from 'node:assert/strict';
import { type Case, fails, specification, type World } from './testing.ts';

interface Read {
  readonly name: string;
  readonly command: string;
  run(world: World): Promise<unknown>;
}

/** Every kind of read that drivers retry. */
const reads: readonly Read[] = [
  { name: 'find', command: 'find', run: ({ items }) => items.find({}).toArray() },
  { name: 'findOne', command: 'find', run: ({ items }) => items.findOne({}) },
  {
    name: 'aggregate',
    command: 'aggregate',
    run: ({ items }) => items.aggregate([{ $match: {} }]).toArray(),
  },
  {
    name: 'aggregate of the database',
    command: 'aggregate',
    run: ({ db }) => db.aggregate([{ $documents: [{ a: 1 }] }]).toArray(),
  },
  { name: 'countDocuments', command: 'aggregate', run: ({ items }) => items.countDocuments({}) },
  { name: 'estimatedDocumentCount', command: 'count', run: ({ items }) => items.estimatedDocumentCount() },
  { name: 'distinct', command: 'distinct', run: ({ items }) => items.distinct('x') },
  { name: 'listDatabases', command: 'listDatabases', run: ({ db }) => db.admin().listDatabases() },
  { name: 'listCollections', command: 'listCollections', run: ({ db }) => db.listCollections().toArray() },
  { name: 'listIndexes', command: 'listIndexes', run: ({ items }) => items.listIndexes().toArray() },
  {
    name: 'watch',
    command: 'aggregate',
    async run({ items }) {
      const stream = items.watch();
      await stream.tryNext();
      await stream.close();
    },
  },
];

const quick = { heartbeatFrequencyMS: 500, minHeartbeatFrequencyMS: 10 };

const sentAgain = reads.flatMap(({ name, command, run }): Case[] => [
  {
    name: `${name} after the connection has ended`,
    options: quick,
    async run(world) {
      await world.fail({ failCommands: [command], closeConnection: true });
      await run(world);
      assert.equal(world.sent(command).length, 2);
    },
  },
  {
    name: `${name} after the member has stepped down`,
    options: quick,
    async run(world) {
      await world.fail({ failCommands: [command], errorCode: 11602 });
      await run(world);
      assert.equal(world.sent(command).length, 2);
    },
  },
  {
    name: `${name} only once`,
    options: quick,
    async run(world) {
      await world.fail({ failCommands: [command], closeConnection: true }, { times: 2 });
      await fails(run(world));
      assert.equal(world.sent(command).length, 2);
    },
  },
  {
    name: `${name} not if retries are off`,
    options: { ...quick, retryReads: false },
    async run(world) {
      await world.fail({ failCommands: [command], closeConnection: true });
      await fails(run(world));
      assert.equal(world.sent(command).length, 1);
    },
  },
]);

const byCode = [6, 7, 89, 91, 134, 189, 9001, 10107, 11600, 11602, 13435, 13436].map(
  (errorCode): Case => ({
    name: `after error ${errorCode}`,
    options: quick,
    async run(world) {
      await world.fail({ failCommands: ['find'], errorCode });
      assert.equal((await world.items.find({}).toArray()).length, 3);
      assert.equal(world.sent('find').length, 2);
    },
  }),
);

const other = [2, 26, 50, 11601].map(
  (errorCode): Case => ({
    name: `after error ${errorCode}`,
    async run(world) {
      await world.fail({ failCommands: ['find'], errorCode });
      await fails(world.items.findOne({}), { code: errorCode });
      assert.equal(world.sent('find').length, 1);
    },
  }),
);

const never: readonly Case[] = [
  {
    name: 'getMore',
    options: quick,
    async run(world) {
      const cursor = world.items.find({}, { batchSize: 1 });
      await cursor.next();
      await world.fail({ failCommands: ['getMore'], closeConnection: true });
      await fails(cursor.toArray());
      assert.equal(world.sent('getMore').length, 1);
    },
  },
  {
    name: 'runCommand',
    options: quick,
    async run(world) {
      await world.fail({ failCommands: ['ping'], closeConnection: true });
      await fails(world.db.command({ ping: 1 }));
      assert.equal(world.sent('ping').length, 1);
    },
  },
  {
    name: 'an aggregation that writes',
    options: quick,
    async run(world) {
      await world.fail({ failCommands: ['aggregate'], closeConnection: true });
      await fails(world.items.aggregate([{ $out: 'other' }]).toArray());
      assert.equal(world.sent('aggregate').length, 1);
    },
  },
];

specification('retryable reads', {
  retries: sentAgain,
  'retries a read': byCode,
  'does not retry': other,
  'never retries': never,
});
