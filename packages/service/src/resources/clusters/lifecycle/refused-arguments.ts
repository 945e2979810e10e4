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
 * the arguments in `refused`, which the servers would refuse again.
 */
export function hasOtherArguments(
  { spec }: Pick<ClusterModel, 'spec'>,
  { arguments: found = {} }: Pick<FoundServers, 'arguments'>,
  refused: ReadonlySet<string>,
): boolean {
  return Object.entries(spec.arguments ?? {}).some(([name, value]) => {
    const actual = found[name as keyof typeof found];
    return value !== null && actual !== undefined && actual !== value && !refused.has(name);
  });
}

/**
 * Whether servers have another feature compatibility version than the pinned one, or still have to give up the pinned one
 * after the end of the pin.
 */
export function hasOtherCompatibility(
  { spec: { pinned }, placement: { keptCompatibility } }: Pick<ClusterModel, 'spec' | 'placement'>,
  { featureCompatibilityVersion: found }: Pick<FoundServers, 'featureCompatibilityVersion'>,
  refused: ReadonlySet<string>,
): boolean {
  if (found === undefined || refused.has('featureCompatibilityVersion')) return false;
  return pinned === undefined ? keptCompatibility !== undefined : pinned.version !== found;
}
