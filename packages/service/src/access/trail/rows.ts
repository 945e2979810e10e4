import { sql } from 'kysely';
import { codec, type PageRange, type ReadTx, type Tx } from '../../store/index.ts';
import type { Caller } from '../caller.ts';

interface Tables {
  /** A batch of requests. `first` and `last` are the numbers of its first and its last request. */
  request_trail: { org_id: string; last: number; first: number; entries: string };
  request_trail_end: { org_id: string; recorded: number };
}

/** One request of an authenticated caller. */
export interface TrailEntry {
  readonly requestId: string;
  /** Time at which the response ended, in milliseconds of machine time. */
  readonly at: number;
  readonly caller: { readonly kind: Caller['kind']; readonly id: string; readonly name: string };
  readonly address: string;
  /** The operation's id; `none` if no path and method match. */
  readonly operation: string;
  readonly method: string;
  /** The path. The query is omitted, because it may be confidential. */
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** Number of requests kept per organization. They take some 2 MB. */
export const TRAIL_SIZE = 10_000;

const codecOfEntries = codec.json<readonly TrailEntry[]>();

/** Adds requests, oldest first, as one row. One row per request would cost more time than serving the request. */
export async function appendRequests(tx: Tx, orgId: string, entries: readonly TrailEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const recorded = await advance(tx, orgId, entries.length);
  const db = tx.from<Tables>();
  await db
    .insertInto('request_trail')
    .values({
      org_id: orgId,
      last: recorded - 1,
      first: recorded - entries.length,
      entries: codecOfEntries.write(entries),
    })
    .execute();
  const outdated = db.deleteFrom('request_trail').where('org_id', '=', orgId);
  await outdated.where('last', '<', recorded - TRAIL_SIZE).execute();
}

/** Adds `count` to the number of requests that were ever recorded for an organization, and returns the sum. */
async function advance(tx: Tx, orgId: string, count: number): Promise<number> {
  const { recorded } = await tx
    .from<Tables>()
    .insertInto('request_trail_end')
    .values({ org_id: orgId, recorded: count })
    .onConflict((conflict) =>
      conflict.column('org_id').doUpdateSet({
        recorded: sql`request_trail_end.recorded + excluded.recorded`,
      }),
    )
    .returning('recorded')
    .executeTakeFirstOrThrow();
  return recorded;
}

/**
 * Returns one page of requests, newest first. `range.after` is the number of the last request on the previous page.
 */
export async function pageOfRequests(
  tx: ReadTx,
  orgId: string,
  range: PageRange,
): Promise<{ entries: TrailEntry[]; next: string | undefined }> {
  const recorded = await recordedOf(tx, orgId);
  const oldest = Math.max(0, recorded - TRAIL_SIZE);
  const after = Number(range.after);
  const end = Number.isSafeInteger(after) ? after : recorded - (range.pageNum - 1) * range.itemsPerPage;
  const start = Math.max(oldest, end - range.itemsPerPage);
  const rows = await tx
    .from<Tables>()
    .selectFrom('request_trail')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('last', '>=', start)
    .where('first', '<', end)
    .orderBy('last')
    .execute();
  const entries = rows.flatMap((row) =>
    codecOfEntries.read(row.entries).slice(Math.max(0, start - row.first), Math.max(0, end - row.first)),
  );
  return { entries: entries.reverse(), next: start > oldest ? String(start) : undefined };
}

/** Returns the number of requests that are kept. */
export async function countRequests(tx: ReadTx, orgId: string): Promise<number> {
  return Math.min(await recordedOf(tx, orgId), TRAIL_SIZE);
}

async function recordedOf(tx: ReadTx, orgId: string): Promise<number> {
  const query = tx.from<Tables>().selectFrom('request_trail_end').select('recorded');
  return (await query.where('org_id', '=', orgId).executeTakeFirst())?.recorded ?? 0;
}

/** Deletes the requests of a deleted organization. */
export async function deleteRequests(tx: Tx, orgId: string): Promise<void> {
  for (const table of ['request_trail', 'request_trail_end'] as const) {
    await tx.from<Tables>().deleteFrom(table).where('org_id', '=', orgId).execute();
  }
}
