import type { Page, PageRequest } from '../store/page.ts';
import type { ReadTx } from '../store/store.ts';
import { type EventFilter, type EventOwner, type EventRecord, isRestricted, isSelective } from './event.ts';
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
  const isDated = filter.minDate !== undefined || filter.maxDate !== undefined;
  const isWhole = !isRestricted(owner) && !isSelective(filter) && !isDated;
  return isWhole ? countOfEvents(tx, owner) : countMatching(tx, owner, filter);
}
