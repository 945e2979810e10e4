import { generalFaults } from '../../../api/faults.ts';
import { assertUnchanged } from '../../../api/read-only.ts';
import { operation, type Services } from '../../services.ts';
import { addCluster, changeKept, newPlace, requestRemoval, upgradeCluster } from '../lifecycle/changes.ts';
import { listServed } from '../lists.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { FLEX_DISK_GB, fixedSizeSpec } from '../model/fixed-size.ts';
import { checkName } from '../model/names.ts';
import { requireServed } from '../require.ts';
import { readNewCluster } from '../shapes/contract/read.ts';
import { Cluster } from '../shapes/contract/schema.ts';
import { fixedSizeView } from '../shapes/fixed-size.ts';
import { FlexCluster, FlexClusterUpdate } from '../shapes/flex.ts';

function present(cluster: ClusterModel, { naming }: Services) {
  const { place, ...shared } = fixedSizeView(cluster, naming);
  const { tags, terminationProtectionEnabled } = cluster.spec.kept as {
    readonly tags?: { key: string; value: string }[];
    readonly terminationProtectionEnabled?: boolean;
  };
  return {
    backupSettings: { enabled: true },
    clusterType: 'REPLICASET' as const,
    ...shared,
    providerSettings: { ...place, diskSizeGB: FLEX_DISK_GB, providerName: 'FLEX' as const },
    tags,
    terminationProtectionEnabled,
    versionReleaseSystem: 'LTS' as const,
  };
}

export const listFlexClusters = operation('listFlexClusters', {
  summary: 'Lists the flex clusters of a project, oldest first.',
  access: 'Project Read Only',
  reply: FlexCluster,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'flexClusters' },
  handler: (call) =>
    call.read((tx) =>
      listServed(tx, call.params.groupId, { api: 'flex', shapes: ['contract'] }, call.page, (row) =>
        present(row, call.services),
      ),
    ),
});

export const createFlexCluster = operation('createFlexCluster', {
  summary: 'Makes a flex cluster; it is IDLE once drivers can connect.',
  access: 'Project Owner',
  body: FlexCluster,
  reply: FlexCluster,
  status: 201,
  handler(call) {
    const { name, providerSettings, tags, terminationProtectionEnabled } = call.body;
    if (name === undefined) throw generalFaults.MISSING_ATTRIBUTE('name');
    checkName(name);
    assertUnchanged(call, {});
    const { backingProviderName: provider, regionName: region } = providerSettings;
    const kept = { tags: tags ?? [], terminationProtectionEnabled: terminationProtectionEnabled ?? false };
    const zoneId = call.services.ids.next();
    const spec = fixedSizeSpec({ kind: 'flex', size: 'FLEX', provider, region, zoneId, kept });
    const { groupId } = call.params;
    const wanted = { groupId, name, spec, ...newPlace(call.services) };
    return call.write(async (tx) => present(await addCluster(tx, wanted, call.actor), call.services));
  },
});

export const getFlexCluster = operation('getFlexCluster', {
  summary: 'Answers one flex cluster.',
  access: 'Project Read Only',
  reply: FlexCluster,
  status: 200,
  handler: ({ params: { groupId, name }, services, read }) =>
    read(async (tx) => present(await requireServed('flex', tx, groupId, name), services)),
});

export const updateFlexCluster = operation('updateFlexCluster', {
  summary: 'Changes the tags or the termination protection of a flex cluster.',
  access: 'Project Cluster Manager',
  body: FlexClusterUpdate,
  reply: FlexCluster,
  status: 200,
  handler: ({ params: { groupId, name }, body, services, write, actor }) =>
    write(async (tx) => {
      const cluster = await requireServed('flex', tx, groupId, name);
      return present(await changeKept(tx, cluster, body, actor), services);
    }),
});

export const deleteFlexCluster = operation('deleteFlexCluster', {
  summary: 'Ends a flex cluster and deletes its data.',
  access: 'Project Owner',
  status: 204,
  async handler({ params: { groupId, name }, write, actor }) {
    await write(async (tx) => {
      await requestRemoval(tx, await requireServed('flex', tx, groupId, name), actor);
    });
  },
});

export const upgradeFlexCluster = operation('upgradeFlexCluster', {
  summary: 'Makes a dedicated cluster out of a flex cluster; its name and its data stay.',
  access: 'Project Cluster Manager',
  body: Cluster,
  reply: FlexCluster,
  status: 200,
  handler(call) {
    const { name, spec } = readNewCluster(call.body, () => call.services.ids.next());
    return call.write(async (tx) => {
      const cluster = await requireServed('flex', tx, call.params.groupId, name);
      return present(await upgradeCluster(tx, cluster, spec, call.actor), call.services);
    });
  },
});
