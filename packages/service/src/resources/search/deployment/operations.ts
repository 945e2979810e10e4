import type { ReadTx } from '../../../store/index.ts';
import {
  assertCan,
  type ClusterModel,
  keyProviderOf,
  requireDedicatedCluster,
} from '../../clusters/index.ts';
import { operation } from '../../services.ts';
import { changeDeployment, createDeployment, removeDeployment } from './changes.ts';
import { deploymentFaults } from './faults.ts';
import { deploymentOf, type SearchDeploymentRow } from './rows.ts';
import { SearchDeployment, SearchDeploymentRequest } from './schema.ts';

const ACCESS = 'Project Cluster Manager';
/** From this version on, the response for a cluster without search nodes is an empty document. */
const EMPTY_SINCE = '2025-03-12';

function present({ spec, paused }: ClusterModel, row: SearchDeploymentRow) {
  const { id, groupId, instanceSize, nodeCount, state } = row;
  const regions = spec.zones.flatMap((zone) => zone.regions);
  return {
    effectiveSpecs: regions.map(({ provider, region }) => ({
      cloudProvider: provider,
      instanceSize,
      nodeCount,
      regionName: region,
    })),
    encryptionAtRestProvider: keyProviderOf({ spec }) ?? ('NONE' as const),
    groupId,
    id,
    specs: [{ instanceSize, nodeCount }],
    stateName: paused ? ('PAUSED' as const) : state === 'IDLE' ? state : ('UPDATING' as const),
  };
}

type ClusterPath = Parameters<typeof requireDedicatedCluster>[1];

/** Returns the cluster that a path names. Throws if its engine cannot have search nodes. */
async function requireOwner(tx: ReadTx, at: ClusterPath) {
  const cluster = await requireDedicatedCluster(tx, at);
  assertCan(cluster, 'searchNodes');
  return cluster;
}

async function read(tx: ReadTx, at: ClusterPath) {
  const cluster = await requireOwner(tx, at);
  return { cluster, row: await deploymentOf(tx, cluster.id) };
}

export const getSearchDeployment = operation({
  id: 'getPlatformSearchDeployment',
  tag: 'Platform Search',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/search/deployment',
  versions: { '2024-05-30': 'same', '2025-03-12': 'same' },
  summary: 'Returns the search nodes of a cluster. The response is empty if the cluster has none.',
  access: 'Project Read Only',
  reply: SearchDeployment,
  status: 200,
  reachedFrom: { cluster: 'searchDeployment' },
  handler: (call) =>
    call.read(async (tx) => {
      const { cluster, row } = await read(tx, call.params);
      if (row !== undefined) return present(cluster, row);
      if (call.version < EMPTY_SINCE)
        throw deploymentFaults.PLATFORM_FTS_DEPLOYMENT_DOES_NOT_EXIST(cluster.name);
      return {};
    }),
});

export const createSearchDeployment = operation({
  id: 'createPlatformSearchDeployment',
  tag: 'Platform Search',
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}/search/deployment',
  versions: { '2024-05-30': 'same', '2025-03-12': 'same' },
  summary:
    'Creates search nodes for a cluster. Each of them is a thread that serves only searches of this cluster.',
  access: ACCESS,
  body: SearchDeploymentRequest,
  reply: SearchDeployment,
  status: 201,
  handler: (call) =>
    call.write(async (tx) => {
      const cluster = await requireOwner(tx, call.params);
      return present(cluster, await createDeployment(tx, cluster, specOf(call.body), call.actor));
    }),
});

export const updateSearchDeployment = operation({
  id: 'updatePlatformSearchDeployment',
  tag: 'Platform Search',
  method: 'PATCH',
  path: '/groups/{groupId}/clusters/{clusterName}/search/deployment',
  versions: { '2024-05-30': 'same', '2025-03-12': 'same' },
  summary: 'Changes the size or number of the search nodes of a cluster.',
  access: ACCESS,
  body: SearchDeploymentRequest,
  reply: SearchDeployment,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const cluster = await requireOwner(tx, call.params);
      return present(cluster, await changeDeployment(tx, cluster, specOf(call.body), call.actor));
    }),
});

export const deleteSearchDeployment = operation({
  id: 'deletePlatformSearchDeployment',
  tag: 'Platform Search',
  method: 'DELETE',
  path: '/groups/{groupId}/clusters/{clusterName}/search/deployment',
  versions: { '2024-05-30': 'same', '2025-03-12': 'same' },
  summary: 'Deletes the search nodes of a cluster. The data nodes of the cluster then serve searches.',
  access: ACCESS,
  status: 204,
  handler: (call) =>
    call.write(async (tx) => removeDeployment(tx, await requireOwner(tx, call.params), call.actor)),
});

type Spec = Pick<SearchDeploymentRow, 'instanceSize' | 'nodeCount'>;

/** Returns the only element of the list. The schema requires exactly one element. */
function specOf({ specs }: { readonly specs: readonly Spec[] }): Spec {
  const [spec] = specs;
  if (spec === undefined) throw new Error('the schema accepted a body without specs');
  return spec;
}
