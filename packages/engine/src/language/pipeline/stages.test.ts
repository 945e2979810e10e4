import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Decimal128, type Document, Double } from 'bson';
import type { RawDocument } from '../../bson/raw.ts';
import { noEnvironment } from '../environment.ts';
import { plain, raw } from '../testing/documents.ts';
import { compilePipeline } from './index.ts';
import type { MergeFailed } from './merge.ts';
import type { PipelineEnvironment } from './pipeline-environment.ts';
import { withoutCollections } from './pipeline-environment.ts';

const others = [{ _id: 10, k: 1, next: 2 }, { _id: 11, k: 2, next: 3 }, { _id: 12, k: [2, 3] }, { _id: 13 }];

/** An environment with one other collection and a target for writes. */
class World {
  written: RawDocument[] = [{ _id: 1, a: 1, b: 1 }].map(raw);
  readonly pipelineEnvironment: PipelineEnvironment = {
    ...withoutCollections,
    namespace: { database: 'db', collection: 'own' },
    read: ({ collection }) => (collection === 'other' ? others.map(raw) : this.written),
    replaceCollection: (_, docs) => {
      this.written = [...docs];
    },
    replaceOne: (_, before, after) => {
      this.written = this.written.map((doc) => (doc.equals(before) ? after : doc));
    },
    insertOne: (_, doc) => {
      this.written.push(doc);
    },
  };
}

function run(stages: readonly Document[], docs: readonly Document[], world = new World()): Document[] {
  return plain(compilePipeline(stages.map(raw), world).run(docs.map(raw)));
}

type Row = readonly [stage: Document, docs: readonly Document[], expected: readonly Document[]];

const items = [1, 2, 3, 4].map((n) => ({ _id: n, n, g: n % 2 ? 'odd' : 'even' }));

