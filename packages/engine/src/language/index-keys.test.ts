import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from 'bson';
import { describe } from '../bson/describe.ts';
import { ServerError } from '../errors/server-error.ts';
import { pathOf } from './paths.ts';
import { raw } from './testing/documents.ts';
import { keyTuples } from './testing/key-tuples.ts';

function tuples(paths: string[], doc: Document): string[] {
  const parallel = () => new ServerError('BadValue', 'parallel');
  return keyTuples(paths.map(pathOf), raw(doc), parallel).map((tuple) => tuple.map(describe).join(' '));
}

const cases: ReadonlyArray<readonly [string[], Document, string[]]> = [
  [['a'], { a: 1 }, ['1']],
  [['a'], {}, ['null']],
  [['a'], { a: [1, 2] }, ['1', '2']],
  [['a'], { a: [] }, ['undefined']],
  [['a'], { a: [[1, 2], 3] }, ['[ 1, 2 ]', '3']],
  [['a.b'], { a: { b: [1, 2] } }, ['1', '2']],
  [['a.b'], { a: [{ b: 1 }, { b: [2, 3] }, {}, 5] }, ['1', '2', '3', 'null', 'null']],
  [['a.b'], { a: [] }, ['null']],
  [['a.b'], { a: [[{ b: 1 }]] }, ['null']],
  [['a.b'], { a: 5 }, ['null']],
  [['a.1'], { a: [7, 8] }, ['8']],
  [['a.1'], { a: [7] }, ['null']],
  [['a.0.b'], { a: [{ b: 1 }, { b: 2 }] }, ['1']],
  [['a.0'], { a: [[1, 2], 3] }, ['1', '2']],
  [['a', 'b'], { a: [1, 2], b: 'x' }, ['1 "x"', '2 "x"']],
  [['a.x', 'a.y'], { a: [{ x: 1, y: 2 }, { x: 3 }] }, ['1 2', '3 null']],
  [['a', 'a.x'], { a: [{ x: 1 }, 5] }, ['{ x: 1 } 1', '5 null']],
];

test('makes a tuple for each entry of an array on the paths', () => {
  for (const [paths, doc, expected] of cases) {
    assert.deepEqual(tuples(paths, doc), expected, `${paths} in ${JSON.stringify(doc)}`);
  }
});

test('rejects two parallel arrays', () => {
  assert.throws(() => tuples(['a', 'b'], { a: [1], b: [2] }), { message: 'parallel' });
  assert.throws(() => tuples(['a.x', 'a.y'], { a: { x: [1], y: [2] } }), { message: 'parallel' });
});
