import { machineClock } from '@portolan/foundation/clock';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { urlOf } from './client.ts';
import { type Organization, refresh } from './resources.ts';
import { Updates } from './updates.ts';

/**
 * Maximum number of event streams. Over HTTP/1.1, browsers open at most six connections to a host, and some must stay
 * free for requests.
 */
const MAX_STREAMS = 3;

/**
 * Reloads the displayed data as soon as an event is recorded. Without event streams, pages reload at their intervals.
 */
export function useLiveUpdates(organizations: readonly Organization[]): void {
  const queries = useQueryClient();
  const ids = organizations
    .slice(0, MAX_STREAMS)
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    const updates = new Updates(() => refresh(queries), machineClock());
    const update = () => updates.request();
    const streams = ids
      .split(' ')
      .filter((id) => id !== '')
      .map((id) => new EventSource(urlOf(`api/service/v2/orgs/${id}/events/stream`)));
    for (const stream of streams)
      for (const type of ['event', 'reset']) stream.addEventListener(type, update);
    return () => {
      updates.stop();
      for (const stream of streams) stream.close();
    };
  }, [ids, queries]);
}
