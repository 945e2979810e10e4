import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from 'bson';
import fc from 'fast-check';
import { RawDocument } from '../bson/raw.ts';
import { ServerError } from '../errors/server-error.ts';
import { compileFilter } from './filter/index.ts';
import { compilePipeline } from './pipeline/index.ts';
import { compileProjection } from './projection/index.ts';
import { compileSort } from './sort.ts';
import { raw } from './testing/documents.ts';
import { documents, values } from './testing/values.ts';
import { compileUpdate } from './update/index.ts';

/** Specifications built from keywords, most of which are in the wrong place. */
const words = fc.constantFrom(
  ...[
    'a',
    'b',
    'a.b',
    'a.0',
    'a.0.b',
    '_id',
    '',
    '.',
    'a..b',
    '$',
    '$a',
    '$eq',
    '$gt',
    '$in',
    '$not',
    '$exists',
  ],
  ...[
    '$and',
    '$or',
    '$nor',
    '$set',
    '$unset',
    '$inc',
    '$match',
    '$sort',
    '$skip',
    '$limit',
    '$project',
    '$count',
  ],
  ...['$group', '$sum', '$literal', '$foo', '$ref'],
);
const operands = fc.oneof(
  { weight: 3, arbitrary: values },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(1, 0, -1, true, '$a', '$$ROOT', '$a.b', 'a', [], {}) },
);
const { spec } = fc.letrec<{ spec: Document; operand: unknown }>((tie) => ({
  operand: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    operands,
    tie('spec'),
    fc.array(tie('spec'), { maxLength: 2 }),
  ),
  spec: fc.dictionary(words, tie('operand'), { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
}));

/** Runs `use`. Returns true if it throws a server error; any other error fails the test. */
function refuses(use: () => void): boolean {
  try {
    use();
    return false;
  } catch (error) {
    if (error instanceof ServerError) return true;
    throw error;
  }
}

type Use = (spec: RawDocument, doc: RawDocument) => void;
const directions = fc.dictionary(words, fc.oneof(operands, fc.constantFrom(1, -1)), {
  maxKeys: 2,
  noNullPrototype: true,
});
const stages = fc
  .tuple(
    fc.constantFrom('$match', '$sort', '$skip', '$limit', '$project', '$count', '$group', '$foo'),
    fc.oneof(spec, directions, operands, fc.record({ _id: operands, n: fc.constant({ $sum: '$a' }) })),
  )
  .map(([name, operand]) => ({ [name]: operand }));

const uses: Record<string, [fc.Arbitrary<Document>, Use]> = {
  filter: [spec, (filter, doc) => compileFilter(filter).matches(doc)],
  update: [spec, (update, doc) => RawDocument.of(compileUpdate(update).apply(doc).bytes)],
  sort: [directions, (order, doc) => compileSort(order).compare(doc, RawDocument.empty)],
  projection: [
    fc.oneof(spec, directions),
    (projection, doc) => RawDocument.of(compileProjection(projection).apply(doc).toBytes()),
  ],
  pipeline: [
    stages,
    (stage, doc) => {
      for (const out of compilePipeline([stage]).run([doc])) RawDocument.of(out.toBytes());
    },
  ],
};

for (const [kind, [specs, use]] of Object.entries(uses)) {
  test(`any ${kind} on any document succeeds or throws a server error, and produces valid documents`, () => {
    let accepted = 0;
    fc.assert(
      fc.property(specs, documents, (plain, doc) => {
        if (!refuses(() => use(raw(plain), raw(doc)))) accepted++;
      }),
      { numRuns: 700 },
    );
    assert.ok(accepted > 10);
  });
}
