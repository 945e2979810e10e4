import { nextTurn } from '@portolan/foundation/next-turn';
import type { Kysely, SelectQueryBuilder } from 'kysely';
import { codec } from '../store/codec.ts';
import type { PageRange, PageRows } from '../store/page.ts';
import { prepared } from '../store/prepared.ts';
import type { ReadTx } from '../store/store.ts';
import {
  type Actor,
  type EventDetails,
  type EventFilter,
  type EventOwner,
  type EventRecord,
  isRestricted,
  isSelective,
} from './event.ts';
import type { EventNumber, NumberRange } from './position.ts';

interface EventTables {
  event: EventRow;
}

interface EventRow {
  id: string;
  /** The key by which feeds are sorted and paged; see `positionOf`. */
  position: string;
  type: string;
  org_id: string;
  group_id: string | null;
  created: number;
  api_key_id: string | null;
  public_key: string | null;
  user_id: string | null;
  username: string | null;
  remote_address: string | null;
  cluster_name: string | null;
  details: string | null;
  /** The shard and the number of the event (see `Position`). Null for events that earlier versions recorded. */
  shard: number | null;
  number: number | null;
}

const insert = prepared((db: Kysely<EventTables>, row: EventRow) =>
  db.insertInto('event').values({
    id: row.id,
    position: row.position,
    type: row.type,
    org_id: row.org_id,
    group_id: row.group_id,
    created: row.created,
    api_key_id: row.api_key_id,
    public_key: row.public_key,
    user_id: row.user_id,
    username: row.username,
    remote_address: row.remote_address,
    cluster_name: row.cluster_name,
    details: row.details,
    shard: row.shard,
    number: row.number,
  }),
);

export async function insertEvent(tx: ReadTx, event: EventRecord, number: EventNumber): Promise<void> {
  await insert.run(tx, { ...toRow(event), ...number });
}

/** Returns the events that match a filter, newest first. */
export async function findEvents(
  tx: ReadTx,
  owner: EventOwner,
  filter: EventFilter,
  range: PageRange,
): Promise<PageRows<EventRecord>> {
  const { after, itemsPerPage, pageNum } = range;
  const offset = after === undefined ? (pageNum - 1) * itemsPerPage : 0;
  // Read one event more than the page has, to find out whether there is a next page.
  const limit = itemsPerPage + 1;
  const events = { ...filter, before: after };
  const isQuick = offset === 0 && !mayPassMany(owner, filter);
  const found = isQuick
    ? await newestIn(within(matching(tx, owner, filter), events), { offset, limit })
    : await newestInSlices(slicesOf(tx, owner, events), { offset, limit });
  const rows = found.slice(0, itemsPerPage);
  return { rows: rows.map(fromRow), next: found.length === limit ? rows.at(-1)?.position : undefined };
}

/** A part of a list: `limit` entries after the first `offset` ones. */
interface Window {
  readonly offset: number;
  readonly limit: number;
}

function newestIn(events: Events, { offset, limit }: Window): Promise<EventRow[]> {
  const newest = events.selectAll().orderBy('position', 'desc').limit(limit);
  return (offset === 0 ? newest : newest.offset(offset)).execute();
}

/** Like `newestIn`, for the events of all slices together. Reads no slice after the window. */
async function newestInSlices(slices: AsyncIterable<Events>, { offset, limit }: Window): Promise<EventRow[]> {
  const found: EventRow[] = [];
  let toSkip = offset;
  for await (const slice of slices) {
    const count = toSkip === 0 ? 0 : await countIn(slice);
    if (toSkip === 0 || count > toSkip)
      found.push(...(await newestIn(slice, { offset: toSkip, limit: limit - found.length })));
    toSkip = Math.max(0, toSkip - count);
    if (found.length === limit) break;
  }
  return found;
}

/** Counts the events that match a filter, in slices (see `slicesOf`). */
export async function countMatching(tx: ReadTx, owner: EventOwner, filter: EventFilter): Promise<number> {
  let count = 0;
  for await (const slice of slicesOf(tx, owner, filter)) count += await countIn(slice);
  return count;
}

async function countIn(events: Events): Promise<number> {
  const query = events.select((of) => of.fn.countAll<number>().as('count'));
  return Number((await query.executeTakeFirstOrThrow()).count);
}

/**
 * Maximum number of events that a statement reads. SQLite reads events in the thread that serves all requests. An
 * organization can have millions of events, hardly any of which match a filter.
 */
export const SLICE = 1000;

interface Sliced extends EventFilter {
  /** Selects only events with a position before this one. */
  readonly before?: string | undefined;
}

/**
 * Yields the matching events in slices, newest first. Each slice contains the matches among a limited number of events.
 * Between two slices, other requests are served.
 */
async function* slicesOf(tx: ReadTx, owner: EventOwner, filter: Sliced): AsyncGenerator<Events> {
  let rest = filter;
  for (;;) {
    const newest = within(ownedBy(tx, allProjectsOf(owner)), rest)
      .select('position')
      .orderBy('position', 'desc');
    const start = (
      await newest
        .offset(SLICE - 1)
        .limit(1)
        .executeTakeFirst()
    )?.position;
    const slice = within(matching(tx, owner, filter), rest);
    yield start === undefined ? slice : slice.where('position', '>=', start);
    if (start === undefined) return;
    rest = { ...rest, before: start };
    await nextTurn();
  }
}

/** Restricts events to the dates of a filter, and to the positions before a position. */
function within(events: Events, { before, minDate, maxDate }: Sliced): Events {
  let some = events;
  if (before !== undefined) some = some.where('position', '<', before);
  if (minDate) some = some.where('position', '>=', positionOf(minDate));
  if (maxDate) some = some.where('position', '<', positionOf(new Date(maxDate.getTime() + 1)));
  return some;
}

