import { addCount } from '../store/counters.ts';
import type { ReadTx, Tx } from '../store/store.ts';
import { eventCounters } from './record.ts';
import { deleteEventsOf, organizationsWithEvents } from './rows.ts';

/** Returns the organizations that have events, including deleted ones. */
export function ownersOfEvents(tx: ReadTx): Promise<string[]> {
  return organizationsWithEvents(tx);
}

/** Deletes up to `most` of an organization's oldest events before a date. Returns the number of deleted events. */
export async function deleteOldEvents(tx: Tx, orgId: string, before: Date, most: number): Promise<number> {
  const groups = await deleteEventsOf(tx, orgId, before, most);
  await addCount(tx, eventCounters.org, orgId, -groups.length);
  for (const [groupId, own] of Map.groupBy(groups, (groupId) => groupId))
    if (groupId !== undefined) await addCount(tx, eventCounters.group, groupId, -own.length);
  return groups.length;
}
