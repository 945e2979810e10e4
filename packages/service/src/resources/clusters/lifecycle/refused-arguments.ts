import type { FoundServers } from '@portolan/engine/interface/engine';
import { system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import type { ClusterModel, Placement } from '../model/cluster.ts';
import { recordOn } from './events.ts';

/** Records an event if the servers of a cluster refuse process arguments, and it is not the same refusal as before. */
export async function recordRefusedArguments(
  tx: Tx,
  cluster: ClusterModel,
  { refusedArguments = [] }: Placement,
): Promise<void> {
  const textOf = (refused: Placement['refusedArguments'] = []) =>
    refused.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
  const reason = textOf(refusedArguments);
  if (reason === '' || reason === textOf(cluster.placement.refusedArguments)) return;
  await recordOn(tx, cluster, 'CLUSTER_PROCESS_ARGS_NOT_APPLIED', system, { reason });
}

/**
 * Whether servers have other process arguments than those that callers have set, for example after a restart. Ignores
 * the arguments that the servers have refused, since they would refuse them again.
 */
export function hasOtherArguments(
  { spec, placement: { refusedArguments = [] } }: Pick<ClusterModel, 'spec' | 'placement'>,
  { arguments: found = {} }: Pick<FoundServers, 'arguments'>,
): boolean {
  const refused = new Set<string>(refusedArguments.map(({ name }) => name));
  return Object.entries(spec.arguments ?? {}).some(([name, value]) => {
    const actual = found[name as keyof typeof found];
    return value !== null && actual !== undefined && actual !== value && !refused.has(name);
  });
}
