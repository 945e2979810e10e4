import type { Collection } from '../storage/collection/collection.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';

/** False for hidden indexes, and for sparse ones under `apiStrict`: queries do not use them. */
export function isUsable({ hidden, sparse }: IndexDefinition, { running }: Collection): boolean {
  return !hidden && !(sparse && running.operation?.isStrict);
}
