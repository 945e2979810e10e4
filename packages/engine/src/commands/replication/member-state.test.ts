import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Document, Timestamp } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
const user = { username: 'root', database: 'admin', roles: [{ role: 'root', database: 'admin' }] };

before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());

const run = (command: Document, member = 'm0') => cluster.run({ ...command, $db: 'admin' }, { user, member });

describe('a note', () => {
  it('is appended to the oplog, unless the time of its entry would be too late', () => {
    assert.equal(run({ appendOplogNote: 1, data: { a: 1 } }).ok, 1);
    const { cursor } = cluster.run(
      { find: 'oplog.rs', filter: { op: 'n', 'o.a': 1 }, $db: 'local' },
      { user },
    );
    assert.deepEqual(
      cursor.firstBatch.map(({ ns, o }: Document) => [ns, o]),
      [['', { a: 1 }]],
    );
    assert.equal(run({ appendOplogNote: 1 }).code, 40414);
    const maxClusterTime = new Timestamp({ t: 1, i: 1 });
    assert.equal(run({ appendOplogNote: 1, data: {}, maxClusterTime }).code, 209);
  });
});

describe('a member of a running replica set', () => {
  it('refuses changes of its state that are impossible', () => {
    const cases: Array<[Document, string, number]> = [
      [{ replSetInitiate: {} }, 'm0', 23],
      [{ replSetMaintenance: 1 }, 'm0', 95],
      [{ replSetMaintenance: 0 }, 'm1', 96],
      [{ replSetMaintenance: 1 }, 'm1', 115],
      [{ replSetSyncFrom: '127.0.0.1:27101' }, 'm0', 95],
      [{ replSetSyncFrom: '127.0.0.1:27101' }, 'm1', 72],
      [{ replSetSyncFrom: 'nowhere:1' }, 'm1', 74],
      [{ replSetAbortPrimaryCatchUp: 1 }, 'm0', 20],
      [{ replSetAbortPrimaryCatchUp: 1 }, 'm1', 10107],
    ];
    for (const [command, member, code] of cases) assert.equal(run(command, member).code, code);
    const source = '127.0.0.1:27100';
    assert.deepEqual(run({ replSetSyncFrom: source }, 'm1').syncFromRequested, source);
  });
});
