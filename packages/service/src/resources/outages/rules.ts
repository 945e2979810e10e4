import { badValue, generalFaults } from '../../api/faults.ts';
import type { EventTypes } from '../../events/index.ts';
import type { ReadTx, Tx } from '../../store/index.ts';
import { admitWork, assertCan, type ClusterModel, clusterFaults, membersOf } from '../clusters/index.ts';
import { type OutageRow, outageOf } from './rows.ts';
import type { OutageSimulation } from './schema.ts';
import type { Region } from './states.ts';

export const outageEvents = {
  CLUSTER_REGIONAL_OUTAGE_SIMULATION_STARTED: 'Outage simulation of a cluster was started',
  CLUSTER_REGIONAL_OUTAGE_SIMULATION_FAILED_TO_START: 'Outage simulation could not be started',
  CLUSTER_REGIONAL_OUTAGE_SIMULATION_END_REQUESTED: 'End of an outage simulation was requested',
  CLUSTER_REGIONAL_OUTAGE_SIMULATION_COMPLETED: 'Outage simulation was completed',
  CLUSTER_REGIONAL_OUTAGE_SIMULATION_CANCELLED_CLUSTER_PAUSE:
    'Outage simulation was cancelled because the cluster was paused',
} as const satisfies EventTypes;

/** Reads the regions of a body. Throws for duplicates, and for regions without a node of the cluster. */
export function readRegions({ outageFilters }: OutageSimulation, { spec }: ClusterModel): Region[] {
  const used = spec.zones.flatMap(({ regions }) => regions);
  const wanted = outageFilters.map(({ cloudProvider, regionName }) => {
    return { provider: cloudProvider, region: regionName };
  });
  for (const [i, one] of wanted.entries()) {
    const field = `outageFilters.${i}`;
    if (!used.some((region) => isSame(region, one)))
      throw badValue(field, 'is a region in which the cluster has no node', 'outageFilters');
    if (wanted.findIndex((other) => isSame(other, one)) < i)
      throw badValue(field, 'repeats a region', 'outageFilters');
  }
  return wanted;
}

function isSame(one: Region, other: Region): boolean {
  return one.provider === other.provider && one.region === other.region;
}

/** Throws if a dedicated cluster cannot simulate an outage at the moment. */
export async function checkStart(tx: Tx, cluster: ClusterModel): Promise<void> {
  assertCan(cluster, 'stops');
  await admitWork(tx, cluster);
  if (cluster.state === 'CREATING')
    throw clusterFaults.CLUSTER_UPDATE_IN_PROGRESS(cluster.name, cluster.state);
}

/** Returns the simulation of a cluster. Throws RESOURCE_NOT_FOUND. */
export async function requireOutage(tx: ReadTx, cluster: ClusterModel): Promise<OutageRow> {
  const row = await outageOf(tx, cluster.id);
  if (row === undefined)
    throw generalFaults.RESOURCE_NOT_FOUND(`an outage simulation of the cluster ${cluster.name}`);
  return row;
}

/** Returns the ids of a cluster's members in some of its regions. */
export function membersIn(cluster: ClusterModel, regions: readonly Region[]): string[] {
  const cut = membersOf(cluster).filter((member) => regions.some((region) => isSame(region, member)));
  return cut.map(({ id }) => id);
}
