import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Document, UUID } from 'bson';
import { TestCluster } from '../worker/testing.ts';

const collation = { locale: 'en', strength: 2, numericOrdering: true };
const texts = ['b10', 'B9', 'á', 'a', 'A', 'c'];

let cluster: TestCluster;
before(() => {
  cluster = new TestCluster();
  const documents = [...texts, 7, 8].map((k, _id) => ({ _id, k, n: _id % 2 }));
  for (const c of ['c', 'odd']) {
    cluster.run({ insert: c, documents });
    cluster.run({ createIndexes: c, indexes: [{ key: { k: 1 }, name: 'k', collation }] });
  }
  // The engine has no sort keys for Chinese characters.
  cluster.run({ insert: 'odd', documents: [{ _id: 100, k: '字' }] });
  cluster.run({ createIndexes: 'plain', indexes: [{ key: { k: 1 }, name: 'k' }] });
  cluster.run({ insert: 'plain', documents });
});
after(() => cluster.remove());

/** Returns the stages of the plan from the outermost to the innermost, and the documents in order. */
function found(command: Document) {
  const { queryPlanner } = cluster.run({ explain: command });
  const stages: string[] = [];
  for (let stage = queryPlanner.winningPlan; stage; stage = stage.inputStage) stages.push(stage.stage);
  return [stages.join(' '), cluster.run(command).cursor.firstBatch.map(({ k }: Document) => k)];
}

describe('a query on texts', () => {
  const cases: Array<[title: string, command: Document, stages: string, values: unknown[]]> = [
    ['equality', { filter: { k: 'A' } }, 'FETCH IXSCAN', ['a', 'A']],
    ['a list', { filter: { k: { $in: ['b9', 'C', 7] } } }, 'FETCH IXSCAN', [7, 'B9', 'c']],
    ['a range', { filter: { k: { $gte: 'b9', $lt: 'c' } } }, 'FETCH IXSCAN', ['B9', 'b10']],
    ['a sort', { sort: { k: 1 } }, 'FETCH IXSCAN', [7, 8, 'a', 'A', 'á', 'B9', 'b10', 'c']],
    ['an expression', { filter: { $expr: { $eq: ['A', '$k'] } } }, 'FETCH IXSCAN', ['a', 'A']],
    ['a backward sort', { sort: { k: -1 }, limit: 2 }, 'LIMIT FETCH IXSCAN', ['c', 'b10']],
    ['inequality', { filter: { k: { $ne: 'a', $gt: '' } } }, 'FETCH IXSCAN', ['á', 'B9', 'b10', 'c']],
  ];
  for (const [title, command, stages, values] of cases) {
    it(`uses an index with the same collation for ${title}`, () => {
      assert.deepEqual(found({ find: 'c', ...command, collation }), [stages, values]);
    });
  }

  const others: Array<[title: string, given: Document | undefined]> = [
    ['no collation', undefined],
    ['another strength', { ...collation, strength: 1 }],
    ['another locale', { ...collation, locale: 'fr' }],
    ['no numeric order', { ...collation, numericOrdering: false }],
    ['a case level', { ...collation, caseLevel: true }],
  ];
  for (const [title, given] of others) {
    it(`does not use an index with a collation for ${title}`, () => {
      const command = { find: 'c', ...(given && { collation: given }) };
      assert.equal(found({ ...command, filter: { k: 'a' } })[0], 'COLLSCAN');
      assert.equal(found({ ...command, sort: { k: 1 } })[0], 'SORT COLLSCAN');
    });

    it(`uses an index with a collation for numbers under ${title}`, () => {
      const command = { find: 'c', ...(given && { collation: given }), filter: { k: { $gt: 1 } } };
      assert.deepEqual(found({ ...command, sort: { k: -1 } }), ['FETCH IXSCAN', [8, 7]]);
    });
  }

  it('does not use an index without a collation under a collation, except for numbers', () => {
    assert.equal(found({ find: 'plain', filter: { k: 'a' }, collation })[0], 'COLLSCAN');
    assert.equal(found({ find: 'plain', sort: { k: 1 }, collation })[0], 'SORT COLLSCAN');
    const numbers = { find: 'plain', filter: { k: { $gt: 1 } }, sort: { k: -1 }, collation };
    assert.deepEqual(found(numbers), ['FETCH IXSCAN', [8, 7]]);
  });

  it('finds texts that have no sort key, and sorts them', () => {
    assert.deepEqual(found({ find: 'odd', filter: { k: '字' }, collation }), ['FETCH IXSCAN', ['字']]);
    assert.deepEqual(found({ find: 'odd', filter: { k: { $gt: 'b10' } }, collation })[1], ['c', '字']);
    assert.equal(found({ find: 'odd', sort: { k: 1 }, collation })[0], 'SORT COLLSCAN');
  });

  it('reads from min to max in the order of the collation', () => {
    const limits = { min: { k: 'B9' }, max: { k: 'C' }, hint: 'k' };
    const between = { find: 'c', ...limits };
    const { firstBatch } = cluster.run({ ...between, collation }).cursor;
    assert.deepEqual(
      firstBatch.map(({ k }: Document) => k),
      ['B9', 'b10'],
    );
    assert.equal(cluster.run(between).code, 51174);
    // Texts without a sort key could lie between the limits, so the engine rejects the query.
    assert.equal(cluster.run({ ...between, find: 'odd', collation }).code, 51174);
    assert.equal(
      cluster.run({ find: 'c', min: { k: 7 }, max: { k: 8 }, hint: 'k' }).cursor.firstBatch.length,
      1,
    );
  });

  it('shows the collation of the index and its keys in explain', () => {
    const { queryPlanner } = cluster.run({ explain: { find: 'c', filter: { k: { $gte: 'a' } }, collation } });
    const { collation: shown, indexBounds } = queryPlanner.winningPlan.inputStage;
    assert.equal(shown.strength, 2);
    assert.match(indexBounds.k[0], /^\[CollationKey\(0x[0-9a-f]+\), \{\}\)$/);
  });
});

