import { type Caller, visibleScopes } from '../../access/index.ts';
import { countOf, countsOf, type Page, type PageRequest, type ReadTx } from '../../store/index.ts';
import { projectCount } from '../organizations/index.ts';
import { countProjects, type ProjectRow, type ProjectSelection, pageOfProjects } from './rows.ts';
import { projectCounters } from './rules.ts';
import type { Project } from './schema.ts';

export function presentProject(row: ProjectRow, clusterCount: number): Omit<Project, 'links'> {
  return {
    clusterCount,
    created: row.created,
    id: row.id,
    name: row.name,
    orgId: row.orgId,
    regionUsageRestrictions: row.regionUsage,
    tags: [...row.tags],
    withDefaultAlertsSettings: row.defaultAlerts,
  };
}

/** Presents a project with its number of clusters. */
export async function projectView(tx: ReadTx, row: ProjectRow): Promise<Omit<Project, 'links'>> {
  return presentProject(row, await countOf(tx, projectCounters.clusters, row.id));
}

/** Returns one page of projects, each with its number of clusters. */
export async function pageOfProjectViews(
  tx: ReadTx,
  visible: ProjectSelection,
  name: string | undefined,
  page: PageRequest,
): Promise<Page<Omit<Project, 'links'>>> {
  const { rows, next } = await pageOfProjects(tx, visible, name, page);
  const ids = rows.map(({ id }) => id);
  const counts = await countsOf(tx, { clusters: projectCounters.clusters }, ids);
  return {
    results: rows.map((row) => presentProject(row, counts.get(row.id)?.clusters ?? 0)),
    totalCount: page.includeCount ? await total(tx, visible, name) : undefined,
    next,
  };
}

/** Returns the projects visible to a caller. */
export function visibleTo(caller: Caller): ProjectSelection {
  const { orgsWithAllProjects, groups } = visibleScopes(caller);
  return { orgs: [...orgsWithAllProjects], ids: [...groups] };
}

/** Returns one page of the projects visible to a caller. */
export function pageOfVisible(
  tx: ReadTx,
  { caller, page }: { readonly caller: Caller; readonly page: PageRequest },
) {
  return pageOfProjectViews(tx, visibleTo(caller), undefined, page);
}

async function total(tx: ReadTx, visible: ProjectSelection, name: string | undefined): Promise<number> {
  if (name !== undefined || visible.ids.length > 0) return countProjects(tx, visible, name);
  const counts = await countsOf(tx, { projects: projectCount }, visible.orgs);
  return [...counts.values()].reduce((sum, { projects }) => sum + projects, 0);
}
