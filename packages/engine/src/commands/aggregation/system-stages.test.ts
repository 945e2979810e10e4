import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import { type Document, UUID } from 'bson';
import { ANONYMOUS_ROOT, type WireUser } from '../../access/caller.ts';
import { admin, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
before(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: [{ _id: 1, a: 1 }] });
});
after(() => cluster.remove());

function run(aggregate: string | number, stages: readonly Document[], $db = 'admin'): Document {
  return cluster.run({ aggregate, pipeline: stages, cursor: {}, $db });
}

const answered: ReadonlyArray<readonly [on: string | number, stage: Document, database?: string]> = [
  [1, { $currentOp: {} }],
  [1, { $currentOp: { allUsers: true, localOps: true } }],
  [1, { $listLocalSessions: {} }, 'test'],
  [1, { $listLocalSessions: { users: [{ user: 'bob', db: 'admin' }, null] } }],
  ['system.sessions', { $listSessions: {} }, 'config'],
  [1, { $listClusterCatalog: { shards: true } }, 'test'],
  [1, { $querySettings: {} }],
  [1, { $queryStats: {} }],
  [1, { $listSampledQueries: {} }],
  ['c', { $planCacheStats: {} }, 'test'],
  [
    'c',
    { $collStats: { latencyStats: { histograms: true }, storageStats: {}, count: {}, queryExecStats: {} } },
    'test',
  ],
];

test('a deployment reports its state', () => {
  for (const [on, stage, database] of answered) {
    const { ok, errmsg } = run(on, [stage], database);
    assert.equal(ok, 1, `${inspect(stage)}: ${errmsg}`);
  }
});

const refused: ReadonlyArray<
  readonly [on: string | number, stage: Document, code: number, database?: string]
> = [
  [1, { $currentOp: null }, 14],
  [1, { $currentOp: { allUsers: 1 } }, 14],
  [1, { $currentOp: { more: true } }, 40415],
  [1, { $currentOp: { targetAllNodes: true } }, 9],
  [1, { $currentOp: {} }, 73, 'test'],
  ['c', { $currentOp: {} }, 73],
  [1, { $listLocalSessions: { allUsers: true, users: [{ user: 'a', db: 'b' }] } }, 12],
  [1, { $listLocalSessions: { users: [{ user: 'a' }] } }, 40414],
  ['c', { $listSessions: {} }, 73],
  ['c', { $listClusterCatalog: {} }, 9621301],
  [1, { $listClusterCatalog: 1 }, 9621302],
  [1, { $listClusterCatalog: { shards: null } }, 14],
  ['c', { $planCacheStats: 1 }, 9],
  ['c', { $planCacheStats: { allHosts: 1 } }, 13111],
  ['c', { $planCacheStats: { allHosts: true } }, 4503200],
  ['gone', { $planCacheStats: {} }, 50933],
  ['c', { $collStats: 1 }, 5447000],
  ['c', { $collStats: { count: 1 } }, 14],
  ['c', { $collStats: { count: { a: 1 } } }, 31170],
  ['c', { $collStats: { more: {} } }, 40415],
  ['c', { $collStats: { latencyStats: { more: 1 } } }, 40415],
  [1, { $shardedDataDistribution: {} }, 6789101],
  ['c', { $search: 1 }, 10065],
  ['c', { $vectorSearch: 1 }, 10065],
  ['c', { $listSearchIndexes: 1 }, 10065],
  ['c', { $listSearchIndexes: { more: 1 } }, 40415],
  [1, { $match: {} }, 73],
];

test('unsupported reports of a deployment are rejected', () => {
  for (const [on, stage, code, database] of refused) {
    assert.equal(run(on, [stage], database).code, code, inspect(stage, { depth: 5 }));
  }
});

test('stages on the deployment must come first, and cannot be nested', () => {
  assert.equal(run(1, [{ $documents: [] }, { $listLocalSessions: {} }]).code, 40602);
  assert.equal(run('c', [{ $facet: { a: [{ $listLocalSessions: {} }] } }]).code, 73);
  assert.equal(run('c', [{ $unionWith: { coll: 'c', pipeline: [{ $currentOp: {} }] } }]).code, 73);
});

