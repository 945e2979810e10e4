import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import type { Element } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { alone } from './alone.ts';
import { fusionStages, notFirst } from './fusion/inputs.ts';
import type { PipelineSurroundings } from './surroundings.ts';

/** Stages that make documents of their own and need no collection: they run over `{aggregate: 1}` alone. */
const independentStages: ReadonlySet<string> = new Set([
  '$documents',
  '$currentOp',
  '$listLocalSessions',
  '$listClusterCatalog',
  '$listSampledQueries',
  '$querySettings',
  '$queryStats',
  '$shardedDataDistribution',
]);

/** Stages that make documents of their own, so that nothing can stand before them. */
export const sourceStages: ReadonlySet<string> = new Set([
  ...independentStages,
  '$collStats',
  '$indexStats',
  '$geoNear',
  '$listSessions',
  '$planCacheStats',
  '$listSearchIndexes',
  '$changeStream',
  '$search',
  '$searchMeta',
  '$vectorSearch',
]);

const lastStages: ReadonlySet<string> = new Set(['$out', '$merge']);

/** Stages that cannot be in the pipelines of `$facet`. */
const notInFacet: ReadonlySet<string> = new Set([...sourceStages, ...fusionStages, ...lastStages, '$facet']);

/** Checks that each stage may stand where it does in its pipeline, of which the first `view` are a view's. */
export function checkPlace(names: readonly Element[], view = 0): void {
  names.forEach(({ name }, i) => {
    if (fusionStages.has(name) && i > 0 && i !== view) throw notFirst(name);
    if (sourceStages.has(name) && i > 0) {
      if (name === '$geoNear') {
        if (names.slice(0, i).every(matchesEverything)) return;
        throw new ServerError(40603, '$geoNear was not the first stage in the pipeline after optimization.');
      }
      throw new ServerError(40602, `${name} is only valid as the first stage in a pipeline`);
    }
    if (lastStages.has(name) && i < names.length - 1) {
      throw new ServerError(40601, `${name} can only be the final stage in the pipeline`);
    }
  });
}

/** Nothing is left of such a stage when a pipeline runs. */
function matchesEverything(stage: Element): boolean {
  return stage.name === '$match' && stage.type === bsonTypes.object && documentOf(stage).isEmpty;
}

/** Checks that the first stage of the outermost pipeline has the collection that it needs, or none. */
export function checkSource(names: readonly Element[], surroundings: PipelineSurroundings): void {
  if (surroundings === alone) return;
  const first = names[0]?.name ?? '';
  const independent = independentStages.has(first);
  const { collection } = surroundings.namespace;
  if (independent === (collection === '')) return;
  if (independent) throw needsNoCollection(first);
  throw new ServerError(
    'InvalidNamespace',
    first === ''
      ? '{aggregate: 1} is not valid for an empty pipeline.'
      : `{aggregate: 1} is not valid for '${first}'; a collection is required.`,
  );
}

function needsNoCollection(name: string): ServerError {
  return new ServerError('InvalidNamespace', `'${name}' can only be run with {aggregate: 1}`);
}

/** Checks that a stage may be in the pipeline of the stage around it. */
export function checkInside(name: string, inside: string): void {
  if (independentStages.has(name) && name !== '$documents') throw needsNoCollection(name);
  if (inside === '$facet' && notInFacet.has(name)) {
    throw new ServerError(40600, `${name} is not allowed to be used within a $facet stage`);
  }
  if (!lastStages.has(name)) return;
  if (inside === '$lookup') {
    throw new ServerError(51047, `${name} is not allowed within a $lookup's sub-pipeline`);
  }
  if (inside === '$unionWith') {
    throw new ServerError(31441, `${name} is not allowed within a $unionWith's sub-pipeline`);
  }
}
