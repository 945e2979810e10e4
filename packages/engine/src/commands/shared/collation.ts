import { type Comparison, compileCollation } from '../../bson/collation/index.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { Environment } from '../../language/environment.ts';
import type { Collection } from '../../storage/collection/collection.ts';

/**
 * Returns the comparison for the collation of a command. If the command has no collation, or an empty one, uses the
 * default collation of the collection. Returns undefined for binary comparison. Throws the errors of `readCollation`.
 */
export function comparisonOf(
  collation: RawDocument | undefined,
  collection: Pick<Collection, 'options'> | undefined,
): Comparison | undefined {
  const own = collation && compileCollation(collation);
  const comparison = own ?? defaultOf(collection);
  return comparison?.collate === undefined ? undefined : comparison;
}

function defaultOf(collection: Pick<Collection, 'options'> | undefined): Comparison | undefined {
  if (collection === undefined || collection.options.isEmpty) return undefined;
  const options = collection.options.document('collation');
  return options && compileCollation(options);
}

/** Returns the environment with another comparison. */
export function comparingBy(environment: Environment, comparison: Comparison | undefined): Environment {
  return comparison === undefined ? environment : { ...environment, comparison };
}
