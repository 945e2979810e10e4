import { faults } from '@portolan/foundation/faults';
import { badValue, generalFaults } from '../../api/faults.ts';
import type { EventTypes } from '../../events/index.ts';
import type { ReadTx } from '../../store/index.ts';
import { type ClusterModel, clusterFaults, membersOf, requireDedicated } from '../clusters/index.ts';
import { type OutageRow, outageOf } from './rows.ts';
import type { OutageSimulation } from './schema.ts';
import type { Region } from './states.ts';

export const outageFaults = faults({
  INVALID_CLUSTER_OUTAGE_SIMULATION_STATE: [
    400,
    'The outage simulation is in the state {0}; this is possible in {1} alone.',
  ],
  CANNOT_TERMINATE_CLUSTER_WITH_UNDERGOING_REGIONAL_OUTAGE_SIMULATION: [
    400,
    'The cluster {0} cannot be deleted while an outage of its regions is simulated.',
  ],
});

export const outageEvents = {
  CLUSTER_REGIONAL_OUTAGE_SIMULATION_STARTED: 'Regions of a cluster are out by a simulation',
  CLUSTER_REGIONAL_OUTAGE_SIMULATION_FAILED_TO_START: 'The simulation of an outage could not begin',
  CLUSTER_REGIONAL_OUTAGE_SIMULATION_END_REQUESTED: 'The end of a simulated outage was requested',
  CLUSTER_REGIONAL_OUTAGE_SIMULATION_COMPLETED: 'A simulated outage has ended',
  CLUSTER_REGIONAL_OUTAGE_SIMULATION_CANCELLED_CLUSTER_PAUSE:
    'A simulated outage has ended, as the cluster was paused',
} as const satisfies EventTypes;

/** What a body names, each region once and all of them the cluster's. */
export function readRegions({ outageFilters }: OutageSimulation, { spec }: ClusterModel): Region[] {
  const used = spec.zones.flatMap(({ regions }) => regions);
  const wanted = outageFilters.map(({ cloudProvider, regionName }) => {
    return { provider: cloudProvider, region: regionName };
  });
  for (const [i, one] of wanted.entries()) {
    const field = `outageFilters.${i}`;
    if (!used.some((region) => isSame(region, one)))
      throw badValue(field, 'names a region in which the cluster has no node', 'outageFilters');
    if (wanted.findIndex((other) => isSame(other, one)) < i)
      throw badValue(field, 'names a region for the second time', 'outageFilters');
  }
  return wanted;
}

function isSame(one: Region, other: Region): boolean {
  return one.provider === other.provider && one.region === other.region;
}

/** Throws for a cluster whose regions cannot be cut now. */
export function checkStart(cluster: ClusterModel): void {
  requireDedicated(cluster);
  if (cluster.state === 'DELETING') throw clusterFaults.CLUSTER_ALREADY_REQUESTED_DELETION(cluster.name);
  if (cluster.state === 'CREATING')
    throw clusterFaults.CLUSTER_UPDATE_IN_PROGRESS(cluster.name, cluster.state);
  if (cluster.paused) throw clusterFaults.CANNOT_UPDATE_PAUSED_CLUSTER(cluster.name);
}

/** That of a cluster; throws where there is none. */
export async function requireOutage(tx: ReadTx, cluster: ClusterModel): Promise<OutageRow> {
  const row = await outageOf(tx, cluster.id);
  if (row === undefined)
    throw generalFaults.RESOURCE_NOT_FOUND(`an outage simulation of the cluster ${cluster.name}`);
  return row;
}

/** Ids of a cluster's members in some of its regions. */
export function membersIn(cluster: ClusterModel, regions: readonly Region[]): string[] {
  const cut = membersOf(cluster).filter((member) => regions.some((region) => isSame(region, member)));
  return cut.map(({ id }) => id);
}
