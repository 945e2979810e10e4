import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { type Document, Double } from 'bson';
import { plain, raw } from '../testing/documents.ts';
import { compilePipeline } from './index.ts';

function run(stage: Document, documents: readonly Document[]): Document[] {
  return plain([...compilePipeline([raw(stage)]).run(documents.map(raw))]);
}

const day = (n: number) => new Date(Date.UTC(2024, 0, n));
const densify = (field: string, range: Document, more: Document = {}) => ({
  $densify: { field, range, ...more },
});
const byKey = { partitionByFields: ['k'] };

const rows: ReadonlyArray<readonly [name: string, stage: Document, given: Document[], expected: Document[]]> =
  [
    [
      'between the least and the greatest',
      densify('n', { step: 2, bounds: 'full' }),
      [{ n: 6, a: 1 }, { n: 1 }],
      [{ n: 1 }, { n: 3 }, { n: 5 }, { n: 6, a: 1 }],
    ],
    [
      'next to missing values',
      densify('n', { step: 1, bounds: 'full' }),
      [{ n: 1 }, { n: null }, {}, { n: 3 }],
      [{ n: null }, {}, { n: 1 }, { n: 2 }, { n: 3 }],
    ],
    [
      'within bounds, the upper not included',
      densify('n', { step: 1, bounds: [4, 7] }),
      [{ n: 2 }, { n: 5 }, { n: 9 }],
      [{ n: 2 }, { n: 4 }, { n: 5 }, { n: 6 }, { n: 9 }],
    ],
    [
      'within bounds, though nothing comes',
      densify('n', { step: 1, bounds: [1, 3] }),
      [],
      [{ n: 1 }, { n: 2 }],
    ],
    [
      'of each partition',
      densify('n', { step: 1, bounds: 'partition' }, byKey),
      [
        { k: 'a', n: 1 },
        { k: 'a', n: 3 },
        { k: 'b', n: 7 },
      ],
      [
        { k: 'a', n: 1 },
        { k: 'a', n: 2 },
        { k: 'a', n: 3 },
        { k: 'b', n: 7 },
      ],
    ],
    [
      'of each partition over all values',
      densify('n', { step: 1, bounds: 'full' }, byKey),
      [
        { k: 'a', n: 1 },
        { k: 'b', n: 2 },
      ],
      [
        { k: 'a', n: 1 },
        { k: 'b', n: 1 },
        { k: 'b', n: 2 },
        { k: 'a', n: 2 },
      ],
    ],
    [
      'by days',
      densify('d', { step: 1, unit: 'day', bounds: 'full' }),
      [{ d: day(1) }, { d: day(3) }],
      [{ d: day(1) }, { d: day(2) }, { d: day(3) }],
    ],
    [
      'a field in a document',
      densify('a.n', { step: 1, bounds: 'full' }),
      [{ a: { n: 1 } }, { a: { n: 3 } }],
      [{ a: { n: 1 } }, { a: { n: 2 } }, { a: { n: 3 } }],
    ],
    [
      'with what came before',
      { $fill: { sortBy: { n: 1 }, output: { v: { method: 'locf' } } } },
      [{ n: 2 }, { n: 1, v: 5 }, { n: 3, v: null }],
      [
        { n: 1, v: 5 },
        { n: 2, v: 5 },
        { n: 3, v: 5 },
      ],
    ],
    [
      'on a line',
      { $fill: { sortBy: { n: 1 }, output: { v: { method: 'linear' } } } },
      [{ n: 1, v: 1 }, { n: 2 }, { n: 3, v: 3 }],
      [
        { n: 1, v: 1 },
        { n: 2, v: 2 },
        { n: 3, v: 3 },
      ],
    ],
    [
      'with a value',
      { $fill: { output: { v: { value: { $add: ['$n', 1] } } } } },
      [{ n: 1 }, { n: 2, v: 0 }],
      [
        { n: 1, v: 2 },
        { n: 2, v: 0 },
      ],
    ],
    [
      'in partitions',
      { $fill: { partitionByFields: ['k'], sortBy: { n: 1 }, output: { v: { method: 'locf' } } } },
      [
        { k: 1, n: 1, v: 7 },
        { k: 2, n: 2 },
        { k: 1, n: 3 },
      ],
      [
        { k: 1, n: 1, v: 7 },
        { k: 1, n: 3, v: 7 },
        { k: 2, n: 2, v: null },
      ],
    ],
  ];

test('fills gaps between documents and in them', () => {
  for (const [name, stage, given, expected] of rows) assert.deepEqual(run(stage, given), expected, name);
});

