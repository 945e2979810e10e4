import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import { FILE_NAME } from '../../storage/file/format.ts';
import { admin, TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
  for (const insert of ['a', 'b']) {
    cluster.run({ insert, documents: [{ _id: 1 }, { _id: 2, v: insert }] });
  }
});
after(() => cluster.remove());

describe('validate', () => {
  it('reads every document and looks it up', () => {
    const { ns, nrecords, keysPerIndex, valid, errors } = cluster.run({ validate: 'a' });
    assert.deepEqual(
      { ns, nrecords, keysPerIndex, valid, errors },
      { ns: 'test.a', nrecords: 2, keysPerIndex: { _id_: 2 }, valid: true, errors: [] },
    );
  });

  it('counts no keys of empty locations in geospatial indexes', () => {
    const locations = [[1, 1], { type: 'Point', coordinates: [2, 2] }, null, [], {}];
    for (const [kind, several] of [
      ['2dsphere', locations],
      ['2d', locations.filter((_, i) => i !== 1)],
    ] as const) {
      cluster.run({ insert: kind, documents: [...several.map((l, _id) => ({ _id, l })), { _id: 'none' }] });
      cluster.run({ createIndexes: kind, indexes: [{ key: { l: kind }, name: 'l' }] });
      assert.equal(cluster.run({ validate: kind }).keysPerIndex.l, kind === '2d' ? 1 : 2);
    }
  });

  it('runs in the background of a replica set too', () => {
    assert.equal(cluster.run({ validate: 'a', background: true }).valid, true);
  });

  it('reports damaged documents and continues after them', () => {
    const documents = [100, 30_000, 100, 100].map((size, _id) => ({ _id, pad: 'x'.repeat(size) }));
    cluster.run({ insert: 'damaged', documents });
    cluster.run({ createIndexes: 'damaged', indexes: [{ key: { pad: 1 }, name: 'pad_1' }] });
    const file = new DatabaseSync(join(cluster.dir, FILE_NAME));
    const number = file.prepare("SELECT number FROM collections WHERE name = 'damaged'").get()?.number;
    const write = file.prepare(`UPDATE c_${number} SET doc = ? WHERE rid = ?`);
    for (const rid of [2, 3]) {
      const row = file.prepare(`SELECT doc FROM c_${number} WHERE rid = ?`).get(rid);
      const doc = Buffer.from(row?.doc as Uint8Array);
      doc[doc.length - 10] = 0x79;
      write.run(doc, rid);
    }
    file.close();
    const { valid, nrecords, nInvalidDocuments, corruptRecords, errors } = cluster.run({
      validate: 'damaged',
    });
    assert.deepEqual([valid, nrecords, nInvalidDocuments], [false, 4, 2]);
    assert.deepEqual(corruptRecords.map(Number), [2, 3]);
    assert.deepEqual(errors, ['Detected one or more invalid documents. See logs.']);
    assert.equal(cluster.run({ find: 'damaged' }).code, 301);
    cluster.run({ drop: 'damaged' });
  });

  const refused: Array<[string, Document, number]> = [
    ['a missing collection', { validate: 'none' }, 26],
    ['background with full', { validate: 'a', background: true, full: true }, 72],
    ['an invalid name', { validate: 1 }, 73],
    ['metadata with full', { validate: 'a', metadata: true, full: true }, 72],
    ['a check of BSON with a repair', { validate: 'a', checkBSONConformance: true, repair: true }, 72],
  ];
  for (const [what, command, code] of refused) {
    it(`rejects ${what}`, () => assert.equal(cluster.run(command).code, code));
  }
});

describe('dbHash', () => {
  const hashes = (more: Document = {}) => cluster.run({ dbHash: 1, ...more });

  it('differs for different documents, and selects collections by name', () => {
    const { collections, md5 } = hashes();
    assert.notEqual(collections.a, collections.b);
    assert.match(md5, /^[0-9a-f]{32}$/);
    assert.deepEqual(hashes({ collections: ['b', 'none'] }).collections, { b: collections.b });
  });

  it('lists only chosen capped collections', () => {
    cluster.run({ create: 'log', capped: true, size: 4096 });
    assert.deepEqual(hashes().capped, ['log']);
    assert.deepEqual(hashes({ collections: [] }).capped, ['log']);
    assert.deepEqual(hashes({ collections: ['a', 'log'] }).capped, ['log']);
    assert.deepEqual(hashes({ collections: ['a'] }).capped, []);
    cluster.run({ drop: 'log' });
  });

  it('changes with every write', () => {
    const before = hashes().md5;
    cluster.run({ insert: 'a', documents: [{ _id: 3 }] });
    assert.notEqual(hashes().md5, before);
    cluster.run({ delete: 'a', deletes: [{ q: { _id: 3 }, limit: 1 }] });
    assert.equal(hashes().md5, before);
  });

  it('rejects names that are no strings', () => {
    assert.equal(hashes({ collections: [1] }).code, 2);
  });
});

describe('top', () => {
  it('counts the operations on each collection', () => {
    const top = () => cluster.run({ top: 1, $db: 'admin' }).totals;
    const { queries, writeLock } = top()['test.a'];
    cluster.run({ find: 'a' });
    const after = top()['test.a'];
    assert.deepEqual([after.queries.count, after.writeLock.count], [queries.count + 1, writeLock.count]);
    assert.ok(after.queries.time > queries.time);
    assert.equal(top().note, 'all times in microseconds');
  });

  it('requires the privilege to monitor the cluster', () => {
    const user = { ...admin, roles: [{ role: 'readWrite', database: 'test' }] };
    assert.equal(cluster.run({ top: 1, $db: 'admin' }, { user }).code, 13);
  });
});
