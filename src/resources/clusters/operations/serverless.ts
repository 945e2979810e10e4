import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { generalFaults } from '../../../api/faults.ts';
import { Choice, DateTime, Id, Links, readOnly, Tag } from '../../../api/fields.ts';
import { assertUnchanged } from '../../../api/read-only.ts';
import { operation, type Services } from '../../services.ts';
import { addCluster, newPlace, requestRemoval, upgradeCluster } from '../lifecycle/changes.ts';
import { listServed } from '../lists.ts';
import type { ClusterModel, ClusterSpec } from '../model/cluster.ts';
import { fixedSizeSpec } from '../model/fixed-size.ts';
import { checkName } from '../model/names.ts';
import { clusterStates } from '../model/states.ts';
import { requireServed } from '../require.ts';
import { CLUSTER_NAME_PATTERN } from '../shapes/contract/schema.ts';
import { fixedSizeView } from '../shapes/fixed-size.ts';

const optional = Type.Optional;

const ServerlessInstance = entity(
  Type.Object(
    {
      connectionStrings: readOnly(
        Type.Object({ standard: optional(Type.String()), standardSrv: optional(Type.String()) }),
      ),
      createDate: readOnly(DateTime()),
      dbVersion: readOnly(Type.String()),
      groupId: readOnly(Id()),
      id: readOnly(Id()),
      links: Links,
      name: optional(Type.String({ pattern: CLUSTER_NAME_PATTERN })),
      providerSettings: Type.Object({
        backingProviderName: Choice(['AWS', 'AZURE', 'GCP']),
        providerName: optional(Choice(['SERVERLESS'], { default: 'SERVERLESS' })),
        regionName: Type.String(),
      }),
      serverlessBackupOptions: optional(
        Type.Object({ serverlessContinuousBackupEnabled: optional(Type.Boolean({ default: true })) }),
      ),
      stateName: readOnly(Choice(clusterStates)),
      tags: optional(Type.Array(Tag, { default: [] })),
      terminationProtectionEnabled: optional(Type.Boolean({ default: false })),
    },
    { description: 'A cluster without a size: a set of three nodes in one region.' },
  ),
  {
    name: 'serverlessInstance',
    self: 'getServerlessInstance',
    params: (c) => ({ groupId: c.groupId ?? '', name: c.name ?? '' }),
  },
);
type ServerlessInstance = Type.Static<typeof ServerlessInstance>;

function present(cluster: ClusterModel, { naming }: Services) {
  const { place, ...shared } = fixedSizeView(cluster, naming);
  return {
    ...(cluster.spec.kept as Pick<ServerlessInstance, 'tags' | 'serverlessBackupOptions'>),
    ...shared,
    providerSettings: { ...place, providerName: 'SERVERLESS' as const },
  };
}

function readInstance(body: ServerlessInstance, zoneId: string): { name: string; spec: ClusterSpec } {
  const { name, providerSettings, tags = [], terminationProtectionEnabled = false } = body;
  if (name === undefined) throw generalFaults.MISSING_ATTRIBUTE('name');
  checkName(name);
  const { backingProviderName: provider, regionName: region } = providerSettings;
  const { serverlessContinuousBackupEnabled = true } = body.serverlessBackupOptions ?? {};
  const serverlessBackupOptions = { serverlessContinuousBackupEnabled };
  const kept = { tags, terminationProtectionEnabled, serverlessBackupOptions };
  return {
    name,
    spec: fixedSizeSpec({ kind: 'serverless', size: 'SERVERLESS', provider, region, zoneId, kept }),
  };
}

export const listServerlessInstances = operation('listServerlessInstances', {
  summary: 'Lists the serverless instances of a project, oldest first.',
  access: 'Project Read Only',
  reply: ServerlessInstance,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'serverless' },
  handler: (call) =>
    call.read((tx) =>
      listServed(tx, call.params.groupId, { api: 'serverless', shapes: ['contract'] }, call.page, (row) =>
        present(row, call.services),
      ),
    ),
});

export const createServerlessInstance = operation('createServerlessInstance', {
  summary: 'Makes a serverless instance; it is IDLE once drivers can connect.',
  access: 'Project Owner',
  body: ServerlessInstance,
  reply: ServerlessInstance,
  status: 201,
  handler(call) {
    const { name, spec } = readInstance(call.body, call.services.ids.next());
    assertUnchanged(call, {});
    const wanted = { groupId: call.params.groupId, name, spec, ...newPlace(call.services) };
    return call.write(async (tx) => present(await addCluster(tx, wanted, call.actor), call.services));
  },
});

export const getServerlessInstance = operation('getServerlessInstance', {
  summary: 'Answers one serverless instance.',
  access: 'Project Read Only',
  reply: ServerlessInstance,
  status: 200,
  handler: ({ params: { groupId, name }, services, read }) =>
    read(async (tx) => present(await requireServed('serverless', tx, groupId, name), services)),
});

export const deleteServerlessInstance = operation('deleteServerlessInstance', {
  summary: 'Ends a serverless instance and deletes its data.',
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

export const upgradeToServerless = operation('upgradeSharedClusterToServerless', {
  summary: 'Makes a serverless instance out of a cluster of a shared size; its name and its data stay.',
  access: 'Project Cluster Manager',
  body: ServerlessInstance,
  reply: ServerlessInstance,
  status: 200,
  handler(call) {
    const { name, spec } = readInstance(call.body, call.services.ids.next());
    return call.write(async (tx) => {
      const cluster = await requireServed('clusters', tx, call.params.groupId, name);
      return present(await upgradeCluster(tx, cluster, spec, call.actor), call.services);
    });
  },
});
