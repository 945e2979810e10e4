import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TopLevelOperator, TopLevelTable } from './operator.ts';

/** The type of a descriptor without the fields under test. */
type Optional = {
  [K in keyof TopLevelOperator]: Omit<TopLevelOperator, K> extends TopLevelOperator ? K : never;
}[keyof TopLevelOperator];

describe('an operator in the place of a field', () => {
  it('has only required fields', () => {
    const none: readonly Optional[] = [];
    // @ts-expect-error: `Optional` contains the name of a field only if the field is optional
    const some: readonly Optional[] = ['inValidator'];
    assert.deepEqual([none.length, some.length], [0, 1]);
  });

  it('does not compile unless it says whether validators may contain it', () => {
    const planted = { compile: () => assert.fail(), asksDocuments: true, inElemMatch: true };
    // @ts-expect-error: `inProjection` and `inValidator` are missing
    const table: TopLevelTable = { $planted: planted };
    assert.ok(table);
  });
});
