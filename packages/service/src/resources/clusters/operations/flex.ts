import { operation } from '../../services.ts';
import {
  addCluster,
  changeSettings,
  choosePlacement,
  requestRemoval,
  upgradeCluster,
} from '../lifecycle/changes.ts';
import { listServed } from '../lists.ts';
import { requireServed } from '../require.ts';
import { assertMayProtect, protectionAccess } from '../rules/protection.ts';
import { carryBody } from '../shapes/carried.ts';
import { FlexCluster, FlexClusterUpdate, flexView, readFlexCluster } from '../shapes/flex.ts';
import { nameIn, readCreate } from '../shapes/requests.ts';
import { NewCluster, NewShardsCluster } from '../shapes/required.ts';

export const listFlexClusters = operation({
  id: 'listFlexClusters',
  tag: 'Flex Clusters',
  method: 'GET',
  path: '/groups/{groupId}/flexClusters',
  versions: { '2024-11-13': 'same', '2025-03-12': 'same' },
  summary: 'Lists the flex clusters of a project, oldest first.',
  access: 'Project Read Only',
  reply: FlexCluster,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'flexClusters' },
  handler: (call) =>
    call.read((tx) =>
      listServed(tx, call.params.groupId, { api: 'flex', shapes: ['contract'] }, call.page, (row) =>
        flexView(row, call.services.naming),
      ),
    ),
});

export const createFlexCluster = operation({
  id: 'createFlexCluster',
  tag: 'Flex Clusters',
  method: 'POST',
  path: '/groups/{groupId}/flexClusters',
  versions: { '2024-11-13': 'same', '2025-03-12': 'same' },
  summary: 'Creates a flex cluster. Its state becomes `IDLE` when drivers can connect to it.',
  access: 'Project Owner',
  body: FlexCluster,
  reply: FlexCluster,
  status: 201,
  handler(call) {
    const { name, spec } = readFlexCluster(call.body, call.services.ids.next());
    const { groupId } = call.params;
    const wanted = { groupId, name, spec, ...choosePlacement(call.services, { name, spec }) };
    return call.write(async (tx) => flexView(await addCluster(tx, wanted, call.actor), call.services.naming));
  },
});

export const getFlexCluster = operation({
  id: 'getFlexCluster',
  tag: 'Flex Clusters',
  method: 'GET',
  path: '/groups/{groupId}/flexClusters/{name}',
  versions: { '2024-11-13': 'same', '2025-03-12': 'same' },
  summary: 'Returns one flex cluster.',
  access: 'Project Read Only',
  reply: FlexCluster,
  status: 200,
  reachedFrom: { flexRestoreJob: 'cluster', flexSnapshot: 'cluster' },
  handler: ({ params: { groupId, name }, services, read }) =>
    read(async (tx) => flexView(await requireServed('flex', tx, groupId, name), services.naming)),
});

export const updateFlexCluster = operation({
  id: 'updateFlexCluster',
  tag: 'Flex Clusters',
  method: 'PATCH',
  path: '/groups/{groupId}/flexClusters/{name}',
  versions: { '2024-11-13': 'same', '2025-03-12': 'same' },
  summary: 'Updates the tags or the termination protection of a flex cluster.',
  access: 'Project Cluster Manager',
  bodyAccess: protectionAccess,
  body: FlexClusterUpdate,
  reply: FlexCluster,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const cluster = await requireServed('flex', tx, call.params.groupId, call.params.name);
      assertMayProtect(call, cluster.spec.settings, call.body);
      return flexView(await changeSettings(tx, cluster, call.body, call.actor), call.services.naming);
    }),
});

export const deleteFlexCluster = operation({
  id: 'deleteFlexCluster',
  tag: 'Flex Clusters',
  method: 'DELETE',
  path: '/groups/{groupId}/flexClusters/{name}',
  versions: { '2024-11-13': 'same', '2025-03-12': 'same' },
  summary: 'Deletes a flex cluster and its data.',
  access: 'Project Owner',
  status: 204,
  async handler({ params: { groupId, name }, write, actor }) {
    await write(async (tx) => {
      await requestRemoval(tx, await requireServed('flex', tx, groupId, name), actor);
    });
  },
});

export const upgradeFlexCluster = operation({
  id: 'upgradeFlexCluster',
  tag: 'Flex Clusters',
  method: 'POST',
  path: '/groups/{groupId}/flexClusters:tenantUpgrade',
  versions: {
    // In this version, the body describes the dedicated cluster in the shape with one entry per shard.
    '2024-11-13': { body: NewShardsCluster, read: carryBody('shards') },
    '2025-03-12': 'same',
  },
  summary: 'Upgrades a flex cluster to a dedicated cluster. The cluster keeps its name and data.',
  access: 'Project Cluster Manager',
  bodyAccess: protectionAccess,
  body: NewCluster,
  reply: FlexCluster,
  status: 200,
  repeatable: (call) =>
    call.read(async (tx) => {
      const cluster = await requireServed('flex', tx, call.params.groupId, nameIn(call.body));
      return flexView(cluster, call.services.naming);
    }),
  handler(call) {
    const { name, spec } = readCreate(call.body, () => call.services.ids.next());
    return call.write(async (tx) => {
      const cluster = await requireServed('flex', tx, call.params.groupId, name);
      assertMayProtect(call, cluster.spec.settings, spec.settings);
      const upgraded = await upgradeCluster(tx, call.services, cluster, spec, call.actor);
      return flexView(upgraded, call.services.naming);
    });
  },
});
