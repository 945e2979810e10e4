import type { Selectable } from 'kysely';
import {
  addCount,
  codec,
  counter,
  fetchPage,
  type PageRange,
  type ReadTx,
  type Tx,
} from '../../../../store/index.ts';
import type { Frequency } from '../occurrences.ts';
import type { Position } from '../oplog/segment.ts';
import type { Retention } from '../retention.ts';

interface Tables {
  backup_snapshot: {
    id: string;
    group_id: string;
    cluster_id: string;
    host: string;
    status: string;
    snapshot_type: string;
    created: number | null;
    expires: number;
    cluster_name: string;
    frequency: string;
    description: string | null;
    retention_value: number;
    retention_unit: string;
    by_hand: number;
    due: number | null;
    items: string | null;
    started: number | null;
    ended: number | null;
    config_servers: string | null;
    version: string | null;
    provider: string | null;
    disk_gb: number | null;
    storage_bytes: number;
    master_key: string | null;
    key_provider: string | null;
    tried: number;
    position_seconds: number | null;
    position_increment: number | null;
    consistency: string | null;
    problem: string | null;
  };
  backup_snapshot_member: {
    id: string;
    snapshot_id: string;
    place: number;
    replica_set_name: string;
    provider: string;
  };
}

export type Provider = 'AWS' | 'AZURE' | 'GCP';

type SnapshotStatus = 'queued' | 'inProgress' | 'completed' | 'failed';

/** A shard or the config servers in a snapshot of a sharded cluster. */
interface SnapshotMember {
  readonly id: string;
  readonly replicaSetName: string;
  readonly provider: Provider;
}

/** A backup policy item as it was when it triggered a snapshot. */
export interface SnapshotItem {
  readonly id: string;
  readonly frequency: Frequency;
  /** The retention in days. */
  readonly days: number;
}

interface SnapshotFacts {
  readonly clusterName: string;
  readonly frequency: 'ondemand' | Frequency;
  readonly description?: string | undefined;
  readonly retention: Retention;
  /**
   * Whether a caller changed the retention of this snapshot. The items of the schedule then no longer determine it.
   */
  readonly byHand?: boolean;
  /** Scheduled snapshots only: the due time, and the items that were due. */
  readonly due?: Date | undefined;
  readonly items?: readonly SnapshotItem[] | undefined;
  /** When the task started and finished. */
  readonly started?: Date | undefined;
  readonly ended?: Date | undefined;
  /** Details of a sharded cluster; absent for replica sets. */
  readonly sharded?:
    | {
        readonly members: readonly SnapshotMember[];
        readonly configServers: 'DEDICATED' | 'EMBEDDED';
      }
    | undefined;
  /** The server version when the snapshot was taken, such as 8.0.4. */
  readonly version?: string | undefined;
  readonly provider?: Provider | undefined;
  /**
   * The disk size of the cluster; absent for tenant clusters, and from snapshots that earlier versions took.
   */
  readonly diskGB?: number | undefined;
  readonly storageBytes: number;
  /** The master key of an encrypted snapshot, and its provider. */
  readonly encryption?: { readonly masterKey: string; readonly provider: Provider } | undefined;
  /** Whether a task has begun to store the snapshot, so that the snapshot store may contain some of its chunks. */
  readonly tried?: boolean;
  /** The last oplog entry that the snapshot contains; absent if it is unknown. */
  readonly position?: Position | undefined;
  /**
   * How consistent the data is; only for clusters that run outside Portolan. `NONE` means that some of the data that
   * was written during the snapshot may be missing.
   */
  readonly consistency?: 'OPERATION' | 'NONE' | undefined;
  /** Why the snapshot failed. */
  readonly problem?: string | undefined;
}

export interface SnapshotRow {
  readonly id: string;
  readonly groupId: string;
  readonly clusterId: string;
  /** The engine host of the cluster. Tasks on the snapshot run there. */
  readonly host: string;
  readonly status: SnapshotStatus;
  readonly type: 'onDemand' | 'scheduled' | 'fallback';
  /** When the snapshot was completed or, for a scheduled snapshot, when it was due. */
  readonly created: Date | undefined;
  readonly expires: Date;
  readonly facts: SnapshotFacts;
}

