import type { Tx } from '../../store/index.ts';
import {
  assertCan,
  type ClusterModel,
  type ClusterWork,
  clusterFaults,
  enqueueWork,
} from '../clusters/index.ts';
import type { RollingIndex } from './schema.ts';

export const BUILD = { kind: 'rollingIndex.build' };

export interface IndexWork extends ClusterWork {
  readonly index: RollingIndex;
}

/** Enqueues the build of an index. Throws if the cluster is paused or being deleted. */
export async function requestIndex(tx: Tx, cluster: ClusterModel, index: RollingIndex): Promise<void> {
  assertCan(cluster, 'indexes');
  const { name, paused, state } = cluster;
  if (state === 'DELETING') throw clusterFaults.CLUSTER_ALREADY_REQUESTED_DELETION(name);
  if (paused) throw clusterFaults.CANNOT_UPDATE_PAUSED_CLUSTER(name);
  await enqueueWork<IndexWork>(tx, BUILD, cluster, { index });
}

/** The index in the form of the command `createIndexes`. */
export function indexSpec({
  keys,
  options = {},
  collation,
}: RollingIndex): Readonly<Record<string, unknown>> {
  const { storageEngine: _, ...others } = options;
  const key = Object.fromEntries(keys.flatMap((part) => Object.entries(part)).map(numbered));
  const name = Object.entries(key).flat().join('_');
  return { key, name, ...others, ...(collation && { collation }) };
}

/** Clients in typed languages send directions as texts. */
const numbered = ([field, kind]: [string, string | number]): [string, string | number] => [
  field,
  kind === '1' || kind === '-1' ? Number(kind) : kind,
];
