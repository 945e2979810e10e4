import { type Kysely, type Selectable, sql } from 'kysely';
import {
  codec,
  fetchPage,
  type PageRange,
  type PageRows,
  prepared,
  type ReadTx,
  type Tx,
} from '../../store/index.ts';

interface Tables {
  organization: { id: string; name: string; created: number; skip_default_alerts: number };
}

export interface OrganizationRow {
  readonly id: string;
  readonly name: string;
  readonly created: Date;
  readonly skipDefaultAlerts: boolean;
}

function readRow(row: Selectable<Tables['organization']>): OrganizationRow {
  return {
    id: row.id,
    name: row.name,
    created: codec.date.read(row.created),
    skipDefaultAlerts: codec.boolean.read(row.skip_default_alerts),
  };
}

export async function insertOrganization(tx: Tx, row: OrganizationRow): Promise<void> {
  await tx
    .from<Tables>()
    .insertInto('organization')
    .values({
      id: row.id,
      name: row.name,
      created: codec.date.write(row.created),
      skip_default_alerts: codec.boolean.write(row.skipDefaultAlerts),
    })
    .execute();
}

const byId = prepared((db: Kysely<Tables>, of: { id: string }) =>
  db.selectFrom('organization').selectAll().where('id', '=', of.id),
);

export async function findOrganization(tx: ReadTx, id: string): Promise<OrganizationRow | undefined> {
  const row = await byId.first(tx, { id });
  return row && readRow(row);
}

/** Returns the names of organizations, by id. `ids` may contain duplicates. */
export async function organizationNames(
  tx: ReadTx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const organizations = tx.from<Tables>().selectFrom('organization').select(['id', 'name']);
  const rows = await organizations.where('id', 'in', [...new Set(ids)]).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns the organizations with these ids, oldest first. If `name` is set, their names must begin with it. */
export async function pageOfOrganizations(
  tx: ReadTx,
  ids: readonly string[],
  name: string | undefined,
  page: PageRange,
): Promise<PageRows<OrganizationRow>> {
  if (ids.length === 0) return { rows: [], next: undefined };
  const { rows, next } = await fetchPage(selection(tx, ids, name).selectAll(), 'id', page);
  return { rows: rows.map(readRow), next };
}

export async function countOrganizations(
  tx: ReadTx,
  ids: readonly string[],
  name: string | undefined,
): Promise<number> {
  if (ids.length === 0) return 0;
  const query = selection(tx, ids, name).select((row) => row.fn.countAll<number>().as('count'));
  return (await query.executeTakeFirstOrThrow()).count;
}

function selection(tx: ReadTx, ids: readonly string[], name: string | undefined) {
  const among = tx.from<Tables>().selectFrom('organization').where('id', 'in', ids);
  if (name === undefined) return among;
  return among.where(sql<boolean>`lower(name) LIKE lower(${startsWith(name)}) ESCAPE '!'`);
}

export async function updateOrganization(tx: Tx, row: OrganizationRow): Promise<void> {
  await tx
    .from<Tables>()
    .updateTable('organization')
    .set({ name: row.name, skip_default_alerts: codec.boolean.write(row.skipDefaultAlerts) })
    .where('id', '=', row.id)
    .execute();
}

export async function deleteOrganization(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('organization').where('id', '=', id).execute();
}

/** Returns a LIKE pattern that matches texts that begin with `text`. The escape character is `!`. */
function startsWith(text: string): string {
  return `${text.replace(/[%_!]/g, '!$&')}%`;
}