export const snapshotCount = counter('cluster', 'snapshots');

const items = codec.json<readonly SnapshotItem[]>();

type Stored = Selectable<Tables['backup_snapshot']>;

function readSnapshotRow(row: Stored, members: readonly SnapshotMember[]): SnapshotRow {
  return {
    id: row.id,
    groupId: row.group_id,
    clusterId: row.cluster_id,
    host: row.host,
    status: row.status as SnapshotStatus,
    type: row.snapshot_type as SnapshotRow['type'],
    created: codec.optionalDate.read(row.created),
    expires: codec.date.read(row.expires),
    facts: readFacts(row, members),
  };
}

function readFacts(row: Stored, members: readonly SnapshotMember[]): SnapshotFacts {
  const configServers = row.config_servers as 'DEDICATED' | 'EMBEDDED' | null;
  return {
    clusterName: row.cluster_name,
    frequency: row.frequency as SnapshotFacts['frequency'],
    description: row.description ?? undefined,
    retention: { value: row.retention_value, unit: row.retention_unit as Retention['unit'] },
    byHand: codec.boolean.read(row.by_hand),
    due: codec.optionalDate.read(row.due),
    items: row.items === null ? undefined : items.read(row.items),
    started: codec.optionalDate.read(row.started),
    ended: codec.optionalDate.read(row.ended),
    sharded: configServers === null ? undefined : { members, configServers },
    version: row.version ?? undefined,
    provider: (row.provider as Provider | null) ?? undefined,
    diskGB: row.disk_gb ?? undefined,
    storageBytes: row.storage_bytes,
    encryption: readEncryption(row.master_key, row.key_provider),
    tried: codec.boolean.read(row.tried),
    position: readPosition(row.position_seconds, row.position_increment),
    consistency: (row.consistency as SnapshotFacts['consistency'] | null) ?? undefined,
    problem: row.problem ?? undefined,
  };
}

function readEncryption(masterKey: string | null, provider: string | null): SnapshotFacts['encryption'] {
  if (masterKey === null || provider === null) return undefined;
  return { masterKey, provider: provider as Provider };
}

function readPosition(seconds: number | null, increment: number | null): Position | undefined {
  return seconds === null || increment === null ? undefined : { seconds, increment };
}

function writeSnapshotRow(row: SnapshotRow): Tables['backup_snapshot'] {
  return {
    id: row.id,
    group_id: row.groupId,
    cluster_id: row.clusterId,
    host: row.host,
    status: row.status,
    snapshot_type: row.type,
    created: codec.optionalDate.write(row.created),
    expires: codec.date.write(row.expires),
    ...writeFacts(row.facts),
  };
}

function writeFacts(facts: SnapshotFacts) {
  const { encryption, position, retention, sharded } = facts;
  return {
    cluster_name: facts.clusterName,
    frequency: facts.frequency,
    description: facts.description ?? null,
    retention_value: retention.value,
    retention_unit: retention.unit,
    by_hand: codec.boolean.write(facts.byHand === true),
    due: codec.optionalDate.write(facts.due),
    items: facts.items === undefined ? null : items.write(facts.items),
    started: codec.optionalDate.write(facts.started),
    ended: codec.optionalDate.write(facts.ended),
    config_servers: sharded?.configServers ?? null,
    version: facts.version ?? null,
    provider: facts.provider ?? null,
    disk_gb: facts.diskGB ?? null,
    storage_bytes: codec.int64.write(facts.storageBytes),
    master_key: encryption?.masterKey ?? null,
    key_provider: encryption?.provider ?? null,
    tried: codec.boolean.write(facts.tried === true),
    position_seconds: position?.seconds ?? null,
    position_increment: position?.increment ?? null,
    consistency: facts.consistency ?? null,
    problem: facts.problem ?? null,
  };
}

