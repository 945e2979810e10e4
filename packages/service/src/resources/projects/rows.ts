import { batchesInTurns } from '@portolan/foundation/in-batches';
import type { Kysely, Selectable } from 'kysely';
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
  project: {
    id: string;
    org_id: string;
    name: string;
    created: number;
    region_usage: string;
    tags: string;
    default_alerts: number;
  };
}

export interface ProjectRow {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly created: Date;
  readonly regionUsage: RegionUsage;
  readonly tags: readonly ProjectTag[];
  /** Whether the project was created with default alert configurations. */
  readonly defaultAlerts: boolean;
}

interface ProjectTag {
  readonly key: string;
  readonly value: string;
}

type RegionUsage = 'COMMERCIAL_FEDRAMP_REGIONS_ONLY' | 'GOV_REGIONS_ONLY';

const tags = codec.json<readonly ProjectTag[]>();

function readRow(row: Selectable<Tables['project']>): ProjectRow {
  return {
    id: row.id,
    orgId: row.org_id,
    name: row.name,
    created: codec.date.read(row.created),
    regionUsage: row.region_usage as RegionUsage,
    tags: tags.read(row.tags),
    defaultAlerts: codec.boolean.read(row.default_alerts),
  };
}

function writeRow(row: ProjectRow): Tables['project'] {
  return {
    id: row.id,
    org_id: row.orgId,
    name: row.name,
    created: codec.date.write(row.created),
    region_usage: row.regionUsage,
    tags: tags.write(row.tags),
    default_alerts: codec.boolean.write(row.defaultAlerts),
  };
}

const insert = prepared((db: Kysely<Tables>, row: Tables['project']) =>
  db.insertInto('project').values({
    id: row.id,
    org_id: row.org_id,
    name: row.name,
    created: row.created,
    region_usage: row.region_usage,
    tags: row.tags,
    default_alerts: row.default_alerts,
  }),
);

const byId = prepared((db: Kysely<Tables>, of: { id: string }) =>
  db.selectFrom('project').selectAll().where('id', '=', of.id),
);

const byName = prepared((db: Kysely<Tables>, of: { orgId: string; name: string }) =>
  db.selectFrom('project').select('id').where('org_id', '=', of.orgId).where('name', '=', of.name),
);

export async function insertProject(tx: Tx, row: ProjectRow): Promise<void> {
  await insert.run(tx, writeRow(row));
}

export async function findProject(tx: ReadTx, id: string): Promise<ProjectRow | undefined> {
  const row = await byId.first(tx, { id });
  return row && readRow(row);
}

/** Returns the given ids that belong to projects of an organization. */
export async function projectsAmong(
  tx: ReadTx,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const projects = tx.from<Tables>().selectFrom('project').select('id').where('org_id', '=', orgId);
  const found = new Set<string>();
  for await (const some of batchesInTurns([...new Set(ids)], PROJECTS_AT_ONCE))
    for (const { id } of await projects.where('id', 'in', some).execute()) found.add(id);
  return found;
}

/**
 * Number of projects per query. SQLite permits 32,766 parameters in a statement, and PostgreSQL 65,535. The users on one
 * page of a list can have roles on 500,000 projects.
 */
const PROJECTS_AT_ONCE = 1000;

/** Returns the organization of each project, by project id. */
export async function organizationsOfProjects(
  tx: ReadTx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const projects = tx.from<Tables>().selectFrom('project').select(['id', 'org_id']);
  const found = new Map<string, string>();
  for await (const some of batchesInTurns([...new Set(ids)], PROJECTS_AT_ONCE))
    for (const { id, org_id } of await projects.where('id', 'in', some).execute()) found.set(id, org_id);
  return found;
}

/** Returns the id of the project with this name in an organization. */
export async function findProjectNamed(tx: ReadTx, orgId: string, name: string): Promise<string | undefined> {
  return (await byName.first(tx, { orgId, name }))?.id;
}

export async function updateProject(tx: Tx, row: ProjectRow): Promise<void> {
  const { id, ...columns } = writeRow(row);
  await tx.from<Tables>().updateTable('project').set(columns).where('id', '=', id).execute();
}

export async function deleteProject(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('project').where('id', '=', id).execute();
}

/** Determines which projects a list contains. */
export interface ProjectSelection {
  /** Organizations whose projects are all in the list. */
  readonly orgs: readonly string[];
  /** Projects in the list that belong to other organizations. */
  readonly ids: readonly string[];
}

/** Returns the selected projects, oldest first. With `name`, only projects with this name. */
export async function pageOfProjects(
  tx: ReadTx,
  visible: ProjectSelection,
  name: string | undefined,
  page: PageRange,
): Promise<PageRows<ProjectRow>> {
  if (visible.orgs.length + visible.ids.length === 0) return { rows: [], next: undefined };
  const { rows, next } = await fetchPage(selection(tx, visible, name).selectAll(), 'id', page);
  return { rows: rows.map(readRow), next };
}

/** Counts the rows of a list. Lists that cover whole organizations use the counters of these organizations instead. */
export async function countProjects(
  tx: ReadTx,
  visible: ProjectSelection,
  name: string | undefined,
): Promise<number> {
  if (visible.orgs.length + visible.ids.length === 0) return 0;
  const count = selection(tx, visible, name).select((row) => row.fn.countAll<number>().as('count'));
  return (await count.executeTakeFirstOrThrow()).count;
}

function selection(tx: ReadTx, { orgs, ids }: ProjectSelection, name: string | undefined) {
  let query = tx.from<Tables>().selectFrom('project');
  if (name !== undefined) query = query.where('name', '=', name);
  // If the query has a single condition, the database reads the projects in the order of an index. With a combination
  // by OR, it would have to sort them.
  if (ids.length === 0)
    return query.where('org_id', orgs.length === 1 ? '=' : 'in', orgs.length === 1 ? orgs[0]! : orgs);
  if (orgs.length === 0) return query.where('id', 'in', ids);
  return query.where((row) => row.or([row('org_id', 'in', orgs), row('id', 'in', ids)]));
}
