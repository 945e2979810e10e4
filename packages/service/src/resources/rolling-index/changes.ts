import type { Tx } from '../../store/index.ts';
import { admitWork, assertCan, type ClusterModel, type ClusterWork, enqueueWork } from '../clusters/index.ts';
import type { RollingIndex } from './schema.ts';

export const BUILD = { kind: 'rollingIndex.build' };

export interface IndexWork extends ClusterWork {
  readonly index: RollingIndex;
}

/** Enqueues the build of an index. Throws if the cluster does not allow it at the moment. */
export async function requestIndex(tx: Tx, cluster: ClusterModel, index: RollingIndex): Promise<void> {
  assertCan(cluster, 'indexes');
  await admitWork(tx, cluster);
  await enqueueWork<IndexWork>(tx, BUILD, cluster, { index });
}

/** Returns the index in the form of the command `createIndexes`. */
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

/** Converts directions to numbers, since clients in typed languages send them as texts. */
const numbered = ([field, kind]: [string, string | number]): [string, string | number] => [
  field,
  kind === '1' || kind === '-1' ? Number(kind) : kind,
];
