import { ServerError } from '../../errors/server-error.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { ClusterMember } from '../context/topology.ts';
import { withoutData } from '../shared/presets.ts';

/** Properties of the commands that change the state of the called member. */
export const stateChange = {
  ...withoutData,
  database: 'admin',
  privileges: () => [{ action: 'replSetStateChange' }],
} as const;

export function ownMember(id: string, { topology }: ClusterContext): ClusterMember {
  const own = topology.members.find((member) => member.id === id);
  if (own !== undefined && own.kind !== 'router') return own;
  throw new ServerError('NoReplicationEnabled', 'not running with --replSet');
}
