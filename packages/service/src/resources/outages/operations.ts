import { pageOf } from '../../store/index.ts';
import { requireCluster, requireDedicatedCluster } from '../clusters/index.ts';
import { extension, operation } from '../services.ts';
import { requestEnd, requestOutage } from './changes.ts';
import { type OutageRow, outagesIn } from './rows.ts';
import { checkStart, readRegions, requireOutage } from './rules.ts';
import { OutageSimulation } from './schema.ts';

const presentOutage = ({ regions, requested, ...row }: OutageRow) => ({
  clusterName: row.clusterName,
  groupId: row.groupId,
  id: row.id,
  outageFilters: regions.map(({ provider, region }) => ({
    cloudProvider: provider as 'AWS' | 'AZURE' | 'GCP',
    regionName: region,
    type: 'REGION' as const,
  })),
  startRequestDate: requested,
  state: row.state,
});

export const getOutage = operation({
  id: 'getOutageSimulation',
  tag: 'Cluster Outage Simulation',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/outageSimulation',
  summary: 'Returns the outage simulation of a cluster, with its state.',
  access: 'Project Owner',
  reply: OutageSimulation,
  status: 200,
  reachedFrom: { cluster: 'outageSimulation' },
  handler: (call) =>
    call.read(async (tx) => presentOutage(await requireOutage(tx, await requireCluster(tx, call.params)))),
});

export const listOutages = extension({
  id: 'listOutageSimulations',
  tag: 'Cluster Outage Simulation',
  method: 'GET',
  path: '/groups/{groupId}/outageSimulations',
  isNeutralOnly: true,
  summary: 'Lists the outage simulations of the clusters of a project.',
  access: 'Project Owner',
  reply: OutageSimulation,
  list: 'page',
  status: 200,
  handler: ({ params, page, read }) =>
    read(async (tx) => pageOf((await outagesIn(tx, params.groupId)).map(presentOutage), page)),
});

export const startOutage = operation({
  id: 'startOutageSimulation',
  tag: 'Cluster Outage Simulation',
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}/outageSimulation',
  summary: 'Starts an outage simulation, which stops the members of a cluster in chosen regions.',
  access: 'Project Owner',
  body: OutageSimulation,
  reply: OutageSimulation,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const cluster = await requireDedicatedCluster(tx, call.params);
      await checkStart(tx, cluster);
      return presentOutage(await requestOutage(tx, cluster, readRegions(call.body, cluster)));
    }),
});

export const endOutage = operation({
  id: 'endOutageSimulation',
  tag: 'Cluster Outage Simulation',
  method: 'DELETE',
  path: '/groups/{groupId}/clusters/{clusterName}/outageSimulation',
  summary: 'Ends an outage simulation, and restarts the stopped members.',
  access: 'Project Owner',
  reply: OutageSimulation,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const row = await requireOutage(tx, await requireCluster(tx, call.params));
      return presentOutage(await requestEnd(tx, row, call.actor));
    }),
});
