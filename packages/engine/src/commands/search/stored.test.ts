import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SERVICE } from '../../access/caller.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { MAX_DEFINITION_BYTES } from '../../interface/search/index.ts';
import type { SendOptions } from '../../worker/testing.ts';
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
  {
    mappings: { dynamic: true },
    analyzers: [
      { name: 'a', charFilters: Array(501).fill({ type: 'persian' }), tokenizer: { type: 'keyword' } },
    ],
  },
  { mappings: { fields: { ['x'.repeat(MAX_DEFINITION_BYTES)]: { type: 'token' } } } },
];
const refused = /cannot be in embeddedDocuments|cannot exclude list|at most 500 elements|cannot be larger/;

test('an index whose stored definition breaks a later rule is built again, but no new index has such a definition', () => {
  const search = new TestSearch([{ _id: 1, t: 'calm' }], { mappings: { dynamic: true } });
  try {
    const { cluster } = search;
    before.forEach((definition, at) => {
      const index = { name: `n${at}`, definition };
      const create = (more: object, options: SendOptions = {}) =>
        cluster.run({ createSearchIndexes: 'docs', indexes: [{ ...index, ...more }] }, options);
      // The service passes the id of an index that it already has. For a driver, an id has no such meaning.
      const id = `${at}`.repeat(24);
      assert.match(create({}).errmsg, refused);
      assert.match(create({ id }).errmsg, refused);
      assert.deepEqual(create({ id }, { user: SERVICE }).indexesCreated?.length, 1);
      const update = { updateSearchIndex: 'docs', id, definition };
      assert.match(cluster.run(update).errmsg, refused);
      assert.match(cluster.run({ ...update, version: 1 }).errmsg, refused);
      assert.equal(cluster.run({ ...update, version: 1 }, { user: SERVICE }).ok, 1);
    });
    search.settle();
    const listed = cluster.run({ listSearchIndexes: 'docs' }).cursor.firstBatch;
    assert.deepEqual(
      listed.map(({ status }: { status: string }) => status),
      Array(1 + before.length).fill('READY'),
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
