import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Document, Timestamp } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
before(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: [{ _id: 1, at: new Timestamp({ t: 1, i: 1 }) }, { _id: 2 }] });
});
after(() => cluster.remove());

const aggregate = (more: Document) => ({ aggregate: 'c', pipeline: [], cursor: {}, ...more });
const past = { $expr: { $lt: ['$at', '$$CLUSTER_TIME'] } };

describe('system variables', () => {
  it('have one time for all documents of a command', () => {
    const pipeline = [
      { $set: { now: '$$NOW', time: '$$CLUSTER_TIME' } },
      { $group: { _id: { now: '$now', time: '$time' }, n: { $sum: 1 } } },
      { $project: { n: 1, now: { $type: '$_id.now' }, time: { $type: '$_id.time' }, _id: 0 } },
    ];
    const { cursor } = cluster.run(aggregate({ pipeline }));
    assert.deepEqual(cursor.firstBatch, [{ n: 2, now: 'date', time: 'timestamp' }]);
  });

  it('contain the roles of the caller', () => {
    const { cursor } = cluster.run(aggregate({ pipeline: [{ $project: { roles: '$$USER_ROLES' } }] }));
    const [{ roles }] = cursor.firstBatch;
    assert.ok(Array.isArray(roles));
    for (const { _id, role, db } of roles) assert.equal(_id, `${db}.${role}`);
  });

  it('are available in updates', () => {
    const updates = [{ q: past, u: [{ $set: { t: '$$CLUSTER_TIME' } }] }];
    assert.equal(cluster.run({ update: 'c', updates }).nModified, 1);
  });

  const timeless: readonly Document[] = [
    { count: 'c', query: past },
    { distinct: 'c', key: '_id', query: past },
    { listCollections: 1, filter: past },
    { listDatabases: 1, filter: past, $db: 'admin' },
  ];
  for (const command of timeless) {
    it(`cannot be read by ${Object.keys(command)[0]}`, () => {
      assert.equal(cluster.run(command).code, 51144);
    });
  }

  it('are no constants', () => {
    const bucket = { $bucket: { groupBy: '$a', boundaries: ['$$NOW', 1] } };
    assert.equal(cluster.run(aggregate({ pipeline: [bucket] })).code, 40191);
  });
});

describe('let', () => {
  const rejected: ReadonlyArray<readonly [what: string, variables: Document, code: number]> = [
    ['a system variable as a value', { a: '$$NOW' }, 51144],
    ['the name of a system variable', { CLUSTER_TIME: 1 }, 4738901],
    ['a field as a value', { a: '$x' }, 4890500],
    ['the document as a value', { a: '$$ROOT' }, 4890500],
    ['a variable defined later', { a: '$$b', b: 1 }, 17276],
    ['a name that begins with a capital', { Name: 1 }, 9],
  ];
  for (const [what, variables, code] of rejected) {
    it(`rejects ${what}`, () => {
      assert.equal(cluster.run(aggregate({ let: variables })).code, code);
      assert.equal(cluster.run({ find: 'c', let: variables }).code, code);
    });
  }

  it('may use operators that bind variables', () => {
    const sum = { $reduce: { input: [1, 2], initialValue: 0, in: { $add: ['$$value', '$$this'] } } };
    const pipeline = [{ $limit: 1 }, { $project: { _id: 0, s: '$$s' } }];
    assert.deepEqual(cluster.run(aggregate({ let: { s: sum }, pipeline })).cursor.firstBatch, [{ s: 3 }]);
  });
});
