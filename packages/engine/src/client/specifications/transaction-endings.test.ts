import assert from 'node:assert/strict';
import type { ClientSession, TransactionOptions } from 'mongodb';
import { type Case, fails, type Item, inSession, specification, type World } from './testing.ts';

const before = [1, 2, 3].map((_id) => ({ _id, x: _id * 11 })) as [Item, Item, Item];
const four = { _id: 4, x: 44 };
const options = { writeConcern: { w: 'majority' } } as const;

/** Starts a transaction with an insert. */
async function insertIn(
  session: ClientSession,
  { items }: World,
  settings?: TransactionOptions,
): Promise<void> {
  session.startTransaction(settings);
  await items.insertOne(four, { session });
}

const transient = [24, 112, 246, 251, 267, 91, 189, 10107, 11600, 11602, 13435, 13436].map(
  (errorCode): Case => ({
    name: `error ${errorCode} of a statement`,
    run: (world) =>
      inSession(world.client, async (session) => {
        session.startTransaction();
        await world.fail({ failCommands: ['insert'], errorCode });
        await fails(world.items.insertOne(four, { session }), {
          code: errorCode,
          has: ['TransientTransactionError'],
          lacks: ['RetryableWriteError', 'UnknownTransactionCommitResult'],
        });
        await session.abortTransaction();
        assert.deepEqual(await world.stored(), before);
      }),
  }),
);

const lasting = [2, 11000, 50, 263].map(
  (errorCode): Case => ({
    name: `error ${errorCode} of a statement`,
    run: (world) =>
      inSession(world.client, async (session) => {
        session.startTransaction();
        await world.fail({ failCommands: ['insert'], errorCode });
        await fails(world.items.insertOne(four, { session }), { lacks: ['TransientTransactionError'] });
        await session.abortTransaction();
      }),
  }),
);

const quick = { heartbeatFrequencyMS: 500, minHeartbeatFrequencyMS: 10 };

const commitsAgain = [6, 7, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436].map(
  (errorCode): Case => ({
    name: `after error ${errorCode}`,
    options: quick,
    run: (world) =>
      inSession(world.client, async (session) => {
        await insertIn(session, world, options);
        await world.fail({
          failCommands: ['commitTransaction'],
          errorCode,
          errorLabels: ['RetryableWriteError'],
        });
        await session.commitTransaction();
        assert.equal(world.sent('commitTransaction').length, 2);
        assert.deepEqual(await world.stored(), [...before, four]);
      }),
  }),
);

const endings: readonly Case[] = [
  {
    name: 'retries a commit after the connection has ended',
    options: quick,
    run: (world) =>
      inSession(world.client, async (session) => {
        await insertIn(session, world, options);
        await world.fail({ failCommands: ['commitTransaction'], closeConnection: true });
        await session.commitTransaction();
        const [first, second] = world.sent('commitTransaction');
        assert.deepEqual(first?.txnNumber, second?.txnNumber);
        assert.equal(second?.writeConcern.w, 'majority');
        assert.deepEqual(await world.stored(), [...before, four]);
      }),
  },
  {
    name: 'retries a commit after a write concern error',
    options: quick,
    run: (world) =>
      inSession(world.client, async (session) => {
        await insertIn(session, world, options);
        const writeConcernError = { code: 91, errmsg: 'going', errorLabels: ['RetryableWriteError'] };
        await world.fail({ failCommands: ['commitTransaction'], writeConcernError });
        await session.commitTransaction();
        assert.deepEqual(await world.stored(), [...before, four]);
      }),
  },
  {
    name: 'has an unknown result if the commit fails twice',
    options: quick,
    run: (world) =>
      inSession(world.client, async (session) => {
        await insertIn(session, world, options);
        await world.fail({ failCommands: ['commitTransaction'], closeConnection: true }, { times: 2 });
        await fails(session.commitTransaction(), {
          has: ['UnknownTransactionCommitResult', 'RetryableWriteError'],
          lacks: ['TransientTransactionError'],
        });
        await session.commitTransaction();
        assert.deepEqual(await world.stored(), [...before, four]);
      }),
  },
  {
    name: 'has an unknown result if the commit times out',
    run: (world) =>
      inSession(world.client, async (session) => {
        await insertIn(session, world, options);
        await world.fail({ failCommands: ['commitTransaction'], errorCode: 50 });
        await fails(session.commitTransaction(), { has: ['UnknownTransactionCommitResult'] });
      }),
  },
  {
    name: 'retries an abort after the connection has ended',
    options: quick,
    run: (world) =>
      inSession(world.client, async (session) => {
        await insertIn(session, world, options);
        await world.fail({ failCommands: ['abortTransaction'], closeConnection: true });
        await session.abortTransaction();
        assert.equal(world.sent('abortTransaction').length, 2);
        assert.deepEqual(await world.stored(), before);
      }),
  },
  {
    name: 'ignores a failed abort',
    run: (world) =>
      inSession(world.client, async (session) => {
        await insertIn(session, world, options);
        await world.fail({ failCommands: ['abortTransaction'], errorCode: 2 });
        await session.abortTransaction();
      }),
  },
  {
    name: 'can commit twice with the same result',
    run: (world) =>
      inSession(world.client, async (session) => {
        await insertIn(session, world);
        await session.commitTransaction();
        await session.commitTransaction();
        assert.equal(world.sent('commitTransaction').length, 2);
        assert.deepEqual(await world.stored(), [...before, four]);
      }),
  },
  {
    name: 'sends no commit or abort without statements',
    run: (world) =>
      inSession(world.client, async (session) => {
        session.startTransaction();
        await session.commitTransaction();
        session.startTransaction();
        await session.abortTransaction();
        assert.deepEqual(world.names(), []);
      }),
  },
  {
    name: 'cannot commit after an abort, nor abort after a commit',
    run: (world) =>
      inSession(world.client, async (session) => {
        await insertIn(session, world);
        await session.abortTransaction();
        await fails(session.commitTransaction());
        await insertIn(session, world);
        await session.commitTransaction();
        await fails(session.abortTransaction());
      }),
  },
  {
    name: 'aborts when the session ends',
    async run(world) {
      await inSession(world.client, async (session) => {
        await insertIn(session, world);
      });
      assert.deepEqual(world.sent('abortTransaction').length, 1);
      assert.deepEqual(await world.stored(), before);
    },
  },
  {
    name: 'has another number for each transaction',
    run: (world) =>
      inSession(world.client, async (session) => {
        for (const _id of [4, 5, 6]) {
          session.startTransaction();
          await world.items.insertOne({ _id }, { session });
          await session.commitTransaction();
        }
        const numbers = world.sent('insert').map(({ txnNumber }) => String(txnNumber));
        assert.equal(new Set(numbers).size, 3);
        assert.equal((await world.stored()).length, 6);
      }),
  },
];

specification('transactions: errors and endings', {
  'is a transient transaction error': transient,
  'is not a transient transaction error': lasting,
  'retries the commit': commitsAgain,
  'the end': endings,
});
