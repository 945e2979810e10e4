import type { Page, PageRequest } from '../store/page.ts';
import type { ReadTx } from '../store/store.ts';
import type { EventFilter, EventOwner, EventRecord } from './event.ts';
import { countOfEvents } from './record.ts';
import { countMatching, findEvents } from './rows.ts';

export interface EventQuery extends EventFilter, PageRequest {}

/** Returns a page of the events of an owner, newest first. */
export async function listEvents(
  tx: ReadTx,
  owner: EventOwner,
  query: EventQuery,
): Promise<Page<EventRecord>> {
  const { rows, next } = await findEvents(tx, owner, query, query);
  const totalCount = query.includeCount ? await countEvents(tx, owner, query) : undefined;
  return { results: rows, next, totalCount };
}

function countEvents(tx: ReadTx, owner: EventOwner, filter: EventFilter): Promise<number> {
  const whole = 'groupId' in owner || owner.groupIds === undefined;
  return whole && !isFiltered(filter) ? countOfEvents(tx, owner) : countMatching(tx, owner, filter);
}

function isFiltered({ types, excludedTypes, clusterNames, minDate, maxDate }: EventFilter): boolean {
  const dated = minDate !== undefined || maxDate !== undefined;
  return dated || [types, excludedTypes, clusterNames].some((list) => list !== undefined && list.length > 0);
}
