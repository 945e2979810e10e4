import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from 'bson';
import type { RawDocument } from '../../bson/raw.ts';
import { changeTurn } from '../../bson/turns.ts';
import { noEnvironment } from '../environment.ts';
import { compilePipeline } from '../pipeline/index.ts';
import { withoutCollections } from '../pipeline/pipeline-environment.ts';
import { plain, raw } from '../testing/documents.ts';
import { SmallWorkspace } from '../testing/workspace.ts';
import { readRun, writeRun } from './runs.ts';

const DOCUMENTS = 2000;
const LITTLE = 20_000;
const documents: readonly Document[] = Array.from({ length: DOCUMENTS }, (_, i) => ({
  _id: i,
  key: (i * 7919) % 311,
  value: (i * 31) % 1009,
  text: `text number ${i}`,
}));

function run(stages: readonly Document[], workspace: SmallWorkspace): Document[] {
  const pipeline = compilePipeline(stages.map(raw), {
    environment: { ...noEnvironment, workspace },
    pipelineEnvironment: { ...withoutCollections, namespace: { database: 'd', collection: 'c' } },
  });
  return plain(Array.from(pipeline.run(documents.map(raw)), (doc: RawDocument) => doc.compact()));
}

const byId = (a: Document, b: Document) => (a._id < b._id ? -1 : 1);

const stages: ReadonlyArray<readonly [name: string, stages: readonly Document[], ordered: boolean]> = [
  ['$sort', [{ $sort: { value: 1, _id: -1 } }], true],
  ['$sort with ties', [{ $sort: { key: -1 } }], true],
  ['$sort with a limit', [{ $sort: { value: -1, key: 1 } }, { $limit: 700 }], true],
  ['$group', [{ $group: { _id: '$key', sum: { $sum: '$value' }, ids: { $push: '$_id' } } }], false],
  ['$group of many', [{ $group: { _id: '$_id', most: { $max: '$value' } } }], false],
  [
    '$bucketAuto',
    [{ $bucketAuto: { groupBy: '$value', buckets: 7, output: { ids: { $push: '$_id' } } } }],
    true,
  ],
  ['$sortByCount', [{ $sortByCount: '$text' }], false],
  ['$densify', [{ $densify: { field: '_id', range: { step: 1, bounds: 'full' } } }], true],
  [
    '$densify of partitions',
    [
      {
        $densify: {
          field: 'value',
          partitionByFields: ['key'],
          range: { step: 100, bounds: 'partition' },
        },
      },
    ],
    true,
  ],
  ['$facet', [{ $facet: { a: [{ $match: { key: 3 } }], b: [{ $count: 'n' }] } }], true],
  [
    '$setWindowFields',
    [
      {
        $setWindowFields: {
          partitionBy: '$key',
          sortBy: { value: 1 },
          output: { n: { $documentNumber: {} } },
        },
      },
    ],
    true,
  ],
];

test('produces the same results whether or not a stage fits in memory', () => {
  for (const [name, specs, ordered] of stages) {
    const enough = new SmallWorkspace(1 << 30);
    const small = new SmallWorkspace(LITTLE);
    const [expected, found] = [run(specs, enough), run(specs, small)];
    if (!ordered) for (const results of [expected, found]) results.sort(byId);
    assert.deepEqual(found, expected, name);
    assert.equal(enough.opened, 0, name);
    assert.ok(small.opened > 0, name);
    assert.equal(small.closed, small.opened, name);
  }
});

test('rejects a stage that exceeds its memory if the disk is disabled', () => {
  for (const [name, specs] of stages) {
    assert.throws(
      () => run(specs, new SmallWorkspace(LITTLE, false)),
      { codeName: 'QueryExceededMemoryLimitNoDiskUseAllowed' },
      name,
    );
  }
});

test('keeps few documents if a sort has a small limit', () => {
  const workspace = new SmallWorkspace(400_000, false);
  assert.equal(run([{ $sort: { value: 1 } }, { $limit: 3 }], workspace).length, 3);
});

test('pauses while it writes a run', () => {
  let pauses = 0;
  const file = new SmallWorkspace(LITTLE).open();
  const large = raw({ text: 'x'.repeat(1 << 20) });
  const turn = changeTurn({ poll: () => pauses++, held: 0 });
  try {
    writeRun(file, [large, large, large]);
  } finally {
    changeTurn(turn);
    file.close();
  }
  assert.equal(pauses, 3);
});

test('rejects a run with damaged lengths', () => {
  const lengths = (...numbers: number[]) => new Uint8Array(Int32Array.from(numbers).buffer);
  for (const bytes of [
    lengths(0, 0),
    lengths(0, -5),
    lengths(-5, 0),
    lengths(0, 1_000),
    lengths(1_000, 0),
    lengths(0),
  ]) {
    const file = new SmallWorkspace(LITTLE).open();
    const run = { start: file.append(bytes), end: bytes.length };
    assert.throws(() => [...readRun(file, run)], { codeName: 'DataCorruptionDetected' }, `${bytes}`);
    file.close();
  }
});

test('closes the file of an abandoned result', () => {
  const workspace = new SmallWorkspace(LITTLE);
  const pipeline = compilePipeline([raw({ $sort: { value: 1 } })], {
    environment: { ...noEnvironment, workspace },
  });
  const results = pipeline.run(documents.map(raw))[Symbol.iterator]();
  results.next();
  assert.equal(workspace.closed, 0);
  results.return?.();
  assert.equal(workspace.closed, 1);
});
