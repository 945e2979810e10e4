import { operation } from '../../services.ts';
import { changeCluster } from '../lifecycle/changes.ts';
import { assertCan } from '../model/capabilities.ts';
import type { ServerArguments } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { argumentFaults } from '../process-arguments/faults.ts';
import { requestedArguments, shownArguments, withArguments } from '../process-arguments/rules.ts';
import { FormerArguments, ProcessArguments } from '../process-arguments/schema.ts';
import { requireCluster } from '../require.ts';
import { checkArgumentNeeds } from '../rules/engine.ts';

const former = { body: FormerArguments, reply: FormerArguments };

export const getProcessArguments = operation({
  id: 'getClusterAdvancedConfiguration',
  tag: 'Clusters',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/processArgs',
  summary: 'Returns the process arguments of a cluster.',
  access: 'Project Read Only',
  versions: { '2023-01-01': { reply: FormerArguments }, '2024-08-05': 'same', '2025-03-12': 'same' },
  reply: ProcessArguments,
  status: 200,
  reachedFrom: { cluster: 'processArgs' },
  handler: (call) =>
    call.read(async (tx) => {
      const cluster = await requireCluster(tx, call.params);
      assertCan(cluster, 'processArguments');
      if (cluster.spec.tenant) throw argumentFaults.TENANT_CLUSTER_PROCESS_ARGS_NOT_SUPPORTED();
      return shownArguments(cluster);
    }),
});

export const updateProcessArguments = operation({
  id: 'updateClusterAdvancedConfiguration',
  tag: 'Clusters',
  method: 'PATCH',
  path: '/groups/{groupId}/clusters/{clusterName}/processArgs',
  summary: 'Updates the process arguments of a cluster. Omitted fields keep their values.',
  access: 'Project Cluster Manager',
  versions: { '2023-01-01': former, '2024-08-05': 'same', '2025-03-12': 'same' },
  body: ProcessArguments,
  reply: ProcessArguments,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const cluster = await requireCluster(tx, call.params);
      if (cluster.paused) throw clusterFaults.CANNOT_UPDATE_PAUSED_CLUSTER(cluster.name);
      checkArgumentNeeds(cluster, cluster.spec.arguments, call.body as ServerArguments);
      const spec = withArguments(cluster.spec, requestedArguments(cluster, call.body));
      const submitted = 'CLUSTER_PROCESS_ARGS_UPDATE_SUBMITTED';
      return shownArguments(await changeCluster(tx, cluster, { spec }, call.actor, submitted));
    }),
});
