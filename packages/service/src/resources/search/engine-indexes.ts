import { ownDatabases } from '@portolan/engine/interface/namespaces';
import {
  EngineError,
  EngineUnavailable,
  type SearchIndexStatus,
  type SearchIndexType,
  type SynonymMappingStatus,
} from '@portolan/engine/management';
import type { Document } from 'mongodb';
import { OVERDUE, PASSING, UNREACHED } from '../../replication/error-codes.ts';
import { NotYet, type TaskProgress } from '../../tasks/index.ts';
import type { ClusterModel } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import type { Definition, IndexRow } from './rows.ts';

/**
 * This file reads and changes search indexes in the cluster. Drivers and this API can change the same
 * indexes.
 */

interface DefinitionVersion {
  readonly version: number;
  readonly createdAt: Date;
}

interface SynonymState {
  readonly status: SynonymMappingStatus;
  readonly queryable: boolean;
  readonly message?: string;
}

interface IndexOnHost {
  readonly hostname: string;
  readonly status: SearchIndexStatus;
  readonly queryable: boolean;
  readonly mainIndex?: VersionOnHost;
  readonly stagedIndex?: VersionOnHost;
}

export interface VersionOnHost {
  readonly status: SearchIndexStatus;
  readonly queryable: boolean;
  readonly definitionVersion: DefinitionVersion;
  readonly definition: Definition;
  readonly message?: string;
  readonly synonymMappingStatus?: SynonymMappingStatus;
  readonly synonymMappingStatusDetail?: ReadonlyArray<Readonly<Record<string, SynonymState>>>;
}

export interface EngineIndex {
  readonly id: string;
  readonly database: string;
  readonly collection: string;
  readonly name: string;
  readonly type: SearchIndexType;
  readonly status: SearchIndexStatus;
  readonly queryable: boolean;
  readonly latestDefinition: Definition;
  readonly latestDefinitionVersion: DefinitionVersion;
  readonly message?: string;
  readonly statusDetail: readonly IndexOnHost[];
  readonly synonymMappingStatus?: SynonymMappingStatus;
  readonly synonymMappingStatusDetail?: ReadonlyArray<Readonly<Record<string, SynonymState>>>;
}

/**
 * Maximum size of a reply that lists indexes, in bytes. The service decodes each reply without a pause for other
 * requests.
 */
const PIECE_BYTES = 256 * 1024;

type Run = (command: Document) => Promise<Record<string, unknown>>;

/**
 * Returns the collections of a database that a filter selects. Throws `NotYet` if the cluster does not list them, since
 * their indexes would otherwise count as dropped.
 */
async function collectionsOf(run: Run, $db: string, filter: Document): Promise<readonly Document[]> {
  const { ok, code, errmsg, cursor } = await run({
    listCollections: 1,
    nameOnly: true,
    filter,
    cursor: { batchSize: 100_000 },
    $db,
  });
  if (ok === 1) return (cursor as { firstBatch: Document[] }).firstBatch;
  if (code === NAMESPACE_NOT_FOUND) return [];
  throw notListed('collections', code, errmsg);
}

/**
 * Time limit for listing indexes, so that a hanging host does not block the caller. Listing usually takes milliseconds.
 */
const TIMEOUT_MS = 20_000;

/** Retry interval if a cluster does not list its databases, collections or indexes. */
const WAIT_MS = 500;

/** Thrown if a cluster refuses to list its search indexes for a reason that does not pass by itself. */
export class ListingRefused extends NotYet {
  readonly reason: string;

  constructor(message: string, reason: string) {
    super(WAIT_MS, message);
    this.reason = reason;
  }
}

function notListed(what: string, code: unknown, errmsg: unknown): NotYet {
  const message = `the cluster does not list its ${what}: ${errmsg}`;
  const passes = [transientErrors, OVERDUE, UNREACHED].some((codes) => codes.has(code));
  return passes ? new NotYet(WAIT_MS, message) : new ListingRefused(message, String(errmsg));
}

function runOn({ engines, machine }: Services, { host, id }: ClusterModel): Run {
  const engine = engines.at(host);
  return async (command) => {
    let cancel = () => {};
    const timeout = new Promise<never>((_, reject) => {
      const unanswered = new EngineUnavailable(`the cluster has not responded within ${TIMEOUT_MS} ms`);
      cancel = machine.after(TIMEOUT_MS, () => reject(unanswered));
    });
    try {
      return await Promise.race([engine.run(id, command), timeout]);
    } finally {
      cancel();
    }
  };
}

export async function indexesOfCollection(
  services: Services,
  cluster: ClusterModel,
  database: string,
  collection: string,
): Promise<readonly EngineIndex[]> {
  const run = runOn(services, cluster);
  const found: EngineIndex[] = [];
  for (let hasMore = true; hasMore; ) {
    const after = found.at(-1)?.id;
    const command = {
      listSearchIndexes: collection,
      ...(after !== undefined && { after }),
      maxBytes: PIECE_BYTES,
    };
    const { ok, code, errmsg, cursor, more } = await run({ ...command, $db: database });
    if (ok !== 1) {
      if (missingErrors.includes(code)) return found;
      throw notListed('search indexes', code, errmsg);
    }
    const { firstBatch } = cursor as { firstBatch: Document[] };
    for (const index of firstBatch) found.push({ ...index, database, collection } as unknown as EngineIndex);
    hasMore = more === true && firstBatch.length > 0;
  }
  return found;
}

