import { addCount } from '../store/counters.ts';
import type { Tx } from '../store/store.ts';
import type { EventOwner, EventRecord, NewEvent } from './event.ts';
import { insertEvent } from './rows.ts';
import { recorded } from './subscriptions.ts';

/** The kind under which events are counted. */
export const EVENT_COUNT = 'event';

/** Records a fact in the transaction of the change that it tells of, and lets subscriptions act on it there. */
export async function recordEvent(tx: Tx, event: NewEvent): Promise<EventRecord> {
  const { orgId, groupId } = event;
  const record: EventRecord = { ...event, id: tx.id(), created: tx.now };
  await insertEvent(tx, record);
  await addCount(tx, scopeOf({ orgId }), EVENT_COUNT, 1);
  if (groupId !== undefined) await addCount(tx, scopeOf({ groupId }), EVENT_COUNT, 1);
  await tx.publish(recorded, record);
  return record;
}

/** What an owner's events are counted under. */
export function scopeOf(owner: EventOwner): string {
  return 'groupId' in owner ? `group:${owner.groupId}` : `org:${owner.orgId}`;
}
