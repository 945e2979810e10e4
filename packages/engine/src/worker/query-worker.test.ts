import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Timestamp, UUID } from 'bson';
import { FILE_NAME } from '../storage/file/format.ts';
import { CLUSTER_ID, info, sectionsOf, TestCluster } from './testing.ts';

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster();
});

afterEach(() => cluster.remove());

/** Returns the number of committed documents: those that another connection to the file sees. */
function committed(): number {
  const db = new DatabaseSync(join(cluster.dir, FILE_NAME), { readOnly: true });
  const row = db.prepare("SELECT documents FROM collections WHERE db = 'test'").get();
  db.close();
  return Number(row?.documents ?? 0);
}

const insert = (_id: number) => ({ insert: 'c', documents: [{ _id }] });

describe('a turn', () => {
  it('commits all waiting writes of a cluster before it sends any of their replies', () => {
    const order: string[] = [];
    const submit = (connectionId: number) =>
      cluster.worker.submit(
        {
          requestId: connectionId,
          clusterId: CLUSTER_ID,
          caller: {
            connectionId,
            remote: '',
            member: 'm0',
            user: { username: 'a', database: 'admin', roles: [{ role: 'platformAdmin', database: 'admin' }] },
          },
          sections: sectionsOf(insert(connectionId)),
        },
        () => order.push(`answer ${connectionId} with ${committed()} committed`),
      );
    submit(1);
    submit(2);
    submit(3);
    cluster.worker.runTurn();
    assert.deepEqual(
      order,
      [1, 2, 3].map((id) => `answer ${id} with 3 committed`),
    );
  });

  it('undoes only the command that fails', () => {
    const first = cluster.send(insert(1), { connectionId: 1 });
    const wrong = cluster.send({ insert: 'd', documents: [{ _id: 1 }], nonsense: 1 }, { connectionId: 2 });
    const last = cluster.send(insert(2), { connectionId: 3 });
    cluster.worker.runTurn();
    assert.equal(first.reply?.ok, 1);
    assert.equal(wrong.reply?.code, 40415);
    assert.equal(last.reply?.ok, 1);
    assert.deepEqual(cluster.documents('c'), [{ _id: 1 }, { _id: 2 }]);
  });

  it('lets a read see the write that the same connection sent before it', () => {
    cluster.send(insert(1));
    const read = cluster.send({ count: 'c' });
    const other = cluster.send({ count: 'c' }, { connectionId: 2 });
    cluster.worker.runTurn();
    assert.equal(read.reply?.n, 1);
    assert.equal(other.reply?.n, 0);
  });

  it('keeps the order of writes and reads of one connection', () => {
    cluster.send(insert(1));
    const first = cluster.send({ count: 'c' });
    cluster.send(insert(2));
    const second = cluster.send({ count: 'c' });
    cluster.worker.runTurn();
    assert.deepEqual([first.reply?.n, second.reply?.n], [1, 2]);
  });
});

describe('a cluster that is closed', () => {
  it('runs waiting requests and answers later ones with a shutdown error', () => {
    const waiting = cluster.send(insert(1));
    cluster.worker.close(CLUSTER_ID);
    assert.equal(waiting.reply?.n, 1);
    assert.equal(cluster.run({ ping: 1 }).code, 91);
    cluster.worker.open(CLUSTER_ID, cluster, info);
    assert.deepEqual(cluster.documents('c'), [{ _id: 1 }]);
  });
});

