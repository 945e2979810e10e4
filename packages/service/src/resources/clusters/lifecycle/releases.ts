import { system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { majorVersions } from '../catalogue/versions.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { changeCluster } from './changes.ts';

/** A cluster of the release system CONTINUOUS runs the newest version, which nobody asks for: it is raised by itself. */

/** The version that it is due for; nothing where it has that, or stays where it is. */
export function dueVersion({ spec, paused, state }: ClusterModel): string | undefined {
  if (spec.tenant || paused || spec.pinned || state === 'CREATING' || state === 'DELETING') return undefined;
  if (spec.settings.versionReleaseSystem !== 'CONTINUOUS') return undefined;
  const newest = majorVersions.at(-1);
  return newest === spec.majorVersion ? undefined : newest;
}

/** Lets a task bring a cluster to the version that it is due for. */
export async function raiseVersion(tx: Tx, cluster: ClusterModel): Promise<void> {
  const majorVersion = dueVersion(cluster);
  if (majorVersion === undefined) return;
  await changeCluster(tx, cluster, { spec: { ...cluster.spec, majorVersion } }, system);
}
