import {
  keepPreviousData,
  type Query,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { call, callOperator, type Method } from './client.ts';
import { itemsOf, type List, type PageOf, readAll, withQuery } from './lists.ts';
import { intervalOf, isLimited } from './pace.ts';
import { isStreamed } from './streams.ts';

/** The fields of resources that the pages display (docs/contract). */

export interface Organization {
  readonly id: string;
  readonly name: string;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly orgId: string;
  readonly clusterCount: number;
}

export interface Cluster {
  readonly id: string;
  readonly name: string;
  readonly stateName: string;
  readonly paused: boolean;
  readonly clusterType: string;
  readonly createDate: string;
  readonly dbVersion?: string;
  readonly dbMajorVersion?: string;
  readonly diskSizeGB?: number;
  readonly providerBackupEnabled?: boolean;
  readonly pitEnabled?: boolean;
  readonly connectionStrings: { readonly standard?: string; readonly standardSrv?: string };
  readonly replicationSpecs?: readonly {
    readonly zoneName?: string;
    readonly numShards?: number;
    readonly regionsConfig: Readonly<
      Record<
        string,
        {
          readonly electableNodes: number;
          readonly readOnlyNodes?: number;
          readonly analyticsNodes?: number;
          readonly priority: number;
        }
      >
    >;
  }[];
  readonly providerSettings: {
    readonly providerName: string;
    readonly instanceSizeName?: string;
    readonly regionName?: string;
  };
}

export interface Process {
  readonly id: string;
  readonly hostname: string;
  readonly port: number;
  readonly replicaSetName?: string;
  readonly typeName: string;
  readonly userAlias?: string;
  readonly version?: string;
}

export interface ProviderSizes {
  readonly provider: string;
  readonly instanceSizes: readonly {
    readonly name: string;
    readonly availableRegions: readonly { readonly name: string; readonly default: boolean }[];
  }[];
}

export interface Event {
  readonly id: string;
  readonly created: string;
  readonly eventTypeName: string;
  readonly clusterName?: string;
  /** Why the event happened, for events such as the loss of nodes. */
  readonly reason?: string;
  readonly publicKey?: string;
  readonly username?: string;
}

export interface OpenAlert {
  readonly id: string;
  readonly created: string;
  readonly eventTypeName: string;
  readonly status: string;
  readonly clusterName?: string;
  readonly acknowledgedUntil?: string;
  readonly acknowledgementComment?: string;
  readonly alertConfigId: string;
  readonly hostnameAndPort?: string;
  readonly replicaSetName?: string;
  readonly metricName?: string;
  readonly currentValue?: { readonly number: number; readonly units: string };
}

export interface DatabaseUser {
  readonly username: string;
  readonly databaseName: string;
  readonly roles: readonly {
    readonly roleName: string;
    readonly databaseName: string;
    readonly collectionName?: string;
  }[];
  /** The clusters to which the user may log in; all clusters if empty. */
  readonly scopes?: readonly { readonly name: string; readonly type: string }[];
}

export interface AccessEntry {
  readonly cidrBlock?: string;
  readonly ipAddress?: string;
  readonly comment?: string;
}

export interface Snapshot {
  readonly id: string;
  readonly status: string;
  readonly description?: string;
  readonly snapshotType?: string;
  readonly createdAt?: string;
  readonly expiresAt?: string;
  readonly storageSizeBytes?: number;
}

export interface InspectedRequest {
  readonly at: string;
  /** The caller. Absent for the operator, and for requests without valid credentials. */
  readonly caller?: { readonly kind: string; readonly name: string };
  /** Whether the request had no credentials and the response asked for them. */
  readonly challenge?: boolean;
  readonly detail?: string;
  readonly errorCode?: string;
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  readonly status: number;
  readonly milliseconds: number;
  readonly requestId: string;
  /** The resource version of the response. */
  readonly version?: string;
}

interface InspectedMessage {
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface InspectedExchange extends InspectedRequest {
  readonly curl: string;
  readonly url: string;
  readonly errorDocumentation?: string;
  readonly operationDocumentation?: string;
  readonly unreadFields: readonly string[];
  readonly unreadParameters: readonly string[];
  readonly request: InspectedMessage;
  readonly response: InspectedMessage;
}

export type Recording = 'BODIES' | 'HEADERS' | 'NOTHING';

export interface Task {
  readonly id: string;
  readonly kind: string;
  readonly key: string;
  readonly state: string;
  readonly step?: string;
  readonly error?: string;
  readonly runAt?: string;
  readonly created: string;
  readonly progress?: { readonly unit: string; readonly done: number; readonly total?: number };
}

/** Returns the first part of a key. `refresh` does not reload data whose operation has a rate limit. */
const keyOf = (kind: string, path: string): string => (isLimited(path) ? 'limited' : kind);

/** The query that reads all entries of a list from the API. */
export function listQuery<T>(path: string) {
  return {
    queryKey: ['list', path],
    queryFn: () => readAll((page) => call<List<T>>('GET', page), path),
  };
}

/** The query that reads the first page of a list from an operation for operators. */
export function operatorListQuery<T>(path: string) {
  return {
    queryKey: ['operator', path],
    queryFn: async () => itemsOf(await callOperator<List<T>>('GET', path)),
  };
}

/**
 * Reads all entries of a list from the API, and reloads them at intervals. `refreshMs` replaces the interval, for a list
 * that changes quickly.
 */
export function useList<T>(path: string, isShown = true, refreshMs?: number) {
  const queries = useQueryClient();
  return useQuery({
    ...listQuery<T>(path),
    refetchInterval: ({ state }) =>
      refreshMs ?? intervalOf(path, isStreamed(queries, path), state.data?.length),
    enabled: isShown,
  });
}

/** Reads one page of a list from the API, and the number of entries on all pages. */
export function usePage<T>(path: string, pageNum: number, itemsPerPage: number) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: [keyOf('page', path), path, pageNum, itemsPerPage],
    queryFn: () => call<PageOf<T>>('GET', withQuery(path, { pageNum, itemsPerPage })),
    refetchInterval: () => intervalOf(path, isStreamed(queries, path)),
    placeholderData: keepPreviousData,
  });
}

