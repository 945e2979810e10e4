import {
  keepPreviousData,
  type Query,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { read, readList, sendChange } from './client.ts';
import { itemsOf, type PageOf, readAll, withQuery } from './lists.ts';
import type { ApiEntry, OperatorEntry, Reply, Schemas, Served } from './operations.ts';
import { intervalOf, isLimited } from './pace.ts';
import type { ChangeRequest } from './requests.ts';
import { isStreamed } from './streams.ts';

/** The paths of a project and of a cluster in the API. */
export type GroupPath = `/groups/${string}`;
export type ClusterPath = `/groups/${string}/clusters/${string}`;

export type Organization = Schemas['Organization'];
export type Project = Schemas['Project'];
export type Cluster = Schemas['Cluster'];
export type Process = Schemas['Process'];
export type Event = Schemas['ProjectEvent'];
export type OpenAlert = Schemas['Alert'];
export type DatabaseUser = Schemas['DatabaseUser'];
export type Snapshot = Schemas['Snapshot'];
export type InspectedRequest = OperatorEntry<'/requests'>;
export type InspectedExchange = Reply<'operator', 'GET', `/requests/${string}`>;
export type Task = OperatorEntry<'/tasks'>;

/** Returns the first part of a query key. `refresh` skips queries whose key begins with `limited`. */
const keyOf = (kind: string, path: string): string => (isLimited(path) ? 'limited' : kind);

/** Returns the query that reads all entries of a list from the API. */
export function listQuery<const Path extends string>(path: Path & Served<'api', 'GET', Path>) {
  return {
    queryKey: ['list', path],
    queryFn: () => readAll((page) => readList<ApiEntry<Path>>('api', page), path),
  };
}

/** Returns the query that reads the first page of a list from an operation for operators. */
export function operatorListQuery<const Path extends string>(path: Path & Served<'operator', 'GET', Path>) {
  return {
    queryKey: ['operator', path],
    queryFn: async () => itemsOf(await readList<OperatorEntry<Path>>('operator', path)),
  };
}

/**
 * Reads all entries of a list from the API, and reloads them at intervals. `refreshMs` replaces the interval, for a
 * list that changes quickly.
 */
export function useList<const Path extends string>(
  path: Path & Served<'api', 'GET', Path>,
  isShown = true,
  refreshMs?: number,
) {
  const queries = useQueryClient();
  return useQuery({
    ...listQuery<Path>(path),
    refetchInterval: ({ state }) =>
      refreshMs ?? intervalOf(path, isStreamed(queries, path), state.data?.length),
    enabled: isShown,
  });
}

/** Reads one page of a list from the API, and the number of entries on all pages. */
export function usePage<const Path extends string>(
  path: Path & Served<'api', 'GET', Path>,
  pageNum: number,
  itemsPerPage: number,
) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: [keyOf('page', path), path, pageNum, itemsPerPage],
    queryFn: async () =>
      (await readList<ApiEntry<Path>>('api', withQuery(path, { pageNum, itemsPerPage }))) as PageOf<
        ApiEntry<Path>
      >,
    refetchInterval: () => intervalOf(path, isStreamed(queries, path)),
    placeholderData: keepPreviousData,
  });
}

/** Reads the first page of a list from an operation for operators. */
export function useOperatorList<const Path extends string>(
  path: Path & Served<'operator', 'GET', Path>,
  isShown = true,
) {
  return useQuery({
    ...operatorListQuery<Path>(path),
    refetchInterval: intervalOf(path, false),
    enabled: isShown,
  });
}

export function useOperatorDocument<const Path extends string>(
  path: Path & Served<'operator', 'GET', Path>,
  refreshMs: number | false = false,
) {
  return useQuery({
    queryKey: ['operator', path],
    queryFn: () => read<'operator', Path>('operator', path),
    refetchInterval: refreshMs,
  });
}

export function useDocument<const Path extends string>(
  path: Path & Served<'api', 'GET', Path>,
  isShown = true,
) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: [keyOf('document', path), path],
    queryFn: () => read<'api', Path>('api', path),
    refetchInterval: () => intervalOf(path, isStreamed(queries, path)),
    enabled: isShown,
  });
}

/** The first parts of the keys of queries that `refresh` skips. */
const APART: ReadonlySet<unknown> = new Set(['once', 'limited']);

/**
 * Reloads the displayed data that `isChanged` selects. Skips the results of commands, because commands are expensive
 * and are sent again only if the person requests it. Also skips data of operations with a rate limit.
 */
export function refresh(
  queries: QueryClient,
  isChanged: (query: Query) => boolean = () => true,
): Promise<void> {
  return queries.invalidateQueries({
    predicate: (query) => !APART.has(query.queryKey[0]) && isChanged(query),
  });
}

/** Sends requests that change something. After a change, all displayed data is reloaded. */
export function useChange<Result = unknown>(onDone?: (result: Result) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (request: ChangeRequest<Result>) => sendChange(request),
    onSuccess: async (result) => {
      onDone?.(result);
      await refresh(queries);
    },
  });
}
