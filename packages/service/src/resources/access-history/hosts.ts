import type { Engine } from '@portolan/engine/interface/calls';
import { unavailable } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import {
  type ClusterModel,
  clustersIn,
  formsOf,
  hostName,
  type PlacedMember,
  requireDedicated,
} from '../clusters/index.ts';
import type { HostNaming, Services } from '../services.ts';
import { accessHistoryFaults } from './faults.ts';

/** A cluster, and the members of the cluster that run on one host. */
export interface ClusterOnHost {
  readonly cluster: ClusterModel;
  readonly members: readonly PlacedMember[];
}

/**
 * Returns the dedicated clusters that have nodes on a host. The host name may include a port. Throws HOST_NOT_FOUND if
 * no cluster has nodes on the host, and the fault of `requireDedicated` if only shared-tier clusters have nodes there.
 */
export async function clustersOnHost(
  tx: ReadTx,
  { groupId, host }: { readonly groupId: string; readonly host: string },
  naming: HostNaming,
): Promise<ClusterOnHost[]> {
  const found = (await clustersIn(tx, groupId)).map((cluster) => ({
    cluster,
    members: cluster.placement.members.filter((member) => {
      const names = formsOf(naming).map((form) => hostName(cluster, member, form));
      return names.some((name) => name === host || `${name}:${member.port}` === host);
    }),
  }));
  const onHost = found.filter(({ members }) => members.length > 0);
  if (onHost.length === 0) throw accessHistoryFaults.HOST_NOT_FOUND(host, groupId);
  const dedicated = onHost.filter(({ cluster }) => !cluster.spec.tenant);
  if (dedicated.length === 0) for (const { cluster } of onHost) requireDedicated(cluster);
  return dedicated;
}

/** Returns the engine that stores the logs of a cluster. Throws if the cluster's host is unreachable. */
export function logEngineOf({ engines }: Pick<Services, 'engines'>, { host }: ClusterModel): Engine {
  if (!engines.reachable().includes(host))
    throw unavailable('the engine host is unreachable from this instance');
  return engines.at(host);
}
