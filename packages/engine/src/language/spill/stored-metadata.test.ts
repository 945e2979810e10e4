import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from 'bson';
import type { RawDocument } from '../../bson/raw.ts';
import { int32, string, type Value } from '../../bson/value.ts';
import { noEnvironment } from '../environment.ts';
import { addMetadata } from '../metadata.ts';
import { compilePipeline } from '../pipeline/index.ts';
import { plain, raw } from '../testing/documents.ts';
import { SmallWorkspace } from '../testing/workspace.ts';
import { keptBytes } from './stored-metadata.ts';

const LITTLE = 60_000;
const bson = (value: unknown) => raw({ value }).get('value') as Value;
const point = (i: number) => bson([i, -i]);
const names = [
  'textScore',
  'geoNearDistance',
  'geoNearPoint',
  'score',
  'scoreDetails',
  'indexKey',
  'recordId',
  'sortKey',
  'searchScore',
  'vectorSearchScore',
  'searchHighlights',
  'searchScoreDetails',
  'searchRootDocumentId',
  'searchSequenceToken',
];

/** Returns a document with metadata of all kinds, except every fifth, which has none. */
function documentAt(i: number): RawDocument {
  const doc = raw({ _id: i, key: (i * 7919) % 31, text: `text number ${i}` });
  if (i % 5 === 0) return doc;
  const order = (i * 7919) % 1009;
  addMetadata(doc, {
    textScore: order + 0.5,
    geoNearDistance: order / 3,
    geoNearPoint: point(i),
    score: -order,
    scoreDetails: bson({ value: i }),
    indexKey: bson({ a: i }),
    recordId: int32(i),
    sortKey: point(i + 1),
    search: {
      searchScore: order,
      vectorSearchScore: order + 1,
      highlights: () => string(`highlight ${i}`),
      details: () => string(`details ${i}`),
      sequenceToken: () => `token ${i}`,
      rootId: int32(-i),
    },
  });
  return doc;
}

function run(stages: readonly Document[], workspace: SmallWorkspace): Document[] {
  const pipeline = compilePipeline(stages.map(raw), {
    environment: { ...noEnvironment, workspace, metadata: new Set(names) },
  });
  return plain(pipeline.run(Array.from({ length: 1000 }, (_, i) => documentAt(i))));
}

const shown = Object.fromEntries(names.map((name) => [name, { $meta: name }]));
const all = { $push: { id: '$_id', ...shown } };
const stages: ReadonlyArray<readonly Document[]> = [
  [{ $sort: { key: 1, _id: 1 } }, { $set: shown }],
  ...['textScore', 'geoNearDistance', 'searchScore', 'vectorSearchScore'].map((name) => [
    { $sort: { by: { $meta: name }, _id: 1 } },
    { $set: shown },
  ]),
  [{ $group: { _id: '$_id', all } }, { $sort: { _id: 1 } }],
  [{ $group: { _id: { $meta: 'textScore' }, all } }, { $sort: { _id: 1 } }],
  [{ $bucketAuto: { groupBy: '$key', buckets: 3, output: { all } } }],
  [{ $densify: { field: '_id', range: { step: 1, bounds: 'full' } } }, { $set: shown }],
  [{ $facet: { a: [{ $set: shown }], b: [{ $match: { key: 3 } }, { $set: shown }] } }],
  [
    {
      $setWindowFields: {
        partitionBy: '$key',
        sortBy: { _id: 1 },
        output: { best: { $max: { $meta: 'score' } } },
      },
    },
    { $set: shown },
  ],
];

test('keeps the metadata of documents that a stage writes to disk', () => {
  for (const specs of stages) {
    const [enough, small] = [new SmallWorkspace(1 << 30), new SmallWorkspace(LITTLE)];
    assert.deepEqual(run(specs, small), run(specs, enough), JSON.stringify(specs[0]));
    assert.equal(enough.opened, 0);
    assert.ok(small.opened > 0);
  }
});

test('counts the metadata of documents in memory', () => {
  const bytes = keptBytes(raw({ _id: 1 }));
  const doc = raw({ _id: 1 });
  addMetadata(doc, { scoreDetails: string('x'.repeat(10_000)) });
  assert.ok(keptBytes(doc) > bytes + 10_000);
});
