import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from 'bson';
import { describe } from '../bson/describe.ts';
import { pathOf, someValueAt } from './paths.ts';
import { raw } from './testing/documents.ts';

/** Returns the values at a path that a test receives, in order. */
function reached(path: string, doc: Document): string[] {
  const seen: string[] = [];
  someValueAt(pathOf(path), raw(doc), (value) => {
    seen.push(value === undefined ? 'missing' : describe(value));
    return false;
  });
  return seen;
}

const cases: ReadonlyArray<readonly [string, Document, string[]]> = [
  ['a', { a: 1 }, ['1']],
  ['a', {}, ['missing']],
  ['a', { a: [1, 2] }, ['1', '2', '[ 1, 2 ]']],
  ['a', { a: [] }, ['[]']],
  ['a', { a: [[1]] }, ['[ 1 ]', '[ [ 1 ] ]']],
  ['a.b', { a: { b: 1 } }, ['1']],
  ['a.b', { a: {} }, ['missing']],
  ['a.b', { a: 5 }, ['missing']],
  ['a.b', { a: null }, ['missing']],
  ['a.b', { a: [{ b: 1 }, { b: [2, 3] }, {}] }, ['1', '2', '3', '[ 2, 3 ]', 'missing']],
  // For entries that are not documents, the test receives nothing, not even a missing value.
  ['a.b', { a: [1, 2] }, []],
  ['a.b', { a: [] }, []],
  ['a.b', { a: [[{ b: 1 }]] }, []],
  ['a.0', { a: [7, 8] }, ['7']],
  ['a.2', { a: [7, 8] }, []],
  ['a.0', { a: { 0: 7 } }, ['7']],
  ['a.01', { a: [7, 8] }, []],
  // An array addressed by a number is tested as a whole.
  ['a.0', { a: [[1, 2]] }, ['[ 1, 2 ]']],
  // A number may be both an index and a field name.
  ['a.0', { a: [{ 0: 7 }] }, ['7', '{ 0: 7 }']],
  ['a.0.b', { a: [{ b: 1 }, { b: 2 }] }, ['missing', '1', 'missing']],
  ['a.0.b', { a: [[{ b: 1 }, { b: 2 }]] }, ['1', '2']],
  ['a.0.1', { a: [[1, 2]] }, ['2']],
  ['', { '': 1 }, ['1']],
  ['a.', { a: { '': 1 } }, ['1']],
];

test('reaches values through documents and arrays', () => {
  for (const [path, doc, expected] of cases) {
    assert.deepEqual(reached(path, doc), expected, `${path} in ${JSON.stringify(doc)}`);
  }
});

test('stops at the first value that passes', () => {
  let count = 0;
  const found = someValueAt(pathOf('a'), raw({ a: [1, 2, 3] }), () => ++count === 2);
  assert.ok(found);
  assert.equal(count, 2);
});

test('keeps only as many parts of a path as documents have levels', () => {
  assert.equal(pathOf(`${'a.'.repeat(100_000)}a`).parts.length, 201);
});

test('visits a bounded number of values where a path of numbers can continue in two ways', () => {
  let doc: Document = { a: 1 };
  for (let level = 0; level < 40; level++) doc = { a: [{ 0: doc.a }] };
  let visits = 0;
  const found = someValueAt(pathOf(`a${'.0'.repeat(60)}`), raw(doc), () => ++visits > 100_000);
  assert.equal(found, false);
});
