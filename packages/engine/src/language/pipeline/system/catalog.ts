import { ServerError } from '../../../errors/server-error.ts';
import type { StageTable } from '../stage.ts';
import { readsInput } from '../stage-access.ts';
import { inQueries } from '../stage-facts.ts';
import { readFlags } from './flags.ts';
import { aboutDeployment } from './system-stage.ts';

export const catalogStages: StageTable = {
  $listClusterCatalog: {
    ...aboutDeployment,
    // `compile` rejects a pipeline that names a collection. `within` does not reject it, because this error has a code
    // of its own.
    within: inQueries,
    compile(spec, { pipelineEnvironment }) {
      const wanted = readFlags('$listClusterCatalog', spec, ['shards', 'balancingConfiguration'], 9621302);
      if (pipelineEnvironment.namespace.collection !== '') {
        throw new ServerError(9621301, 'The $listClusterCatalog stage must be run with {aggregate: 1}');
      }
      return () => pipelineEnvironment.system?.catalog(wanted) ?? [];
    },
    access: {
      ...readsInput,
      besides: (_stage, database) => [{ action: 'listCollections', database, collection: '' }],
    },
    readConcern: 'local',
  },
};
