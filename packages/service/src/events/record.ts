import { type CacheKey, cacheKeysOf } from '../store/cache-keys.ts';
import { addCounts, counter, countOf } from '../store/counters.ts';
import type { ReadTx, Tx } from '../store/store.ts';
import type { EventOwner, EventRecord, NewEvent } from './event.ts';
import { insertEvent } from './rows.ts';
import { recorded } from './subscriptions.ts';

/**
 * The counters of events, per organization and per project. `numbers` is never decreased, so that its counts can number
 * the events.
 */
export const eventCounters = {
  org: counter('org', 'event'),
  group: counter('group', 'event'),
  numbers: counter('org', 'event number'),
};

/**
 * Returns the cache key of the events of an organization. Each transaction that records an event of the organization
 * invalidates the key.
 */
const eventKeys = cacheKeysOf('event');
const KEY_START = eventKeys('');

/** Returns the organization to whose events a cache key belongs. */
export function ownerOfEventKey(key: CacheKey): string | undefined {
  return key.startsWith(KEY_START) ? key.slice(KEY_START.length) : undefined;
}

/** Records an event in the transaction of the change that caused it. Runs the subscriptions in the same transaction. */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<EventRecord> {
  const { orgId, groupId } = event;
  const record: EventRecord = { ...event, id: tx.id(), created: tx.now };
  const { org, group, numbers } = eventCounters;
  const counts = [org, numbers].map((of) => ({ of, id: orgId, delta: 1 }));
  if (groupId !== undefined) counts.push({ of: group, id: groupId, delta: 1 });
  const rows = await addCounts(tx, counts);
  const { shard = 0, count = 0 } = rows.find(({ kind }) => kind === numbers.kind) ?? {};
  await insertEvent(tx, record, { shard, number: count });
  tx.touch(eventKeys(orgId));
  await tx.publish(recorded, record);
  return record;
}

/** Returns the number of events of an owner, of any type. */
export function countOfEvents(tx: ReadTx, owner: EventOwner): Promise<number> {
  return 'groupId' in owner
    ? countOf(tx, eventCounters.group, owner.groupId)
    : countOf(tx, eventCounters.org, owner.orgId);
}
