import type { ClusterContext } from '../context/cluster.ts';
import type { CommandFacts } from '../context/facts.ts';

/**
 * True if the command exists on a member. Some commands exist only on sharded clusters, and some only on routers.
 */
export function isKnownOn(
  member: string,
  { knownOn }: Pick<CommandFacts, 'knownOn'>,
  { topology }: Pick<ClusterContext, 'topology'>,
): boolean {
  if (knownOn === 'everywhere') return true;
  if (knownOn === 'sharded clusters') return topology.shardNames !== undefined;
  return topology.members.some(({ id, kind }) => id === member && kind === 'router');
}