describe('a text without a sort key of its own', () => {
  const equal: ReadonlyArray<readonly [locale: string, strength: number, one: string, other: string]> = [
    ['en', 2, 'a', '\uff41'],
    ['en', 2, 'file', '\ufb01le'],
    ['en', 1, 'a', 'a\u0483'],
    ['de', 1, '9', '\uff19'],
    ['en', 3, 'ab', 'a\0b'],
    ['en', 3, 'ab', 'a\u200db'],
  ];
  for (const [i, [locale, strength, one, other]] of equal.entries()) {
    const name = `equal${i}`;
    const rules = { locale, strength };

    it(`equals ${JSON.stringify(one)} in a unique index (${locale}, strength ${strength})`, () => {
      const unique = { key: { k: 1 }, name: 'k', unique: true, collation: rules };
      cluster.run({ createIndexes: name, indexes: [unique] });
      cluster.run({ insert: name, documents: [{ k: one }] });
      const { writeErrors } = cluster.run({ insert: name, documents: [{ k: other }] });
      assert.equal(writeErrors?.[0].code, 11_000);
      for (const k of [one, other]) {
        const command = { find: name, filter: { k }, collation: rules, hint: 'k' };
        assert.deepEqual(found(command)[1], [one]);
      }
    });
  }

  it('is found in arrays', () => {
    const indexes = [
      { key: { k: 1 }, name: 'k', collation },
      { key: { k: 1, a: 1 }, name: 'ka', collation },
    ];
    cluster.run({ createIndexes: 'arrays', indexes });
    const documents = [
      { _id: 1, k: ['字', 'x'] },
      { _id: 2, k: '字', a: [1, 2] },
    ];
    cluster.run({ insert: 'arrays', documents });
    for (const hint of ['k', 'ka']) {
      const command = { find: 'arrays', filter: { k: { $gt: 'y' } }, collation, hint };
      assert.equal(cluster.run(command).cursor.firstBatch.length, 2, hint);
    }
  });

  it('is found and sorted within the transaction that inserts it', () => {
    cluster.run({ createIndexes: 'inner', indexes: [{ key: { k: 1 }, name: 'k', collation }] });
    cluster.run({ insert: 'inner', documents: [{ k: 'b' }, { k: 'z' }] });
    const transaction = { lsid: { id: new UUID() }, txnNumber: 1n, autocommit: false };
    const inserted = [{ k: '字' }, { k: 'ßa' }];
    cluster.run({ insert: 'inner', documents: inserted, ...transaction, startTransaction: true });
    const texts = (command: Document) =>
      cluster
        .run({ find: 'inner', collation, ...command, ...transaction })
        .cursor.firstBatch.map(({ k }: Document) => k);
    assert.deepEqual(texts({ filter: { k: { $gt: 'c' } }, hint: 'k' }).toSorted(), ['z', 'ßa', '字']);
    assert.deepEqual(texts({ sort: { k: 1 } }), ['b', 'ßa', 'z', '字']);
    cluster.run({ abortTransaction: 1, ...transaction, $db: 'admin' });
  });

  it('is every text of more than 65,536 characters', () => {
    const long = 'Ab'.repeat(40_000);
    cluster.run({ createIndexes: 'long', indexes: [{ key: { k: 1 }, name: 'k', collation }] });
    cluster.run({ insert: 'long', documents: [{ k: long }] });
    const command = { find: 'long', filter: { k: long.toLowerCase() }, collation, hint: 'k' };
    assert.deepEqual(found(command)[1], [long]);
    assert.equal(found({ find: 'long', sort: { k: 1 }, collation })[0], 'SORT COLLSCAN');
  });
});

describe('distinct with a hint and a collation', () => {
  it('reads the index and returns the first of equal values', () => {
    const command = { distinct: 'c', key: 'k', query: { k: { $gte: 'A' } }, hint: 'k', collation };
    assert.deepEqual(cluster.run(command).values, ['a', 'á', 'B9', 'b10', 'c']);
    const { winningPlan } = cluster.run({ explain: command }).queryPlanner;
    assert.equal(winningPlan.inputStage.stage, 'IXSCAN');
  });
});
