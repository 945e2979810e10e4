import type { FoundArguments, FoundServers } from '@portolan/engine/interface/engine';
import { can } from './capabilities.ts';
import { type ClusterModel, instanceSizeOf } from './cluster.ts';

/*
 * This file returns what engines have found out about the servers of clusters. If an engine has not looked for a fact,
 * because the service determines it, the functions return what the service has determined.
 */

type Placed = Pick<ClusterModel, 'placement'>;

const GB = 1024 ** 3;

/** The members that the engine has found; undefined if the specification of the cluster determines them. */
export function foundMembers({ placement }: Placed): FoundServers['members'] | undefined {
  return placement.found?.members;
}

/** Whether the only member is a server without a replica set. */
export function isStandalone({ placement }: Placed): boolean {
  return placement.found?.topology === 'STANDALONE';
}

/** The process arguments that the servers accept, with their values; undefined if the service configures the servers. */
export function acceptedArguments({ placement }: Placed): FoundArguments | undefined {
  return placement.found && (placement.found.arguments ?? {});
}

/** The feature compatibility version that the servers report, or else the major version. */
export function compatibilityOf({ placement, spec }: Pick<ClusterModel, 'placement' | 'spec'>): string {
  return placement.found?.featureCompatibilityVersion ?? spec.majorVersion;
}

/** The feature compatibility version that responses show: the pinned version, or that of the servers. */
export function shownCompatibility(cluster: Pick<ClusterModel, 'placement' | 'spec'>): string {
  return cluster.spec.pinned?.version ?? compatibilityOf(cluster);
}

/** The names of servers that do not have the host names of the service; undefined if they have these names. */
export function ownNamesOf({
  placement: { found, servers },
}: Placed): { readonly tls: boolean; readonly srvHost?: string } | undefined {
  return found ?? servers;
}

/** The size of each member's disk in bytes; infinity if it is unknown. */
export function diskBytesOf(cluster: Pick<ClusterModel, 'placement' | 'spec'>): number {
  if (can(cluster, 'ownDisks')) return cluster.spec.diskSizeGB * GB;
  return cluster.placement.found?.machine?.diskBytes ?? Number.POSITIVE_INFINITY;
}

/** The number of connections that each member accepts; infinity if it is unknown. */
export function connectionLimitOf(cluster: Pick<ClusterModel, 'placement' | 'spec'>): number {
  const { placement, spec } = cluster;
  const limit = can(cluster, 'topology')
    ? instanceSizeOf(spec)?.maxConnections
    : placement.found?.maxConnections;
  return limit ?? Number.POSITIVE_INFINITY;
}
