import Type from 'typebox';
import type { Call } from '../../../api/operation.ts';
import type { ReadTx } from '../../../store/index.ts';
import { operation, type Services } from '../../services.ts';
import { enforcesAccess } from '../lifecycle/access.ts';
import {
  addCluster,
  choosePlacement,
  pauseCluster,
  requestRemoval,
  reviseCluster,
  upgradeCluster,
} from '../lifecycle/changes.ts';
import { listServed } from '../lists.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { requireAny, requireCluster, requireServed } from '../require.ts';
import { isDecrease, storedBytes } from '../rules/disk-decrease.ts';
import { assertMayProtect, protectionAccess } from '../rules/protection.ts';
import { namingIn } from '../shapes/connection-strings.ts';
import { readNewCluster } from '../shapes/contract/read.ts';
import { Cluster, ClusterStatus } from '../shapes/contract/schema.ts';
import { writeCluster } from '../shapes/contract/write.ts';
import { asksForFlex, readFlexUpgrade } from '../shapes/flex.ts';
import { type Patch, readCreate, readPatch } from '../shapes/requests.ts';
import { asNewCluster, NewCluster } from '../shapes/required.ts';
import {
  assertExpressible,
  createVersions,
  readVersions,
  shapesIn,
  updateVersions,
} from '../shapes/versions.ts';

export const listClusters = operation({
  id: 'listClusters',
  tag: 'Clusters',
  method: 'GET',
  path: '/groups/{groupId}/clusters',
  summary: 'Lists the clusters of a project, oldest first.',
  access: 'Project Read Only',
  versions: readVersions,
  sameForAll: true,
  query: Type.Object({
    includeDeletedWithRetainedBackups: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether to include deleted clusters whose backups are retained.',
      }),
    ),
  }),
  reply: Cluster,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'clusters' },
  handler(call) {
    const { groupId } = call.params;
    const { version, page, services, query, flags } = call;
    const { includeDeletedWithRetainedBackups: retained = false } = query;
    const shown = { api: 'clusters', shapes: shapesIn(version), retained } as const;
    return call.read((tx) => listServed(tx, groupId, shown, page, writerFor({ version, services, flags })));
  },
});

export const createCluster = operation({
  id: 'createCluster',
  tag: 'Clusters',
  method: 'POST',
  path: '/groups/{groupId}/clusters',
  summary: 'Creates a cluster. Its state becomes `IDLE` when drivers can connect to it.',
  access: 'Project Owner',
  versions: createVersions,
  body: NewCluster,
  reply: Cluster,
  status: 201,
  handler(call) {
    const { groupId } = call.params;
    const { ids } = call.services;
    const write = writerFor(call);
    const { name, spec } = readCreate(call.body, () => ids.next(), keepingOf(call));
    const wanted = { groupId, name, spec, ...choosePlacement(call.services, { name, spec }) };
    return call.write(async (tx) => write(await addCluster(tx, wanted, call.actor)));
  },
});

export const getCluster = operation({
  id: 'getCluster',
  tag: 'Clusters',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}',
  summary: 'Returns one cluster.',
  access: 'Project Read Only',
  versions: readVersions,
  sameForAll: true,
  reply: Cluster,
  status: 200,
  reachedFrom: {
    replicaSetSnapshot: 'cluster',
    restoreJob: 'cluster',
    shardedClusterSnapshot: 'cluster',
    snapshot: 'cluster',
  },
  handler: (call) =>
    call.read(async (tx) => {
      const cluster = await requireCluster(tx, call.params);
      assertExpressible(cluster, call.version);
      return writerFor(call)(cluster);
    }),
});

export const updateCluster = operation({
  id: 'updateCluster',
  tag: 'Clusters',
  method: 'PATCH',
  path: '/groups/{groupId}/clusters/{clusterName}',
  summary: 'Updates, pauses or resumes a cluster. Its state becomes `IDLE` when the change is complete.',
  access: 'Project Cluster Manager',
  bodyAccess: protectionAccess,
  versions: updateVersions,
  body: Cluster,
  reply: Cluster,
  status: 200,
  async handler(call) {
    const write = writerFor(call);
    const preview = await call.read((tx) => patchOf(tx, call));
    const smaller = preview.spec !== undefined && isDecrease(preview.cluster.spec, preview.spec);
    // Determine the size before the transaction. A transaction that waits for a host would block all other writes.
    const stored = smaller ? await storedBytes(preview.cluster, call.services) : undefined;
    return call.write(async (tx) => {
      const { cluster, pauses, resumes, spec } = await patchOf(tx, call);
      if (pauses) return write(await pauseCluster(tx, cluster, call.actor));
      if (spec === undefined) return write(cluster);
      const change = { spec, resumes, stored };
      return write(await reviseCluster(tx, call.services, cluster, change, call.actor));
    });
  },
});

