import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { TestSearch } from '../../worker/testing-search.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { describeIndex } from './describe.ts';

const knnVector = { type: 'knnVector', dimensions: 2, similarity: 'cosine' };
const list = { type: 'embeddedDocuments', fields: { v: knnVector } };
/** Definitions that later rules reject. An index with such a definition may have been created before these rules. */
const before = [
  { mappings: { fields: { list } } },
  {
    mappings: { fields: { list: { type: 'embeddedDocuments', dynamic: true, storedSource: true } } },
    storedSource: { exclude: ['list'] },
  },
];

test('an index whose stored definition breaks a later rule is built again, but no new index has such a definition', () => {
  const search = new TestSearch([{ _id: 1, t: 'calm' }], { mappings: { dynamic: true } });
  try {
    const { cluster } = search;
    before.forEach((definition, at) => {
      const index = { name: `n${at}`, definition };
      const create = (more: object) =>
        cluster.run({ createSearchIndexes: 'docs', indexes: [{ ...index, ...more }] });
      assert.match(create({}).errmsg, /cannot be in embeddedDocuments|cannot exclude list/);
      // The service passes the id of an index that it already has.
      const id = `${at}`.repeat(24);
      assert.equal(create({ id }).ok, 1);
      const update = { updateSearchIndex: 'docs', id, definition };
      assert.match(cluster.run(update).errmsg, /cannot be in embeddedDocuments|cannot exclude list/);
      assert.equal(cluster.run({ ...update, version: 1 }).ok, 1);
    });
    search.settle();
    const listed = cluster.run({ listSearchIndexes: 'docs' }).cursor.firstBatch;
    assert.deepEqual(
      listed.map(({ status }: { status: string }) => status),
      ['READY', 'READY', 'READY'],
    );
  } finally {
    search.close();
  }
});

test('an index whose stored definition is invalid is listed without its synonyms', () => {
  const definition = new RawDocument(encodeDocument({ mappings: { unknown: 1 }, synonyms: [] }));
  const row = { id: 'a'.repeat(24), uuid: new Uint8Array(16), name: 'n', version: 0, created: 0 };
  const context = {
    search: { stopped: undefined, states: () => [] },
    topology: { members: [] },
    // The other fields are missing, because the tested function does not read them.
  } as unknown as ClusterContext;
  const described = describeIndex({ ...row, type: 'search', definition }, 'db', context);
  assert.equal(described.string('name'), 'n');
  assert.equal(described.get('synonymMappingStatus'), undefined);
});
