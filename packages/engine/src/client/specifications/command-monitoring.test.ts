import assert from 'node:assert/strict';
import { type Case, fails, type Item, specification, untilStored, type World } from './testing.ts';

interface Operation {
  readonly name: string;
  readonly command: string;
  run(world: World): Promise<unknown>;
  /** The expected fields of the reply. */
  readonly reply: Readonly<Record<string, unknown>>;
}

const operations: readonly Operation[] = [
  { name: 'insertOne', command: 'insert', run: ({ items }) => items.insertOne({ _id: 4 }), reply: { n: 1 } },
  {
    name: 'insertMany',
    command: 'insert',
    run: ({ items }) => items.insertMany([{ _id: 4 }, { _id: 5 }]),
    reply: { n: 2 },
  },
  {
    name: 'updateOne',
    command: 'update',
    run: ({ items }) => items.updateOne({ _id: 1 }, { $inc: { x: 1 } }),
    reply: { n: 1, nModified: 1 },
  },
  {
    name: 'updateMany',
    command: 'update',
    run: ({ items }) => items.updateMany({ _id: { $gt: 1 } }, { $inc: { x: 1 } }),
    reply: { n: 2, nModified: 2 },
  },
  {
    name: 'an update without a match',
    command: 'update',
    run: ({ items }) => items.updateOne({ _id: 9 }, { $inc: { x: 1 } }),
    reply: { n: 0, nModified: 0 },
  },
  {
    name: 'an upsert',
    command: 'update',
    run: ({ items }) => items.updateOne({ _id: 4 }, { $inc: { x: 1 } }, { upsert: true }),
    reply: { n: 1, nModified: 0, upserted: [{ index: 0, _id: 4 }] },
  },
  {
    name: 'deleteOne',
    command: 'delete',
    run: ({ items }) => items.deleteOne({ _id: { $gt: 1 } }),
    reply: { n: 1 },
  },
  {
    name: 'deleteMany',
    command: 'delete',
    run: ({ items }) => items.deleteMany({ _id: { $gt: 1 } }),
    reply: { n: 2 },
  },
  {
    name: 'findOneAndDelete',
    command: 'findAndModify',
    run: ({ items }) => items.findOneAndDelete({ _id: 1 }),
    reply: { value: { _id: 1, x: 11 } },
  },
  { name: 'count', command: 'count', run: ({ items }) => items.estimatedDocumentCount(), reply: { n: 3 } },
  {
    name: 'distinct',
    command: 'distinct',
    run: ({ items }) => items.distinct('x'),
    reply: { values: [11, 22, 33] },
  },
  { name: 'ping', command: 'ping', run: ({ db }) => db.command({ ping: 1 }), reply: { ok: 1 } },
];

const monitored = operations.map(
  ({ name, command, run, reply }): Case => ({
    name,
    async run(world) {
      await run(world);
      const [started, succeeded] = world.events;
      assert.deepEqual([started?.kind, started?.name], ['started', command]);
      assert.equal(started?.command?.$db, world.db.databaseName);
      assert.deepEqual([succeeded?.kind, succeeded?.name], ['succeeded', command]);
      assert.deepEqual({ ...succeeded?.reply, ...reply }, { ...succeeded?.reply });
      assert.equal(succeeded?.reply?.ok, 1);
    },
  }),
);

const failures: readonly Case[] = [
  {
    name: 'an unknown command',
    async run({ db, events }) {
      await fails(db.command({ nothing: 1 }), { code: 59 });
      assert.deepEqual(
        events.map(({ kind }) => kind),
        ['started', 'failed'],
      );
    },
  },
  {
    name: 'an invalid filter',
    async run({ items, events }) {
      await fails(items.find({ $or: true } as never).toArray(), { code: 2 });
      assert.deepEqual(
        events.map(({ kind }) => kind),
        ['started', 'failed'],
      );
    },
  },
  {
    name: 'a duplicate key is reported as a success with a write error',
    async run({ items, events }) {
      await fails(items.insertOne({ _id: 1 }), { code: 11000 });
      assert.deepEqual(
        events.map(({ kind }) => kind),
        ['started', 'succeeded'],
      );
      assert.equal(events[1]?.reply?.writeErrors[0].code, 11000);
    },
  },
  {
    name: 'a command that a fail point fails',
    async run({ db, events, fail }) {
      await fail({ failCommands: ['ping'], errorCode: 2 });
      await fails(db.command({ ping: 1 }), { code: 2 });
      assert.deepEqual(
        events.map(({ kind }) => kind),
        ['started', 'failed'],
      );
    },
  },
];

const cursors: readonly Case[] = [
  {
    name: 'a find is followed by getMore',
    async run({ items, names, events }) {
      assert.equal((await items.find({}, { batchSize: 2 }).toArray()).length, 3);
      assert.deepEqual(names(), ['find', 'getMore']);
      const [, first, , second] = events.map(({ reply }) => reply?.cursor);
      assert.equal(first.firstBatch.length, 2);
      assert.deepEqual([second.nextBatch.length, String(second.id)], [1, '0']);
    },
  },
  {
    name: 'a closed cursor is killed',
    async run({ items, events }) {
      const cursor = items.find({}, { batchSize: 1 });
      await cursor.next();
      await cursor.close();
      const killed = events.find(({ kind, name }) => kind === 'succeeded' && name === 'killCursors');
      assert.equal(killed?.reply?.cursorsKilled.length, 1);
    },
  },
  {
    name: 'an unacknowledged write is reported as succeeded',
    async run({ items, events, stored }) {
      await items.insertOne({ _id: 4 } as Item, { writeConcern: { w: 0 } });
      await untilStored(4, stored);
      assert.deepEqual(
        events.map(({ kind, name }) => `${kind} ${name}`),
        ['started insert', 'succeeded insert'],
      );
    },
  },
  {
    name: 'authentication commands are redacted',
    async run({ connect }) {
      const client = await connect();
      const names: string[] = [];
      client.on('commandStarted', ({ commandName, command }) => {
        names.push(commandName);
        if (commandName.startsWith('sasl')) assert.deepEqual(command, {});
      });
      await client.db('admin').command({ ping: 1 });
      assert.ok(names.includes('ping'));
    },
  },
];

specification('command monitoring', {
  'a success': monitored,
  'a failure': failures,
  'several commands': cursors,
});