const snapshots = (tx: ReadTx) => tx.from<Tables>().selectFrom('backup_snapshot').selectAll();

/** Reads snapshots with their members. */
async function readSnapshots(tx: ReadTx, rows: readonly Stored[]): Promise<SnapshotRow[]> {
  const sharded = rows.filter(({ config_servers }) => config_servers !== null).map(({ id }) => id);
  const members = sharded.length === 0 ? new Map() : await membersOf(tx, sharded);
  return rows.map((row) => readSnapshotRow(row, members.get(row.id) ?? []));
}

async function membersOf(
  tx: ReadTx,
  snapshotIds: readonly string[],
): Promise<ReadonlyMap<string, readonly SnapshotMember[]>> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot_member').selectAll();
  const rows = await query.where('snapshot_id', 'in', snapshotIds).orderBy('place').execute();
  const members = rows.map(({ id, snapshot_id, replica_set_name, provider }) => {
    const member = { id, replicaSetName: replica_set_name, provider: provider as Provider };
    return [snapshot_id, member] as const;
  });
  const byId = Map.groupBy(members, ([snapshotId]) => snapshotId);
  return new Map([...byId].map(([id, entries]) => [id, entries.map(([, member]) => member)]));
}

export async function insertSnapshot(tx: Tx, row: SnapshotRow): Promise<void> {
  await tx.from<Tables>().insertInto('backup_snapshot').values(writeSnapshotRow(row)).execute();
  const members = row.facts.sharded?.members.map(({ id, replicaSetName, provider }, place) => {
    return { id, snapshot_id: row.id, place, replica_set_name: replicaSetName, provider };
  });
  if (members !== undefined && members.length > 0)
    await tx.from<Tables>().insertInto('backup_snapshot_member').values(members).execute();
  await addCount(tx, snapshotCount, row.clusterId, 1);
}

/** Updates a snapshot. Its members never change. */
export async function updateSnapshot(tx: Tx, row: SnapshotRow): Promise<void> {
  const { id, ...columns } = writeSnapshotRow(row);
  await tx.from<Tables>().updateTable('backup_snapshot').set(columns).where('id', '=', id).execute();
}

export async function deleteSnapshot(tx: Tx, { id, clusterId }: SnapshotRow): Promise<void> {
  await tx.from<Tables>().deleteFrom('backup_snapshot').where('id', '=', id).execute();
  await addCount(tx, snapshotCount, clusterId, -1);
}

/** Deletes all snapshots of a cluster. Returns whether it had any. */
export async function deleteSnapshots(tx: Tx, clusterId: string): Promise<boolean> {
  const rows = tx.from<Tables>().deleteFrom('backup_snapshot').where('cluster_id', '=', clusterId);
  const { numDeletedRows } = await rows.executeTakeFirst();
  await addCount(tx, snapshotCount, clusterId, -Number(numDeletedRows));
  return numDeletedRows > 0n;
}

/**
 * Deletes the snapshots of a removed cluster except those in `kept`. Recounts the kept snapshots, since the counters of
 * the cluster were deleted with the cluster.
 */
export async function keepOnly(tx: Tx, clusterId: string, kept: readonly SnapshotRow[]): Promise<void> {
  const ids = kept.map(({ id }) => id);
  const all = tx.from<Tables>().deleteFrom('backup_snapshot').where('cluster_id', '=', clusterId);
  await (ids.length === 0 ? all : all.where('id', 'not in', ids)).execute();
  if (ids.length > 0) await addCount(tx, snapshotCount, clusterId, ids.length);
}

export async function snapshotById(tx: ReadTx, id: string): Promise<SnapshotRow | undefined> {
  const [row] = await readSnapshots(tx, await snapshots(tx).where('id', '=', id).execute());
  return row;
}

/** Returns the snapshot of a sharded cluster that has a member with this id. */
export async function snapshotOfMember(tx: ReadTx, id: string): Promise<SnapshotRow | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot_member').select('snapshot_id');
  const member = await query.where('id', '=', id).executeTakeFirst();
  return member && snapshotById(tx, member.snapshot_id);
}

