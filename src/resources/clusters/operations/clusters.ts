import Type from 'typebox';
import { assertUnchanged } from '../../../api/read-only.ts';
import { operation } from '../../services.ts';
import { accessRevision } from '../lifecycle/access.ts';
import { addCluster, changeCluster, newPlace, requestRemoval } from '../lifecycle/changes.ts';
import { watchIdleness } from '../lifecycle/idleness.ts';
import { resumeLater } from '../lifecycle/resumption.ts';
import { upgradeCluster } from '../lifecycle/upgrades.ts';
import { listServed } from '../lists.ts';
import { requireCluster, requireServed } from '../require.ts';
import { assertDeletable } from '../rules/deletion.ts';
import { checkDecrease, isDecrease, storedBytes } from '../rules/disk-decrease.ts';
import { carriedBody } from '../shapes/carried.ts';
import { readNewCluster } from '../shapes/contract/read.ts';
import { Cluster, ClusterStatus } from '../shapes/contract/schema.ts';
import { writeCluster } from '../shapes/contract/write.ts';
import { readNewRegionConfigs } from '../shapes/region-configs/requests.ts';
import { assertExpressible, readVersions, shapesIn, writeVersions } from '../shapes/versions.ts';
import { readPatch } from './patch.ts';

const tag = 'Clusters';

export const listClusters = operation({
  id: 'listClusters',
  summary: 'Lists the clusters of a project, oldest first.',
  tag,
  method: 'GET',
  path: '/groups/{groupId}/clusters',
  access: 'Project Read Only',
  versions: readVersions,
  query: Type.Object({
    includeDeletedWithRetainedBackups: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Also clusters that are gone but whose backups are kept.',
      }),
    ),
  }),
  reply: Cluster,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'clusters' },
  handler(call) {
    const { groupId } = call.params;
    const { version, page, services } = call;
    const shown = { api: 'clusters', shapes: shapesIn(version) } as const;
    return call.read((tx) =>
      listServed(tx, groupId, shown, page, (row) => writeCluster(row, services.naming)),
    );
  },
});

export const createCluster = operation({
  id: 'createCluster',
  summary: 'Makes a cluster; it is IDLE once drivers can connect.',
  tag,
  method: 'POST',
  path: '/groups/{groupId}/clusters',
  access: 'Project Owner',
  versions: writeVersions,
  body: Cluster,
  reply: Cluster,
  status: 201,
  handler(call) {
    const { groupId } = call.params;
    const { ids, naming } = call.services;
    const given = carriedBody(call.body);
    const { name, spec } = given
      ? readNewRegionConfigs(given, () => ids.next())
      : readNewCluster(call.body, () => ids.next());
    assertUnchanged(call, { groupId });
    const wanted = { groupId, name, spec, ...newPlace(call.services) };
    return call.write(async (tx) => {
      const cluster = await addCluster(tx, wanted, call.actor);
      await watchIdleness(tx, cluster);
      return writeCluster(cluster, naming);
    });
  },
});

export const getCluster = operation({
  id: 'getCluster',
  summary: 'Answers one cluster.',
  tag,
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}',
  access: 'Project Read Only',
  versions: readVersions,
  reply: Cluster,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const cluster = await requireCluster(tx, call.params);
      assertExpressible(cluster, call.version);
      return writeCluster(cluster, call.services.naming);
    }),
});

export const updateCluster = operation({
  id: 'updateCluster',
  summary: 'Changes a cluster, pauses it or lets it run again; it is IDLE once the change stands.',
  tag,
  method: 'PATCH',
  path: '/groups/{groupId}/clusters/{clusterName}',
  access: 'Project Cluster Manager',
  versions: writeVersions,
  body: Cluster,
  reply: Cluster,
  status: 200,
  async handler(call) {
    const { naming } = call.services;
    const ahead = await call.read((tx) => readPatch(tx, call));
    const smaller = ahead.spec !== undefined && isDecrease(ahead.cluster.spec, ahead.spec);
    // Looked at before the transaction, which holds up every other write while it lasts.
    const stored = smaller ? await storedBytes(ahead.cluster, call.services) : undefined;
    return call.write(async (tx) => {
      const { cluster, pauses, resumes, spec } = await readPatch(tx, call);
      if (pauses) {
        const paused = await changeCluster(tx, cluster, { paused: true }, call.actor);
        await resumeLater(tx, paused);
        return writeCluster(paused, naming);
      }
      if (spec === undefined) return writeCluster(cluster, naming);
      const resumed = resumes ? { paused: false, resumed: tx.now } : {};
      const changed = await changeCluster(tx, cluster, { ...resumed, spec }, call.actor);
      checkDecrease(cluster.spec, spec, stored);
      if (resumes) await watchIdleness(tx, changed);
      return writeCluster(changed, naming);
    });
  },
});

export const deleteCluster = operation({
  id: 'deleteCluster',
  summary: 'Ends a cluster and deletes its data.',
  tag,
  method: 'DELETE',
  path: '/groups/{groupId}/clusters/{clusterName}',
  access: 'Project Owner',
  versions: { '2023-01-01': 'same', '2023-02-01': 'same', '2025-03-12': 'same' },
  query: Type.Object({
    retainBackups: Type.Optional(Type.Boolean({ description: 'Whether its snapshots outlive it.' })),
  }),
  reply: Type.Object({}),
  status: 202,
  async handler(call) {
    await call.write(async (tx) => {
      const cluster = await requireCluster(tx, call.params);
      assertDeletable(cluster);
      await requestRemoval(tx, cluster, call.actor);
    });
    return {};
  },
});

export const getClusterStatus = operation({
  id: 'getClusterStatus',
  summary: "Tells whether every node enforces the project's current users and addresses.",
  tag,
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/status',
  access: 'Project Read Only',
  reply: ClusterStatus,
  status: 200,
  reachedFrom: { cluster: 'status' },
  handler(call) {
    return call.read(async (tx) => {
      const cluster = await requireCluster(tx, call.params);
      const changing = cluster.state === 'CREATING' || cluster.state === 'UPDATING';
      const behind = cluster.accessRevision < (await accessRevision(tx, cluster.groupId));
      return { changeStatus: changing || behind ? 'PENDING' : 'APPLIED' };
    });
  },
});

export const upgradeSharedCluster = operation({
  id: 'upgradeSharedCluster',
  summary: 'Makes a dedicated or a flex cluster out of one of a shared size; its name and its data stay.',
  tag,
  method: 'POST',
  path: '/groups/{groupId}/clusters/tenantUpgrade',
  access: 'Project Cluster Manager',
  body: Cluster,
  reply: Cluster,
  status: 200,
  handler(call) {
    const { naming, ids } = call.services;
    const { name, spec } = readNewCluster(call.body, () => ids.next());
    return call.write(async (tx) => {
      const cluster = await requireServed('clusters', tx, call.params.groupId, name);
      return writeCluster(await upgradeCluster(tx, cluster, spec, call.actor), naming);
    });
  },
});
