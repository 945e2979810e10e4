import { Turns } from '@portolan/foundation/turns';
import type { Selectable } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../store/index.ts';
import type { NewSearchIndex, SearchIndexStatus, SearchIndexType, SynonymMappingStatus } from './model.ts';

interface Tables {
  search_index: {
    id: string;
    group_id: string;
    cluster_id: string;
    database_name: string;
    collection_name: string;
    name: string;
    type: string;
    definition: string;
    version: number;
    version_created: number;
    status: string;
    message: string | null;
    synonyms: string | null;
    untyped: number;
  };
  search_analyzers: { cluster_id: string; group_id: string; analyzers: string };
}

export type Definition = NewSearchIndex['definition'];

/**
 * An index as requested, with its last known status. The id of an index is unique only within its cluster. Drivers may
 * choose any id, and indexes keep their ids when a snapshot is restored to another cluster.
 */
export interface IndexRow {
  readonly id: string;
  readonly groupId: string;
  readonly clusterId: string;
  readonly database: string;
  readonly collection: string;
  readonly name: string;
  readonly type: SearchIndexType;
  /** Whether the index was created without a type. */
  readonly isUntyped: boolean;
  /** The definition as received, without nulls. */
  readonly definition: Definition;
  /** Version of the definition. The first version is 0. */
  readonly version: number;
  readonly versionCreated: Date;
  readonly status: SearchIndexStatus;
  readonly message?: string | undefined;
  /** Status of the index's synonyms at the last check. */
  readonly synonyms?: SynonymMappingStatus | undefined;
}

/** An index without its definition, which can be large. */
export type IndexHead = Omit<IndexRow, 'definition'>;

type IndexKey = Pick<IndexRow, 'clusterId' | 'id'>;

const json = codec.json<Definition>();
const list = codec.json<readonly Definition[]>();

function readRow(row: Selectable<Tables['search_index']>): IndexRow {
  return { ...readHead(row), definition: json.read(row.definition) };
}

function readHead(row: Omit<Selectable<Tables['search_index']>, 'definition'>): IndexHead {
  return {
    id: row.id,
    groupId: row.group_id,
    clusterId: row.cluster_id,
    database: row.database_name,
    collection: row.collection_name,
    name: row.name,
    type: row.type as SearchIndexType,
    isUntyped: codec.boolean.read(row.untyped),
    version: row.version,
    versionCreated: codec.date.read(row.version_created),
    status: row.status as SearchIndexStatus,
    message: row.message ?? undefined,
    synonyms: (row.synonyms ?? undefined) as SynonymMappingStatus | undefined,
  };
}

function writeRow(row: IndexRow): Tables['search_index'] {
  return {
    id: row.id,
    group_id: row.groupId,
    cluster_id: row.clusterId,
    database_name: row.database,
    collection_name: row.collection,
    name: row.name,
    type: row.type,
    definition: json.write(row.definition),
    version: row.version,
    version_created: codec.date.write(row.versionCreated),
    status: row.status,
    message: row.message ?? null,
    synonyms: row.synonyms ?? null,
    untyped: codec.boolean.write(row.isUntyped),
  };
}

export async function insertIndex(tx: Tx, row: IndexRow): Promise<void> {
  await tx.from<Tables>().insertInto('search_index').values(writeRow(row)).execute();
}

export async function updateIndex(tx: Tx, row: IndexRow): Promise<void> {
  const { id, cluster_id, ...columns } = writeRow(row);
  const update = tx.from<Tables>().updateTable('search_index').set(columns);
  await update.where('cluster_id', '=', cluster_id).where('id', '=', id).execute();
}

export async function deleteIndex(tx: Tx, { clusterId, id }: IndexKey): Promise<void> {
  const from = tx.from<Tables>().deleteFrom('search_index');
  await from.where('cluster_id', '=', clusterId).where('id', '=', id).execute();
}

export async function indexById(tx: ReadTx, { clusterId, id }: IndexKey): Promise<IndexRow | undefined> {
  const query = tx.from<Tables>().selectFrom('search_index').selectAll();
  const row = await query.where('cluster_id', '=', clusterId).where('id', '=', id).executeTakeFirst();
  return row && readRow(row);
}

