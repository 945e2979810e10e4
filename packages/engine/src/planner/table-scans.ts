import { plannerError } from '../errors/planner-error.ts';
import { ownDatabases } from '../interface/namespaces.ts';
import type { Filter } from '../language/filter/index.ts';
import type { Collection } from '../storage/collection/collection.ts';

/** Throws under `notablescan`, except for queries without a filter and internal collections. */
export function checkTableScan({ root }: Filter, collection: Collection | undefined): void {
  if (collection === undefined || collection.running.mayScanTables) return;
  const { database, name } = collection;
  if (isEverything(root) || ownDatabases.has(database) || name.startsWith('system.')) return;
  throw plannerError("No indexed plans available, and running with 'notablescan'");
}

function isEverything({ operator, children = [] }: Filter['root']): boolean {
  return operator === '$and' && children.length === 0;
}
