import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Document } from 'bson';
import fc from 'fast-check';
import { raw } from '../../language/testing/documents.ts';
import { collateBy } from './collator.ts';
import { sortKeyOf } from './sort-keys.ts';
import { readCollation } from './specification.ts';

const pieces = fc.constantFrom(
  ...'a A b c C h H s S ß e é É è ê o ö ø å Å aa Aa ch Ch ll dz dzs ccs ä ae æ z ñ l · ı İ i и й ё α ά đ'.split(
    ' ',
  ),
  ...'1 01 10 007 - _ . ệ ư \u0301 \u0323 $ ² ½ ª'.split(' '),
  ' ',
);
const text = fc.array(pieces, { maxLength: 5 }).map((parts) => parts.join(''));

describe('sort keys', () => {
  const cases: Document[] = [
    { locale: 'en', strength: 1 },
    { locale: 'de', strength: 2 },
    { locale: 'fr', strength: 3, caseLevel: true },
    { locale: 'cs', caseFirst: 'upper' },
    { locale: 'da', numericOrdering: true },
    { locale: 'hu', strength: 1, caseLevel: true },
    { locale: 'vi' },
    { locale: 'sv', alternate: 'shifted' },
    { locale: 'de@collation=phonebook' },
  ];
  for (const collation of cases) {
    it(`are in the order of the collation ${JSON.stringify(collation)}`, () => {
      const spec = readCollation(raw(collation));
      assert.ok(spec);
      const collate = collateBy(spec);
      const sortKey = sortKeyOf(spec);
      let compared = 0;
      const check = fc.property(text, text, (a, b) => {
        const [left, right] = [sortKey?.(a), sortKey?.(b)];
        if (left === undefined || right === undefined) return;
        compared++;
        const order = Buffer.compare(Buffer.from(left), Buffer.from(right));
        assert.equal(order, Math.sign(collate(a, b)), `${a} ${b}`);
      });
      fc.assert(check, { numRuns: 1_000, seed: 3 });
      assert.ok(compared > 300, `${compared} of 1,000 pairs have keys`);
    });
  }

  it('exist only for options that they can express', () => {
    for (const options of [{ strength: 5 }, { backwards: true }, { strength: 4, alternate: 'shifted' }]) {
      const spec = readCollation(raw({ locale: 'en', ...options }));
      assert.equal(spec && sortKeyOf(spec), undefined);
    }
  });
});
