import { machineClock } from '@portolan/foundation/clock';
import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { urlOf } from './client.ts';
import type { PageOf } from './lists.ts';
import { type Concerned, canChange, isLimited } from './pace.ts';
import { type Event, type Organization, refresh } from './resources.ts';
import { type StreamNotice, shareStream } from './shared-stream.ts';
import { openStreams } from './streams.ts';
import { Updates } from './updates.ts';

/**
 * Maximum number of event streams. Over HTTP/1.1, browsers open at most six connections to a host, and some must stay
 * free for requests. All tabs of a browser share the streams.
 */
const MAX_STREAMS = 3;

/**
 * The time after which a rejected stream is opened again. A proxy, for example, rejects requests while the service
 * restarts.
 */
const RETRY_MS = 10_000;

const clock = machineClock();

type StreamedEvent = Concerned & Event;

/**
 * When an event is recorded, reloads the displayed data that the event can change. Without event streams, pages reload
 * at their intervals. A hidden tab does neither. When it is shown again, it reloads everything.
 */
export function useLiveUpdates(organizations: readonly Organization[]): void {
  const queries = useQueryClient();
  const isShown = useSyncExternalStore(onVisibility, () => !document.hidden);
  const ids = organizations
    .slice(0, MAX_STREAMS)
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    if (!isShown) return;
    const update = (events: readonly Concerned[]) => reloadFor(queries, events);
    const updates = new Updates<Concerned>(update, clock);
    const streams = ids.split(' ').filter((id) => id !== '');
    const ends = streams.map((id) => follow(queries, id, updates));
    return () => {
      updates.stop();
      for (const end of ends) end();
    };
  }, [ids, isShown, queries]);
}

function onVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}

/** Follows the stream of an organization until the returned function is called. */
function follow(queries: QueryClient, orgId: string, updates: Updates<Concerned>): () => void {
  let known: string | undefined;
  const stop = shareStream(
    `events of ${orgId}`,
    { locks: navigator.locks, channel: (name) => new BroadcastChannel(name) },
    (notify) => connect(orgId, notify),
    (notice) => {
      if (notice.kind === 'opened') {
        openStreams.add(orgId);
        if (notice.id === known) return;
        // The service may have recorded events after the page read the lists of events, and before the stream began. If
        // the page had a stream before, other data can also be outdated.
        void reloadEvents(queries);
        if (known !== undefined) updates.request({});
        known = notice.id;
      } else if (notice.kind === 'event') {
        const event = JSON.parse(notice.data) as StreamedEvent;
        addEvent(queries, event);
        updates.request(event);
      } else if (notice.kind === 'reset') {
        void reloadEvents(queries);
        updates.request({});
      } else {
        openStreams.delete(orgId);
        // The stream may be rejected because the session has ended.
        if (notice.kind === 'rejected') void queries.invalidateQueries({ queryKey: ['session'] });
      }
    },
  );
  return () => {
    stop();
    openStreams.delete(orgId);
  };
}

/** Opens the stream of an organization. Returns a function that closes it. */
function connect(orgId: string, notify: (notice: StreamNotice) => void): () => void {
  let close = () => {};
  const open = () => {
    const stream = new EventSource(urlOf(`api/service/v2/orgs/${orgId}/events/stream`));
    // Only one tab opens a stream at a time, so the time of opening identifies the stream.
    const id = `${clock.now()} ${clock.monotonic()}`;
    close = () => stream.close();
    // If the connection is lost, the browser connects again, and the service repeats the missed events.
    stream.addEventListener('open', () => notify({ kind: 'opened', id }));
    stream.addEventListener('error', () => {
      if (stream.readyState !== EventSource.CLOSED) return notify({ kind: 'lost' });
      close = clock.after(RETRY_MS, open, { keepAlive: true });
      notify({ kind: 'rejected' });
    });
    stream.addEventListener('event', ({ data }) => notify({ kind: 'event', data }));
    stream.addEventListener('reset', () => notify({ kind: 'reset' }));
  };
  open();
  return () => close();
}

const pathOf = ({ queryKey }: Query): string => String(queryKey[1] ?? '');

/**
 * Repeats the queries whose results an event can change. Skips queries of operations with a rate limit, such as lists
 * of events. `addEvent` adds the streamed events to these lists instead.
 */
function reloadFor(queries: QueryClient, events: readonly Concerned[]): Promise<void> {
  return refresh(queries, (query) => events.some((event) => canChange(event, pathOf(query))));
}

function reloadEvents(queries: QueryClient): Promise<void> {
  return queries.invalidateQueries({
    predicate: (query) => isLimited(pathOf(query)) && pathOf(query).endsWith('/events'),
  });
}

/** Adds an event to the lists of events of its project, if they show the first page. */
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
