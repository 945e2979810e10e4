import assert from 'node:assert/strict';
import { MongoClient } from 'mongodb';
import { type Case, fails, specification } from './testing.ts';

/** These cases use fail points other than `failCommand`, as the test suites of drivers do. */

const alone: readonly Case[] = [
  {
    name: 'are announced with the test commands',
    async run({ client }) {
      const admin = client.db('admin');
      const { enableTestCommands } = await admin.command({ getParameter: 1, enableTestCommands: 1 });
      const { argv, parsed } = await admin.command({ getCmdLineOpts: 1 });
      assert.equal(enableTestCommands, true);
      assert.ok(argv.includes('enableTestCommands=1'));
      assert.equal(parsed.setParameter.enableTestCommands, '1');
    },
  },
  {
    name: 'are set without a login',
    async run({ client }) {
      const [primary] = client.options.hosts;
      const stranger = new MongoClient(`mongodb://${primary}/?directConnection=true`);
      try {
        const off = { configureFailPoint: 'failCommand', mode: 'off' };
        assert.equal((await stranger.db('admin').command(off)).ok, 1);
        await fails(stranger.db('admin').command({ getParameter: '*' }), { code: 13 });
      } finally {
        await stranger.close();
      }
    },
  },
  {
    name: 'are rejected if unknown',
    async run({ failAt }) {
      await fails(failAt('nothing', 'off'), { code: 266 });
    },
  },
];

const numberedWrites: readonly Case[] = [
  {
    name: 'lose their connections after they are executed, and are not executed twice',
    async run({ items, failAt, stored, names }) {
      await failAt('onPrimaryTransactionalWrite', 'alwaysOn');
      await items.insertOne({ _id: 4 });
      await items.updateOne({ _id: 1 }, { $inc: { x: 1 } });
      await items.findOneAndDelete({ _id: 2 });
      await failAt('onPrimaryTransactionalWrite', 'off');
      assert.deepEqual(await stored(), [{ _id: 1, x: 12 }, { _id: 3, x: 33 }, { _id: 4 }]);
      const twice = ['insert', 'update', 'findAndModify'].flatMap((name) => [name, name]);
      assert.deepEqual(names(), twice);
    },
  },
  {
    name: 'fail before they are executed',
    async run({ items, failAt, stored }) {
      const failBeforeCommitExceptionCode = 1;
      const data = { failBeforeCommitExceptionCode, closeConnection: false };
      await failAt('onPrimaryTransactionalWrite', { times: 1 }, data);
      await fails(
        items.deleteMany({ _id: 1 }).then(() => items.deleteOne({ _id: 2 })),
        { code: 1 },
      );
      assert.deepEqual(await stored(), [
        { _id: 2, x: 22 },
        { _id: 3, x: 33 },
      ]);
    },
  },
  {
    name: 'lose their connection before they are executed, and are retried',
    async run({ items, failAt, stored, names }) {
      await failAt('onPrimaryTransactionalWrite', { times: 1 }, { failBeforeCommitExceptionCode: 1 });
      await items.deleteMany({});
      await items.insertOne({ _id: 4 });
      assert.deepEqual(await stored(), [{ _id: 4 }]);
      assert.deepEqual(
        names().filter((name) => name === 'insert'),
        ['insert', 'insert'],
      );
    },
  },
  {
    name: 'are counted once per batch that the server stores',
    async run({ items, failAt, stored }) {
      const data = { failBeforeCommitExceptionCode: 1, closeConnection: false };
      await items.deleteMany({});
      await failAt('onPrimaryTransactionalWrite', { skip: 3 }, data);
      const large = 'x'.repeat(300_000);
      await items.insertMany([1, 2, 3].map((_id) => ({ _id, large })));
      await fails(items.insertOne({ _id: 4 }), { code: 1 });
      await failAt('onPrimaryTransactionalWrite', 'off');
      assert.equal((await stored()).length, 3);
    },
  },
];

const others: readonly Case[] = [
  {
    name: 'makes the next batch of a cursor fail',
    async run({ items, failAt }) {
      await failAt('failGetMoreAfterCursorCheckout', { times: 1 }, { errorCode: 6 });
      const cursor = items.find({}, { batchSize: 2 });
      await fails(cursor.toArray(), { code: 6, has: ['ResumableChangeStreamError'] });
    },
  },
  {
    name: 'fails every command with a time limit',
    async run({ items, failAt }) {
      const begun = items.find({}, { batchSize: 1, maxTimeMS: 60_000 });
      await begun.next();
      await failAt('maxTimeAlwaysTimeOut', 'alwaysOn');
      await fails(items.findOne({}, { maxTimeMS: 60_000 }), { code: 50 });
      await fails(begun.toArray(), { code: 50 });
      assert.equal((await items.findOne({}))?._id, 1);
      await failAt('maxTimeAlwaysTimeOut', 'off');
      assert.equal((await items.findOne({}, { maxTimeMS: 60_000 }))?._id, 1);
    },
  },
  {
    name: 'removes time limits, also those of cursors',
    async run({ items, failAt }) {
      const slow = { $where: 'sleep(4); return true' };
      await fails(items.findOne(slow, { maxTimeMS: 1 }), { code: 50 });
      await failAt('maxTimeNeverTimeOut', 'alwaysOn');
      assert.equal((await items.findOne(slow, { maxTimeMS: 1 }))?._id, 1);
      assert.equal((await items.find(slow, { batchSize: 1, maxTimeMS: 1 }).toArray()).length > 1, true);
      await failAt('maxTimeNeverTimeOut', 'off');
      await fails(items.findOne(slow, { maxTimeMS: 1 }), { code: 50 });
    },
  },
  {
    name: 'adds a write concern error without a retry label in transactions',
    async run({ client, db, fail }) {
      const writeConcernError = { code: 91, errmsg: 'on its way down' };
      const session = client.startSession();
      session.startTransaction();
      await fail({ failCommands: ['insert'], writeConcernError });
      const insert = db.command({ insert: 'items', documents: [{ _id: 9 }] }, { session });
      await fails(insert, { code: 91, lacks: ['TransientTransactionError'] });
      await session.abortTransaction();
      await session.endSession();
    },
  },
  {
    name: 'adds a write concern error to a message so large that another thread takes it over',
    async run({ items, fail }) {
      await fail({ failCommands: ['insert'], writeConcernError: { code: 64, errmsg: 'too few' } });
      await fails(items.insertOne({ _id: 12, text: 'x'.repeat(200_000) } as never), { code: 64 });
      assert.equal((await items.findOne({ _id: 12 } as never))?._id, 12);
    },
  },
  {
    name: 'applies to streamed greetings',
    async run({ connect, fail }) {
      const client = await connect({ appName: 'streamed', heartbeatFrequencyMS: 500 });
      const failed = new Promise((resolve) => client.on('serverHeartbeatFailed', resolve));
      const hello = { failCommands: ['hello', 'isMaster'], errorCode: 91, appName: 'streamed' };
      // The fail point must stay on. The client also sends `hello` commands that measure the round-trip time, and one
      // of these may trigger the fail point first.
      await fail(hello, 'alwaysOn');
      await failed;
      await fail(hello, 'off');
      assert.equal((await client.db('admin').command({ ping: 1 })).ok, 1);
    },
  },
];

specification('fail points', {
  'fail points': alone,
  'numbered writes': numberedWrites,
  'a fail point': others,
});