const keepingOf = ({ flags }: Pick<Call, 'flags'>) => ({
  sizes: flags.includes('keepsRequest'),
  specs: flags.includes('keepsSpecs'),
});

/** Returns a function that writes a cluster. What earlier requests contained is omitted, unless the caller asks for it. */
function writerFor(call: Pick<Call<Services>, 'flags' | 'services' | 'version'>) {
  const naming = namingIn(call.version, call.services.naming);
  const { sizes, specs } = keepingOf(call);
  const hidden = {
    ...(sizes ? {} : { requested: undefined }),
    ...(specs ? {} : { requestedSpecs: undefined }),
  };
  return (cluster: ClusterModel) =>
    writeCluster({ ...cluster, spec: { ...cluster.spec, ...hidden } }, naming);
}

type PatchCall = Pick<
  Call<Services, Parameters<typeof requireCluster>[1], unknown, Cluster>,
  'body' | 'flags' | 'may' | 'params' | 'scope' | 'services' | 'version'
>;

/** Returns the cluster that a path names, and the changes that the body requests. */
async function patchOf(tx: ReadTx, call: PatchCall): Promise<Patch & { readonly cluster: ClusterModel }> {
  const { ids } = call.services;
  const cluster = await requireCluster(tx, call.params);
  assertExpressible(cluster, call.version);
  const shown = writerFor(call)(cluster);
  const given = { cluster, shown, now: tx.now, keeping: keepingOf(call) };
  const patch = readPatch(call.body, given, () => ids.next());
  if (patch.spec) assertMayProtect(call, cluster.spec.settings, patch.spec.settings);
  return { cluster, ...patch };
}

export const deleteCluster = operation({
  id: 'deleteCluster',
  tag: 'Clusters',
  method: 'DELETE',
  path: '/groups/{groupId}/clusters/{clusterName}',
  versions: { '2023-01-01': 'same', '2023-02-01': 'same', '2025-03-12': 'same' },
  summary: 'Deletes a cluster and its data.',
  access: 'Project Owner',
  query: Type.Object({
    retainBackups: Type.Optional(
      Type.Boolean({
        description:
          'Whether to retain the snapshots of the cluster. If `false`, they are deleted with the cluster.',
      }),
    ),
  }),
  reply: Type.Object({}),
  status: 202,
  async handler(call) {
    const { retainBackups } = call.query;
    await call.write(async (tx) => {
      await requestRemoval(tx, await requireCluster(tx, call.params), call.actor, retainBackups);
    });
    return {};
  },
});

export const getClusterStatus = operation({
  id: 'getClusterStatus',
  tag: 'Clusters',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/status',
  summary:
    'Returns whether all nodes of a cluster use the current database users and access list of the project.',
  access: 'Project Read Only',
  reply: ClusterStatus,
  status: 200,
  reachedFrom: { cluster: 'status' },
  handler(call) {
    return call.read(async (tx) => {
      const { groupId, clusterName } = call.params;
      const cluster = await requireAny(tx, groupId, clusterName);
      const changing = cluster.state === 'CREATING' || cluster.state === 'UPDATING';
      const behind = !(await enforcesAccess(tx, cluster));
      return { changeStatus: changing || behind ? 'PENDING' : 'APPLIED' };
    });
  },
});

export const upgradeSharedCluster = operation({
  id: 'upgradeSharedCluster',
  tag: 'Clusters',
  method: 'POST',
  path: '/groups/{groupId}/clusters/tenantUpgrade',
  summary:
    'Upgrades a shared-tier cluster to a dedicated or flex cluster. The cluster keeps its name and data.',
  access: 'Project Cluster Manager',
  bodyAccess: protectionAccess,
  body: NewCluster,
  reply: Cluster,
  status: 200,
  repeatable: (call) =>
    call.read(async (tx) => {
      const { name } = asNewCluster(call.body);
      // If a client repeats an upgrade to a flex cluster, the cluster is already a flex cluster. Then, only the flex
      // operations find it.
      const api = asksForFlex(call.body) ? 'flex' : 'clusters';
      const cluster = await requireServed(api, tx, call.params.groupId, name);
      return writeCluster(cluster, namingIn(call.version, call.services.naming));
    }),
  handler(call) {
    const { ids } = call.services;
    const naming = namingIn(call.version, call.services.naming);
    const newId = () => ids.next();
    const { name, spec } = asksForFlex(call.body)
      ? readFlexUpgrade(call.body, newId())
      : readNewCluster(call.body, newId);
    return call.write(async (tx) => {
      const cluster = await requireServed('clusters', tx, call.params.groupId, name);
      assertMayProtect(call, cluster.spec.settings, spec.settings);
      return writeCluster(await upgradeCluster(tx, call.services, cluster, spec, call.actor), naming);
    });
  },
});
