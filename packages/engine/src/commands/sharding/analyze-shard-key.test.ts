import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

const cluster = new TestCluster();
after(() => cluster.remove());

const user = { username: 'ada', database: 'admin', roles: [{ role: 'dbAdmin', database: 'test' }] };
const characteristics = { keyCharacteristics: true, readWriteDistribution: false };

const analyze = (collection: string, key: Document, more: Document = characteristics) =>
  cluster.run({ analyzeShardKey: `test.${collection}`, key, $db: 'admin', ...more }, { user });

function fill(name: string, documents: readonly Document[], ...indexes: readonly Document[]): void {
  cluster.run({ insert: name, documents });
  for (const [number, index] of indexes.entries())
    cluster.run({ createIndexes: name, indexes: [{ name: `i${number}`, ...index }] });
}

const numbers = (count: number, of: (n: number) => Document) =>
  Array.from({ length: count }, (_, n) => of(n));

describe('analyzeShardKey', () => {
  it('counts the documents and the values of a shard key', () => {
    fill(
      'many',
      numbers(50, (_id) => ({ _id, a: _id % 7, b: { c: `${_id}` } })),
      { key: { a: 1, x: 1 } },
    );
    const { keyCharacteristics } = analyze('many', { a: 1 });
    const { avgDocSizeBytes, monotonicity, ...counts } = keyCharacteristics;
    const common = [8, 7, 7, 7, 7].map((frequency, a) => ({ value: { a }, frequency: BigInt(frequency) }));
    assert.deepEqual(counts, {
      numDocsTotal: 50n,
      numDocsSampled: 50n,
      isUnique: false,
      numDistinctValues: 7n,
      mostCommonValues: common,
    });
    const { size } = cluster.run({ collStats: 'many' });
    assert.equal(avgDocSizeBytes, BigInt(Math.floor(size / 50)));
    assert.equal(monotonicity.type, 'monotonic');
  });

  const documents = numbers(40, (n) => ({ _id: n, up: n, down: -n, mixed: (n * 17) % 40, same: 1 }));
  const types: ReadonlyArray<readonly [Document, string, number | undefined]> = [
    [{ _id: 1 }, 'monotonic', 1],
    [{ up: 1 }, 'monotonic', 1],
    [{ down: 1 }, 'monotonic', -1],
    [{ same: 1 }, 'not monotonic', 0],
    [{ mixed: 1 }, 'not monotonic', undefined],
    [{ up: 'hashed' }, 'not monotonic', 0],
    [{ up: 1, down: 'hashed' }, 'unknown', undefined],
  ];
  fill('order', documents, ...types.slice(1).map(([key]) => ({ key })), { key: { mixed: -1, up: 1 } });
  for (const [key, type, coefficient] of types) {
    it(`finds that ${JSON.stringify(key)} is ${type}`, () => {
      const { monotonicity } = analyze('order', key).keyCharacteristics;
      assert.equal(monotonicity.type, type);
      const { recordIdCorrelationCoefficient: found } = monotonicity;
      if (coefficient !== undefined) assert.equal(found, coefficient);
      assert.equal(found === undefined, type === 'unknown');
    });
  }

  it('does not know the order of a clustered collection, nor of a key that only a descending index has', () => {
    cluster.run({ create: 'clustered', clusteredIndex: { key: { _id: 1 }, unique: true } });
    fill(
      'clustered',
      numbers(3, (_id) => ({ _id })),
    );
    fill(
      'descending',
      numbers(3, (n) => ({ n })),
      { key: { n: -1 } },
    );
    for (const [name, key] of [
      ['clustered', { _id: 1 }],
      ['descending', { n: 1 }],
    ] as const) {
      const { numDistinctValues, monotonicity } = analyze(name, key).keyCharacteristics;
      assert.deepEqual([numDistinctValues, monotonicity], [3n, { type: 'unknown' }]);
    }
  });

  it('finds a key unique only if an index on all its fields is unique', () => {
    fill(
      'u',
      numbers(4, (n) => ({ n, m: n % 2 })),
      { key: { n: 1 }, unique: true },
      { key: { m: 1, n: 1 } },
    );
    fill(
      'v',
      numbers(4, (n) => ({ n, m: n % 2 })),
      { key: { m: 1, n: 1 }, unique: true },
      { key: { n: 1 } },
    );
    const uniqueness = (name: string, key: Document) => analyze(name, key).keyCharacteristics.isUnique;
    assert.deepEqual(
      [uniqueness('u', { n: 1 }), uniqueness('u', { m: 1, n: 1 }), uniqueness('u', { _id: 1 })],
      [true, false, true],
    );
    assert.deepEqual(
      [uniqueness('v', { n: 1 }), uniqueness('v', { m: 1, n: 1 }), uniqueness('v', { m: 1 })],
      [false, true, false],
    );
  });

  it('counts a missing field as null, and equal numbers as one value', () => {
    fill('kinds', [{ a: 1 }, { a: 1n }, { b: 1 }, { a: null }, { a: 'x' }], { key: { a: 'hashed' } });
    const { mostCommonValues, numDistinctValues } = analyze('kinds', { a: 1 }).keyCharacteristics;
    assert.equal(numDistinctValues, 3n);
    const shown = mostCommonValues.map(({ value, frequency }: Document) => [String(value.a), frequency]);
    assert.deepEqual(shown.toSorted(), [
      ['1', 2n],
      ['null', 2n],
      ['x', 1n],
    ]);
  });

  it('samples a part of the documents', () => {
    const sampled = (options: Document) => {
      const { numDocsTotal, numDocsSampled } = analyze(
        'order',
        { up: 1 },
        { ...characteristics, ...options },
      ).keyCharacteristics;
      assert.equal(numDocsTotal, 40n);
      return Number(numDocsSampled);
    };
    assert.ok(sampled({ sampleRate: 0.25 }) <= 11 && sampled({ sampleRate: 0.25 }) >= 10);
    assert.ok(sampled({ sampleSize: 8 }) <= 9 && sampled({ sampleSize: 8 }) >= 8);
    assert.deepEqual([sampled({ sampleRate: 1 }), sampled({ sampleSize: 100 })], [40, 40]);
    assert.equal(sampled({ sampleRate: 1e-9 }), 1);
  });

  it('truncates large values', () => {
    fill('large', [{ s: 'x'.repeat(4 << 20) }], { key: { s: 1 } });
    const [{ value }] = analyze('large', { s: 1 }).keyCharacteristics.mostCommonValues;
    assert.deepEqual([value.s.type, value.s.value], ['string', 'truncated']);
  });

  it('describes no key without an index that has every document', () => {
    fill(
      'without',
      [{ a: 1, b: 1, c: 1, d: [1], e: 1, f: 1 }],
      { key: { a: 1 }, sparse: true },
      { key: { b: 1 }, partialFilterExpression: { b: 1 } },
      { key: { c: 1 }, collation: { locale: 'fr' } },
      { key: { d: 1 } },
      { key: { x: 1, e: 1 } },
      { key: { f: '2d' } },
    );
    for (const name of 'abcdef') {
      const distributions = ['readDistribution', 'writeDistribution', 'ok'];
      assert.deepEqual(Object.keys(analyze('without', { [name]: 1 }, {})), distributions, name);
      // Without distributions, the reply would be empty.
      assert.equal(analyze('without', { [name]: 1 }).code, 20, name);
    }
  });

  it('has no sampled queries', () => {
    const { readDistribution, writeDistribution, keyCharacteristics } = analyze('order', { up: 1 }, {});
    assert.equal(keyCharacteristics.numDocsTotal, 40n);
    assert.deepEqual([readDistribution.sampleSize.total, writeDistribution.sampleSize.total], [0n, 0n]);
    assert.equal(analyze('order', { up: 1 }, { keyCharacteristics: false }).keyCharacteristics, undefined);
  });

  it('rejects collections that cannot be sharded', () => {
    cluster.run({ create: 'view', viewOn: 'order', pipeline: [] });
    cluster.run({ create: 'series', timeseries: { timeField: 't' } });
    cluster.run({ create: 'empty' });
    const codes = ['view', 'none', 'empty'].map((name) => analyze(name, { _id: 1 }).code);
    assert.deepEqual(codes, [166, 26, 20]);
    assert.equal(analyze('series', { t: 1 }).ok, 0);
    const root = { username: 'root', database: 'admin', roles: [{ role: 'root', database: 'admin' }] };
    for (const name of ['local.c', 'test.system.profile']) {
      const command = { analyzeShardKey: name, key: { a: 1 }, $db: 'admin' };
      assert.equal(cluster.run(command, { user: root }).code, 20, name);
    }
  });

  it('ignores a sample size if it describes no key', () => {
    for (const sample of [{ sampleRate: 0.5 }, { sampleSize: 5 }])
      assert.equal(analyze('order', { up: 1 }, { keyCharacteristics: false, ...sample }).ok, 1);
  });

  const refused: ReadonlyArray<readonly [Document, Document, number]> = [
    [{ up: 1 }, { keyCharacteristics: false, readWriteDistribution: false }, 72],
    [{ up: 1 }, { sampleRate: 0.5, sampleSize: 5 }, 72],
    [{ up: 1 }, { sampleRate: 0 }, 2],
    [{ up: 1 }, { sampleRate: 1.5 }, 2],
    [{ up: 1 }, { sampleRate: NaN }, 2],
    [{ up: 1 }, { sampleRate: 2, sampleSize: 5 }, 2],
    [{ up: 1 }, { sampleSize: 0 }, 2],
    [{ up: -1 }, {}, 2],
    [{}, {}, 2],
  ];
  for (const [key, more, code] of refused) {
    it(`rejects the key ${JSON.stringify(key)} with ${JSON.stringify(more)}`, () =>
      assert.equal(analyze('order', key, more).code, code));
  }

  it('requires the privilege to analyze the collection', () => {
    const reader = { username: 'eve', database: 'admin', roles: [{ role: 'read', database: 'test' }] };
    const command = { analyzeShardKey: 'test.order', key: { up: 1 }, $db: 'admin' };
    assert.equal(cluster.run(command, { user: reader }).code, 13);
  });
});
