import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answers, stalePages } from './matrix.ts';
import { parts } from './subjects.ts';

/** Declares the test of one part. Each part has its own test file, so that the parts run in parallel. */
export function comparePart(part: keyof typeof parts): void {
  test(`${part}: docs/argument-types equals what npm run docs -- argument-types writes`, async () => {
    const matrix = await answers(parts[part]());
    assert.deepEqual(stalePages(matrix), []);
    assert.deepEqual(matrix.unexplained, []);
  });
}
