import {
  addCount,
  type Counter,
  counter,
  countOf,
  type PageRequest,
  type ReadTx,
  type Tx,
} from '../../store/index.ts';
import type { ClusterModel, ClusterSpec } from './model/cluster.ts';
import { families, type KindFamily, kindOf } from './model/kinds.ts';
import { pageOfClusters } from './rows.ts';
import { type ShapeName, shapeOf } from './shapes/region-configs/versions.ts';

/** Which of a project's clusters a list shows. */
export interface Shown {
  readonly family: KindFamily;
  readonly shapes: readonly ShapeName[];
}

/** One page of a project's clusters, oldest first, each as `present` writes it. */
export async function listFamily<T>(
  tx: ReadTx,
  groupId: string,
  { family, shapes }: Shown,
  page: PageRequest,
  present: (cluster: ClusterModel) => T,
) {
  const { rows, next } = await pageOfClusters(tx, groupId, { kinds: families[family], shapes }, page);
  let totalCount = 0;
  for (const kind of page.includeCount ? families[family] : []) {
    for (const shape of shapes) totalCount += await countOf(tx, sizeOf(kind, shape), groupId);
  }
  return { results: rows.map(present), next, totalCount: page.includeCount ? totalCount : undefined };
}

/** Of the free size a project has one; this counts it. */
export const freeClusters = counter('group', 'freeClusters');

export function isFree({ tenant, instanceSize }: ClusterSpec): boolean {
  return tenant && instanceSize === 'M0';
}

/** The clusters of one kind and shape. */
function sizeOf(kind: string, shape: ShapeName): Counter {
  return counter('group', `clusters:${kind}:${shape}`);
}

/** Keeps the sizes of the lists: `before` is absent for a new cluster, `after` for one that is gone. */
export async function recount(
  tx: Tx,
  groupId: string,
  before: ClusterSpec | undefined,
  after: ClusterSpec | undefined,
): Promise<void> {
  const free = Number(after !== undefined && isFree(after)) - Number(before !== undefined && isFree(before));
  if (free !== 0) await addCount(tx, freeClusters, groupId, free);
  const [from, to] = [before, after].map((spec) => spec && sizeOf(kindOf(spec), shapeOf(spec)));
  if (from?.kind === to?.kind) return;
  if (from !== undefined) await addCount(tx, from, groupId, -1);
  if (to !== undefined) await addCount(tx, to, groupId, 1);
}