/** Whether a statement may read many events that do not match. */
function mayPassMany(owner: EventOwner, filter: EventFilter): boolean {
  return isRestricted(owner) || isSelective(filter);
}

/**
 * Returns the owner without its restriction to some projects. The length of a slice is counted in the events of this
 * owner.
 */
function allProjectsOf(owner: EventOwner): EventOwner {
  return 'groupId' in owner ? owner : { orgId: owner.orgId };
}

export async function findEvent(tx: ReadTx, owner: EventOwner, id: string): Promise<EventRecord | undefined> {
  const row = await ownedBy(tx, owner).selectAll().where('id', '=', id).executeTakeFirst();
  return row && fromRow(row);
}

/** Returns up to `most` events of an owner in a range of numbers, in the order of the numbers. */
export async function findNumbered(
  tx: ReadTx,
  owner: EventOwner,
  orgId: string,
  { shard, after, through }: NumberRange,
  most: number,
): Promise<Array<EventRecord & EventNumber>> {
  const rows = await ownedBy(tx, owner)
    .selectAll()
    .where('org_id', '=', orgId)
    .where('shard', '=', shard)
    .where('number', '>', after)
    .where('number', '<=', through)
    .orderBy('number')
    .limit(most)
    .execute();
  return rows.map((row) => ({ ...fromRow(row), shard, number: row.number ?? 0 }));
}

export async function organizationsWithEvents(tx: ReadTx): Promise<string[]> {
  const events = tx.from<EventTables>().selectFrom('event').select('org_id').orderBy('org_id').limit(1);
  const found: string[] = [];
  // Find each organization in the index. With DISTINCT, SQLite would read all events in one statement.
  for (;;) {
    const last = found.at(-1);
    const next = last === undefined ? events : events.where('org_id', '>', last);
    const row = await next.executeTakeFirst();
    if (row === undefined) return found;
    found.push(row.org_id);
    await nextTurn();
  }
}

/** Deletes the oldest events of an organization before a date; returns the project of each event, if it has one. */
export async function deleteEventsOf(
  tx: ReadTx,
  orgId: string,
  before: Date,
  most: number,
): Promise<Array<string | undefined>> {
  const events = tx.from<EventTables>();
  const old = events.selectFrom('event').select(['id', 'group_id']).where('org_id', '=', orgId);
  const rows = await old.where('position', '<', positionOf(before)).orderBy('position').limit(most).execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await events.deleteFrom('event').where('id', 'in', ids).execute();
  return rows.map(({ group_id }) => group_id ?? undefined);
}

type Events = SelectQueryBuilder<EventTables, 'event', Record<never, never>>;

function ownedBy(tx: ReadTx, owner: EventOwner): Events {
  const events = tx.from<EventTables>().selectFrom('event');
  if ('groupId' in owner) return events.where('group_id', '=', owner.groupId);
  const { orgId, groupIds } = owner;
  const inOrg = events.where('org_id', '=', orgId);
  if (groupIds === undefined) return inOrg;
  return inOrg.where((row) =>
    row.or([row('group_id', 'is', null), ...(groupIds.length > 0 ? [row('group_id', 'in', groupIds)] : [])]),
  );
}

function matching(tx: ReadTx, owner: EventOwner, filter: EventFilter): Events {
  let events = ownedBy(tx, owner);
  if (filter.types?.length) events = events.where('type', 'in', filter.types);
  if (filter.excludedTypes?.length) events = events.where('type', 'not in', filter.excludedTypes);
  if (filter.clusterNames?.length) events = events.where('cluster_name', 'in', filter.clusterNames);
  return events;
}

const details = codec.json<EventDetails>();

function toRow(event: EventRecord): Omit<EventRow, keyof EventNumber> {
  const { actor } = event;
  return {
    id: event.id,
    position: positionOf(event.created, event.id),
    type: event.type,
    org_id: event.orgId,
    group_id: event.groupId ?? null,
    created: codec.date.write(event.created),
    api_key_id: actor.apiKeyId ?? null,
    public_key: actor.publicKey ?? null,
    user_id: actor.userId ?? null,
    username: actor.username ?? null,
    remote_address: actor.remoteAddress ?? null,
    cluster_name: event.clusterName ?? null,
    details: event.details === undefined ? null : details.write(event.details),
  };
}

function fromRow(row: EventRow): EventRecord {
  return {
    id: row.id,
    type: row.type,
    orgId: row.org_id,
    ...(row.group_id !== null && { groupId: row.group_id }),
    created: codec.date.read(row.created),
    actor: actorOf(row),
    ...(row.cluster_name !== null && { clusterName: row.cluster_name }),
    ...(row.details !== null && { details: details.read(row.details) }),
  };
}

function actorOf(row: EventRow): Actor {
  return {
    ...(row.api_key_id !== null && { apiKeyId: row.api_key_id }),
    ...(row.public_key !== null && { publicKey: row.public_key }),
    ...(row.user_id !== null && { userId: row.user_id }),
    ...(row.username !== null && { username: row.username }),
    ...(row.remote_address !== null && { remoteAddress: row.remote_address }),
  };
}

/**
 * Returns a sort key: the date as 12 hexadecimal digits of milliseconds (sufficient until the year 10889), and then the
 * id. One index on this key is used for the order, the pages and the date filters of every feed.
 */
function positionOf(created: Date, id = ''): string {
  return Math.max(0, created.getTime()).toString(16).padStart(12, '0') + id;
}
