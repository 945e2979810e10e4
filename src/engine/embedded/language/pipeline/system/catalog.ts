import { ServerError } from '../../../errors/server-error.ts';
import type { StageTable } from '../pipeline.ts';
import { readFlags } from './flags.ts';

export const catalogStages: StageTable = {
  $listClusterCatalog: (spec, { surroundings }) => {
    const wanted = readFlags('$listClusterCatalog', spec, ['shards', 'balancingConfiguration'], 9621302);
    if (surroundings.namespace.collection !== '') {
      throw new ServerError(9621301, 'The $listClusterCatalog stage must be run with {aggregate: 1}');
    }
    return () => surroundings.system?.catalog(wanted) ?? [];
  },
};
