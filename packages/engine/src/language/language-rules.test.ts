import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { Code, type Document, MaxKey, MinKey } from 'bson';
import { compilePipeline } from './pipeline/index.ts';
import { plain, raw } from './testing/documents.ts';

function run(stages: readonly Document[], docs: readonly Document[]): Document[] {
  return plain(compilePipeline(stages.map(raw)).run(docs.map(raw)));
}

test('wraps MinKey and MaxKey in a document if a group picks them', () => {
  const least = new MinKey();
  const greatest = new MaxKey();
  assert.deepEqual(
    run(
      [
        {
          $group: {
            _id: '$k',
            first: { $first: least },
            last: { $last: '$v' },
            set: { $addToSet: greatest },
            all: { $push: '$v' },
            most: { $max: '$v' },
            least: { $min: least },
          },
        },
      ],
      [{ k: greatest, v: greatest }],
    ),
    [
      {
        _id: { '': greatest },
        first: { '': least },
        last: { '': greatest },
        set: [{ '': greatest }],
        all: [greatest],
        most: greatest,
        least: { '': least },
      },
    ],
  );
  assert.deepEqual(run([{ $group: { _id: '$k' } }], [{ k: new Code('f') }]), [{ _id: 'f' }]);
});

const refused: ReadonlyArray<readonly [stages: readonly Document[], code: number]> = [
  [[{ $unset: ['$a', 'a\0b'] }], 9527900],
  [[{ $unset: ['a\0b', 1] }], 31120],
  [[{ $unset: ['$a', ''] }], 16410],
  [[{ $out: '$name' }], 20],
  [[{ $out: 'a'.repeat(255) }], 20],
  [[{ $out: { db: '', coll: 'c' } }], 73],
  [[{ $project: { a: { $add: [1, 2], x: 1 } } }], 16410],
  [[{ $project: { a: { $elemMatch: { x: 1 } } } }], 168],
  [[{ $project: { _id: { $add: [1, 2] }, a: 0 } }], 31254],
  [[{ $project: { a: 0, _id: { $add: [1, 2] } } }], 31252],
  [[{ $project: { a: 1 } }, { $match: { $or: [{ $text: { $search: 'x' } }] } }], 17313],
  [[{ $skip: 1e19 }], 5107200],
  [[{ $skip: 1.5 }], 5107200],
];

test('reports the first violated rule of a stage', () => {
  for (const [stages, code] of refused) {
    assert.throws(() => compilePipeline(stages.map(raw)), { code }, inspect(stages, { depth: 5 }));
  }
});
