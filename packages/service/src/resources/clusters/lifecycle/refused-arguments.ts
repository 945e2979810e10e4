import type { FoundServers } from '@portolan/engine/interface/engine';
import { system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import type { ClusterModel, Placement } from '../model/cluster.ts';
import { recordOn } from './events.ts';

/**
 * Records an event if the servers of a cluster refuse process arguments. Records none if they have refused the same
 * arguments for the same reasons before.
 */
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
 * Whether the feature compatibility version of servers must change: it differs from the pinned version, or
 * the servers still keep a version whose pin has ended. Returns false if the version is unknown, or if the
 * servers have refused the change.
 */
export function hasOtherCompatibility(
  { spec: { pinned }, placement: { keptCompatibility } }: Pick<ClusterModel, 'spec' | 'placement'>,
  { featureCompatibilityVersion: found }: Pick<FoundServers, 'featureCompatibilityVersion'>,
  refused: ReadonlySet<string>,
): boolean {
  if (found === undefined || refused.has('featureCompatibilityVersion')) return false;
  return pinned === undefined ? keptCompatibility !== undefined : pinned.version !== found;
}