describe('a message', () => {
  it('of an unknown command is refused by its name', () => {
    const { ok, code, codeName, errmsg } = cluster.run({ frobnicate: 1 });
    assert.deepEqual(
      { ok, code, codeName, errmsg },
      { ok: 0, code: 59, codeName: 'CommandNotFound', errmsg: "no such command: 'frobnicate'" },
    );
  });

  it('before authentication is refused, unless it reveals nothing', () => {
    assert.equal(cluster.run({ ping: 1 }, { user: null }).ok, 1);
    const refused = cluster.run({ find: 'c' }, { user: null });
    assert.deepEqual([refused.code, refused.errmsg], [13, 'Command find requires authentication']);
  });

  it('without the privilege is refused', () => {
    const user = { username: 'r', database: 'admin', roles: [{ role: 'read', database: 'test' }] };
    assert.equal(cluster.run({ find: 'c' }, { user }).ok, 1);
    for (const command of [insert(1), { find: 'c', $db: 'other' }, { drop: 'c' }, { dropDatabase: 1 }]) {
      assert.equal(cluster.run(command, { user }).code, 13, JSON.stringify(command));
    }
  });

  it('to a secondary is refused when it writes, or reads without a read preference', () => {
    const member = 'm1';
    assert.equal(cluster.run(insert(1), { member }).code, 10107);
    assert.equal(cluster.run({ find: 'c' }, { member }).code, 13435);
    assert.equal(
      cluster.run({ find: 'c', $readPreference: { mode: 'secondaryPreferred' } }, { member }).ok,
      1,
    );
    assert.equal(cluster.run({ ping: 1 }, { member }).ok, 1);
  });

  it('for an invalid database name is refused', () => {
    for (const $db of ['', 'a b', 'a.b', 'a$b', 'x'.repeat(64)]) {
      assert.equal(cluster.run({ ping: 1, $db }).code, 73, $db);
    }
  });

  it('with generic arguments is run', () => {
    const generic = {
      lsid: { id: new UUID() },
      $clusterTime: { clusterTime: Timestamp.fromBits(1, 1) },
      readConcern: { level: 'majority' },
      maxTimeMS: 1000,
      comment: [1],
      apiVersion: '1',
      apiStrict: true,
    };
    assert.equal(cluster.run({ find: 'c', ...generic }).ok, 1);
  });

  const refused: Array<[string, object, number]> = [
    ['maxTimeMS of another type', { maxTimeMS: 'x' }, 14],
    ['maxTimeMS with a fraction', { maxTimeMS: 1.5 }, 9],
    ['a negative maxTimeMS', { maxTimeMS: -1 }, 2],
    ['another apiVersion', { apiVersion: '2' }, 322],
    ['apiStrict without a version', { apiStrict: true }, 4_886_600],
    ['an unknown read concern level', { readConcern: { level: 'best' } }, 2],
    ['a read concern of another type', { readConcern: 1 }, 14],
    ['a cluster time of another type', { readConcern: { afterClusterTime: null } }, 14],
    ['a time without a snapshot', { readConcern: { atClusterTime: Timestamp.fromBits(1, 1) } }, 72],
    [
      'a snapshot at no time',
      { readConcern: { level: 'snapshot', atClusterTime: Timestamp.fromBits(1, 0) } },
      72,
    ],
    ['a write concern of another type', { writeConcern: 1 }, 14],
    ['a number of members of another type', { writeConcern: { w: true } }, 9],
    ['a negative number of members', { writeConcern: { w: -1 } }, 9],
    ['more members than a set can have', { writeConcern: { w: 51 } }, 9],
    ['unknown fields of a write concern', { writeConcern: { q: 1 } }, 40415],
    ['a wtimeout that is too large', { writeConcern: { wtimeout: 2 ** 31 } }, 9],
  ];
  for (const [what, generic, code] of refused) {
    it(`with ${what} is refused`, () => {
      const command = { aggregate: 'c', pipeline: [], cursor: {} };
      assert.equal(cluster.run({ ...command, ...generic }).code, code);
    });
  }

  it('with a concern that its command does not support is refused', () => {
    assert.equal(cluster.run({ listCollections: 1, readConcern: { level: 'majority' } }).code, 72);
    assert.equal(cluster.run({ find: 'c', writeConcern: { w: 1 } }).code, 72);
    assert.equal(
      cluster.run({ replSetGetStatus: 1, $db: 'admin', apiVersion: '1', apiStrict: true }).code,
      323,
    );
  });

  it('without acknowledgement is run and not answered', () => {
    cluster.run(insert(1));
    const command = { insert: 'c', documents: [{ _id: 1 }, { _id: 2 }], ordered: false };
    assert.deepEqual(cluster.run({ ...command, writeConcern: { w: 0 } }), { ok: 1 });
    assert.equal(cluster.run({ count: 'c' }).n, 2);
  });

  it('that requires more members than exist is run and reports it', () => {
    const { n, writeConcernError } = cluster.run({ ...insert(1), writeConcern: { w: 4 } });
    assert.equal(n, 1);
    assert.equal(writeConcernError.code, 100);
    assert.equal(cluster.run({ ...insert(2), writeConcern: { w: 'all' } }).writeConcernError.code, 79);
    assert.equal(cluster.run({ ...insert(3), writeConcern: { w: 'majority' } }).writeConcernError, undefined);
  });
});
