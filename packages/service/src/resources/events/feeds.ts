import { wholeSeconds } from '../../api/dates.ts';
import { generalFaults } from '../../api/faults.ts';
import type { EventQuery, EventRecord } from '../../events/index.ts';
import type { Page, PageRequest } from '../../store/index.ts';
import type { EventView } from './schema.ts';

export function presentEvent(event: EventRecord, includeRaw: boolean): EventView {
  const { id, created, type, orgId, groupId, actor, clusterName, details } = event;
  return {
    ...actor,
    ...details,
    ...(clusterName === undefined ? {} : { clusterName }),
    ...(groupId === undefined ? {} : { groupId }),
    created,
    eventTypeName: type,
    id,
    isGlobalAdmin: false,
    orgId,
    ...(includeRaw
      ? { raw: { _t: 'EVENT', cid: groupId ?? orgId, cre: wholeSeconds(created), id, et: type } }
      : {}),
  };
}

interface FeedFilter {
  eventType?: string[];
  excludedEventType?: string[];
  clusterNames?: string[];
  minDate?: string | Date;
  maxDate?: string | Date;
  includeRaw?: boolean;
}

/** Translates the query of a request into an event query. */
export function feedQuery(filter: FeedFilter, page: PageRequest): EventQuery {
  const minDate = filter.minDate === undefined ? undefined : new Date(filter.minDate);
  const maxDate = filter.maxDate === undefined ? undefined : new Date(filter.maxDate);
  if (minDate && maxDate && minDate > maxDate) {
    throw generalFaults.INVALID_DATE_RANGE(minDate.toISOString(), maxDate.toISOString()).at('minDate');
  }
  return {
    ...page,
    ...(filter.eventType ? { types: filter.eventType } : {}),
    ...(filter.excludedEventType ? { excludedTypes: filter.excludedEventType } : {}),
    ...(filter.clusterNames ? { clusterNames: filter.clusterNames } : {}),
    ...(minDate ? { minDate } : {}),
    ...(maxDate ? { maxDate } : {}),
  };
}

export function presentFeed(feed: Page<EventRecord>, includeRaw = false) {
  return { ...feed, results: feed.results.map((event) => presentEvent(event, includeRaw)) };
}
