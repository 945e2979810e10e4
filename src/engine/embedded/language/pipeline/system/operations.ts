import { ServerError } from '../../../errors/server-error.ts';
import type { StageTable } from '../pipeline.ts';
import { readFlags } from './flags.ts';
import { onlyAdmin } from './places.ts';

const flags = [
  'allUsers',
  'idleConnections',
  'idleCursors',
  'idleSessions',
  'localOps',
  'targetAllNodes',
  'truncateOps',
] as const;

/** What the deployment is doing. */
export const operationStages: StageTable = {
  $currentOp: (spec, { surroundings }) => {
    const wanted = readFlags('$currentOp', spec, flags);
    onlyAdmin('$currentOp', surroundings);
    if (wanted.targetAllNodes) {
      throw new ServerError(
        'FailedToParse',
        wanted.localOps
          ? 'Cannot specify localOps: true with targetAllNodes: true'
          : '$currentOp supports targetAllNodes parameter only for sharded clusters',
      );
    }
    return () => surroundings.system?.operations(wanted) ?? [];
  },
};
