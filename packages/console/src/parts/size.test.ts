import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sizeText } from './size.ts';

describe('a number of bytes as text', () => {
  it('has the largest unit that gives at least 1', () => {
    const sizes = [0, 1, 16_384, 999_000, 1_000_000, 1_540_000, 2_000_000_000, 3e15];
    const texts = ['0 kB', '1 kB', '17 kB', '999 kB', '1.0 MB', '1.5 MB', '2.0 GB', '3000.0 TB'];
    assert.deepEqual(sizes.map(sizeText), texts);
  });
});
