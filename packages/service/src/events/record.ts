import { type CacheKey, cacheKeysOf } from '../store/cache-keys.ts';
import { addCounts, counter, countOf } from '../store/counters.ts';
import type { ReadTx, Tx } from '../store/store.ts';
import type { EventOwner, EventRecord, NewEvent } from './event.ts';
import { insertEvent } from './rows.ts';
import { recorded } from './subscriptions.ts';

/** The counters of events, per organization and per project. */
export const eventCounters = { org: counter('org', 'event'), group: counter('group', 'event') };

/**
 * Returns the cache key of the event with this id. The transaction that records the event invalidates the
 * key.
 */
const eventKeys = cacheKeysOf('event');
const KEY_START = eventKeys('');

export function idOfEventKey(key: CacheKey): string | undefined {
  return key.startsWith(KEY_START) ? key.slice(KEY_START.length) : undefined;
}

/** Records an event in the transaction of the change that caused it. Runs the subscriptions in the same transaction. */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<EventRecord> {
  const { orgId, groupId } = event;
  const record: EventRecord = { ...event, id: tx.id(), created: tx.now };
  await insertEvent(tx, record);
  const counts = [{ of: eventCounters.org, id: orgId, delta: 1 }];
  if (groupId !== undefined) counts.push({ of: eventCounters.group, id: groupId, delta: 1 });
  await addCounts(tx, counts);
  tx.touch(eventKeys(record.id));
  await tx.publish(recorded, record);
  return record;
}

/** Returns the number of events of an owner, of any type. */
export function countOfEvents(tx: ReadTx, owner: EventOwner): Promise<number> {
  return 'groupId' in owner
    ? countOf(tx, eventCounters.group, owner.groupId)
    : countOf(tx, eventCounters.org, owner.orgId);
}
