import type { Kysely, SelectQueryBuilder } from 'kysely';
import { codec } from '../store/codec.ts';
import { fetchPage, type PageRange, type PageRows } from '../store/page.ts';
import { prepared } from '../store/prepared.ts';
import type { ReadTx } from '../store/store.ts';
import type { Actor, EventDetails, EventFilter, EventOwner, EventRecord } from './event.ts';

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
  }),
);

export async function insertEvent(tx: ReadTx, event: EventRecord): Promise<void> {
  await insert.run(tx, toRow(event));
}

/** Returns the events that match a filter, newest first. */
export async function findEvents(
  tx: ReadTx,
  owner: EventOwner,
  filter: EventFilter,
  range: PageRange,
): Promise<PageRows<EventRecord>> {
  const events = matching(tx, owner, filter).selectAll();
  const { rows, next } = await fetchPage(events, 'position', range, 'desc');
  return { rows: rows.map(fromRow), next };
}

export async function countMatching(tx: ReadTx, owner: EventOwner, filter: EventFilter): Promise<number> {
  const events = matching(tx, owner, filter).select((of) => of.fn.countAll<number>().as('count'));
  return (await events.executeTakeFirstOrThrow()).count;
}

export async function findEvent(tx: ReadTx, owner: EventOwner, id: string): Promise<EventRecord | undefined> {
  const row = await ownedBy(tx, owner).selectAll().where('id', '=', id).executeTakeFirst();
  return row && fromRow(row);
}

/** Returns the events with these ids, in the order of their dates. */
export async function findEventsById(tx: ReadTx, ids: readonly string[]): Promise<EventRecord[]> {
  const events = tx.from<EventTables>().selectFrom('event').selectAll().where('id', 'in', ids);
  return (await events.orderBy('position').execute()).map(fromRow);
}

/** Returns the events after a date or, on the same date, after an id; oldest first. */
export async function findEventsAfter(
  tx: ReadTx,
  owner: EventOwner,
  after: { readonly created: Date; readonly id?: string },
  most: number,
): Promise<EventRecord[]> {
  const newer = ownedBy(tx, owner).selectAll().where('position', '>', positionOf(after.created, after.id));
  return (await newer.orderBy('position').limit(most).execute()).map(fromRow);
}

export async function organizationsWithEvents(tx: ReadTx): Promise<string[]> {
  const query = tx.from<EventTables>().selectFrom('event').select('org_id').distinct();
  return (await query.execute()).map(({ org_id }) => org_id);
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
  if (filter.minDate) events = events.where('position', '>=', positionOf(filter.minDate));
  if (filter.maxDate)
    events = events.where('position', '<', positionOf(new Date(filter.maxDate.getTime() + 1)));
  return events;
}

const details = codec.json<EventDetails>();

function toRow(event: EventRecord): EventRow {
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
