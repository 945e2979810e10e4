import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BSONRegExp } from 'bson';
import { RawDocument } from '../bson/raw.ts';
import { WatchedStatement } from '../statement/statement.ts';
import { noEnvironment } from './environment.ts';
import { accumulatorContext, accumulators } from './expression/accumulators/index.ts';
import { compileExpression } from './expression/compile.ts';
import { compileFilter } from './filter/index.ts';
import { compilePattern } from './patterns/pattern.ts';
import { compilePipeline } from './pipeline/index.ts';
import { compileUpdate } from './update/index.ts';

const stopped = new Error('stopped');

/** Returns an environment whose statement is interrupted at its first check of the clock. */
function interrupted() {
  const statement = new WatchedStatement();
  statement.watch(() => {
    throw stopped;
  });
  return { ...noEnvironment, statement };
}

const numbers = Array.from({ length: 1_000 }, (_, i) => i);

describe('a statement is interrupted', () => {
  it('within one match of a pattern', () => {
    const { statement } = interrupted();
    const { regexp } = compilePattern('(?=(a+))\\1*b', '');
    assert.throws(() => regexp.test('a'.repeat(100_000), statement), stopped);
    assert.throws(() => regexp.exec('a'.repeat(100_000), statement), stopped);
  });

  it('while the bounds of a long $in are made', () => {
    const filter = RawDocument.from({ a: { $in: numbers } });
    assert.throws(() => compileFilter(filter, interrupted()), stopped);
  });

  it('while a long list of clauses or expressions is compiled', () => {
    const clauses = RawDocument.from({ $or: numbers.map((a) => ({ a })) });
    assert.throws(() => compileFilter(clauses, interrupted()), stopped);
    const sum = RawDocument.from({ sum: { $add: numbers } }).get('sum');
    assert.ok(sum);
    assert.throws(() => compileExpression(sum, interrupted()), stopped);
  });

  it('while a value is compared with a long list of patterns', () => {
    const environment = { ...noEnvironment, statement: new WatchedStatement() };
    const patterns = numbers.slice(0, 50).map((n) => new BSONRegExp(`^${n}b`));
    const filter = compileFilter(RawDocument.from({ a: { $in: patterns } }), environment);
    environment.statement.watch(() => {
      throw stopped;
    });
    assert.throws(() => filter.matches(RawDocument.from({ a: 'c' })), stopped);
  });

  it('while a document is compared with the many conditions of a logical operator', () => {
    for (const operator of ['$and', '$or', '$nor']) {
      const statement = new WatchedStatement();
      const many = numbers.map((a) => ({ a: operator === '$and' ? { $ne: a } : a }));
      const filter = compileFilter(RawDocument.from({ [operator]: many }), { ...noEnvironment, statement });
      statement.watch(() => {
        throw stopped;
      });
      assert.throws(() => filter.matches(RawDocument.from({ a: -1 })), stopped, operator);
    }
  });

  it('while $densify fills a gap', () => {
    const environment = interrupted();
    const densify = { $densify: { field: 'a', range: { step: 1, bounds: 'full' } } };
    const documents = [{ a: 0 }, { a: 1_000 }].map((each) => RawDocument.from(each));
    const run = () => [...compilePipeline([RawDocument.from(densify)], { environment }).run(documents)];
    assert.throws(run, stopped);
  });

  it('while a median sorts its numbers', () => {
    const environment = interrupted();
    const operand = RawDocument.from({ $median: { input: '$a', method: 'approximate' } }).first();
    assert.ok(operand);
    const create = accumulators.get('$median')?.(operand, accumulatorContext(environment));
    const median = create?.(RawDocument.empty);
    for (const a of numbers) median?.add({ root: RawDocument.from({ a }) });
    assert.throws(() => median?.result(), stopped);
  });
});

describe('an update of a long array is interrupted', () => {
  const updates: Readonly<Record<string, object>> = {
    'while nulls pad the array': { $set: { 'a.100000': 1 } },
    'while its entries are read': { $inc: { 'a.$[]': 1 } },
    'within $addToSet': { $addToSet: { a: { $each: numbers.map((n) => -n) } } },
    'within $push': { $push: { a: 1 } },
    'while $push sorts': { $push: { a: { $each: [], $sort: -1 } } },
    'within $pull': { $pull: { a: { $gt: 5 } } },
    'within $pullAll': { $pullAll: { a: numbers } },
    'within $pop': { $pop: { a: 1 } },
  };
  const document = RawDocument.from({ a: numbers });
  for (const [when, update] of Object.entries(updates)) {
    it(when, () => {
      const statement = new WatchedStatement();
      const compiled = compileUpdate(RawDocument.from(update), {
        environment: { ...noEnvironment, statement },
      });
      statement.watch(() => {
        throw stopped;
      });
      assert.throws(() => compiled.apply(document), stopped);
    });
  }

  it('while its many paths are compiled, or their differences are recorded', () => {
    const paths = RawDocument.from({ $set: Object.fromEntries(numbers.map((n) => [`f${n}`, n])) });
    assert.throws(() => compileUpdate(paths, { environment: interrupted() }), stopped);
    const environment = { ...noEnvironment, statement: new WatchedStatement() };
    const { difference } = compileUpdate(paths, { environment }).apply(document);
    environment.statement.watch(() => {
      throw stopped;
    });
    assert.throws(() => difference?.(), stopped);
  });
});

