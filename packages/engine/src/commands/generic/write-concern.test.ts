import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Document } from 'bson';
import { info, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster();
});

afterEach(() => cluster.remove());

/** Makes the members with these numbers run and stops the others. */
function running(...numbers: number[]): void {
  const members = info.members.map((member, i) =>
    numbers.includes(i) ? member : { ...member, state: 'DOWN' as const },
  );
  cluster.configure({ members });
}

const insert = (writeConcern: Document) => ({ insert: 'c', documents: [{}], writeConcern });

function send(writeConcern: Document) {
  const sent = cluster.send(insert(writeConcern));
  cluster.worker.runTurn();
  return sent;
}

describe('a write concern', () => {
  const met: Array<[string, Document]> = [
    ['one member', { w: 1 }],
    ['all members', { w: 3 }],
    ['a majority', { w: 'majority' }],
    ['as many tag values as exist', { w: { region: 1, nodeType: 1 } }],
  ];
  for (const [name, concern] of met) {
    it(`for ${name} is met while all members run`, () => {
      assert.deepEqual(cluster.run(insert(concern)), { n: 1, ok: 1 });
    });
  }

  const never: Array<[string, Document, number]> = [
    ['more members than exist', { w: 4 }, 100],
    ['more tag values than exist', { w: { region: 2 } }, 100],
    ['a tag that no member has', { w: { rack: 1 } }, 100],
    ['more regions than exist', { w: 'twoRegions' }, 100],
    ['an unknown mode', { w: 'everywhere' }, 79],
  ];
  for (const [name, concern, code] of never) {
    it(`for ${name} is never met, but the write succeeds`, () => {
      const { n, writeConcernError } = cluster.run(insert(concern));
      assert.deepEqual([n, writeConcernError.code], [1, code]);
      assert.equal(cluster.documents('c').length, 1);
    });
  }

  it('that cannot be met is reported together with the error of a valid command', () => {
    const create = { create: 'c', capped: true, size: 4096 };
    cluster.run({ create: 'c' });
    const { code, writeConcernError } = cluster.run({ ...create, writeConcern: { w: 4 } });
    assert.deepEqual([code, writeConcernError.code], [48, 100]);
    const unread = cluster.run({ ...create, nothing: 1, writeConcern: { w: 4 } });
    assert.deepEqual([unread.code, unread.writeConcernError], [40415, undefined]);
    assert.equal(cluster.run(create).writeConcernError, undefined);
  });

  it('waits for stopped members', () => {
    running(0, 1);
    const sent = send({ w: 3 });
    assert.equal(sent.reply, undefined);
    assert.equal(cluster.run({ count: 'c' }, { connectionId: 2 }).n, 1);
    running(0, 1, 2);
    assert.deepEqual(sent.reply, { n: 1, ok: 1 });
  });

  it('waits no longer than its timeout', () => {
    running(0, 1);
    const sent = send({ w: 3, wtimeout: 50 });
    cluster.clock.advance(51);
    const { code, codeName, errInfo } = sent.reply?.writeConcernError ?? {};
    assert.deepEqual([code, codeName, errInfo.wtimeout], [64, 'WriteConcernFailed', true]);
    assert.deepEqual(errInfo.writeConcern, { w: 3, wtimeout: 50, provenance: 'clientSupplied' });
    assert.equal(sent.reply?.n, 1);
  });

  it('of a majority is met without the minority', () => {
    running(0, 1);
    assert.deepEqual(send({ w: 'majority' }).reply, { n: 1, ok: 1 });
  });

  it('defaults to that of the deployment', () => {
    const members = info.members.map((member, i) => (i < 2 ? member : { ...member, state: 'DOWN' as const }));
    cluster.configure({ members, arguments: { defaultWriteConcern: '3' } });
    const sent = cluster.send({ insert: 'c', documents: [{}] });
    cluster.worker.runTurn();
    assert.equal(sent.reply, undefined);
    cluster.configure({ arguments: { defaultWriteConcern: '3' } });
    assert.deepEqual(sent.reply, { n: 1, ok: 1 });
  });

  it('applies to the end of a transaction', () => {
    running(0, 1);
    const lsid = cluster.run({ startSession: 1 }).id;
    const step = { lsid, txnNumber: 1n, autocommit: false };
    assert.equal(cluster.run({ insert: 'c', documents: [{}], ...step, startTransaction: true }).ok, 1);
    const sent = cluster.send({ commitTransaction: 1, $db: 'admin', ...step, writeConcern: { w: 3 } });
    cluster.worker.runTurn();
    assert.equal(sent.reply, undefined);
    running(0, 1, 2);
    assert.deepEqual(sent.reply, { ok: 1 });
  });
});