const refused: ReadonlyArray<readonly [stage: Document, code: number]> = [
  [{ $densify: 1 }, 9],
  [densify('n', { step: 0, bounds: 'full' }), 5733401],
  [densify('n', { step: 1.5, unit: 'day', bounds: 'full' }), 6586400],
  [densify('n', { step: 1, bounds: [1] }), 5733403],
  [densify('n', { step: 1, bounds: [2, 1] }), 5733402],
  [densify('n', { step: 1, bounds: [1, new Double(2.5)] }), 5876900],
  [densify('n', { step: 1, bounds: [day(1), day(2)] }), 5733410],
  [densify('n', { step: 1, unit: 'day', bounds: [1, 2] }), 5733409],
  [densify('n', { step: 1, bounds: 'all' }), 5946802],
  [densify('n', { step: 1, bounds: 1 }), 5733404],
  [densify('n', { step: 1, bounds: 'partition' }), 5733408],
  [densify('n', { step: 1, bounds: 'full' }, { partitionByFields: ['n.a'] }), 8993000],
  [{ $densify: { field: 'n' } }, 40414],
  [{ $fill: { output: {} } }, 6050203],
  [{ $fill: { output: { a: 1 } } }, 6050200],
  [{ $fill: { output: { a: { method: 'locf', value: 1 } } } }, 6050201],
  [{ $fill: { output: { a: { method: 'x' } } } }, 6050202],
  [{ $fill: { partitionBy: '$a', partitionByFields: ['a'], output: { b: { value: 1 } } } }, 6050204],
  [{ $fill: { partitionByFields: ['a', 1], output: { b: { value: 1 } } } }, 14],
  [{ $fill: { partitionByFields: ['a', '$b'], output: { b: { value: 1 } } } }, 16410],
  [{ $fill: { partitionByFields: ['a.$b'], sortBy: { n: 1 }, output: { b: { method: 'locf' } } } }, 16410],
  [{ $fill: { partitionByFields: [''], output: { b: { value: 1 } } } }, 40352],
];

test('rejects invalid specifications before reading a document', () => {
  for (const [stage, code] of refused) {
    assert.throws(() => compilePipeline([raw(stage)]), { code }, inspect(stage, { depth: 6 }));
  }
});

test('rejects values outside of the series', () => {
  const counted = densify('n', { step: 1, bounds: 'full' });
  assert.throws(() => run(counted, [{ n: 'x' }]), { code: 5733201 });
  assert.throws(() => run(counted, [{ n: day(1) }]), { code: 6053600 });
});

test('rejects a line through repeated places, wherever they are', () => {
  const line = { $fill: { sortBy: { n: 1 }, output: { v: { method: 'linear' } } } };
  const missing = [{ n: 1, v: 1 }, { n: 2 }, { n: 2 }, { n: 3, v: 3 }];
  assert.throws(() => run(line, missing), { code: 6050106 });
  assert.throws(
    () =>
      run(line, [
        { n: 1, v: 1 },
        { n: 1, v: 2 },
      ]),
    { code: 6050106 },
  );
  const apart = { $fill: { ...line.$fill, partitionByFields: ['k'] } };
  assert.equal(
    run(apart, [
      { n: 1, k: 1 },
      { n: 1, k: 2 },
    ]).length,
    2,
  );
});

const granularities: ReadonlyArray<readonly [series: string, values: number[], boundaries: number[]]> = [
  ['R5', [1, 5, 9], [0.63, 10]],
  ['POWERSOF2', [3, 5, 17], [2, 32]],
  ['1-2-5', [7, 30], [5, 50]],
  ['E6', [0.3, 1.2], [0.22, 1.5]],
  ['E192', [92, 100], [90.9, 101]],
];

test('ends buckets at preferred numbers', () => {
  for (const [granularity, values, [min, max]] of granularities) {
    const stage = { $bucketAuto: { groupBy: '$v', buckets: 1, granularity } };
    const [bucket] = run(
      stage,
      values.map((v) => ({ v })),
    );
    const near = (a: number, b: number) => Math.abs(a - b) < 1e-9;
    assert.ok(
      near(bucket?._id.min, min ?? 0) && near(bucket?._id.max, max ?? 0),
      `${granularity} ${inspect(bucket)}`,
    );
  }
  const wrong = (granularity: unknown, values: unknown[]) => () =>
    run(
      { $bucketAuto: { groupBy: '$v', buckets: 1, granularity } },
      values.map((v) => ({ v })),
    );
  assert.throws(wrong('R6', []), { code: 40257 });
  assert.throws(wrong(5, []), { code: 40261 });
  assert.throws(wrong('R5', ['x']), { code: 40258 });
  assert.throws(wrong('R5', [Number.NaN]), { code: 40259 });
  assert.throws(wrong('R5', [-1]), { code: 40260 });
});
