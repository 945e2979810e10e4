import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Selectable } from 'kysely';
import { codec, fetchPage, type PageRange, prepared, type ReadTx, type Tx } from '../../store/index.ts';
import type { ClusterKind, ClusterModel, ClusterSpec, Placement } from './model/cluster.ts';
import { type ShapeName, shapeOf } from './model/expressible.ts';
import { isSameName, NAME_PREFIX, projectMark } from './model/names.ts';
import type { ClusterSettings } from './model/settings.ts';
import type { ClusterState } from './model/states.ts';

interface Columns {
  id: string;
  group_id: string;
  name: string;
  name_prefix: string;
  state: string;
  created: number;
  paused: number;
  resumed: number | null;
  generation: number;
  spec: string;
  placement: string;
  access_revision: number;
  host: string;
  kind: string;
  shape: string;
  /** A part of host names (`projectMark`). With `name_prefix`, it nearly always identifies one cluster. */
  project_mark: string;
}

interface Tables {
  cluster: Columns;
  /** The last state of deleted clusters with retained backups. */
  retained_cluster: Columns;
}

/** A specification as stored. In rows, the field `settings` is called `kept`. */
type StoredSpec = Omit<ClusterSpec, 'settings'> & { readonly kept: ClusterSettings };

const storedSpec = codec.json<StoredSpec>();
const placement = codec.json<Placement>();

function modelOf(row: Selectable<Columns>): ClusterModel {
  return {
    id: row.id,
    groupId: row.group_id,
    name: row.name,
    state: row.state as ClusterState,
    created: codec.date.read(row.created),
    paused: codec.boolean.read(row.paused),
    resumed: codec.optionalDate.read(row.resumed),
    generation: row.generation,
    spec: readSpec(row.spec),
    placement: placement.read(row.placement),
    accessRevision: row.access_revision,
    host: row.host,
  };
}

function readSpec(text: string): ClusterSpec {
  const { kept: settings, ...spec } = storedSpec.read(text);
  return { ...spec, settings };
}

function writeSpec({ settings: kept, ...spec }: ClusterSpec): string {
  return storedSpec.write({ ...spec, kept });
}

function columnsOf(cluster: ClusterModel): Columns {
  return {
    id: cluster.id,
    group_id: cluster.groupId,
    name: cluster.name,
    name_prefix: prefixOf(cluster.name),
    state: cluster.state,
    created: codec.date.write(cluster.created),
    paused: codec.boolean.write(cluster.paused),
    resumed: codec.optionalDate.write(cluster.resumed),
    generation: cluster.generation,
    spec: writeSpec(cluster.spec),
    placement: placement.write(cluster.placement),
    access_revision: cluster.accessRevision,
    host: cluster.host,
    kind: cluster.spec.kind ?? 'cluster',
    shape: shapeOf(cluster.spec),
    project_mark: projectMark(cluster.groupId),
  };
}

function prefixOf(name: string): string {
  return name.slice(0, NAME_PREFIX).toLowerCase();
}

const byName = prepared((db: Kysely<Tables>, of: { groupId: string; name: string }) =>
  db.selectFrom('cluster').selectAll().where('group_id', '=', of.groupId).where('name', '=', of.name),
);

const byId = prepared((db: Kysely<Tables>, of: { id: string }) =>
  db.selectFrom('cluster').selectAll().where('id', '=', of.id),
);

const ofProject = prepared((db: Kysely<Tables>, of: { groupId: string }) =>
  db.selectFrom('cluster').selectAll().where('group_id', '=', of.groupId).orderBy('id'),
);

const placesOfProject = prepared((db: Kysely<Tables>, of: { groupId: string }) =>
  db
    .selectFrom('cluster')
    .select(['id', 'host', 'group_id as groupId'])
    .where('group_id', '=', of.groupId)
    .orderBy('id'),
);

export async function insertCluster(tx: Tx, cluster: ClusterModel): Promise<void> {
  await tx.from<Tables>().insertInto('cluster').values(columnsOf(cluster)).execute();
}

export async function updateCluster(tx: Tx, cluster: ClusterModel): Promise<void> {
  const { id, ...columns } = columnsOf(cluster);
  await tx.from<Tables>().updateTable('cluster').set(columns).where('id', '=', id).execute();
}

export async function deleteCluster(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('cluster').where('id', '=', id).execute();
}

export async function findCluster(
  tx: ReadTx,
  groupId: string,
  name: string,
): Promise<ClusterModel | undefined> {
  const row = await byName.first(tx, { groupId, name });
  return row && modelOf(row);
}

export async function clusterById(tx: ReadTx, id: string): Promise<ClusterModel | undefined> {
  const row = await byId.first(tx, { id });
  return row && modelOf(row);
}

/** Returns the name of an existing cluster that would have the same host names as a new cluster called `name`. */
export async function sameHostNames(tx: ReadTx, groupId: string, name: string): Promise<string | undefined> {
  const query = tx.from<Tables>().selectFrom('cluster').select('name').where('group_id', '=', groupId);
  return (await query.where('name_prefix', '=', prefixOf(name)).executeTakeFirst())?.name;
}

/** Returns the clusters with a mark, which is part of the names of their replica sets. Reads all rows. */
export async function clustersMarked(tx: ReadTx, mark: string): Promise<ClusterModel[]> {
  const query = tx.from<Tables>().selectFrom('cluster').selectAll();
  return (await query.where('placement', 'like', `%"mark":"${mark}"%`).execute()).map(modelOf);
}