/** Returns the indexes of a cluster, oldest first. */
export async function indexesOf(tx: ReadTx, clusterId: string): Promise<readonly IndexRow[]> {
  const query = tx.from<Tables>().selectFrom('search_index').selectAll();
  const rows = await query.where('cluster_id', '=', clusterId).orderBy('id').execute();
  const turns = new Turns();
  const read: IndexRow[] = [];
  for (const row of rows) {
    read.push(readRow(row));
    await turns.take(1 + row.definition.length / CHARACTERS_PER_COST);
  }
  return read;
}

/** Number of characters of JSON that are parsed in the unit of time of `Turns`. */
const CHARACTERS_PER_COST = 128;

/** Returns the size of the definitions of all indexes of a cluster, in characters, without that of one index. */
export async function definitionSize(tx: ReadTx, { clusterId, id }: IndexKey): Promise<number> {
  const { size } = await tx
    .from<Tables>()
    .selectFrom('search_index')
    .select(({ fn }) => fn.sum<number>(fn<number>('length', ['definition'])).as('size'))
    .where('cluster_id', '=', clusterId)
    .where('id', '!=', id)
    .executeTakeFirstOrThrow();
  return Number(size ?? 0);
}

/** Returns the index with this name; undefined if the collection has none. */
export async function indexNamed(
  tx: ReadTx,
  { clusterId, database, collection, name }: Pick<IndexRow, 'clusterId' | 'collection' | 'database' | 'name'>,
): Promise<IndexRow | undefined> {
  const query = tx.from<Tables>().selectFrom('search_index').selectAll().where('cluster_id', '=', clusterId);
  const named = query.where('database_name', '=', database).where('collection_name', '=', collection);
  const row = await named.where('name', '=', name).executeTakeFirst();
  return row && readRow(row);
}

export async function countIndexes(tx: ReadTx, clusterId: string): Promise<number> {
  const query = tx
    .from<Tables>()
    .selectFrom('search_index')
    .select((of) => of.fn.countAll().as('count'));
  return Number((await query.where('cluster_id', '=', clusterId).executeTakeFirstOrThrow()).count);
}

const HEAD = [
  ...(['id', 'group_id', 'cluster_id', 'database_name', 'collection_name', 'name', 'type'] as const),
  ...(['version', 'version_created', 'status', 'message', 'synonyms', 'untyped'] as const),
];

/** Returns the indexes by cluster id, without their definitions. */
export async function headsOfClusters(
  tx: ReadTx,
  clusterIds: readonly string[],
): Promise<ReadonlyMap<string, readonly IndexHead[]>> {
  if (clusterIds.length === 0) return new Map();
  const query = tx.from<Tables>().selectFrom('search_index').select(HEAD);
  const rows = await query.where('cluster_id', 'in', clusterIds).execute();
  return Map.groupBy(rows.map(readHead), ({ clusterId }) => clusterId);
}

export async function deleteOfCluster(tx: Tx, clusterId: string): Promise<void> {
  const from = tx.from<Tables>();
  await from.deleteFrom('search_index').where('cluster_id', '=', clusterId).execute();
  await from.deleteFrom('search_analyzers').where('cluster_id', '=', clusterId).execute();
}

/** Returns the custom analyzers of a cluster, exactly as received. */
export async function analyzersOf(tx: ReadTx, clusterId: string): Promise<readonly Definition[]> {
  const query = tx.from<Tables>().selectFrom('search_analyzers').select('analyzers');
  const row = await query.where('cluster_id', '=', clusterId).executeTakeFirst();
  return row === undefined ? [] : list.read(row.analyzers);
}

export async function saveAnalyzers(
  tx: Tx,
  at: { readonly id: string; readonly groupId: string },
  analyzers: readonly Definition[],
): Promise<void> {
  const values = { cluster_id: at.id, group_id: at.groupId, analyzers: list.write(analyzers) };
  const insert = tx.from<Tables>().insertInto('search_analyzers').values(values);
  await insert
    .onConflict((on) => on.column('cluster_id').doUpdateSet({ analyzers: values.analyzers }))
    .execute();
}
