import { system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { majorVersions } from '../catalogue/versions.ts';
import { can } from '../model/capabilities.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { changeCluster } from './changes.ts';

/** This file upgrades clusters with the release system CONTINUOUS to the newest version. */

/** Returns the version to which a cluster must be upgraded; undefined if no upgrade is due. */
export function dueVersion({ spec, paused, state, placement }: ClusterModel): string | undefined {
  if (!can({ placement }, 'versions')) return undefined;
  if (spec.tenant || paused || spec.pinned || state === 'CREATING' || state === 'DELETING') return undefined;
  if (spec.settings.versionReleaseSystem !== 'CONTINUOUS') return undefined;
  const newest = majorVersions.at(-1);
  return newest === spec.majorVersion ? undefined : newest;
}

/** Starts the upgrade of a cluster to the version that is due. */
export async function upgradeVersion(tx: Tx, cluster: ClusterModel): Promise<void> {
  const majorVersion = dueVersion(cluster);
  if (majorVersion === undefined) return;
  await changeCluster(tx, cluster, { spec: { ...cluster.spec, majorVersion } }, system);
}
