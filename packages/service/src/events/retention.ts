import { addCount } from '../store/counters.ts';
import type { ReadTx, Tx } from '../store/store.ts';
import { eventCounters } from './record.ts';
import { deleteEventsOf, organizationsWithEvents } from './rows.ts';

/** Organizations with events, including deleted ones. */
export function ownersOfEvents(tx: ReadTx): Promise<string[]> {
  return organizationsWithEvents(tx);
}

/** Deletes the oldest events of an organization before a date, at most `most`; returns how many. */
export async function forgetEvents(tx: Tx, orgId: string, before: Date, most: number): Promise<number> {
  const groups = await deleteEventsOf(tx, orgId, before, most);
  await addCount(tx, eventCounters.org, orgId, -groups.length);
  for (const [groupId, own] of Map.groupBy(groups, (groupId) => groupId))
    if (groupId !== undefined) await addCount(tx, eventCounters.group, groupId, -own.length);
  return groups.length;
}
