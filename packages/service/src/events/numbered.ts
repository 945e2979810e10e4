import { shardsOf } from '../store/counters.ts';
import type { ReadTx } from '../store/store.ts';
import type { EventOwner, EventRecord } from './event.ts';
import type { NumberRange, Position } from './position.ts';
import { eventCounters } from './record.ts';
import { findNumbered } from './rows.ts';

/** Returns the position after all events of an organization. */
export async function positionOf(tx: ReadTx, orgId: string): Promise<Position> {
  const rows = await shardsOf(tx, eventCounters.numbers, orgId);
  return new Map(rows.map(({ shard, count }) => [shard, count]));
}

/** Events of an organization, oldest first, and the position after them. */
export interface EventBatch {
  readonly events: readonly EventRecord[];
  readonly position: Position;
}

/** Returns the first `most` events of an owner in ranges that begin at a position. */
export async function findInRanges(
  tx: ReadTx,
  { orgId, owner = { orgId } }: { readonly orgId: string; readonly owner?: EventOwner },
  { from, ranges }: { readonly from: Position; readonly ranges: readonly NumberRange[] },
  most: number,
): Promise<EventBatch> {
  const events: EventRecord[] = [];
  const position = new Map(from);
  for (const range of ranges) {
    const limit = most - events.length;
    if (limit === 0) break;
    const found = await findNumbered(tx, owner, orgId, range, limit);
    for (const { shard: _, number: __, ...event } of found) events.push(event);
    position.set(range.shard, found.length < limit ? range.through : (found.at(-1)?.number ?? range.through));
  }
  return { events: events.toSorted(byDate), position };
}

function byDate(one: EventRecord, other: EventRecord): number {
  return one.created.getTime() - other.created.getTime() || (one.id < other.id ? -1 : 1);
}
