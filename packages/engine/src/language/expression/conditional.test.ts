import { test } from 'node:test';
import { Double } from 'bson';
import { assertRefused, assertValues } from '../testing/expressions.ts';

/** Builds a branch without an object literal, because the linter takes literals with a field `then` for promises. */
const branch = (when: unknown, result: unknown) =>
  Object.fromEntries([
    ['case', when],
    ['then', result],
  ]);
const cond = (when: unknown, yes: unknown, ...no: unknown[]) => ({
  $cond: Object.fromEntries([['if', when], ['then', yes], ...no.map((value) => ['else', value])]),
});

test('does not evaluate branches that are not taken', () => {
  const never = { $divide: ['$a', 0] };
  assertValues([
    [{ $cond: ['$a', 1, never] }, { a: 1 }, 1],
    [cond('$gone', never, 2), { a: 1 }, 2],
    [{ $ifNull: ['$gone', '$a', never] }, { a: 1 }, 1],
    [{ $switch: { branches: [branch({ $eq: ['$a', 1] }, 'one')], default: never } }, { a: 1 }, 'one'],
    [{ $and: ['$gone', never] }, { a: 1 }, false],
    [{ $or: ['$a', never] }, { a: 1 }, true],
    [{ $cmp: ['$gone', null] }, {}, -1],
    [{ $eq: ['$a', 1] }, { a: new Double(1) }, true],
  ]);
  assertRefused([
    [{ $switch: { branches: [branch('$gone', 1)] } }, {}, 40066],
    [{ $switch: { branches: [branch(false, 1)] } }, {}, 40069],
    [{ $cond: [1, 2] }, {}, 16020],
    [cond(1, 2), {}, 17082],
    [{ $ifNull: ['$a'] }, {}, 1257300],
  ]);
});
