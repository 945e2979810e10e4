import type { Collection } from '../storage/collection/collection.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';

/** True if queries may use the index. They do not use hidden indexes or, under `apiStrict`, sparse ones. */
export function isUsable({ hidden, sparse }: IndexDefinition, { running }: Collection): boolean {
  return !hidden && !(sparse && running.operation?.isStrict);
}