const byHostName = prepared((db: Kysely<Tables>, of: { prefix: string; mark: string }) =>
  db
    .selectFrom('cluster')
    .selectAll()
    .where('name_prefix', '=', of.prefix)
    .where('project_mark', '=', of.mark),
);

/** Returns the clusters with this name in the projects with this mark. There is mostly one such project. */
export async function clustersNamed(tx: ReadTx, name: string, mark: string): Promise<ClusterModel[]> {
  const rows = await byHostName.all(tx, { prefix: prefixOf(name), mark });
  return rows.map(modelOf).filter((cluster) => isSameName(cluster.name, name));
}

interface Chosen {
  readonly kinds: readonly ClusterKind[];
  readonly shapes: readonly ShapeName[];
  /** Whether to include deleted clusters with retained backups. */
  readonly retained?: boolean;
}

export async function pageOfClusters(
  tx: ReadTx,
  groupId: string,
  { kinds, shapes, retained = false }: Chosen,
  page: PageRange,
) {
  const from = tx.from<Tables>();
  const chosen = (table: keyof Tables) =>
    from
      .selectFrom(table)
      .selectAll()
      .where('group_id', '=', groupId)
      .where('kind', 'in', kinds)
      .where('shape', 'in', shapes);
  const all = chosen('cluster').unionAll(chosen('retained_cluster'));
  const { rows, next } = retained
    ? await fetchPage(from.selectFrom(all.as('one')).selectAll(), 'id', page)
    : await fetchPage(chosen('cluster'), 'id', page);
  return { rows: rows.map(modelOf), next };
}

export async function insertRetained(tx: Tx, cluster: ClusterModel): Promise<void> {
  await tx.from<Tables>().insertInto('retained_cluster').values(columnsOf(cluster)).execute();
}

export async function deleteRetained(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('retained_cluster').where('id', '=', id).execute();
}

export async function retainedById(tx: ReadTx, id: string): Promise<ClusterModel | undefined> {
  const query = tx.from<Tables>().selectFrom('retained_cluster').selectAll().where('id', '=', id);
  const row = await query.executeTakeFirst();
  return row && modelOf(row);
}

/** Returns the last deleted cluster with this name. */
export async function retainedNamed(
  tx: ReadTx,
  groupId: string,
  name: string,
): Promise<ClusterModel | undefined> {
  const query = tx.from<Tables>().selectFrom('retained_cluster').selectAll().where('group_id', '=', groupId);
  const row = await query.where('name', '=', name).orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row && modelOf(row);
}

/** Whether a deleted cluster had this name. */
export async function isRetainedName(tx: ReadTx, groupId: string, name: string): Promise<boolean> {
  const query = tx
    .from<Tables>()
    .selectFrom('retained_cluster')
    .select('name')
    .where('group_id', '=', groupId);
  const rows = await query.where('name_prefix', '=', prefixOf(name)).execute();
  return rows.some((row) => isSameName(row.name, name));
}

/** The id, project and host of a cluster, which tasks on the cluster need. */
export type ClusterPlace = Pick<ClusterModel, 'groupId' | 'host' | 'id'>;

/** Returns the ids and hosts of a project's clusters, oldest first. */
export function placesIn(tx: ReadTx, groupId: string): Promise<ClusterPlace[]> {
  return placesOfProject.all(tx, { groupId });
}

/** Returns the clusters that should run on a host, according to their rows. */
export function idleOn(tx: ReadTx, host: string): Promise<Array<Pick<ClusterModel, 'id'>>> {
  const query = tx.from<Tables>().selectFrom('cluster').select('id').where('host', '=', host);
  return query.where('state', '=', 'IDLE').where('paused', '=', 0).execute();
}

/** Returns the clusters of a host that drivers should be able to reach, including clusters under repair. */
export async function runningOn(tx: ReadTx, host: string): Promise<ClusterModel[]> {
  const query = tx.from<Tables>().selectFrom('cluster').selectAll().where('host', '=', host);
  const running = query.where('state', 'in', ['IDLE', 'REPAIRING']).where('paused', '=', 0);
  return (await running.execute()).map(modelOf);
}

/** Stores the settings of an engine in the clusters of its host, if they have changed. */
export async function recordEngineFacts(
  tx: Tx,
  host: string,
  facts: NonNullable<Placement['engineFacts']>,
): Promise<void> {
  const query = tx.from<Tables>().selectFrom('cluster').selectAll().where('host', '=', host);
  for (const row of await query.execute()) {
    const cluster = modelOf(row);
    const { engineFacts = [], ...placement } = cluster.placement;
    if (isDeepStrictEqual(engineFacts, facts)) continue;
    const changed = { ...placement, ...(facts.length > 0 && { engineFacts: facts }) };
    await updateCluster(tx, { ...cluster, placement: changed });
  }
}

/** Returns the projects that have clusters, oldest first. */
export async function projectsWithClusters(tx: ReadTx): Promise<string[]> {
  const query = tx.from<Tables>().selectFrom('cluster').select('group_id').distinct();
  return (await query.orderBy('group_id').execute()).map(({ group_id }) => group_id);
}

/** Returns every cluster of a project, oldest first. */
export async function clustersIn(tx: ReadTx, groupId: string): Promise<ClusterModel[]> {
  return (await ofProject.all(tx, { groupId })).map(modelOf);
}