/** Returns the search indexes of all collections of a cluster. */
export async function indexesOfCluster(
  services: Services,
  cluster: ClusterModel,
): Promise<readonly EngineIndex[]> {
  const run = runOn(services, cluster);
  const { databases, code, errmsg } = (await run({ listDatabases: 1, nameOnly: true, $db: 'admin' })) as {
    databases?: ReadonlyArray<{ name: string }>;
    code?: unknown;
    errmsg?: unknown;
  };
  // If the cluster does not list its databases, it is not known which databases have indexes.
  if (databases === undefined) throw notListed('databases', code, errmsg);
  const found: EngineIndex[] = [];
  for (const { name: database } of databases) {
    if (ownDatabases.has(database)) continue;
    const collections = await collectionsOf(run, database, { type: 'collection' });
    for (const { name } of collections) {
      found.push(...(await indexesOfCollection(services, cluster, database, name as string)));
    }
  }
  return found;
}

export async function hasCollection(
  services: Services,
  cluster: ClusterModel,
  { database, collection }: Pick<IndexRow, 'collection' | 'database'>,
): Promise<boolean> {
  return (await collectionsOf(runOn(services, cluster), database, { name: collection })).length > 0;
}

/**
 * Returns how many documents a build has indexed, according to the latest sample. Undefined before the first sample.
 */
export async function buildProgress(
  services: Services,
  cluster: ClusterModel,
  { id, version, database, collection }: IndexRow,
): Promise<TaskProgress | undefined> {
  const members = await services.engines.at(cluster.host).newestSamples([cluster.id]);
  const samples = members.map((member) => member.samples.at(-1)?.search?.indexes[id]);
  const built = samples.filter((sample) => sample?.version === version);
  if (built.length === 0) return undefined;
  const { n } = await runOn(services, cluster)({ count: collection, $db: database });
  const done = Math.max(...built.map((sample) => sample?.documents ?? 0));
  return { unit: 'documents', done, ...(typeof n === 'number' ? { total: n } : {}) };
}

/**
 * Returns the result of `query`; undefined if the cluster is paused, its host is unreachable, or its
 * deployment accepts no commands.
 */
export async function ifReachable<T>(cluster: ClusterModel, query: () => Promise<T>): Promise<T | undefined> {
  if (cluster.paused) return undefined;
  try {
    return await query();
  } catch (error) {
    // EngineError means that the deployment does not accept commands at the moment.
    if (error instanceof EngineUnavailable || error instanceof NotYet || error instanceof EngineError) {
      return undefined;
    }
    throw error;
  }
}

/** Why the cluster rejected a command; undefined if the command succeeded. */
type Refusal = { readonly code: number; readonly message: string } | undefined;

const INDEX_NOT_FOUND = 27;
export const NAMESPACE_NOT_FOUND = 26;
const INVALID_NAMESPACE = 73;
const NOT_ON_VIEWS = 166;
const INTERNAL_ERROR = 1;
const OUT_OF_DISK_SPACE = 14_031;

/** Temporary errors: the cluster is restarting, or the disk is full or reports an error. */
const transientErrors: ReadonlySet<unknown> = new Set([...PASSING, INTERNAL_ERROR, OUT_OF_DISK_SPACE]);

/**
 * If a command fails with one of these errors, the index does not exist, or nothing can have it: the
 * collection does not exist or is a view, or its name is invalid.
 */
const missingErrors: readonly unknown[] = [
  INDEX_NOT_FOUND,
  NAMESPACE_NOT_FOUND,
  INVALID_NAMESPACE,
  NOT_ON_VIEWS,
];

/**
 * Changes the index in the cluster to what the row describes. Repeating the call has no further effect. A call that
 * throws must be repeated.
 */
export async function apply(
  services: Services,
  cluster: ClusterModel,
  row: IndexRow,
  analyzers: readonly Definition[],
): Promise<Refusal> {
  const run = runOn(services, cluster);
  const { id, name, type, definition, version, collection, database } = row;
  const ofCluster = analyzers.length === 0 ? {} : { analyzers: { analyzers } };
  const $db = database;
  if (row.status === 'DELETING') {
    const refusal = refusalOf(await run({ dropSearchIndex: collection, id, $db }));
    return missingErrors.includes(refusal?.code) ? undefined : refusal;
  }
  const update = { updateSearchIndex: collection, id, definition, version, ...ofCluster, $db };
  if (version > 0) {
    const refusal = refusalOf(await run(update));
    if (refusal?.code !== INDEX_NOT_FOUND) return refusal;
  }
  const index = { id, name, type, definition, ...ofCluster };
  const refusal = refusalOf(await run({ createSearchIndexes: collection, indexes: [index], $db }));
  return refusal ?? (version > 0 ? refusalOf(await run(update)) : undefined);
}

function refusalOf({ ok, code, errmsg }: Record<string, unknown>): Refusal {
  if (ok === 1) return undefined;
  if (transientErrors.has(code)) throw new Error(`the cluster rejected a search index: ${errmsg}`);
  return { code: Number(code), message: String(errmsg) };
}
