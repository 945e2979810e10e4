import { useQueries } from '@tanstack/react-query';
import { useList } from '../api/resources.ts';
import { useRights } from '../api/rights.ts';
import type { Entry, Group } from './entries.ts';
import { kindsIn } from './kinds.ts';
import { organizationAt, projectAt, type SearchPlace } from './place.ts';

/**
 * The age from which a list counts as outdated. When the search is opened, it reads outdated lists again. It also reads
 * all lists except databases and collections when an event is recorded, but not periodically.
 */
const FRESH_MS = 30_000;

/**
 * If `isWanted`, reads the resources that the search finds by name. The requests do not depend on the text of the
 * search, so typing causes no requests. Ignores lists that cannot be read.
 */
export function useGroups(location: string, isOperator: boolean, isWanted: boolean) {
  const place = useSearchPlace(location, isWanted);
  const { organization, project } = place;
  const may = useRights({
    orgId: organization?.id ?? '',
    ...(project === undefined ? {} : { groupId: project.id }),
  });
  const kinds = isWanted ? kindsIn(place, may, isOperator) : [];
  const sources = kinds.flatMap((kind) => kind.sources.map((source) => ({ kind, source })));
  const lists = useQueries({
    queries: sources.map(({ source: { query } }) => ({
      ...query,
      staleTime: FRESH_MS,
      retry: false,
    })),
  });
  const groups = kinds.map((kind): Group => {
    const entries = sources.flatMap(({ kind: of, source }, index) =>
      of === kind ? source.entriesOf(lists[index]?.data ?? []) : [],
    );
    return { title: kind.title, to: kind.to, entries: distinct(entries) };
  });
  return { groups, place, isReading: lists.some(({ isLoading }) => isLoading) };
}

/** Returns the entries without repetitions. An operation, for example, can have many requests. */
function distinct(entries: readonly Entry[]): readonly Entry[] {
  return [...new Map(entries.map((entry) => [`${entry.to} ${entry.title} ${entry.detail}`, entry])).values()];
}

/** Returns where the search looks. Reads the clusters of the project if `isWanted`. */
function useSearchPlace(location: string, isWanted: boolean): SearchPlace {
  const { data: projects = [] } = useList('/groups');
  const { data: organizations = [] } = useList('/orgs');
  const project = projectAt(location, projects);
  const path = `/groups/${project?.id}/clusters` as const;
  const { data: clusters = [] } = useList(path, isWanted && project !== undefined);
  return { project, organization: organizationAt(location, organizations, project), clusters };
}
