import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Long, UUID } from 'bson';
import { TestCluster } from './testing.ts';

let cluster: TestCluster;
/** The seconds by which each reading advances the clock. */
let seconds: number;

beforeEach(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: Array.from({ length: 1_000 }, (_, _id) => ({ _id, n: 0 })) });
  let time = 0;
  seconds = 0;
  cluster.clock.monotonic = () => (time += seconds * 1_000);
});
afterEach(() => cluster.remove());

/** Returns a function that runs the statements of one transaction. */
function begun() {
  const lsid = { id: new UUID() };
  let starts: object = { startTransaction: true };
  return (command: object) => {
    const numbered = { lsid, txnNumber: Long.ONE, autocommit: false, ...starts };
    starts = {};
    return cluster.run({ ...command, ...numbered });
  };
}

const expired = { code: 290, codeName: 'TransactionExceededLifetimeLimitSeconds' };
const long = [
  ['find', { find: 'c', filter: { missing: 1 } }],
  ['aggregate', { aggregate: 'c', pipeline: [{ $group: { _id: '$_id' } }], cursor: {} }],
  ['update', { update: 'c', updates: [{ q: {}, u: { $set: { n: 1 } }, multi: true }] }],
  ['delete', { delete: 'c', deletes: [{ q: {}, limit: 0 }] }],
] as const;

describe('a statement ends when its transaction has been open for too long:', () => {
  for (const [name, command] of long) {
    it(`${name}, as the first statement and as a later one`, () => {
      for (const before of [[], [{ find: 'c', limit: 1 }]]) {
        const run = begun();
        for (const each of before) assert.equal(run(each).ok, 1);
        seconds = 1;
        const { code, codeName, errorLabels } = run(command);
        seconds = 0;
        assert.deepEqual([{ code, codeName }, errorLabels], [expired, undefined]);
        assert.equal(run({ find: 'c' }).codeName, 'NoSuchTransaction');
        assert.equal(cluster.run({ count: 'c', query: { n: 0 } }).n, 1_000);
      }
    });
  }

  it('but not before', () => {
    const run = begun();
    seconds = 0.01;
    assert.equal(run({ find: 'c', filter: { missing: 1 } }).ok, 1);
  });
});

it('a statement of a transaction ends at its maxTimeMS', () => {
  const run = begun();
  seconds = 1;
  assert.equal(run({ find: 'c', filter: { missing: 1 }, maxTimeMS: 5_000 }).codeName, 'MaxTimeMSExpired');
});
