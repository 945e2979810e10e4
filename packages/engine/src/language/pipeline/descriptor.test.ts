import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { compilePipeline } from './compile.ts';
import { anywhere } from './position.ts';
import type { StageDescriptor, StageTable } from './stage.ts';
import { readsInput } from './stage-access.ts';
import { carriesMetadata, inQueries } from './stage-facts.ts';
import { describeStage } from './stages.ts';

/** The type of a descriptor without the fields under test. */
type Optional = {
  [K in keyof StageDescriptor]: Omit<StageDescriptor, K> extends StageDescriptor ? K : never;
}[keyof StageDescriptor];

const complete = {
  compile: () => (docs) => docs,
  source: 'input',
  position: anywhere,
  within: inQueries,
  metadata: carriesMetadata,
  fusion: 'alters',
  access: readsInput,
  readConcern: 'any',
  shapesPlan: false,
  stableApi: true,
} satisfies StageDescriptor;

describe('the descriptor of a stage', () => {
  it('has only required fields', () => {
    const none: readonly Optional[] = [];
    // @ts-expect-error: `Optional` contains the name of a field only if the field is optional
    const some: readonly Optional[] = ['access'];
    assert.deepEqual([none.length, some.length], [0, 1]);
  });

  it('does not compile without what the stage reads and writes', () => {
    const { access: _, ...forgetful } = complete;
    // @ts-expect-error: `access` is missing
    const planted: StageTable = { $planted: forgetful };
    assert.ok(planted);
  });

  it('does not compile unless it covers every kind of pipeline', () => {
    const { transaction: _, ...within } = inQueries;
    // @ts-expect-error: `within.transaction` is missing
    const planted: StageTable = { $planted: { ...complete, within } };
    assert.ok(planted);
  });
});

describe('a stage that is not described', () => {
  const refused = (error: unknown) => error instanceof ServerError && error.code === 40324;
  const planted = { $planted: {} };

  it('is rejected at any depth', () => {
    assert.equal(describeStage('$planted'), undefined);
    for (const stage of [
      planted,
      { $facet: { a: [planted] } },
      { $lookup: { from: 'b', as: 'c', pipeline: [planted] } },
      { $unionWith: { coll: 'b', pipeline: [{ $facet: { a: [planted] } }] } },
    ]) {
      assert.throws(() => compilePipeline([RawDocument.from(stage)]), refused);
    }
  });

  it('may be named like a property of every object', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      assert.throws(() => compilePipeline([RawDocument.from({ [name]: {} })]), refused);
    }
  });
});
