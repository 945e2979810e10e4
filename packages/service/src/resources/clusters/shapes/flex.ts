import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { badValue, generalFaults } from '../../../api/faults.ts';
import { Choice, DateTime, Id, Links, readOnly, ruled } from '../../../api/fields.ts';
import type { HostNaming } from '../../services.ts';
import type { ClusterModel, ClusterSpec } from '../model/cluster.ts';
import { FLEX_DISK_GB, fixedSizeSpec } from '../model/fixed-size.ts';
import { checkName, MAX_NAME, NAME_PATTERN } from '../model/names.ts';
import { pickSettings, settings, settingsIn } from '../model/settings.ts';
import { clusterStates } from '../model/states.ts';
import { loadParams } from './carried-model.ts';
import type { Cluster } from './contract/schema.ts';
import { fixedSizeView } from './fixed-size.ts';
import { asNewCluster } from './required.ts';

/** This file declares and presents flex clusters: fixed size and disk, one region. */

const optional = Type.Optional;
const changeable = {
  links: Links,
  tags: settings.tags,
  terminationProtectionEnabled: settings.terminationProtectionEnabled,
};

export const FlexCluster = entity(
  Type.Object(
    {
      ...changeable,
      backupSettings: readOnly(
        Type.Object(
          { enabled: Type.Boolean({ description: 'Always true: the service backs up every flex cluster.' }) },
          { description: 'Backups of the cluster, which are always enabled.' },
        ),
      ),
      clusterType: readOnly(Choice(['REPLICASET'], { description: 'Always REPLICASET.' })),
      connectionStrings: readOnly(
        Type.Object({ standard: optional(Type.String()), standardSrv: optional(Type.String()) }),
      ),
      createDate: readOnly(DateTime()),
      dbVersion: readOnly(Type.String()),
      groupId: readOnly(Id()),
      id: readOnly(Id()),
      name: ruled(Type.String({ pattern: NAME_PATTERN, description: 'Name of the cluster.' }), {
        maxLength: MAX_NAME,
      }),
      providerSettings: Type.Object({
        backingProviderName: Choice(['AWS', 'AZURE', 'GCP']),
        diskSizeGB: readOnly(Type.Number({ description: 'Disk size in gigabytes.' })),
        providerName: readOnly(Choice(['FLEX'], { description: 'Always FLEX.' })),
        regionName: Type.String(),
      }),
      stateName: readOnly(
        Choice(clusterStates, { description: 'State of the cluster. `IDLE`: it is ready for use.' }),
      ),
      versionReleaseSystem: readOnly(Choice(['LTS'], { description: 'Always LTS.' })),
    },
    { description: 'A flex cluster: a small cluster with a fixed size and disk.' },
  ),
  {
    name: 'flexCluster',
    self: 'getFlexCluster',
    params: (c) => ({ groupId: c.groupId ?? '', name: c.name, ...loadParams(c) }),
  },
);

export const FlexClusterUpdate = Type.Object(changeable);

export function readFlexCluster(
  body: Type.Static<typeof FlexCluster>,
  zoneId: string,
): { name: string; spec: ClusterSpec } {
  const { name, providerSettings } = body;
  checkName(name);
  const { backingProviderName: provider, regionName: region } = providerSettings;
  const settings = settingsIn(body);
  return { name, spec: fixedSizeSpec({ kind: 'flex', size: 'FLEX', provider, region, zoneId, settings }) };
}

/** Whether the body of an upgrade requests a flex cluster. */
export const asksForFlex = ({ providerSettings }: Cluster) => providerSettings?.providerName === 'FLEX';

/** Reads a flex cluster from the body of an upgrade. Such a body has the fields of clusters. */
export function readFlexUpgrade(sent: Cluster, zoneId: string): { name: string; spec: ClusterSpec } {
  const { name, providerSettings } = asNewCluster(sent);
  const { backingProviderName: provider, regionName: region, instanceSizeName: size } = providerSettings;
  if (size !== undefined && size !== 'FLEX')
    throw badValue('providerSettings.instanceSizeName', 'must be FLEX');
  if (provider === undefined) throw generalFaults.MISSING_ATTRIBUTE('providerSettings.backingProviderName');
  if (region === undefined) throw generalFaults.MISSING_ATTRIBUTE('providerSettings.regionName');
  const settings = settingsIn(sent);
  return { name, spec: fixedSizeSpec({ kind: 'flex', size: 'FLEX', provider, region, zoneId, settings }) };
}

export function flexView(cluster: ClusterModel, naming: HostNaming) {
  const { place, ...shared } = fixedSizeView(cluster, naming);
  return {
    backupSettings: { enabled: true },
    clusterType: 'REPLICASET' as const,
    ...shared,
    providerSettings: { ...place, diskSizeGB: FLEX_DISK_GB, providerName: 'FLEX' as const },
    ...pickSettings(cluster.spec.settings, 'tags', 'terminationProtectionEnabled'),
    versionReleaseSystem: 'LTS' as const,
  };
}
