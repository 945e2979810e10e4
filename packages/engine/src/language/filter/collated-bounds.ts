import { bsonTypes, rankOf } from '../../bson/bson-types.ts';
import { type Comparison, holdsText } from '../../bson/collation/comparison.ts';
import { IRREGULAR, sortKeyUnder } from '../../bson/collation/index.ts';
import { encodeKey, keysOfType } from '../../bson/keys.ts';
import { string, textOf, type Value } from '../../bson/value.ts';
import { type Bounds, boundsOfPoints, boundsOfTypes, type Endpoint, type Interval, unite } from './bounds.ts';

const textRank = rankOf(bsonTypes.string);
const texts = keysOfType(bsonTypes.string);

/**
 * Returns the bounds of a condition on texts in an index with the collation of the filter, or undefined if
 * the bounds are unknown.
 */
export type CollatedBounds = () => Bounds | undefined;

const irregularStart = encodeKey(string(IRREGULAR));

/** The bounds of all texts, and (`irregularTexts`) of the texts without a sort key. */
export const allTexts: Bounds = boundsOfTypes([bsonTypes.string], false);
export const irregularTexts: Bounds = {
  intervals: [
    {
      low: { key: irregularStart, inclusive: true, text: '""' },
      high: { key: texts.high, inclusive: false },
    },
  ],
};

/**
 * Returns the bounds of values that equal one of the operands. The bounds are unknown if an operand is a
 * document or array that contains texts.
 */
export function collatedPoints(operands: readonly Value[], { collation }: Comparison): CollatedBounds {
  return () => {
    const parts: Bounds[] = [];
    for (const operand of operands) {
      if (rankOf(operand.type) !== textRank) {
        if (holdsText(operand)) return undefined;
        parts.push(boundsOfPoints([operand]));
        continue;
      }
      const end = endAt(operand, collation, true);
      // If the operand has no sort key, a text that has one may still equal it. So the bounds contain all texts.
      parts.push(end === undefined ? allTexts : { intervals: [{ low: end, high: end }], exact: true });
    }
    return unite(parts);
  };
}

/** Returns the bounds of texts before or after the operand, which must be a text. */
export function collatedRange(
  operator: '$gt' | '$gte' | '$lt' | '$lte',
  operand: Value,
  { collation }: Comparison,
): CollatedBounds {
  return () => {
    if (rankOf(operand.type) !== textRank) return undefined;
    const end = endAt(operand, collation, operator === '$gte' || operator === '$lte');
    if (end === undefined) return allTexts;
    const interval: Interval =
      operator === '$gt' || operator === '$gte'
        ? { low: end, high: { key: irregularStart, inclusive: false, text: '{}' } }
        : { low: { key: texts.low, inclusive: true }, high: end };
    return { intervals: [interval], exact: true };
  };
}

function endAt(operand: Value, collation: Comparison['collation'], inclusive: boolean): Endpoint | undefined {
  const text = collation && sortKeyUnder(collation, textOf(operand));
  if (text === undefined) return undefined;
  const shown = `CollationKey(0x${Buffer.from(text).toString('hex')})`;
  return { key: encodeKey(string(text)), inclusive, text: shown };
}
