import type { Command } from '../command.ts';
import { compileFilter, type Filter } from '../language/filter/index.ts';
import type { Collection } from '../storage/collection.ts';
import { command } from './define.ts';
import { checkNamespace, onCollection } from './namespace.ts';
import { Matches, type PlanOptions, plan, refuseCollation } from './plan.ts';

const count = command({
  name: 'count',
  privileges: onCollection('find'),
  fields: {
    count: 'collection!',
    query: 'object',
    limit: 'int',
    skip: 'count',
    hint: 'objectOrString',
    collation: 'object',
    fields: 'any',
    queryOptions: 'object',
    queryHash: 'any',
  },
  run({ count: name, query, limit = 0, skip = 0, hint, collation }, { database }, { store }) {
    checkNamespace(database, name);
    refuseCollation(collation);
    const filter = query && compileFilter(query);
    const collection = store.collection(database, name);
    // A negative limit was once how a client said that it wants one batch.
    const most = limit === 0 ? Number.POSITIVE_INFINITY : Math.abs(limit);
    if (collection === undefined) return { n: 0 };
    if (filter === undefined || query?.isEmpty) return { n: within(collection.documents, skip, most) };
    return { n: within(countMatches(collection, filter, hint, skip + most), skip, most) };
  },
});

function within(matches: number, skip: number, most: number): number {
  return Math.min(Math.max(matches - skip, 0), most);
}

function countMatches(
  collection: Collection,
  filter: Filter,
  hint: PlanOptions['hint'],
  enough: number,
): number {
  const matches = new Matches(collection, plan(filter, { hint }).path, filter);
  let found = 0;
  while (found < enough && matches.next() !== undefined) found++;
  return found;
}

export const countCommands: readonly Command[] = [count];
