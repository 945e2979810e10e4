import type { HostNaming } from '../../services.ts';
import { versionOf } from '../catalogue/versions.ts';
import { type ClusterModel, firstProvider } from '../model/cluster.ts';
import { carryModel } from './carried-model.ts';
import { connectionTexts } from './connection-strings.ts';

/**
 * Presents the fields that flex clusters and serverless instances have in common. Callers move the fields of `place`
 * into `providerSettings`.
 */
export function fixedSizeView(cluster: ClusterModel, naming: HostNaming) {
  const { created, groupId, id, name, spec, state } = cluster;
  const { standard, standardSrv } = connectionTexts(cluster, naming).connectionStrings ?? {};
  const view = {
    connectionStrings: {
      ...(standard === undefined ? {} : { standard }),
      ...(standardSrv === undefined ? {} : { standardSrv }),
    },
    createDate: created,
    dbVersion: versionOf(spec.majorVersion),
    groupId,
    id,
    name,
    place: {
      backingProviderName: firstProvider(spec),
      regionName: spec.zones[0]?.regions[0]?.region ?? '',
    },
    stateName: state,
  };
  return carryModel(view, cluster);
}
