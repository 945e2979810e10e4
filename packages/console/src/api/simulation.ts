import type { Schemas } from './operations.ts';
import { type Cluster, useList } from './resources.ts';

type Simulation = Schemas['OutageSimulation'];

/** Reads the outage simulation of a cluster, if the user may read it. `running` is undefined if none is in progress. */
export function useSimulation(groupId: string, { name }: Cluster, mayRead = true) {
  const { data, error } = useList(`/groups/${groupId}/outageSimulations`, mayRead);
  const running = data?.find(({ clusterName, state }) => clusterName === name && state !== 'COMPLETE');
  return { running, isRead: data !== undefined, error };
}

/** Returns the regions whose outage is simulated. */
export const regionsOf = ({ outageFilters }: Simulation): string =>
  outageFilters.map(({ regionName }) => regionName).join(', ');
