import { countOf, countsOf, type Page, type PageRequest, type ReadTx } from '../../store/index.ts';
import { projectCount } from '../organizations/index.ts';
import { countProjects, type ProjectRow, pageOfProjects, type Visible } from './rows.ts';
import { projectCounters } from './rules.ts';
import type { Project } from './schema.ts';

export function present(row: ProjectRow, clusterCount: number): Omit<Project, 'links'> {
  return {
    clusterCount,
    created: row.created,
    id: row.id,
    name: row.name,
    orgId: row.orgId,
    regionUsageRestrictions: row.regionUsage,
    tags: [...row.tags],
  };
}

/** A project with the number of its clusters. */
export async function presentOne(tx: ReadTx, row: ProjectRow): Promise<Omit<Project, 'links'>> {
  return present(row, await countOf(tx, projectCounters.clusters, row.id));
}

export async function listed(
  tx: ReadTx,
  visible: Visible,
  name: string | undefined,
  page: PageRequest,
): Promise<Page<Omit<Project, 'links'>>> {
  const { rows, next } = await pageOfProjects(tx, visible, name, page);
  const ids = rows.map(({ id }) => id);
  const clusters = await countsOf(tx, projectCounters.clusters, ids);
  return {
    results: rows.map((row) => present(row, clusters.get(row.id) ?? 0)),
    totalCount: page.includeCount ? await total(tx, visible, name) : undefined,
    next,
  };
}

async function total(tx: ReadTx, visible: Visible, name: string | undefined): Promise<number> {
  if (name !== undefined || visible.ids.length > 0) return countProjects(tx, visible, name);
  const counts = await countsOf(tx, projectCount, visible.orgs);
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
