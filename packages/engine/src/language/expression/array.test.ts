import { test } from 'node:test';
import { Double, Long } from 'bson';
import { assertRefused, assertValues } from '../testing/expressions.ts';

const a = [1, 2, 3, 4];

test('slices and indexes arrays', () => {
  assertValues([
    [{ $arrayElemAt: ['$a', -1] }, { a }, 4],
    [{ $arrayElemAt: ['$a', 9] }, { a }, undefined],
    [{ $slice: ['$a', -2] }, { a }, [3, 4]],
    [{ $slice: ['$a', 1, 2] }, { a }, [2, 3]],
    [{ $first: '$a' }, { a }, 1],
    [{ $lastN: { n: 2, input: '$a' } }, { a }, [3, 4]],
    [{ $maxN: { n: 2, input: '$a' } }, { a: [1, null, 9, 5] }, [9, 5]],
    [{ $concatArrays: ['$a', [5]] }, { a: [1] }, [1, 5]],
    [{ $reverseArray: '$a' }, { a }, [4, 3, 2, 1]],
    [{ $indexOfArray: ['$a', 3, 1] }, { a }, 2],
    [{ $in: [2, '$a'] }, { a }, true],
    [{ $range: [0, '$n', 2] }, { n: 5 }, [0, 2, 4]],
    [{ $size: '$a' }, { a }, 4],
    [{ $sortArray: { input: '$a', sortBy: { x: -1 } } }, { a: [{ x: 1 }, { x: 2 }] }, [{ x: 2 }, { x: 1 }]],
    [{ $sortArray: { input: '$a', sortBy: 1 } }, { a: ['b', 2, 'a'] }, [2, 'a', 'b']],
    [
      { $zip: { inputs: ['$a', ['x']], useLongestLength: true } },
      { a: [1, 2] },
      [
        [1, 'x'],
        [2, null],
      ],
    ],
  ]);
});

test('zips more arrays than a call may have arguments', () => {
  const inputs = Array.from({ length: 200_000 }, () => []);
  assertValues([[{ $zip: { inputs } }, {}, []]]);
});

test('evaluates an expression for each entry', () => {
  assertValues([
    [{ $map: { input: '$a', in: { $add: ['$$this', 1] } } }, { a }, [2, 3, 4, 5]],
    [
      { $map: { input: '$a', as: 'x', in: { $map: { input: '$a', in: '$$x' } } } },
      { a: [1, 2] },
      [
        [1, 1],
        [2, 2],
      ],
    ],
    [{ $filter: { input: '$a', cond: { $gt: ['$$this', 1] }, limit: 2 } }, { a }, [2, 3]],
    [{ $reduce: { input: '$a', initialValue: 0, in: { $add: ['$$value', '$$this'] } } }, { a }, 10],
    [{ $let: { vars: { x: '$n' }, in: { $multiply: ['$$x', '$$x'] } } }, { n: 3 }, 9],
    [{ $let: { vars: { CURRENT: '$n' }, in: '$x' } }, { n: { x: 5 } }, 5],
  ]);
});

test('evaluates set operators, documents and sums over arrays', () => {
  assertValues([
    [{ $setUnion: ['$a', [3, 1]] }, { a: [2, 1] }, [1, 2, 3]],
    [{ $setDifference: ['$a', [2]] }, { a: [3, 2, 1, 3] }, [3, 1]],
    [{ $setUnion: ['$a', '$b'] }, { a: [2, 1, 2], b: [new Double(1), 0] }, [0, 1, 2]],
    [{ $setIntersection: ['$a', [3, 1, 4], '$b'] }, { a: [4, 3, 1, 3], b: [1, 3, 3] }, [1, 3]],
    [{ $setIntersection: ['$a', []] }, { a: [1] }, []],
    [{ $setEquals: ['$a', [1, 2]] }, { a: [2, 1, 1] }, true],
    [{ $setEquals: ['$a', [1, 2], [2, 1, 2], [1]] }, { a: [2, 1, 1] }, false],
    [{ $setEquals: ['$a', [1, 2], [2, 1, 2]] }, { a: [2, 1, 1] }, true],
    [{ $setEquals: ['$a', [1, 2, 3]] }, { a: [2, 1, 1] }, false],
    [{ $setIsSubset: [[1], '$a'] }, { a }, true],
    [{ $setIsSubset: ['$a', [1]] }, { a: [1, 1, 2] }, false],
    [{ $size: { $setUnion: [{ $range: [0, '$n'] }, { $range: [5, '$n'] }, [-1]] } }, { n: 40_000 }, 40_001],
    [{ $allElementsTrue: ['$a'] }, { a: [1, 0] }, false],
    [
      { $arrayToObject: '$a' },
      {
        a: [
          ['x', 1],
          ['y', 2],
          ['x', 3],
        ],
      },
      { x: 3, y: 2 },
    ],
    [{ $objectToArray: '$o' }, { o: { x: 1 } }, [{ k: 'x', v: 1 }]],
    [{ $mergeObjects: ['$o', { y: 2 }] }, { o: { x: 1, y: 1 } }, { x: 1, y: 2 }],
    [{ $getField: { field: 'a.b', input: '$o' } }, { o: { 'a.b': 1 } }, 1],
    [{ $setField: { field: 'x', input: '$o', value: '$$REMOVE' } }, { o: { x: 1, y: 1 } }, { y: 1 }],
    [{ $sum: '$a' }, { a: [1, 'x', 2] }, 3],
    [{ $avg: ['$x', '$y'] }, { x: 1, y: Long.fromNumber(2) }, 1.5],
    [{ $max: '$a' }, { a }, 4],
  ]);
});

test('rejects operands that are not arrays', () => {
  assertRefused([
    [{ $arrayElemAt: ['$a', 0] }, { a: 1 }, 28689],
    [{ $size: '$gone' }, {}, 17124],
    [{ $slice: ['$a', 1, 0] }, { a }, 28729],
    [{ $map: { input: '$a', in: 1 } }, { a: 1 }, 16883],
    [{ $map: { input: '$a' } }, { a }, 16882],
    [{ $filter: { input: '$a', cond: true, limit: 0 } }, { a }, 327392],
    [{ $reduce: { input: '$a', initialValue: 0 } }, { a }, 40079],
    [{ $let: { vars: { X: 1 }, in: 1 } }, {}, 9],
    [{ $setEquals: ['$a', 1] }, { a }, 5887502],
    [{ $setEquals: ['$a', '$b'] }, { a, b: 1 }, 17044],
    [{ $arrayToObject: '$a' }, { a: [['x', 1], { k: 'x', v: 1 }] }, 40396],
    [{ $range: [0, 1, 0] }, {}, 34449],
    [{ $zip: { inputs: ['$a'], defaults: [1] } }, { a }, 34466],
  ]);
});
