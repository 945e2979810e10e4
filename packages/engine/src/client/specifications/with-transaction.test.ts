import assert from 'node:assert/strict';
import { type ClientSession, MongoServerError } from 'mongodb';
import { type Case, fails, inSession, specification, type World } from './testing.ts';

const four = { _id: 4, x: 44 };
const quick = { heartbeatFrequencyMS: 500, minHeartbeatFrequencyMS: 10 };

/** Runs a transaction and returns how often its callback was called. */
async function attempts(
  world: World,
  session: ClientSession,
  work: (attempt: number) => Promise<unknown> = () => world.items.insertOne(four, { session }),
): Promise<number> {
  let count = 0;
  await session.withTransaction(() => work(++count));
  return count;
}

/** Creates a case with one session. */
const within = (name: string, run: (world: World, session: ClientSession) => Promise<void>): Case => ({
  name,
  options: quick,
  run: (world) => inSession(world.client, (session) => run(world, session)),
});

const plain: readonly Case[] = [
  within('commits the writes of the callback', async (world, session) => {
    assert.equal(await attempts(world, session), 1);
    assert.equal((await world.stored()).length, 4);
    assert.deepEqual(world.names(), ['insert', 'commitTransaction']);
  }),
  within('returns the result of the callback', async (_world, session) => {
    assert.equal(await session.withTransaction(async () => 'done'), 'done');
  }),
  within('sends nothing if the callback sends nothing', async (world, session) => {
    await session.withTransaction(async () => {});
    assert.deepEqual(world.names(), []);
  }),
  within('does not commit if the callback has committed', async (world, session) => {
    await session.withTransaction(async () => {
      await world.items.insertOne(four, { session });
      await session.commitTransaction();
    });
    assert.equal(world.sent('commitTransaction').length, 1);
  }),
  within('does not commit if the callback has aborted', async (world, session) => {
    await session.withTransaction(async () => {
      await world.items.insertOne(four, { session });
      await session.abortTransaction();
    });
    assert.deepEqual(world.names(), ['insert', 'abortTransaction']);
    assert.equal((await world.stored()).length, 3);
  }),
  within('aborts if the callback throws', async (world, session) => {
    const thrown = session.withTransaction(async () => {
      await world.items.insertOne(four, { session });
      throw new Error('enough');
    });
    await assert.rejects(thrown, /enough/);
    assert.deepEqual(world.names(), ['insert', 'abortTransaction']);
    assert.equal((await world.stored()).length, 3);
  }),
  within('throws the error of the server', async (world, session) => {
    const work = () => world.items.insertOne({ _id: 1 }, { session });
    await fails(session.withTransaction(work), { code: 11000 });
    assert.equal((await world.stored()).length, 3);
  }),
  within('passes its options on', async (world, session) => {
    const options = {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority' },
      maxCommitTimeMS: 5_000,
    } as const;
    await session.withTransaction(() => world.items.insertOne(four, { session }), options);
    assert.equal(world.sent('insert')[0]?.readConcern.level, 'snapshot');
    assert.equal(world.sent('commitTransaction')[0]?.writeConcern.w, 'majority');
    assert.equal(world.sent('commitTransaction')[0]?.maxTimeMS, 5_000);
  }),
];

const transient = [24, 112, 246, 251, 267, 91, 189, 10107, 11600, 11602, 13435, 13436].map((errorCode) =>
  within(`after error ${errorCode} of a statement`, async (world, session) => {
    await world.fail({ failCommands: ['insert'], errorCode });
    assert.equal(await attempts(world, session), 2);
    assert.equal((await world.stored()).length, 4);
  }),
);

const again: readonly Case[] = [
  ...transient,
  within('after a statement has lost its connection', async (world, session) => {
    await world.fail({ failCommands: ['insert'], closeConnection: true });
    assert.equal(await attempts(world, session), 2);
    assert.equal((await world.stored()).length, 4);
  }),
  within('if the commit finds no transaction', async (world, session) => {
    await world.fail({ failCommands: ['commitTransaction'], errorCode: 251 });
    assert.equal(await attempts(world, session), 2);
    assert.equal((await world.stored()).length, 4);
  }),
  within('after a write conflict', async (world, session) => {
    await inSession(world.client, async (other) => {
      other.startTransaction();
      await world.items.updateOne({ _id: 1 }, { $inc: { x: 1 } }, { session: other });
      const count = await attempts(world, session, async (attempt) => {
        if (attempt === 2) await other.commitTransaction();
        await world.items.findOne({ _id: 1 }, { session });
        await world.items.updateOne({ _id: 1 }, { $inc: { x: 1 } }, { session });
      });
      assert.ok(count >= 2);
    });
    assert.equal((await world.stored())[0]?.x, 13);
  }),
  within('after another client aborted it', async (world, session) => {
    const count = await attempts(world, session, async (attempt) => {
      await world.items.insertOne(four, { session });
      if (attempt === 1) await world.client.db('admin').command({ killSessions: [{ id: session.id?.id }] });
      await world.items.insertOne({ _id: 5 }, { session });
    });
    assert.equal(count, 2);
    assert.equal((await world.stored()).length, 5);
  }),
];

const commits: readonly Case[] = [
  ...[91, 189, 10107, 11600, 11602, 13436].map((errorCode) =>
    within(`after error ${errorCode} of the commit`, async (world, session) => {
      await world.fail({ failCommands: ['commitTransaction'], errorCode }, { times: 2 });
      assert.equal(await attempts(world, session), 1);
      assert.equal(world.sent('commitTransaction').length, 3);
      assert.equal((await world.stored()).length, 4);
    }),
  ),
  within('after the commit has lost its connection twice', async (world, session) => {
    await world.fail({ failCommands: ['commitTransaction'], closeConnection: true }, { times: 2 });
    assert.equal(await attempts(world, session), 1);
    assert.equal((await world.stored()).length, 4);
  }),
  within('after the write concern of the commit has failed', async (world, session) => {
    const writeConcernError = { code: 64, codeName: 'WriteConcernFailed', errmsg: 'waiting timed out' };
    await world.fail({ failCommands: ['commitTransaction'], writeConcernError });
    assert.equal(await attempts(world, session), 1);
    assert.equal(world.sent('commitTransaction').length, 2);
  }),
];

const given: readonly Case[] = [
  ...[50, 100, 79].map((code) =>
    within(`after error ${code} of the commit`, async (world, session) => {
      const data =
        code === 50
          ? { errorCode: 50 }
          : { writeConcernError: { code, codeName: 'x', errmsg: 'cannot be satisfied' } };
      await world.fail({ failCommands: ['commitTransaction'], ...data });
      await assert.rejects(attempts(world, session), MongoServerError);
      assert.equal(world.sent('commitTransaction').length, 1);
    }),
  ),
];

specification('the convenient API for transactions', {
  'one transaction': plain,
  'retries the transaction': again,
  'retries the commit': commits,
  'gives up': given,
});
