import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { documentOf } from '../../../bson/raw.ts';
import type { Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { readOptions } from '../options.ts';
import type { Stage, StageTable } from '../stage.ts';
import { readsInput, type StageAccess } from '../stage-access.ts';
import { onlyAdmin } from './admin-only.ts';
import { readFlags } from './flags.ts';
import { aboutDeployment } from './system-stage.ts';

const nothing: Stage = () => [];

const readsQueryStatistics: StageAccess = { ...readsInput, besides: () => [{ action: 'queryStatsRead' }] };

/**
 * Stages for query settings, samples and statistics. No samples and statistics are collected, so their stages return
 * nothing.
 */
export const queryStages: StageTable = {
  $querySettings: {
    ...aboutDeployment,
    compile(spec, { pipelineEnvironment }) {
      const flags = readFlags('$querySettings', spec, ['showDebugQueryShape'], 7746800);
      return () => pipelineEnvironment.system?.querySettings(flags.showDebugQueryShape) ?? [];
    },
    access: readsQueryStatistics,
    readConcern: 'any',
  },
  $queryStats: {
    ...aboutDeployment,
    compile(spec, { pipelineEnvironment }) {
      checkDocument('$queryStats', spec, 'FailedToParse');
      readOptions('$queryStats', spec, { transformIdentifiers: 'object' });
      onlyAdmin('$queryStats', pipelineEnvironment);
      return nothing;
    },
    access: readsQueryStatistics,
    readConcern: 'any',
  },
  $listSampledQueries: {
    ...aboutDeployment,
    compile(spec, { pipelineEnvironment }) {
      checkDocument('$listSampledQueries', spec, 6876001);
      readOptions('$listSampledQueries', spec, { namespace: 'string' });
      onlyAdmin('$listSampledQueries', pipelineEnvironment);
      return nothing;
    },
    access: readsQueryStatistics,
    readConcern: 'any',
  },
  $shardedDataDistribution: {
    ...aboutDeployment,
    compile(spec) {
      if (spec.type !== bsonTypes.object || !documentOf(spec).isEmpty) {
        throw new ServerError(
          6789100,
          'The $shardedDataDistribution stage specification must be an empty object',
        );
      }
      throw new ServerError(6789101, 'The $shardedDataDistribution stage can only be run on a router');
    },
    access: readsInput,
    readConcern: 'any',
  },
};

function checkDocument(stage: string, spec: Value, code: number | 'FailedToParse'): void {
  if (spec.type === bsonTypes.object) return;
  throw new ServerError(code, `${stage} must take a nested object but found: ${typeName(spec.type)}`);
}
