import Type from 'typebox';
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
import {
  readServerlessInstance,
  ServerlessInstance,
  ServerlessUpdate,
  serverlessView,
} from '../shapes/serverless.ts';

export const listServerlessInstances = operation({
  id: 'listServerlessInstances',
  tag: 'Serverless Instances',
  method: 'GET',
  path: '/groups/{groupId}/serverless',
  summary: 'Lists the serverless instances of a project, oldest first.',
  access: 'Project Read Only',
  reply: ServerlessInstance,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'serverless' },
  handler: (call) =>
    call.read((tx) =>
      listServed(tx, call.params.groupId, { api: 'serverless', shapes: ['contract'] }, call.page, (row) =>
        serverlessView(row, call.services.naming),
      ),
    ),
});

export const createServerlessInstance = operation({
  id: 'createServerlessInstance',
  tag: 'Serverless Instances',
  method: 'POST',
  path: '/groups/{groupId}/serverless',
  summary: 'Creates a serverless instance. Its state becomes `IDLE` when drivers can connect to it.',
  access: 'Project Owner',
  body: ServerlessInstance,
  reply: ServerlessInstance,
  status: 201,
  handler(call) {
    const { name, spec } = readServerlessInstance(call.body, call.services.ids.next());
    const wanted = {
      groupId: call.params.groupId,
      name,
      spec,
      ...choosePlacement(call.services, { name, spec }),
    };
    return call.write(async (tx) =>
      serverlessView(await addCluster(tx, wanted, call.actor), call.services.naming),
    );
  },
});

export const getServerlessInstance = operation({
  id: 'getServerlessInstance',
  tag: 'Serverless Instances',
  method: 'GET',
  path: '/groups/{groupId}/serverless/{name}',
  summary: 'Returns one serverless instance.',
  access: 'Project Read Only',
  reply: ServerlessInstance,
  status: 200,
  reachedFrom: { serverlessRestoreJob: 'cluster', serverlessSnapshot: 'cluster' },
  handler: ({ params: { groupId, name }, services, read }) =>
    read(async (tx) => serverlessView(await requireServed('serverless', tx, groupId, name), services.naming)),
});

export const updateServerlessInstance = operation({
  id: 'updateServerlessInstance',
  tag: 'Serverless Instances',
  method: 'PATCH',
  path: '/groups/{groupId}/serverless/{name}',
  summary: 'Updates the tags, the termination protection or the backups of a serverless instance.',
  access: 'Project Cluster Manager',
  bodyAccess: protectionAccess,
  body: ServerlessUpdate,
  reply: ServerlessInstance,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const cluster = await requireServed('serverless', tx, call.params.groupId, call.params.name);
      assertMayProtect(call, cluster.spec.settings, call.body);
      return serverlessView(await changeSettings(tx, cluster, call.body, call.actor), call.services.naming);
    }),
});

export const deleteServerlessInstance = operation({
  id: 'deleteServerlessInstance',
  tag: 'Serverless Instances',
  method: 'DELETE',
  path: '/groups/{groupId}/serverless/{name}',
  summary: 'Deletes a serverless instance and its data.',
  access: 'Project Owner',
  reply: Type.Object({}),
  status: 202,
  async handler({ params: { groupId, name }, write, actor }) {
    await write(async (tx) => {
      await requestRemoval(tx, await requireServed('serverless', tx, groupId, name), actor);
    });
    return {};
  },
});

export const upgradeToServerless = operation({
  id: 'upgradeSharedClusterToServerless',
  tag: 'Clusters',
  method: 'POST',
  path: '/groups/{groupId}/clusters/tenantUpgradeToServerless',
  summary:
    'Upgrades a shared-tier cluster to a serverless instance. The instance keeps the name and the data.',
  access: 'Project Cluster Manager',
  bodyAccess: protectionAccess,
  body: ServerlessInstance,
  reply: ServerlessInstance,
  status: 200,
  repeatable: (call) =>
    call.read(async (tx) => {
      const cluster = await requireServed('clusters', tx, call.params.groupId, call.body.name);
      return serverlessView(cluster, call.services.naming);
    }),
  handler(call) {
    const { name, spec } = readServerlessInstance(call.body, call.services.ids.next());
    return call.write(async (tx) => {
      const cluster = await requireServed('clusters', tx, call.params.groupId, name);
      assertMayProtect(call, cluster.spec.settings, spec.settings);
      const upgraded = await upgradeCluster(tx, call.services, cluster, spec, call.actor);
      return serverlessView(upgraded, call.services.naming);
    });
  },
});
