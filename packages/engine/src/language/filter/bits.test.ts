import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Binary } from 'bson';
import { pollsOf } from '../../bson/testing-turns.ts';
import { raw } from '../testing/documents.ts';
import { compileFilter } from './index.ts';

const SIZE = 1 << 20;

describe('a mask of a megabyte', () => {
  const ones = new Binary(new Uint8Array(SIZE).fill(0xff));
  const allSet = raw({ a: ones });
  const oneClear = raw({ a: new Binary(new Uint8Array(SIZE).fill(0xff).fill(0x7f, SIZE - 1)) });

  it('is compared bit by bit', () => {
    const matches = (operator: string, doc: typeof allSet) =>
      compileFilter(raw({ a: { [operator]: ones } })).matches(doc);
    assert.deepEqual(
      ['$bitsAllSet', '$bitsAllClear', '$bitsAnySet', '$bitsAnyClear'].map((operator) => [
        matches(operator, allSet),
        matches(operator, oneClear),
      ]),
      [
        [true, false],
        [false, false],
        [true, true],
        [false, true],
      ],
    );
  });

  it('is not made a list of eight million positions, and other statements can run meanwhile', () => {
    const spec = raw({ a: { $bitsAllSet: ones } });
    assert.equal(
      pollsOf(() => compileFilter(spec)),
      0,
    );
    const { matches } = compileFilter(spec);
    assert.ok(pollsOf(() => matches(allSet)) > 1_000);
  });
});
