import type { Environment } from '../language/environment.ts';
import type { Collection } from '../storage/collection/collection.ts';
import type { IndexKind } from '../storage/model/index-definition.ts';

const special: ReadonlySet<IndexKind> = new Set(['text', '2d', '2dsphere']);

/** Returns the environment for a query on a collection, with the collection's text and geospatial indexes. */
export function withIndexes(environment: Environment, collection: Collection | undefined): Environment {
  const specialIndexes = specialIndexesOf(collection);
  if (specialIndexes === undefined) return environment;
  // In a time series collection, reject `$near`: only `$geoNear` may sort measurements by distance.
  const withoutNear = collection?.options.has('timeseries') === true;
  return { ...environment, specialIndexes, ...(withoutNear && { withoutNear }) };
}

export function specialIndexesOf(collection: Collection | undefined): Environment['specialIndexes'] {
  return (
    collection && (() => collection.indexes.filter(({ kind }) => special.has(kind)).map(({ spec }) => spec))
  );
}
