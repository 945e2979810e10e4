import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Document, deserialize, Long, UUID } from 'bson';
import { encodeDocument } from '../bson/encode.ts';
import { pollsOf } from '../bson/testing-turns.ts';
import { ServerError } from '../errors/server-error.ts';
import { withEncodedDetails } from './answer.ts';
import { TestCluster } from './testing.ts';

let cluster: TestCluster;
const root = { username: 'root', database: 'admin', roles: [{ role: 'root', database: 'admin' }] };

beforeEach(() => {
  cluster = new TestCluster({}, { unsynced: true });
});

afterEach(() => cluster.remove());

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

/** Runs a command. Returns its reply, and how often it has looked at the clock. */
function looked(command: Document): { reply: Document; looks: number } {
  let looks = 0;
  const { monotonic } = cluster.clock;
  cluster.clock.monotonic = () => looks++ / 1_000;
  const reply = cluster.run(command);
  cluster.clock.monotonic = monotonic;
  return { reply, looks };
}

describe('a statement looks at the clock often while it', () => {
  it('counts the documents with many keys in an index', () => {
    cluster.run({ insert: 'c', documents: [{ a: numbers(90_000) }] });
    cluster.run({ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a' }] });
    const one = looked({ count: 'c', query: { a: 5 } });
    const all = looked({ count: 'c', query: { a: { $gte: 0 } } });
    assert.deepEqual([one.reply.n, all.reply.n], [1, 1]);
    assert.ok(all.looks >= one.looks + 4, `${all.looks}, ${one.looks}`);
  });

  it('validates an index with many keys of one document', () => {
    cluster.run({ insert: 'c', documents: [{ a: numbers(20_000) }] });
    cluster.run({ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a' }] });
    const { reply, looks } = looked({ validate: 'c' });
    assert.deepEqual([reply.valid, reply.keysPerIndex], [true, { _id_: 1, a: 20_000 }]);
    assert.ok(looks >= 1_000, `${looks}`);
  });

  it('hashes a long document', () => {
    cluster.run({ insert: 'c', documents: [{ _id: 0 }] });
    const short = looked({ dbHash: 1 });
    cluster.run({ update: 'c', updates: [{ q: { _id: 0 }, u: { $set: { t: 'x'.repeat(8 << 20) } } }] });
    const { looks } = looked({ dbHash: 1 });
    assert.ok(looks >= short.looks + 8, `${looks}, ${short.looks}`);
  });

  it('encodes its reply in a transaction', () => {
    cluster.run({ insert: 'c', documents: [{ a: numbers(20_000) }] });
    const command = { distinct: 'c', key: 'a', query: {} };
    const outside = looked(command);
    const session = {
      lsid: { id: new UUID() },
      txnNumber: Long.ONE,
      autocommit: false,
      startTransaction: true,
    };
    const within = looked({ ...command, ...session });
    assert.equal(within.reply.values.length, 20_000);
    assert.ok(within.looks >= outside.looks, `${within.looks}, ${outside.looks}`);
  });

  it('encodes the details of an error', () => {
    const details = numbers(20_000).map((id) => ({ ids: [id] }));
    const error = new ServerError('BadValue', 'many', { details });
    const run = () => {
      throw error;
    };
    const polls = pollsOf(() => assert.throws(() => withEncodedDetails(run), error));
    assert.ok(polls >= 20, `${polls}`);
    const again = pollsOf(() => assert.deepEqual(deserialize(encodeDocument(error.more)), { details }));
    assert.ok(again <= polls / 4, `${again}`);
  });
});

it('dbHash sorts the buckets of a time series on the disk if they do not fit into memory', () => {
  cluster.run({ create: 'c', timeseries: { timeField: 't', metaField: 'm' } });
  const documents = numbers(200).map((m) => ({ t: new Date(m), m: m % 50, x: 'x'.repeat(1_000) }));
  cluster.run({ insert: 'c', documents });
  const { collections } = cluster.run({ dbHash: 1 });
  const set = (parameter: Document) =>
    assert.equal(cluster.run({ setParameter: 1, ...parameter, $db: 'admin' }, { user: root }).ok, 1);
  set({ internalQueryMaxBlockingSortMemoryUsageBytes: 20_000 });
  assert.deepEqual(cluster.run({ dbHash: 1 }).collections, collections);
  set({ allowDiskUseByDefault: false });
  assert.equal(cluster.run({ dbHash: 1 }).ok, 0);
});

it('a cluster has at most 100,000 sessions', () => {
  const ids = (count: number) => numbers(count).map(() => ({ id: new UUID() }));
  for (let i = 0; i < 10; i++) assert.equal(cluster.run({ refreshSessions: ids(10_000) }).ok, 1);
  assert.equal(cluster.run({ refreshSessions: ids(1) }).codeName, 'TooManyLogicalSessions');
});

it('the profiler records 1,000 statements of a command, or 1 MiB of them', () => {
  cluster.run({ profile: 2 });
  const count = () => cluster.run({ count: 'system.profile', query: { op: 'remove' } }).n;
  const remove = (q: Document) => ({ delete: 'c', deletes: numbers(1_500).map(() => ({ q, limit: 1 })) });
  cluster.run(remove({ a: 1 }));
  assert.equal(count(), 1_000);
  cluster.run({ drop: 'system.profile' });
  cluster.run(remove({ a: 'x'.repeat(10_000) }));
  assert.ok(count() <= 105, `${count()}`);
});