/** Reads the first page of a list from an operation for operators. */
export function useOperatorList<T>(path: string, isShown = true) {
  return useQuery({
    ...operatorListQuery<T>(path),
    refetchInterval: intervalOf(path, false),
    enabled: isShown,
  });
}

export function useOperatorDocument<T>(path: string) {
  return useQuery({ queryKey: ['operator', path], queryFn: () => callOperator<T>('GET', path) });
}

export function useDocument<T>(path: string, isShown = true) {
  const queries = useQueryClient();
  return useQuery({
    queryKey: [keyOf('document', path), path],
    queryFn: () => call<T>('GET', path),
    refetchInterval: () => intervalOf(path, isStreamed(queries, path)),
    enabled: isShown,
  });
}

/** Data that is not reloaded with the rest. */
const APART: ReadonlySet<unknown> = new Set(['once', 'limited']);

/**
 * Reloads the displayed data that `isChanged` selects. Skips the results of commands, which are expensive and are
 * reloaded only if the person requests it, and data of operations with a rate limit.
 */
export function refresh(
  queries: QueryClient,
  isChanged: (query: Query) => boolean = () => true,
): Promise<void> {
  return queries.invalidateQueries({
    predicate: (query) => !APART.has(query.queryKey[0]) && isChanged(query),
  });
}

/** A change, after which all displayed data is reloaded. */
export interface Change {
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
}

export function useChange<T = unknown>(onDone?: (result: T) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ method, path, body }: Change) => call<T>(method, path, body),
    onSuccess: async (result) => {
      onDone?.(result);
      await refresh(queries);
    },
  });
}

/** Sends a change that only the operator may make. */
export function useOperatorChange(onDone?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ method, path, body }: Change) => callOperator(method, path, body),
    onSuccess: async () => {
      onDone?.();
      await refresh(queries);
    },
  });
}
