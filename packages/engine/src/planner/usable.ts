import type { Collection } from '../storage/collection.ts';
import type { IndexDefinition } from '../storage/indexes/index-definition.ts';

/** Whether queries may use an index at all: none that is hidden, nor, where they keep to API Version 1, one that is sparse. */
export function isUsable({ hidden, sparse }: IndexDefinition, { running }: Collection): boolean {
  return !hidden && !(sparse && running.asked?.isStrict);
}
