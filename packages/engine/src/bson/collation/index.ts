import { BoundedCache } from '@portolan/foundation/bounded-cache';
import type { RawDocument } from '../raw.ts';
import { collateBy } from './collator.ts';
import { byBytes, byLanguage, type Comparison } from './comparison.ts';
import type { Collate } from './representatives.ts';
import { type CollationSpec, readCollation } from './specification.ts';

export { byBytes, type Comparison } from './comparison.ts';
export { COLLATION_VERSION, foldingBy, IRREGULAR, orderingBy, sortKeyUnder } from './folding.ts';
export { type CollationSpec, describeCollation, readCollation, requiredCollation } from './specification.ts';

/** The most recent collators, cached because creating one takes about 50 microseconds. */
const collators = new BoundedCache<string, Collate>({ entries: 64 });

/** Returns the comparison for the result of `readCollation`. */
export function comparisonBy(spec: CollationSpec | undefined): Comparison {
  return spec === undefined ? byBytes : byLanguage(collatorOf(spec), spec);
}

/** Returns the comparison for a collation document, or undefined if the document is empty. */
export function compileCollation(spec: RawDocument): Comparison | undefined {
  return spec.isEmpty ? undefined : comparisonBy(readCollation(spec));
}

function collatorOf(spec: CollationSpec): Collate {
  return collators.of(JSON.stringify(spec), () => collateBy(spec));
}
