import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Binary, type Document, UUID } from 'bson';
import { admin, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: Array.from({ length: 10 }, (_, _id) => ({ _id })) });
});

afterEach(() => cluster.remove());

const other = { ...admin, username: 'bob' };
const open = (lsid: Document, user = admin) =>
  cluster.run({ find: 'c', batchSize: 1, lsid }, { user }).cursor.id;
const getMore = (id: unknown, lsid: Document, user = admin) =>
  cluster.run({ getMore: id, collection: 'c', batchSize: 1, lsid }, { user });
const start = () => cluster.run({ startSession: 1 }).id as Document;

describe('startSession', () => {
  it('returns an id and the timeout', () => {
    const { id, timeoutMinutes, ok } = cluster.run({ startSession: 1 });
    assert.equal(id.id.toHexString(true).length, 36);
    assert.deepEqual([timeoutMinutes, ok], [30, 1]);
    assert.notDeepEqual(start(), id);
  });
});

describe('a session', () => {
  it('expires with its cursors after half an hour', () => {
    const lsid = start();
    const noTimeout = cluster.run({ find: 'c', batchSize: 1, lsid, noCursorTimeout: true }).cursor.id;
    cluster.clock.advance(29 * 60_000);
    assert.equal(cluster.run({ refreshSessions: [lsid] }).ok, 1);
    cluster.clock.advance(29 * 60_000);
    assert.equal(getMore(noTimeout, lsid).ok, 1);
    cluster.clock.advance(36 * 60_000);
    assert.equal(getMore(noTimeout, lsid).code, 43);
  });

  it('expires with others in several steps, between which statements run', () => {
    const ids = () => Array.from({ length: 5_000 }, () => ({ id: new UUID() }));
    for (let many = 0; many < 5; many++) assert.equal(cluster.run({ refreshSessions: ids() }).ok, 1);
    const left = () => {
      const pipeline = [{ $listLocalSessions: { allUsers: true } }, { $count: 'n' }];
      return cluster.run({ aggregate: 1, pipeline, cursor: {} }).cursor.firstBatch[0]?.n;
    };
    const counts = [30 * 60_000, 20, 20].map((ms) => {
      cluster.clock.advance(ms);
      return left();
    });
    assert.deepEqual(counts, [15_000, 5_000, undefined]);
  });

  it('belongs to its user', () => {
    const lsid = start();
    const [own, others] = [open(lsid), open(lsid, other)];
    assert.equal(cluster.run({ endSessions: [lsid] }, { user: other }).ok, 1);
    assert.equal(getMore(others, lsid, other).code, 43);
    assert.equal(getMore(own, lsid).ok, 1);
  });

  const refused: Array<[string, unknown, number]> = [
    ['of another type', 1, 14],
    ['without an id', {}, 40414],
    ['with an id of another type', { id: 'x' }, 14],
    ['with bytes that are no UUID', { id: Buffer.alloc(16) }, 14],
    ['with a UUID of another length', { id: new Binary(Buffer.alloc(3), 4) }, 207],
    ['with other fields', { id: new UUID(), name: 1 }, 40415],
  ];
  for (const [name, lsid, code] of refused) {
    it(`${name} is rejected`, () => {
      assert.equal(cluster.run({ ping: 1, lsid }).code, code);
    });
  }
});

describe('killSessions', () => {
  it('ends the named sessions', () => {
    const [one, two] = [start(), start()];
    const [first, second] = [open(one), open(two)];
    assert.equal(cluster.run({ killSessions: [one] }).ok, 1);
    assert.equal(getMore(first, one).code, 43);
    assert.equal(getMore(second, two).ok, 1);
  });

  it('without names ends all sessions of the caller', () => {
    const lsid = start();
    const [own, others] = [open(lsid), open(lsid, other)];
    assert.equal(cluster.run({ killSessions: [] }).ok, 1);
    assert.equal(getMore(own, lsid).code, 43);
    assert.equal(getMore(others, lsid, other).ok, 1);
  });
});

describe('killAllSessions', () => {
  it('ends the sessions of some users, or all', () => {
    const lsid = start();
    const [own, others] = [open(lsid), open(lsid, other)];
    assert.equal(cluster.run({ killAllSessions: [{ user: 'bob', db: 'admin' }] }).ok, 1);
    assert.equal(getMore(others, lsid, other).code, 43);
    assert.equal(getMore(own, lsid).ok, 1);
    assert.equal(cluster.run({ killAllSessions: [] }).ok, 1);
    assert.equal(getMore(own, lsid).code, 43);
  });

  it('requires a privilege', () => {
    const user = { ...admin, roles: [{ role: 'readWrite', database: 'test' }] };
    assert.equal(cluster.run({ killAllSessions: [] }, { user }).code, 13);
    assert.equal(cluster.run({ killAllSessionsByPattern: [] }, { user }).code, 13);
  });
});

describe('killAllSessionsByPattern', () => {
  it('ends sessions by id', () => {
    const [one, two] = [start(), { id: new UUID() }];
    const [first, second] = [open(one), open(two)];
    assert.equal(cluster.run({ killAllSessionsByPattern: [{ lsid: one }] }).ok, 1);
    assert.equal(getMore(first, one).code, 43);
    assert.equal(getMore(second, two).ok, 1);
  });

  it('ends sessions of a user, by name or digest', () => {
    const lsid = start();
    const [own, others] = [open(lsid), open(lsid, other)];
    const byName = { users: [{ user: 'bob', db: 'admin' }] };
    assert.equal(cluster.run({ killAllSessionsByPattern: [byName] }).ok, 1);
    assert.equal(getMore(others, lsid, other).code, 43);
    assert.equal(getMore(own, lsid).ok, 1);
    const uid = createHash('sha256').update('alice@admin').digest();
    assert.equal(cluster.run({ killAllSessionsByPattern: [{ uid }] }).ok, 1);
    assert.equal(getMore(own, lsid).code, 43);
  });
});