test('statistics count the operations on a collection', () => {
  const [{ count, latencyStats }] = run('c', [{ $collStats: { count: {}, latencyStats: {} } }], 'test').cursor
    .firstBatch;
  assert.equal(count, 1);
  assert.ok(latencyStats.writes.ops >= 1n);
});

test('a transaction in which no statement runs is an idle session', () => {
  const session = { lsid: { id: new UUID() }, txnNumber: 1n, autocommit: false };
  const count = (flags: Document) => {
    const { firstBatch } = run(1, [{ $currentOp: flags }, { $match: { type: 'idleSession' } }]).cursor;
    return firstBatch.length;
  };
  assert.equal(count({}), 0);
  cluster.run({ insert: 'c', documents: [{}], ...session, startTransaction: true });
  const [{ lsid, transaction, client, connectionId }] = run(1, [
    { $currentOp: {} },
    { $match: { type: 'idleSession' } },
  ]).cursor.firstBatch;
  assert.deepEqual(lsid.id.toHexString(), session.lsid.id.toHexString());
  assert.equal(transaction.parameters.txnNumber, 1n);
  const [own] = run(1, [{ $currentOp: {} }, { $match: { active: true } }]).cursor.firstBatch;
  assert.deepEqual([client, connectionId], [own.client, own.connectionId]);
  assert.deepEqual([count({ idleSessions: true }), count({ idleSessions: false })], [1, 0]);
  const { inprog } = cluster.run({ currentOp: 1, type: 'idleSession', $db: 'admin' });
  assert.equal(inprog.length, 1);
  cluster.run({ abortTransaction: 1, ...session, $db: 'admin' });
  assert.equal(count({}), 0);
});

test('sessions have the names of their users', () => {
  const lsid = { id: new UUID() };
  cluster.run({ ping: 1, lsid });
  const [{ _id, user }] = run(1, [{ $listLocalSessions: {} }, { $match: { '_id.id': lsid.id } }]).cursor
    .firstBatch;
  assert.equal(user, 'alice@admin');
  assert.deepEqual(Buffer.from(_id.uid.buffer), hash('sha256', user, 'buffer'));
  const anonymous: WireUser = { ...ANONYMOUS_ROOT, roles: admin.roles };
  cluster.run({ ping: 1, lsid: { id: new UUID() } }, { user: anonymous });
  const unnamed = [{ $listLocalSessions: { allUsers: true } }, { $match: { user: { $exists: false } } }];
  const [session] = run(1, unnamed).cursor.firstBatch;
  assert.deepEqual(Buffer.from(session._id.uid.buffer), hash('sha256', '', 'buffer'));
});

test('$collStats counts the queries that scan the collection', () => {
  cluster.run({ create: 'scanned', capped: true, size: 4096 });
  cluster.run({ insert: 'scanned', documents: [{ _id: 1, a: 1 }] });
  cluster.run({ createIndexes: 'scanned', indexes: [{ key: { b: 1 }, name: 'b' }] });
  const scans = () =>
    run('scanned', [{ $collStats: { queryExecStats: {} } }], 'test').cursor.firstBatch[0].queryExecStats
      .collectionScans;
  assert.deepEqual(scans(), { total: 0n, nonTailable: 0n });
  const q = { a: 1 };
  const queries: Document[] = [
    { find: 'scanned', filter: q },
    { aggregate: 'scanned', pipeline: [{ $match: q }], cursor: {} },
    { count: 'scanned', query: q },
    { distinct: 'scanned', key: 'a' },
    { update: 'scanned', updates: [{ q, u: { $set: { a: 1 } } }] },
    { findAndModify: 'scanned', query: q, update: { $set: { a: 1 } } },
    { delete: 'scanned', deletes: [{ q: { a: 2 }, limit: 0 }] },
  ];
  for (const query of queries) assert.equal(cluster.run(query).ok, 1);
  assert.deepEqual(scans(), { total: 7n, nonTailable: 7n });
  assert.equal(cluster.run({ find: 'scanned', tailable: true }).ok, 1);
  for (const command of [{ find: 'scanned', filter: { b: 1 } }, { validate: 'scanned' }, { dbHash: 1 }])
    assert.equal(cluster.run(command).ok, 1);
  assert.deepEqual(scans(), { total: 8n, nonTailable: 7n });
});
