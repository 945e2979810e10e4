import type { Environment } from '../language/environment.ts';
import type { Collection } from '../storage/collection/collection.ts';
import type { IndexKind } from '../storage/model/index-definition.ts';

const special: ReadonlySet<IndexKind> = new Set(['text', '2d', '2dsphere']);

/** The environment for a query on a collection, with the collection's text and geospatial indexes. */
export function withIndexes(environment: Environment, collection: Collection | undefined): Environment {
  const specialIndexes = specialIndexesOf(collection);
  return specialIndexes === undefined ? environment : { ...environment, specialIndexes };
}

export function specialIndexesOf(collection: Collection | undefined): Environment['specialIndexes'] {
  return (
    collection && (() => collection.indexes.filter(({ kind }) => special.has(kind)).map(({ spec }) => spec))
  );
}
