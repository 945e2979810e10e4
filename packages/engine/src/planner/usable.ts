import type { Collection } from '../storage/collection/collection.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';

/**
 * True if queries may use the index. Hidden indexes are not used, nor are sparse indexes under `apiStrict`.
 */
export function isUsable({ hidden, sparse }: IndexDefinition, { running }: Collection): boolean {
  return !hidden && !(sparse && running.operation?.isStrict);
}
