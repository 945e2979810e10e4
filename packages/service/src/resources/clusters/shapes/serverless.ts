import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly, ruled } from '../../../api/fields.ts';
import type { HostNaming } from '../../services.ts';
import type { ClusterModel, ClusterSpec } from '../model/cluster.ts';
import { fixedSizeSpec } from '../model/fixed-size.ts';
import { checkName, MAX_NAME, NAME_PATTERN } from '../model/names.ts';
import { pickSettings, settings, settingsIn } from '../model/settings.ts';
import { clusterStates } from '../model/states.ts';
import { loadParams } from './carried-model.ts';
import { fixedSizeView } from './fixed-size.ts';

/** This file declares and presents serverless instances: fixed size, one region. */

const optional = Type.Optional;
const changeable = {
  links: Links,
  serverlessBackupOptions: settings.serverlessBackupOptions,
  tags: settings.tags,
  terminationProtectionEnabled: settings.terminationProtectionEnabled,
};

export const ServerlessInstance = entity(
  Type.Object(
    {
      ...changeable,
      connectionStrings: readOnly(
        Type.Object({ standard: optional(Type.String()), standardSrv: optional(Type.String()) }),
      ),
      createDate: readOnly(DateTime()),
      dbVersion: readOnly(Type.String()),
      groupId: readOnly(Id()),
      id: readOnly(Id()),
      name: ruled(Type.String({ pattern: NAME_PATTERN, description: 'Name of the instance.' }), {
        maxLength: MAX_NAME,
      }),
      providerSettings: Type.Object({
        backingProviderName: Choice(['AWS', 'AZURE', 'GCP']),
        providerName: optional(
          Choice(['SERVERLESS'], { default: 'SERVERLESS', description: 'Always SERVERLESS.' }),
        ),
        regionName: Type.String(),
      }),
      stateName: readOnly(
        Choice(clusterStates, { description: 'State of the instance. `IDLE`: it is ready for use.' }),
      ),
    },
    {
      description:
        'A serverless instance: a cluster of three nodes in one region, whose size the caller does not choose.',
    },
  ),
  {
    name: 'serverlessInstance',
    self: 'getServerlessInstance',
    // The paths of the instance call its name `name`. The paths of its backups call the name `clusterName`.
    params: (c) => ({ groupId: c.groupId ?? '', name: c.name, clusterName: c.name, ...loadParams(c) }),
  },
);
export const ServerlessUpdate = Type.Object(changeable);
type ServerlessInstance = Type.Static<typeof ServerlessInstance>;

export function serverlessView(cluster: ClusterModel, naming: HostNaming) {
  const { place, ...shared } = fixedSizeView(cluster, naming);
  const { settings } = cluster.spec;
  return {
    ...pickSettings(settings, 'tags', 'terminationProtectionEnabled'),
    serverlessBackupOptions: { serverlessContinuousBackupEnabled: true, ...settings.serverlessBackupOptions },
    ...shared,
    providerSettings: { ...place, providerName: 'SERVERLESS' as const },
  };
}

export function readServerlessInstance(
  body: ServerlessInstance,
  zoneId: string,
): { name: string; spec: ClusterSpec } {
  const { name, providerSettings } = body;
  checkName(name);
  const { backingProviderName: provider, regionName: region } = providerSettings;
  return {
    name,
    spec: fixedSizeSpec({
      kind: 'serverless',
      size: 'SERVERLESS',
      provider,
      region,
      zoneId,
      settings: settingsIn(body),
    }),
  };
}