const rows: readonly Row[] = [
  [{ $unwind: '$a' }, [{ a: [1, 2] }, { a: [] }, { a: 5 }, {}], [{ a: 1 }, { a: 2 }, { a: 5 }]],
  [
    { $unwind: { path: '$a.b', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i' } },
    [{ a: { b: ['x'], c: 1 } }, { a: { b: [] } }, {}],
    [{ a: { b: 'x', c: 1 }, i: 0n }, { a: {}, i: null }, { i: null }],
  ],
  [
    { $sortByCount: '$g' },
    items.slice(0, 3),
    [
      { _id: 'odd', count: 2 },
      { _id: 'even', count: 1 },
    ],
  ],
  [
    { $bucket: { groupBy: '$n', boundaries: [1, 3], default: 'rest', output: { s: { $sum: '$n' } } } },
    items,
    [
      { _id: 1, s: 3 },
      { _id: 'rest', s: 7 },
    ],
  ],
  [
    { $bucketAuto: { groupBy: '$n', buckets: 2, output: { s: { $sum: '$n' } } } },
    items,
    [
      { _id: { min: 1, max: 3 }, s: 3 },
      { _id: { min: 3, max: 4 }, s: 7 },
    ],
  ],
  [
    { $bucketAuto: { groupBy: '$n', buckets: 1, output: {} } },
    items,
    [{ _id: { min: 1, max: 4 }, count: 4 }],
  ],
  [{ $project: { a: 0, rank: { $meta: 'randVal' } } }, [{ a: 1, b: 2 }], [{ b: 2 }]],
  [
    { $facet: { few: [{ $limit: 1 }], all: [{ $count: 'n' }] } },
    items,
    [{ few: [items[0]], all: [{ n: 4 }] }],
  ],
  [{ $sample: { size: 9 } }, items.slice(0, 1), [items[0] as Document]],
  [
    { $lookup: { from: 'other', localField: 'n', foreignField: 'k', as: 'found' } },
    [{ n: 2 }, { n: [1, 3] }, {}, { n: 9 }],
    [
      { n: 2, found: [others[1], others[2]] },
      { n: [1, 3], found: [others[0], others[2]] },
      { found: [others[3]] },
      { n: 9, found: [] },
    ],
  ],
  [
    {
      $lookup: {
        from: 'other',
        let: { x: '$n' },
        pipeline: [{ $project: { _id: '$$x' } }, { $limit: 1 }],
        as: 'f',
      },
    },
    [{ n: 7 }],
    [{ n: 7, f: [{ _id: 7 }] }],
  ],
  [
    { $unionWith: { coll: 'other', pipeline: [{ $limit: 1 }] } },
    [{ n: 1 }],
    [{ n: 1 }, others[0] as Document],
  ],
  [
    {
      $graphLookup: {
        from: 'other',
        startWith: '$n',
        connectFromField: 'next',
        connectToField: 'k',
        as: 'f',
        depthField: 'd',
        maxDepth: 1,
      },
    },
    [{ n: 1 }],
    [
      {
        n: 1,
        f: [
          { ...others[0], d: 0n },
          { ...others[1], d: 1n },
          { ...others[2], d: 1n },
        ],
      },
    ],
  ],
  [
    {
      $graphLookup: {
        from: 'other',
        startWith: '$n',
        connectFromField: 'next',
        connectToField: 'k',
        as: 'f',
      },
    },
    [{ n: 1 }],
    // The last found document has no `next`. Its missing value does not match documents without `k`.
    [{ n: 1, f: others.slice(0, 3) }],
  ],
  [{ $redact: '$$DESCEND' }, [{ a: { b: [1, { c: 1 }] } }], [{ a: { b: [1, { c: 1 }] } }]],
  [{ $redact: '$level' }, [{ level: 'prune' }, { level: 'keep', a: 1 }], [{ level: 'keep', a: 1 }]],
];

test('transforms documents by stages', () => {
  for (const [stage, docs, expected] of rows) {
    assert.deepEqual(run([stage], docs), expected, inspect(stage, { depth: 6 }));
  }
});

const accumulated: ReadonlyArray<
  readonly [accumulator: Document, values: readonly unknown[], expected: unknown]
> = [
  [{ $avg: '$v' }, [1, 2, 'x'], 1.5],
  [{ $avg: '$v' }, ['x'], null],
  [{ $avg: '$v' }, [Decimal128.fromString('1'), 2], Decimal128.fromString('1.5')],
  [{ $min: '$v' }, [3, null, 1, 'x'], 1],
  [{ $max: '$v' }, [3, null, 1, 'x'], 'x'],
  [{ $first: '$v' }, [undefined, 1], null],
  [{ $last: '$v' }, [1, 2], 2],
  [{ $push: '$v' }, [1, undefined, null], [1, null]],
  [{ $addToSet: '$v' }, [1, new Double(1), 2], [1, 2]],
  [{ $count: {} }, [1, 2], 2],
  [{ $stdDevPop: '$v' }, [1, 3], 1],
  [{ $stdDevSamp: '$v' }, [1], null],
  [{ $mergeObjects: '$v' }, [{ a: 1, b: 1 }, null, { a: 2 }], { a: 2, b: 1 }],
  [{ $firstN: { input: '$v', n: 2 } }, [1, undefined, 3], [1, null]],
  [{ $lastN: { input: '$v', n: 2 } }, [1, 2, 3], [2, 3]],
  [{ $minN: { input: '$v', n: 2 } }, [3, null, 1, 2], [1, 2]],
  [{ $maxN: { input: '$v', n: 2 } }, [3, null, 1, 2], [3, 2]],
  [{ $top: { sortBy: { v: -1 }, output: '$v' } }, [1, 3, 2], 3],
  [{ $topN: { sortBy: { v: 1 }, output: '$v', n: 2 } }, [3, 1, 2], [1, 2]],
  [{ $bottom: { sortBy: { v: 1 }, output: '$v' } }, [1, 3, 2], 3],
  [{ $bottomN: { sortBy: { v: 1 }, output: '$v', n: 2 } }, [3, 1, 2], [2, 3]],
  [{ $median: { input: '$v', method: 'approximate' } }, [3, 1, 2, 'x'], 2],
  [{ $percentile: { input: '$v', p: [0, 0.9], method: 'approximate' } }, [3, 1, 2], [1, 3]],
  [{ $concatArrays: '$v' }, [[1], [2, 1]], [1, 2, 1]],
  [{ $setUnion: '$v' }, [[1], [2, 1]], [1, 2]],
];

test('accumulates values', () => {
  for (const [accumulator, values, expected] of accumulated) {
    const docs = values.map((v) => (v === undefined ? {} : { v }));
    const [group] = run([{ $group: { _id: null, r: accumulator } }], docs);
    assert.deepEqual(group, { _id: null, r: expected }, inspect(accumulator, { depth: 5 }));
  }
});

test('null reaches null in $graphLookup, but no missing fields', () => {
  const world = new World();
  world.written = [{ _id: 1, to: null }, { _id: 2 }].map(raw);
  const options = { from: 'own', connectFromField: 'x', connectToField: 'to', as: 'r' };
  const [doc] = run([{ $graphLookup: { ...options, startWith: null } }], [{}], world);
  assert.deepEqual(doc, { r: [{ _id: 1, to: null }] });
});

test('keeps the first of equal values', () => {
  const docs = ['a', 'b', 'c', 'd'].map((name, i) => ({ name, key: i < 3 ? 0 : -1 }));
  const of = (operator: string, key: object) => {
    const spec = { sortBy: { key: 1 }, output: '$name', ...key };
    return run([{ $group: { _id: null, r: { [operator]: spec } } }], docs)[0]?.r;
  };
  assert.deepEqual([of('$top', {}), of('$bottom', {})], ['d', 'a']);
  assert.deepEqual(of('$topN', { n: 2 }), ['d', 'a']);
  assert.deepEqual(of('$bottomN', { n: 2 }), ['a', 'b']);
  assert.deepEqual(of('$bottomN', { n: 4 }), ['d', 'a', 'b', 'c']);
});

const windows: ReadonlyArray<readonly [output: Document, expected: readonly unknown[]]> = [
  [{ $sum: '$n' }, [10, 10, 10, 10]],
  [{ $sum: '$n', window: { documents: ['unbounded', 'current'] } }, [1, 3, 6, 10]],
  [
    { $push: '$n', window: { documents: [-1, 1] } },
    [
      [1, 2],
      [1, 2, 3],
      [2, 3, 4],
      [3, 4],
    ],
  ],
  [{ $push: '$n', window: { documents: [2, 3] } }, [[3, 4], [4], [], []]],
  [{ $max: '$n', window: { range: [-1, 0] } }, [1, 2, 3, 4]],
  [{ $rank: {} }, [1, 2, 3, 4]],
  [{ $documentNumber: {} }, [1, 2, 3, 4]],
  [{ $shift: { output: '$n', by: 1, default: 0 } }, [2, 3, 4, 0]],
  [{ $derivative: { input: '$n' }, window: { documents: [-1, 0] } }, [null, 1, 1, 1]],
  [{ $integral: { input: '$n' }, window: { documents: ['unbounded', 'current'] } }, [0, 1.5, 4, 7.5]],
  [{ $expMovingAvg: { input: '$n', alpha: 0.5 } }, [1, 1.5, 2.25, 3.125]],
  [{ $covariancePop: ['$n', '$n'] }, [1.25, 1.25, 1.25, 1.25]],
  [{ $minMaxScaler: { $multiply: ['$n', '$n'] } }, [0, 0.2, 8 / 15, 1]],
  [{ $minMaxScaler: { input: '$n', min: 10, max: 16 } }, [10, 12, 14, 16]],
  [{ $minMaxScaler: '$n', window: { documents: [-1, 0] } }, [0, 1, 1, 1]],
  [{ $minMaxScaler: { $subtract: [5, '$n'] }, window: { range: [-1, 1] } }, [1, 0.5, 0.5, 0]],
  [{ $minMaxScaler: { input: { $literal: 7 }, min: 3, max: 4 } }, [3, 3, 3, 3]],
  [{ $expMovingAvg: { input: '$n', N: 2 } }, [1, 5 / 3, 23 / 9, 95 / 27]],
  [{ $sum: '$n', window: { documents: [{ $subtract: [0, 1] }, { $add: [0, 0] }] } }, [1, 3, 5, 7]],
  [{ $sum: '$n', window: { range: [{ $subtract: [0, 1] }, 0] } }, [1, 3, 5, 7]],
  [{ $shift: { output: '$gap', by: 1, default: { $add: [1, 1] } } }, [5, null, 7, 2]],
  [{ $locf: '$gap' }, [null, 5, 5, 7]],
  [{ $linearFill: '$gap' }, [null, 5, 6, 7]],
];

test('evaluates window functions over surrounding documents', () => {
  const docs = [{ n: 1 }, { n: 2, gap: 5 }, { n: 3, gap: null }, { n: 4, gap: 7 }];
  for (const [output, expected] of windows) {
    const stage = { $setWindowFields: { sortBy: { n: 1 }, output: { r: output } } };
    assert.deepEqual(
      run([stage], docs).map(({ r }) => r),
      expected,
      inspect(output, { depth: 5 }),
    );
  }
});

test('the covariance of a sliding window is rounded like that of the reference server', () => {
  const covariance = (docs: object[], operator = '$covarianceSamp') => {
    const output = { r: { [operator]: ['$x', '$y'], window: { documents: [-1, 1] } } };
    return run([{ $setWindowFields: { sortBy: { y: 1 }, output } }], docs).map(({ r }) => r);
  };
  const xs = [1, 2, Number.POSITIVE_INFINITY, 4, 5];
  const docs = xs.map((x, i) => ({ x, y: 10 * (i + 1) }));
  const infinite = Number.POSITIVE_INFINITY;
  assert.deepEqual(covariance(docs), [5, infinite, infinite, infinite, 5.000000000000021]);
  assert.deepEqual(covariance([{ x: 'no number', y: 0 }, ...docs.slice(3)]), [null, 5, 5]);
  const decimals = docs.map(({ x, y }) => ({ x: Decimal128.fromString(String(x)), y }));
  assert.equal(String(covariance(decimals).at(-1)), '5');
});

const one = Decimal128.fromString('1');

test('calculates over windows in the type of the inputs', () => {
  const docs = [
    { x: 0, y: 1 },
    { x: 1, y: Decimal128.fromString('2') },
    { x: 2, y: 3 },
  ];
  const of = (output: Document) =>
    run([{ $setWindowFields: { sortBy: { x: 1 }, output: { r: output } } }], docs).map(({ r }) => String(r));
  const window = { documents: [-1, 0] };
  assert.deepEqual(of({ $derivative: { input: '$y' }, window }), ['null', '1', '1']);
  assert.deepEqual(of({ $integral: { input: '$y' }, window }), ['0', '1.5', '2.5']);
  const alpha = Decimal128.fromString('0.5');
  assert.deepEqual(of({ $expMovingAvg: { input: '$y', alpha } }), ['1', '1.5', '2.25']);
  const filled = [{ x: 0, y: one }, { x: 1 }, { x: 4, y: Decimal128.fromString('9') }];
  const [, between] = run([{ $fill: { sortBy: { x: 1 }, output: { y: { method: 'linear' } } } }], filled);
  assert.equal(String(between?.y), '3');
});

test('windows refuse sort values and inputs of wrong types', () => {
  const refuse = (output: Document, docs: Document[], code: number) => {
    const stage = { $setWindowFields: { sortBy: { x: 1 }, output: { r: output } } };
    assert.throws(() => run([stage], docs), { code }, inspect(output, { depth: 5 }));
  };
  const window = { documents: ['unbounded', 'current'] };
  const date = new Date(0);
  const derivative = { $derivative: { input: '$y' }, window };
  const integral = { $integral: { input: '$y' }, window };
  refuse(derivative, [{ x: 1, y: null }], 5624903);
  refuse(derivative, [{ x: 1, y: 'a' }], 14);
  refuse(derivative, [{ x: date, y: 1 }], 5624901);
  refuse(derivative, [{ x: 'a', y: 1 }], 5624902);
  refuse({ $derivative: { input: '$y', unit: 'hour' }, window }, [{ x: 1, y: 1 }], 5624900);
  refuse({ $derivative: { input: '$y', unit: 'month' }, window }, [], 5490710);
  refuse(integral, [{ x: 1, y: null }], 5423900);
  refuse(integral, [{ x: date, y: 1 }], 5423902);
  refuse({ $integral: { input: '$y', unit: 'hour' }, window }, [{ x: 1, y: 1 }], 5423901);
  refuse({ $linearFill: '$y' }, [{ x: 1 }, { x: date }], 14);
  refuse({ $linearFill: '$y' }, [{ x: 'a' }], 14);
});

test('current excludes documents with the same sort value, and 0 includes them', () => {
  const of = (range: unknown[]) => {
    const output = { r: { $push: '$n', window: { range } } };
    const docs = [1, 2, 2, 3].map((x, n) => ({ x, n }));
    return run([{ $setWindowFields: { sortBy: { x: 1 }, output } }], docs).map(({ r }) => r.join(''));
  };
  assert.deepEqual(of(['current', 'current']), ['0', '1', '2', '3']);
  assert.deepEqual(of([0, 0]), ['0', '12', '12', '3']);
  assert.deepEqual(of(['current', 1]), ['012', '123', '23', '3']);
  assert.deepEqual(of(['unbounded', 'current']), ['0', '01', '012', '0123']);
});

test('scaling refuses inputs that are not numbers', () => {
  for (const a of [null, 'x', [], [1]]) {
    const stage = { $setWindowFields: { output: { r: { $minMaxScaler: '$a' } } } };
    assert.throws(() => run([stage], [{ a: 1 }, { a }]), { code: 14 }, inspect(a));
  }
});

test('medians of sliding windows equal those of the numbers in the window', () => {
  const docs = Array.from({ length: 400 }, (_, n) => ({ n, v: n % 7 === 0 ? 'no number' : (n * 37) % 101 }));
  const input = { input: '$v', method: 'approximate' };
  for (const [from, to] of [
    [-20, 5],
    [-3, -1],
    [2, 30],
    [-300, 0],
  ] as const) {
    const stage = {
      $setWindowFields: {
        sortBy: { n: 1 },
        output: { r: { $median: input, window: { documents: [from, to] } } },
      },
    };
    const expected = docs.map(({ n }) => {
      const inside = docs.slice(Math.max(0, n + from), Math.max(0, n + to + 1));
      const numbers = inside.flatMap(({ v }) => (typeof v === 'number' ? [v] : [])).sort((a, b) => a - b);
      return numbers[Math.ceil(numbers.length / 2) - 1] ?? null;
    });
    assert.deepEqual(
      run([stage], docs).map(({ r }) => r),
      expected,
    );
  }
});

test('sliding medians read each document once', () => {
  let evaluated = 0;
  const environment = { ...noEnvironment, random: () => evaluated++ };
  const docs = Array.from({ length: 500 }, (_, n) => ({ n }));
  const median = {
    $median: { input: { $rand: {} }, method: 'approximate' },
    window: { documents: [-100, 100] },
  };
  const stage = { $setWindowFields: { sortBy: { n: 1 }, output: { r: median } } };
  plain(compilePipeline([raw(stage)], { environment }).run(docs.map(raw)));
  assert.equal(evaluated, docs.length);
});

test('returns partitions in the order of their key', () => {
  const stage = { $setWindowFields: { partitionBy: '$g', sortBy: { n: -1 }, output: { r: { $sum: '$n' } } } };
  assert.deepEqual(
    run([stage], items).map(({ n, r }) => [n, r]),
    [
      [4, 6],
      [2, 6],
      [3, 4],
      [1, 4],
    ],
  );
});

test('writes results to a collection', () => {
  const world = new World();
  assert.deepEqual(
    run(
      [{ $merge: { into: 't' } }],
      [
        { _id: 1, a: 2 },
        { _id: 2, a: 3 },
      ],
      world,
    ),
    [],
  );
  assert.deepEqual(plain(world.written), [
    { _id: 1, a: 2, b: 1 },
    { _id: 2, a: 3 },
  ]);
  run(
    [{ $merge: { into: 't', whenMatched: 'replace', whenNotMatched: 'discard' } }],
    [{ _id: 1 }, { _id: 9 }],
    world,
  );
  assert.deepEqual(plain(world.written), [{ _id: 1 }, { _id: 2, a: 3 }]);
  const fails = { $merge: { into: 't', whenNotMatched: 'fail' } };
  assert.throws(
    () => run([fails], [{ _id: 9 }, { _id: 8 }, { _id: 2, a: 4 }], world),
    (error: MergeFailed) => error.reason.code === 13113,
  );
  assert.deepEqual(plain(world.written), [{ _id: 1 }, { _id: 2, a: 4 }]);
  run([{ $out: 't' }], [{ _id: 5 }], world);
  assert.deepEqual(plain(world.written), [{ _id: 5 }]);
});

const refused: ReadonlyArray<readonly [stage: Document, code: number]> = [
  [{ $unwind: 1 }, 15981],
  [{ $unwind: 'a' }, 28818],
  [{ $unwind: '$a\0b' }, 16419],
  [{ $unwind: `$a${'.a'.repeat(200)}` }, 15],
  [{ $sort: { [`a${'.a'.repeat(200)}`]: 1 } }, 15],
  [{ $sample: { size: 'x', more: 1 } }, 28746],
  [{ $sample: { more: 1, size: 'x' } }, 28748],
  [{ $lookup: { From: 'other', localField: 'a', foreignField: 'b', as: 'j' } }, 9],
  [{ $lookup: { from: 'other', localField: 'a', foreignField: 'b', as: 'j', more: 1 } }, 40415],
  [{ $out: { db: '$db', coll: 'c' } }, 73],
  [{ $merge: { into: { db: 'a b', coll: 'c' } } }, 73],
  [{ $project: { 'a.$': 1 } }, 31324],
  [{ $collStats: { latencyStats: { histograms: null } } }, 14],
  [{ $unwind: {} }, 28812],
  [{ $unwind: { path: '$a', includeArrayIndex: '$i' } }, 28822],
  [{ $sortByCount: 'x' }, 40148],
  [{ $bucket: { groupBy: '$a', boundaries: [2, 1] } }, 40194],
  [{ $bucket: { groupBy: '$a', boundaries: [1, 'x'] } }, 40193],
  [{ $bucket: { groupBy: '$a', boundaries: [1, 3], default: 2 } }, 40199],
  [{ $bucketAuto: { groupBy: '$a', buckets: 0 } }, 40243],
  [{ $facet: {} }, 40169],
  [{ $facet: { a: [{ $out: 'x' }] } }, 40600],
  [{ $sample: { size: -1 } }, 28747],
  [{ $lookup: { from: 'x', as: 1, localField: 'a', foreignField: 'b' } }, 14],
  [{ $lookup: { from: 'x', as: 'y', localField: 'a' } }, 9],
  [{ $lookup: { from: 'x', as: 'y', pipeline: [{ $out: 'z' }] } }, 51047],
  [{ $unionWith: 1 }, 9],
  [{ $unionWith: { coll: 'x', pipeline: [{ $merge: 'z' }] } }, 31441],
  [{ $graphLookup: { from: 'x' } }, 40105],
  [{ $out: 1 }, 16990],
  [{ $merge: { into: 't', on: [] } }, 51187],
  [{ $merge: { into: 't', whenMatched: 'fail', whenNotMatched: 'discard' } }, 51181],
  [{ $collStats: 1 }, 5447000],
  [{ $indexStats: { a: 1 } }, 28803],
  [{ $setWindowFields: { output: { a: 1 } } }, 9],
  [{ $setWindowFields: { output: { a: { $rank: {} } } } }, 5371602],
  [{ $setWindowFields: { output: { a: { $minMaxScaler: { input: 1, min: 2, max: 2 } } } } }, 9],
  [{ $setWindowFields: { output: { a: { $minMaxScaler: { input: 1, min: '$a' } } } } }, 9],
  [{ $setWindowFields: { output: { a: { $minMaxScaler: { min: 1, max: 2 } } } } }, 40414],
  [{ $setWindowFields: { output: { a: { $minMaxScaler: { input: 1, max: 2 } } } } }, 9],
  [{ $setWindowFields: { output: { a: { $sum: 1 }, 'a.b': { $sum: 1 } } } }, 6307900],
  [{ $setWindowFields: { output: { 'a.b': { $sum: 1 }, a: { $sum: 1 } } } }, 6307900],
  [
    {
      $setWindowFields: {
        sortBy: { n: 1 },
        output: { a: { $minMaxScaler: '$n', window: { documents: [1, 2] } } },
      },
    },
    9,
  ],
  [{ $setWindowFields: { output: { a: { $sum: 1, window: { documents: [-1, 0] } } } } }, 5339901],
  [{ $group: { _id: 1, a: { $firstN: { input: 1, n: 0 } } } }, 7548606],
  [{ $group: { _id: 1, a: { $firstN: { input: 1 } } } }, 5787906],
  [{ $group: { _id: 1, a: { $percentile: { input: 1, p: [2], method: 'approximate' } } } }, 7750303],
];

test('rejects invalid stages before reading a document', () => {
  for (const [stage, code] of refused) {
    assert.throws(() => compilePipeline([raw(stage)], new World()), { code }, inspect(stage, { depth: 6 }));
  }
});

test('allows stages only at valid positions', () => {
  const order = (stages: readonly Document[]) => () => compilePipeline(stages.map(raw));
  assert.throws(order([{ $out: 'x' }, { $match: {} }]), { code: 40601 });
  assert.throws(order([{ $match: {} }, { $collStats: {} }]), { code: 40602 });
  const nested = (depth: number): Document =>
    depth === 0 ? { $match: {} } : { $unionWith: { coll: 'x', pipeline: [nested(depth - 1)] } };
  assert.throws(order([nested(25)]), { code: 232 });
});

test('rejects a redaction without a decision', () => {
  assert.throws(() => run([{ $redact: '$a' }], [{ a: 1 }]), { code: 17053 });
});

test('derivatives and integrals of dates keep their last digits', () => {
  const docs = [1295.1, 1295.63, 1296.25, 1296.76].map((miles, i) => ({
    miles,
    at: new Date(1_589_811_030_000 + i * 30_000),
  }));
  const output = {
    speed: { $derivative: { input: '$miles', unit: 'hour' }, window: { range: [-30, 0], unit: 'second' } },
    sum: { $integral: { input: '$miles', unit: 'hour' }, window: { documents: ['unbounded', 'current'] } },
  };
  const found = run([{ $setWindowFields: { sortBy: { at: 1 }, output } }], docs);
  assert.deepEqual(
    found.map(({ speed }) => speed),
    [null, 63.60000000002401, 74.3999999999869, 61.199999999998916],
  );
  assert.equal(found[1]?.sum, (((1295.1 + 1295.63) / 2) * 30_000) / 3_600_000);
});

test('a random key of $bucketAuto is evaluated once for each document', () => {
  const draws = [0.1, 0.9, 0.2, 0.8];
  const environment = { ...noEnvironment, random: () => draws.shift() ?? 0.5 };
  const stage = { $bucketAuto: { groupBy: { $rand: {} }, buckets: 2, output: { ids: { $push: '$_id' } } } };
  const found = plain(compilePipeline([raw(stage)], { environment }).run(items.map(raw)));
  assert.deepEqual(found, [
    { _id: { min: 0.1, max: 0.8 }, ids: [1, 3] },
    { _id: { min: 0.8, max: 0.9 }, ids: [4, 2] },
  ]);
});
