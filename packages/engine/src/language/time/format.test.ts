import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeTurn } from '../../bson/turns.ts';
import { FormatError, formatDate } from './format.ts';
import { compileReader } from './parse-format.ts';
import { utc } from './zone.ts';

describe('a long format of dates', () => {
  it('is written in turns', () => {
    let polls = 0;
    const before = changeTurn({ poll: () => polls++, held: 0 });
    try {
      assert.equal(formatDate(0n, '%Y'.repeat(10_000), utc).length, 40_000);
    } finally {
      changeTurn(before);
    }
    assert.ok(polls > 30, `${polls}`);
  });

  it('is refused when dates are read, before it is compiled', () => {
    for (const format of ['x'.repeat(16_385), '%Y-%Y', '%b %B'])
      assert.throws(() => compileReader(format), FormatError);
    assert.equal(compileReader('%Y-%m-%d').exec('2026-11-28')?.groups?.day, '28');
  });
});