/** Returns the snapshots of a cluster, oldest first. */
export async function pageOfSnapshots(tx: ReadTx, clusterId: string, page: PageRange) {
  const { rows, next } = await fetchPage(snapshots(tx).where('cluster_id', '=', clusterId), 'id', page);
  return { rows: await readSnapshots(tx, rows), next };
}

/** Returns all snapshots of a cluster, oldest first. */
export async function snapshotsOf(tx: ReadTx, clusterId: string): Promise<SnapshotRow[]> {
  return readSnapshots(tx, await snapshots(tx).where('cluster_id', '=', clusterId).orderBy('id').execute());
}

export async function hasSnapshots(tx: ReadTx, clusterId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('id');
  return (await query.where('cluster_id', '=', clusterId).limit(1).executeTakeFirst()) !== undefined;
}

/** Returns the id of the newest completed snapshot. */
export async function lastCompleted(tx: ReadTx, clusterId: string): Promise<string | undefined> {
  const query = tx
    .from<Tables>()
    .selectFrom('backup_snapshot')
    .select('id')
    .where('cluster_id', '=', clusterId);
  const newest = query.where('status', '=', 'completed').orderBy('id', 'desc').limit(1);
  return (await newest.executeTakeFirst())?.id;
}

export async function hasSnapshotsInProject(tx: ReadTx, groupId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('id');
  return (await query.where('group_id', '=', groupId).limit(1).executeTakeFirst()) !== undefined;
}

/** Returns the id of the newest snapshot in any state; empty if there is none. */
export async function newestSnapshot(tx: ReadTx, clusterId: string): Promise<string> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('id');
  const newest = query.where('cluster_id', '=', clusterId).orderBy('id', 'desc').limit(1);
  return (await newest.executeTakeFirst())?.id ?? '';
}

/** Whether another snapshot is being taken on the same host as this one. */
export async function isConcurrent(
  tx: ReadTx,
  { id, host }: Pick<SnapshotRow, 'id' | 'host'>,
): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('id').where('host', '=', host);
  const other = query.where('status', '=', 'inProgress').where('id', '<>', id).limit(1);
  return (await other.executeTakeFirst()) !== undefined;
}

/** Whether a snapshot of a cluster is being taken. */
export async function isBeingTaken(tx: ReadTx, clusterId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('id');
  const taken = query.where('cluster_id', '=', clusterId).where('status', '=', 'inProgress').limit(1);
  return (await taken.executeTakeFirst()) !== undefined;
}

/** Returns the time of the newest completed snapshot of a cluster. */
export async function newestMoment(tx: ReadTx, clusterId: string): Promise<Date | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('created');
  const row = await query
    .where('cluster_id', '=', clusterId)
    .where('status', '=', 'completed')
    .orderBy('created', 'desc')
    .limit(1)
    .executeTakeFirst();
  return codec.optionalDate.read(row?.created ?? null);
}

/** Returns the oldest due time after `after` whose scheduled snapshot is not complete. */
export async function unfinishedSince(
  tx: ReadTx,
  clusterId: string,
  after: Date | undefined,
): Promise<Date | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('due');
  const unfinished = query
    .where('cluster_id', '=', clusterId)
    .where('snapshot_type', '=', 'scheduled')
    .where('status', '<>', 'completed')
    .where('due', '>', after === undefined ? 0 : codec.date.write(after));
  const first = await unfinished.orderBy('due').limit(1).executeTakeFirst();
  return codec.optionalDate.read(first?.due ?? null);
}

/** Whether an on-demand snapshot is queued or in progress. */
export async function hasUnfinished(tx: ReadTx, clusterId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('id');
  const row = await query
    .where('cluster_id', '=', clusterId)
    .where('snapshot_type', '=', 'onDemand')
    .where('status', 'in', ['queued', 'inProgress'])
    .executeTakeFirst();
  return row !== undefined;
}
