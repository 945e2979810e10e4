import { ServerError } from '../../server-error.ts';
import type { Element } from '../value.ts';

/** Stages that make documents of their own, so that nothing can stand before them. */
export const sourceStages: ReadonlySet<string> = new Set([
  '$documents',
  '$collStats',
  '$indexStats',
  '$geoNear',
  '$currentOp',
  '$listSessions',
  '$listLocalSessions',
  '$planCacheStats',
  '$changeStream',
  '$search',
  '$searchMeta',
  '$vectorSearch',
]);

const lastStages: ReadonlySet<string> = new Set(['$out', '$merge']);

/** Stages that cannot be in the pipelines of `$facet`. */
const notInFacet: ReadonlySet<string> = new Set([...sourceStages, ...lastStages, '$facet']);

/** Checks that each stage may stand where it does. */
export function checkPlace(names: readonly Element[], inside: string | undefined): void {
  names.forEach(({ name }, i) => {
    refuseInside(name, inside);
    if (sourceStages.has(name) && i > 0) {
      throw new ServerError(40602, `${name} is only valid as the first stage in a pipeline`);
    }
    if (lastStages.has(name) && i < names.length - 1) {
      throw new ServerError(40601, `${name} can only be the final stage in the pipeline`);
    }
  });
}

function refuseInside(name: string, inside: string | undefined): void {
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
