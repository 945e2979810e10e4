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
import { accessHistoryFaults } from './rules.ts';

/** A cluster, and those of its members that are reached by some name. */
export interface OnHost {
  readonly cluster: ClusterModel;
  readonly members: readonly PlacedMember[];
}

/**
 * The dedicated clusters with nodes on a host, which may be named with a port; throws where there are none, and where
 * nodes of shared sizes alone are there.
 */
export async function clustersOnHost(
  tx: ReadTx,
  { groupId, host }: { readonly groupId: string; readonly host: string },
  naming: HostNaming,
): Promise<OnHost[]> {
  const found = (await clustersIn(tx, groupId)).map((cluster) => ({
    cluster,
    members: cluster.placement.members.filter((member) => {
      const names = formsOf(naming).map((form) => hostName(cluster, member, form));
      return names.some((name) => name === host || `${name}:${member.port}` === host);
    }),
  }));
  const there = found.filter(({ members }) => members.length > 0);
  if (there.length === 0) throw accessHistoryFaults.HOST_NOT_FOUND(host, groupId);
  const dedicated = there.filter(({ cluster }) => !cluster.spec.tenant);
  if (dedicated.length === 0) for (const { cluster } of there) requireDedicated(cluster);
  return dedicated;
}

/** The engine that keeps what the nodes of a cluster have written down; throws where it cannot be asked from here. */
export function recordsOf({ engines }: Pick<Services, 'engines'>, { host }: ClusterModel): Engine {
  if (!engines.reachable().includes(host)) throw unavailable('the engine host is not reached from here');
  return engines.at(host);
}
