import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WatchedStatement } from '../../statement/statement.ts';
import { raw } from '../testing/documents.ts';
import { valueFrom } from '../testing/values.ts';
import { compileExpression } from './compile.ts';

/** Evaluates an expression with a limit of one mebibyte. Returns how often it yielded to other operations. */
function evaluate(expression: unknown, doc = {}): number {
  const statement = new WatchedStatement();
  statement.mostBytes = 1 << 20;
  let looks = 0;
  statement.watch(() => looks++);
  const compiled = compileExpression(valueFrom(expression), { statement, constants: new Map() });
  // Compilation yields once per 16 parts of an expression; evaluating one of the ranges in it would yield hundreds of
  // times.
  assert.ok(looks < 5, 'nothing is evaluated before the value is needed');
  assert.equal(statement.held, 0);
  looks = 0;
  compiled.evaluate({ root: raw(doc) });
  assert.equal(statement.held, 0);
  return looks;
}

const range = { $range: [0, 30_000] };
const short = { $range: [0, 8_000] };
const text = 'a'.repeat(100_000);

test('lets others run within long operators', () => {
  for (const expression of [
    short,
    { $reverseArray: [short] },
    { $size: [short] },
    { $in: [-1, short] },
    { $map: { input: short, in: '$$this' } },
    { $reduce: { input: short, initialValue: 0, in: '$$this' } },
  ]) {
    assert.ok(evaluate(expression) > 400, JSON.stringify(expression));
  }
});

test('keeps sets in little memory, so that a hundredth of the memory of a statement holds 9,000 values', () => {
  const values = { $range: [0, '$n'] };
  const later = { $range: [1, '$n'] };
  for (const expression of [
    { $setUnion: [values] },
    { $setUnion: [{ $range: [0, '$half'] }, { $range: ['$half', '$n'] }] },
    { $setIntersection: [values, later] },
    { $setDifference: [values, later] },
    { $setEquals: [values, values] },
    { $setIsSubset: [values, values] },
  ]) {
    assert.ok(evaluate(expression, { half: 4_500, n: 9_000 }) > 400, JSON.stringify(expression));
  }
});

test('refuses expressions that would take more memory than a statement may', () => {
  const doubled = { $concatArrays: ['$$value', '$$value'] };
  for (const expression of [
    { $range: [0, 2_147_483_647] },
    { $size: [{ $range: [0, 2_147_483_647] }] },
    { $concatArrays: [range, range, range, range, range] },
    { $setUnion: [range] },
    { $sortArray: { input: range, sortBy: -1 } },
    { $split: [text, 'a'] },
    { $regexFindAll: { input: text, regex: 'a' } },
    { $zip: { inputs: [range, range, range] } },
    { $reduce: { input: { $range: [0, 64] }, initialValue: [1], in: doubled } },
    { $map: { input: { $range: [0, 9] }, in: range } },
    { $let: { vars: { x: range, y: range, z: range }, in: { $concatArrays: ['$$x', '$$y', '$$z'] } } },
    [range, range, range, range],
    { a: range, b: range, c: range, d: range },
  ]) {
    assert.throws(
      () => evaluate(expression),
      { codeName: 'ExceededMemoryLimit' },
      JSON.stringify(expression),
    );
  }
});
