import { addCount } from '../store/counters.ts';
import type { ReadTx, Tx } from '../store/store.ts';
import { eventCounters } from './record.ts';
import { deleteEventsOf, organizationsWithEvents } from './rows.ts';

/** Organizations of which anything has ever happened, also those that are gone. */
export function ownersOfEvents(tx: ReadTx): Promise<string[]> {
  return organizationsWithEvents(tx);
}

/** Forgets the oldest events of an organization before a date, at most so many; answers how many there were. */
export async function forgetEvents(tx: Tx, orgId: string, before: Date, most: number): Promise<number> {
  const groups = await deleteEventsOf(tx, orgId, before, most);
  await addCount(tx, eventCounters.org, orgId, -groups.length);
  for (const [groupId, own] of Map.groupBy(groups, (groupId) => groupId))
    if (groupId !== undefined) await addCount(tx, eventCounters.group, groupId, -own.length);
  return groups.length;
}
