import { documentOf } from '../../../bson/raw.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { StageTable } from '../stage.ts';
import { readsInput } from '../stage-access.ts';
import { withoutCollection } from '../stage-facts.ts';
import { onlyAdmin } from './admin-only.ts';
import { namesUsers, readFlags } from './flags.ts';
import { aboutDeployment } from './system-stage.ts';

const flags = [
  'allUsers',
  'idleConnections',
  'idleCursors',
  'idleSessions',
  'localOps',
  'targetAllNodes',
  'truncateOps',
] as const;

/** Stages that list running operations. */
export const operationStages: StageTable = {
  $currentOp: {
    ...aboutDeployment,
    compile(spec, { pipelineEnvironment }) {
      const wanted = readFlags('$currentOp', spec, flags);
      onlyAdmin('$currentOp', pipelineEnvironment);
      if (wanted.targetAllNodes) {
        throw new ServerError(
          'FailedToParse',
          wanted.localOps
            ? 'Cannot specify localOps: true with targetAllNodes: true'
            : '$currentOp supports targetAllNodes parameter only for sharded clusters',
        );
      }
      // Unlike the other flags, `idleSessions` is true by default.
      const idleSessions = wanted.idleSessions || !documentOf(spec).has('idleSessions');
      return () => pipelineEnvironment.system?.operations({ ...wanted, idleSessions }) ?? [];
    },
    within: { ...withoutCollection, view: 'needsNoCollection', transaction: false },
    access: {
      ...readsInput,
      besides: (stage) => (namesUsers(stage) ? [{ action: 'inprog' }] : []),
    },
    readConcern: 'local',
  },
};
