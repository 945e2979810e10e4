import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { pollsOf } from '../bson/testing-turns.ts';
import { unwatched, WatchedStatement } from '../statement/statement.ts';
import { ByteUnits, finder, TextUnits } from './find-text.ts';

/** A text and a token so long that the native search would take seconds. */
const size = 200_000;
const text = 'a'.repeat(size);
const token = `${'a'.repeat(size / 4)}b${'a'.repeat(size / 4)}`;

describe('a search for a long token', () => {
  it('finds what the native search finds', () => {
    const small = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 });
    fc.assert(
      fc.property(small, small, fc.nat(12), (start, wanted, from) => {
        // The padding makes the product of the lengths so large that the linear search runs.
        const padded = `${start}${'c'.repeat(5_000)}${wanted}${'c'.repeat(5_000)}`;
        const long = `${wanted}${'c'.repeat(5_000)}`;
        const expected = padded.indexOf(long, from);
        assert.equal(finder(new TextUnits(padded), new TextUnits(long), unwatched)(from), expected);
        const bytes = [padded, long].map((each) => new ByteUnits(Buffer.from(each)));
        assert.equal(finder(bytes[0] as ByteUnits, bytes[1] as ByteUnits, unwatched)(from), expected);
      }),
      { numRuns: 200 },
    );
  });

  it('takes time in proportion to the lengths, in pieces', () => {
    const polls = pollsOf(() => {
      assert.equal(finder(new TextUnits(text), new TextUnits(token), unwatched)(0), -1);
      const bytes = [text, token].map((each) => new ByteUnits(Buffer.from(each)));
      assert.equal(finder(bytes[0] as ByteUnits, bytes[1] as ByteUnits, unwatched)(0), -1);
    });
    assert.ok(polls > 50, `${polls} polls`);
  });

  it('counts its memory', () => {
    const statement = new WatchedStatement();
    finder(new TextUnits(text), new TextUnits(token), statement);
    assert.equal(statement.held, 4 * token.length);
  });
});
