import type { Collection } from '../storage/collection/collection.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';

/** Queries never use hidden indexes, nor sparse ones under `apiStrict`. */
export function isUsable({ hidden, sparse }: IndexDefinition, { running }: Collection): boolean {
  return !hidden && !(sparse && running.operation?.isStrict);
}