describe('a projection of a long array is interrupted', () => {
  const entries = numbers.map((b) => ({ b, c: 1 }));
  const documents = [RawDocument.from({ a: entries })];
  for (const stage of [
    { $project: { 'a.b': 1 } },
    { $project: { 'a.b': 0 } },
    { $unset: 'a.b' },
    { $addFields: { 'a.d': 1 } },
  ]) {
    it(JSON.stringify(stage), () => {
      const statement = new WatchedStatement();
      const environment = { ...noEnvironment, statement };
      const pipeline = compilePipeline([RawDocument.from(stage)], { environment });
      statement.watch(() => {
        throw stopped;
      });
      assert.throws(() => [...pipeline.run(documents)], stopped);
    });
  }
});

describe('an update with a path of many parts', () => {
  it('is refused before a tree is made of it', () => {
    const long = `${'a.'.repeat(20_000)}b`;
    for (const update of [{ $set: { [long]: 1 } }, { $rename: { [long]: 'b' } }, { $rename: { b: long } }])
      assert.throws(() => compileUpdate(RawDocument.from(update)), { codeName: 'Overflow' });
    const filter = compileFilter(RawDocument.from({ [long]: 1 }));
    const { insertFrom } = compileUpdate(RawDocument.from({ $set: { b: 1 } }));
    assert.throws(() => insertFrom(filter, () => RawDocument.from({ v: 1 }).get('v') as never), {
      codeName: 'Overflow',
    });
  });
});

describe('$addToSet and $pullAll of many values', () => {
  it('compare each value once', () => {
    const many = Array.from({ length: 40_000 }, (_, i) => i);
    let checks = 0;
    const statement = Object.assign(new WatchedStatement(), { check: () => void checks++ });
    const environment = { ...noEnvironment, statement };
    const document = RawDocument.from({ a: many });
    for (const update of [
      { $addToSet: { a: { $each: many } } },
      { $pullAll: { a: many.map((n) => -n - 1) } },
    ]) {
      assert.equal(compileUpdate(RawDocument.from(update), { environment }).apply(document).modified, false);
    }
    assert.ok(checks < 20 * many.length, `${checks}`);
  });
});

describe('a window that grows from the start', () => {
  const operands: Readonly<Record<string, unknown>> = {
    $covariancePop: ['$a', '$a'],
    $sum: '$a',
    $max: '$a',
    $median: { input: '$a', method: 'approximate' },
    $percentile: { input: '$a', p: [0.1, 0.9], method: 'approximate' },
  };
  for (const name of [...Object.keys(operands), '$derivative', '$integral', '$expMovingAvg']) {
    it(`reads each document a few times: ${name}`, () => {
      const count = 5_000;
      let checks = 0;
      const statement = Object.assign(new WatchedStatement(), { check: () => void checks++ });
      const own = name === '$expMovingAvg' ? { N: 3 } : {};
      const window = name === '$expMovingAvg' ? {} : { window: { documents: ['unbounded', 'current'] } };
      const output = { r: { [name]: operands[name] ?? { input: '$a', ...own }, ...window } };
      const stage = RawDocument.from({ $setWindowFields: { sortBy: { a: 1 }, output } });
      const pipeline = compilePipeline([stage], { environment: { ...noEnvironment, statement } });
      const documents = Array.from({ length: count }, (_, a) => RawDocument.from({ a }));
      assert.equal([...pipeline.run(documents)].length, count);
      assert.ok(checks < 50 * count, `${checks}`);
    });
  }
});

describe('operators on sets are interrupted', () => {
  const many = Array.from({ length: 3_000 }, (_, i) => i);
  for (const name of ['$setDifference', '$setEquals', '$setIntersection', '$setIsSubset', '$setUnion'])
    it(`between the comparisons of entries: ${name}`, () => {
      let checks = 0;
      const statement = Object.assign(new WatchedStatement(), { check: () => void checks++ });
      const operand = RawDocument.from({ r: { [name]: ['$a', '$a'] } }).get('r');
      assert.ok(operand);
      const environment = { ...noEnvironment, statement };
      compileExpression(operand, environment).evaluate({ root: RawDocument.from({ a: many }) });
      assert.ok(checks >= 2 * many.length, `${checks}`);
    });
});

describe('accumulators that keep n values', () => {
  const operands = {
    $firstN: { input: '$a', n: 3 },
    $lastN: { input: '$a', n: 3 },
    $maxN: { input: '$a', n: 3 },
    $minN: { input: '$a', n: 3 },
    $bottomN: { output: '$a', sortBy: { a: 1 }, n: 3 },
    $topN: { output: '$a', sortBy: { a: 1 }, n: 3 },
  };
  for (const [name, given] of Object.entries(operands)) {
    it(`count their memory: ${name}`, () => {
      const operand = RawDocument.from({ [name]: given }).first();
      assert.ok(operand);
      const accumulator = accumulators.get(name)?.(operand, accumulatorContext(noEnvironment))(
        RawDocument.empty,
      );
      assert.ok(accumulator);
      const sizes = [5, 1, 4, 2, 3, 0, 6].map((a) => {
        accumulator.add({ root: RawDocument.from({ a }) });
        return accumulator.size ?? 0;
      });
      assert.ok((sizes[0] as number) < (sizes[2] as number), `${sizes}`);
      assert.deepEqual(new Set(sizes.slice(2)).size, 1, `${sizes}`);
    });
  }
});
