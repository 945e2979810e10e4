import type { Command } from '../command.ts';
import { compileFilter, type Filter } from '../language/filter/index.ts';
import { fitsInt64, INT64_MIN, toBigInt, toNumber } from '../language/numbers/convert.ts';
import { isNumber, type Value } from '../language/value.ts';
import { ServerError } from '../server-error.ts';
import type { Collection } from '../storage/collection.ts';
import { command } from './define.ts';
import { environmentOf } from './environment.ts';
import { checkNamespace, onCollection } from './namespace.ts';
import { Matches, type PlanOptions, plan, refuseCollation } from './plan.ts';

export const countFields = {
  count: 'collection!',
  query: 'object',
  limit: 'any',
  skip: 'count',
  hint: 'objectOrString',
  collation: 'object',
  fields: 'any',
  queryOptions: 'object',
  queryHash: 'any',
} as const;

const count = command({
  name: 'count',
  privileges: onCollection('find'),
  readConcern: true,
  fields: countFields,
  run({ count: name, query, limit, skip = 0, hint, collation }, { database }, cluster) {
    checkNamespace(database, name);
    refuseCollation(collation);
    const filter = query && compileFilter(query, environmentOf(undefined, cluster));
    const collection = cluster.store.collection(database, name);
    // A negative limit was once how a client said that it wants one batch.
    const most = (limit && Math.abs(wholeLimit(limit))) || Number.POSITIVE_INFINITY;
    if (collection === undefined) return { n: 0 };
    if (filter === undefined || query?.isEmpty) return { n: within(collection.documents, skip, most) };
    return { n: within(countMatches(collection, filter, hint, skip + most), skip, most) };
  },
});

/** Stricter than other numbers: a whole one of 64 bits. */
export function wholeLimit(value: Value): number {
  if (!isNumber(value)) throw new ServerError('BadValue', 'limit value is not a valid number');
  const number = toNumber(value);
  const whole = toBigInt(value);
  if (Number(whole) !== number || !fitsInt64(whole)) {
    throw new ServerError(
      'FailedToParse',
      `limit value for count cannot be expressed as an int64: ${number}`,
    );
  }
  if (whole === INT64_MIN) throw new ServerError('BadValue', 'limit value for count cannot be min long');
  return number;
}

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
