import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TopLevelOperator, TopLevelTable } from './operator.ts';

/** Fields without which it would still be one. */
type Optional = {
  [K in keyof TopLevelOperator]: Omit<TopLevelOperator, K> extends TopLevelOperator ? K : never;
}[keyof TopLevelOperator];

describe('an operator in the place of a field', () => {
  it('has no field that could be left out', () => {
    const none: readonly Optional[] = [];
    // @ts-expect-error: if a field could be left out, this would be allowed
    const some: readonly Optional[] = ['inValidator'];
    assert.deepEqual([none.length, some.length], [0, 1]);
  });

  it('does not compile where it does not say whether validators may hold it', () => {
    const planted = { compile: () => assert.fail(), asksDocuments: true, inElemMatch: true };
    // @ts-expect-error: `inProjection` and `inValidator` are missing
    const table: TopLevelTable = { $planted: planted };
    assert.ok(table);
  });
});
