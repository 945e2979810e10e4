import { sql } from 'kysely';
import type { Tx } from '../../store/index.ts';

interface RateTables {
  request_rate: { name: string; minute: number; taken: number };
}

/** Counts one request of a window and returns the count, which stops at `limit` plus one. */
export async function countRequest(tx: Tx, name: string, minute: number, limit: number): Promise<number> {
  // The stored window is later if the clock of another instance is slightly ahead. Count the request in the later
  // window.
  const isOver = sql<boolean>`request_rate.minute < excluded.minute`;
  const next = sql`CASE WHEN request_rate.taken > ${limit} THEN request_rate.taken ELSE request_rate.taken + 1 END`;
  const row = await tx
    .from<RateTables>()
    .insertInto('request_rate')
    .values({ name, minute, taken: 1 })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        taken: sql`CASE WHEN ${isOver} THEN 1 ELSE ${next} END`,
        minute: sql`CASE WHEN ${isOver} THEN excluded.minute ELSE request_rate.minute END`,
      }),
    )
    .returning('taken')
    .executeTakeFirstOrThrow();
  return row.taken;
}
