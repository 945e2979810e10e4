import { machineClock } from '@portolan/foundation/clock';
import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { urlOf } from './client.ts';
import type { PageOf } from './lists.ts';
import { type Concerned, canChange, isLimited } from './pace.ts';
import { type Event, type Organization, refresh } from './resources.ts';
import { openStreams } from './streams.ts';
import { Updates } from './updates.ts';

/**
 * Maximum number of event streams. Over HTTP/1.1, browsers open at most six connections to a host, and some must stay
 * free for requests.
 */
const MAX_STREAMS = 3;

type StreamedEvent = Concerned & Event;

/**
 * Reloads the displayed data that an event can change as soon as the event is recorded. Without event streams, pages
 * reload at their intervals.
 */
export function useLiveUpdates(organizations: readonly Organization[]): void {
  const queries = useQueryClient();
  const ids = organizations
    .slice(0, MAX_STREAMS)
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    const update = (events: readonly Concerned[]) => reloadFor(queries, events);
    const updates = new Updates<Concerned>(update, machineClock());
    const streams = ids.split(' ').filter((id) => id !== '');
    const ends = streams.map((id) => follow(queries, id, updates));
    return () => {
      updates.stop();
      for (const end of ends) end();
    };
  }, [ids, queries]);
}

/** Opens the stream of an organization. Returns a function that closes it. */
function follow(queries: QueryClient, orgId: string, updates: Updates<Concerned>): () => void {
  const stream = new EventSource(urlOf(`api/service/v2/orgs/${orgId}/events/stream`));
  let isFirst = true;
  stream.addEventListener('open', () => {
    openStreams.add(orgId);
    // Events may have been recorded after the lists of events were read, and before the stream began. A stream that is
    // opened again begins where the former one ended.
    if (isFirst) void reloadEvents(queries);
    isFirst = false;
  });
  stream.addEventListener('error', () => {
    openStreams.delete(orgId);
    // The browser connects again by itself, except if the service has rejected the request. The session may have ended.
    if (stream.readyState === EventSource.CLOSED) void queries.invalidateQueries({ queryKey: ['session'] });
  });
  stream.addEventListener('event', ({ data }: MessageEvent<string>) => {
    const event = JSON.parse(data) as StreamedEvent;
    addEvent(queries, event);
    updates.request(event);
  });
  stream.addEventListener('reset', () => {
    void reloadEvents(queries);
    updates.request({});
  });
  return () => {
    stream.close();
    openStreams.delete(orgId);
  };
}

const pathOf = ({ queryKey }: Query): string => String(queryKey[1] ?? '');

/**
 * Repeats the queries whose results an event can change. Skips queries of operations with a rate limit, such as lists of
 * events. `addEvent` adds the streamed events to these lists instead.
 */
function reloadFor(queries: QueryClient, events: readonly Concerned[]): Promise<void> {
  return refresh(queries, (query) => events.some((event) => canChange(event, pathOf(query))));
}

function reloadEvents(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({
    predicate: (query) => isLimited(pathOf(query)) && pathOf(query).endsWith('/events'),
  });
}

/** Adds an event to the first pages of the lists of events that contain it. */
function addEvent(queries: QueryClient, event: StreamedEvent): void {
  const { groupId } = event;
  if (groupId === undefined) return;
  for (const query of queries
    .getQueryCache()
    .findAll({ queryKey: ['limited', `/groups/${groupId}/events`] })) {
    const [, , pageNum, itemsPerPage] = query.queryKey;
    if (pageNum !== 1) continue;
    queries.setQueryData<PageOf<Event>>(
      query.queryKey,
      (page) => page && withEvent(page, event, itemsPerPage),
    );
  }
}

function withEvent(page: PageOf<Event>, event: Event, itemsPerPage: unknown): PageOf<Event> {
  // If the service has several instances, a stream can repeat an event.
  if (page.results.some(({ id }) => id === event.id)) return page;
  const results = [event, ...page.results].slice(0, Number(itemsPerPage));
  return { ...page, results, totalCount: (page.totalCount ?? page.results.length) + 1 };
}
