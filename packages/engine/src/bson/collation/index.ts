import { BoundedCache } from '@portolan/foundation/bounded-cache';
import type { RawDocument } from '../raw.ts';
import { collateBy } from './collator.ts';
import { byBytes, byLanguage, type Comparison } from './comparison.ts';
import type { Collate } from './representatives.ts';
import { type CollationSpec, readCollation } from './specification.ts';

export { byBytes, type Comparison } from './comparison.ts';
export { foldingBy } from './folding.ts';
export { type CollationSpec, describeCollation, readCollation, requiredCollation } from './specification.ts';

/** Creating a collator costs about 50 microseconds, so recent ones are cached. */
const collators = new BoundedCache<string, Collate>({ entries: 64 });

/** The comparison under a collation that `readCollation` returned. */
export function comparisonBy(spec: CollationSpec | undefined): Comparison {
  return spec === undefined ? byBytes : byLanguage(collatorOf(spec), spec);
}

/** The comparison for a collation document; undefined if the document is empty. */
export function compileCollation(spec: RawDocument): Comparison | undefined {
  return spec.isEmpty ? undefined : comparisonBy(readCollation(spec));
}

function collatorOf(spec: CollationSpec): Collate {
  return collators.of(JSON.stringify(spec), () => collateBy(spec));
}
