import { generalFaults } from '../../../api/faults.ts';
import {
  type ClusterModel,
  clusterFaults,
  isRegion,
  shownZoneId,
  type Zone,
  zoneNamed,
} from '../../clusters/index.ts';
import type { CopySetting, Schedule } from '../model/schedules/policy.ts';
import { scheduleFaults } from './faults.ts';
import type { BackupSchedule, FormerSchedule } from './schema.ts';

type Body = BackupSchedule | FormerSchedule;
type CopyBody = NonNullable<Body['copySettings']>[number];
type CopiedBody = NonNullable<Body['deleteCopiedBackups']>[number];

/** Applies the copy settings of a request to a schedule. Throws if the settings are invalid. */
export function withCopies(schedule: Schedule, body: Body, cluster: Pick<ClusterModel, 'spec'>): Schedule {
  if (body.copySettings === undefined) return schedule;
  const copies = body.copySettings.map((setting) => readSetting(setting, cluster));
  const places = copies.map(({ zone, provider, region }) => `${zone} ${provider} ${region}`);
  const duplicate = copies.find((_, index) => places.indexOf(places[index] ?? '') < index);
  if (duplicate)
    throw scheduleFaults.INVALID_BACKUP_POLICY(
      `the region ${duplicate.region} appears in copySettings twice`,
    );
  return { ...schedule, copies };
}

function readSetting(sent: CopyBody, { spec }: Pick<ClusterModel, 'spec'>): CopySetting {
  const { zone, zoneId } = readZone(sent, spec, 'copySettings');
  const [home] = zone.regions;
  const { cloudProvider: provider = home?.provider ?? 'AWS', regionName: region } = sent;
  if (region === undefined) throw generalFaults.MISSING_ATTRIBUTE('copySettings.regionName');
  if (!isRegion(provider, region)) throw clusterFaults.INVALID_REGION(region, provider);
  const invalid = scheduleFaults.INVALID_BACKUP_POLICY;
  if (provider !== home?.provider)
    throw invalid('snapshots can be copied only within the provider of their cluster');
  if (region === home.region) throw invalid(`the region ${region} is the region of the cluster itself`);
  const oplogs = sent.shouldCopyOplogs === true;
  if (oplogs && spec.settings.pitEnabled !== true)
    throw invalid('shouldCopyOplogs requires continuous backup');
  return { zone: zone.id, zoneId, provider, region, frequencies: sent.frequencies ?? [], oplogs };
}

/** Returns the regions whose copies the request deletes, for example `AWS/EU_WEST_1`. */
export function copiesToDelete(body: Body, { spec }: Pick<ClusterModel, 'spec'>): string[] {
  const regions = (body.deleteCopiedBackups ?? []).map((sent) => {
    const { zone } = readZone(sent, spec, 'deleteCopiedBackups');
    const { cloudProvider: provider = zone.regions[0]?.provider ?? 'AWS', regionName: region } = sent;
    if (region === undefined) throw generalFaults.MISSING_ATTRIBUTE('deleteCopiedBackups.regionName');
    if (!isRegion(provider, region)) throw clusterFaults.INVALID_REGION(region, provider);
    return `${provider}/${region}`;
  });
  return [...new Set(regions)];
}

/**
 * Returns both ids of the zone that a request names: the id in old versions of the API, and the id in newer versions.
 * If the request contains only one of them, takes the other one from the cluster.
 */
function readZone(
  sent: CopyBody | CopiedBody,
  spec: ClusterModel['spec'],
  field: string,
): { readonly zone: Zone; readonly zoneId: string } {
  const named = 'zoneId' in sent ? sent.zoneId : undefined;
  const former = 'replicationSpecId' in sent ? sent.replicationSpecId : undefined;
  const name = 'replicationSpecId' in sent ? 'replicationSpecId' : 'zoneId';
  const id = named ?? former;
  const [only, ...others] = spec.zones;
  const zone = id === undefined ? others.length === 0 && only : zoneNamed(spec, id);
  if (zone) return { zone, zoneId: named ?? shownZoneId(zone) };
  if (id === undefined) throw generalFaults.MISSING_ATTRIBUTE(`${field}.${name}`);
  throw generalFaults.INVALID_ATTRIBUTE(`${field}.${name}`);
}
