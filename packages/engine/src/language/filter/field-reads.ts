import type { FieldReads } from '../field-reads.ts';
import type { Condition } from './filter.ts';

const logical: ReadonlySet<string> = new Set(['$and', '$or', '$nor', '$not']);

/** Adds the fields that a filter reads. */
export function addFilterReads(reads: FieldReads, { operator, leaf, children }: Condition): void {
  if (leaf !== undefined) reads.add(leaf.path.text);
  else if (children === undefined || !logical.has(operator)) reads.add(undefined);
  else for (const child of children) addFilterReads(reads, child);
}
