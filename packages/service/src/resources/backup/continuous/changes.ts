import type { OplogMark } from '@portolan/engine/management';
import { system } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { type ClusterModel, type ClusterWork, clusterById, enqueueWork } from '../../clusters/index.ts';
import { recordInProject } from '../../projects/index.ts';
import {
  deleteOplog,
  deleteSegment,
  insertSegments,
  type OplogRow,
  oplogOf,
  putOplog,
  type Span,
} from '../model/oplog/rows.ts';
import type { StoredSegment } from '../model/oplog/segment.ts';
import { scheduleOf } from '../model/schedules/rows.ts';
import { newestSnapshot } from '../model/snapshots/rows.ts';
import { trimOplogCopies } from '../oplog-copies/changes.ts';
import { followGap } from './gaps.ts';
import { compare } from './window.ts';

export const FOLLOW_OPLOG = { kind: 'backup.oplog' };
export const ARCHIVE_OPLOG = { kind: 'backup.archive' };
export const FORGET_OPLOG = { kind: 'backup.forgetOplog' };

/** The task queue of archiving. Snapshots have another queue, since they take longer. */
const QUEUE = 'archive';
/**
 * Interval of archiving, in service time. If the cluster's files are lost, at most the changes of one interval are lost
 * with them.
 */
const INTERVAL_MS = 30_000;
const DAY_MS = 86_400_000;
/** The restore window of serverless instances (docs/contract/clusters.md 3.8). */
const SERVERLESS_DAYS = 3;
/** The restore window of clusters without a schedule (docs/contract/clusters.md 3.1). */
const DEFAULT_DAYS = 7;

/**
 * The payload of the task `followOplog`. `at` is the due time in ISO 8601. If the row has another due time, another
 * task has replaced this task.
 */
export interface FollowWork extends ClusterWork {
  readonly at: string;
}

export interface ArchiveWork extends ClusterWork {
  /** Whether this is the last archive run before the cluster is removed. */
  readonly last?: boolean;
}

export interface ForgetWork extends ClusterWork {
  /** Whether the task runs because the restore window of a removed cluster has passed. */
  readonly over?: boolean;
}

export async function windowDaysOf(tx: ReadTx, { id, spec }: ClusterModel): Promise<number> {
  if (spec.kind === 'serverless') return SERVERLESS_DAYS;
  return (await scheduleOf(tx, id))?.schedule.restoreWindowDays ?? DEFAULT_DAYS;
}

/** Starts archiving the oplog of a cluster, unless it is already being archived. */
export async function beginArchive(tx: Tx, cluster: ClusterModel): Promise<void> {
  if ((await oplogOf(tx, cluster.id)) !== undefined) return;
  const { id: clusterId, groupId, host } = cluster;
  const windowDays = await windowDaysOf(tx, cluster);
  // `writing` makes the first run remove unreferenced objects, since objects of an earlier archive may exist.
  await awaitNext(tx, { clusterId, groupId, host, facts: { spans: [], windowDays, writing: true } });
}

/** Schedules the next archive run. */
export async function awaitNext(tx: Tx, row: OplogRow): Promise<void> {
  const next = new Date(tx.now.getTime() + INTERVAL_MS);
  const at = next.toISOString();
  await putOplog(tx, { ...row, facts: { ...row.facts, next } });
  const place = { ...row, id: row.clusterId };
  await enqueueWork<FollowWork>(tx, FOLLOW_OPLOG, place, { at }, { queue: `${QUEUE}:${at}`, runAt: next });
}

/** Enqueues an archive run, unless one is already enqueued. */
export async function requestArchive(tx: Tx, clusterId: string): Promise<void> {
  const row = await oplogOf(tx, clusterId);
  if (row === undefined || row.facts.ended !== undefined || row.facts.asked) return;
  await putOplog(tx, { ...row, facts: { ...row.facts, asked: true } });
  await enqueueWork<ArchiveWork>(tx, ARCHIVE_OPLOG, { ...row, id: clusterId }, {}, { queue: QUEUE });
}

/**
 * Enqueues the last archive run before a cluster is removed. The run is in the queue of the cluster, so that the
 * removal waits for the run.
 */
export async function archiveLast(tx: Tx, cluster: ClusterModel): Promise<void> {
  if ((await oplogOf(tx, cluster.id)) === undefined) return;
  await enqueueWork<ArchiveWork>(tx, ARCHIVE_OPLOG, cluster, { last: true });
}

/** The result of one archive run. */
export interface Archived {
  /** The end of the span that this run continued; absent if the run began a new span. */
  readonly from?: OplogMark | undefined;
  /** The entry before the first segment. */
  readonly begun: OplogMark;
  readonly segments: readonly StoredSegment[];
  readonly through: OplogMark;
  /** Service time just before the oplog was read, or the time of the servers if it is earlier. ISO 8601. */
  readonly checked: string;
  /** Service time just before the oplog was read, ISO 8601. */
  readonly read: string;
  /** The earliest service time to which the new span can be restored, ISO 8601. */
  readonly started: string;
  readonly windowDays: number;
  /** Segments that no restore needs any longer, by span. Absent if this run did not search for such segments. */
  readonly going?: ReadonlyArray<{ readonly span: string; readonly segments: readonly StoredSegment[] }>;
}

/**
 * Records an archive run. If another run has continued the archive in the meantime, records only that a run
 * has ended.
 */
export async function keepArchived(tx: Tx, row: OplogRow, archived: Archived): Promise<void> {
  const { from, begun, segments, through, checked, read, started, windowDays, going } = archived;
  const former = row.facts.spans.at(-1);
  const continues = from !== undefined && former !== undefined && isSame(former.through, from);
  if (from !== undefined && !continues) return finishArchive(tx, row);
  const since = await newestSnapshot(tx, row.clusterId);
  const span: Span = continues
    ? { ...former, through, checked, read }
    : { id: tx.id(), begun, started, since, through, checked, read };
  const others = continues ? row.facts.spans.slice(0, -1) : row.facts.spans;
  const { problem, asked: _, writing: __, ...rest } = ended(row);
  if (problem !== undefined) await recordCaughtUp(tx, row);
  if (!continues) await followGap(tx, row, span);
  const trimmed = going === undefined ? {} : { trimmed: tx.now };
  const kept = others.filter(({ through: end }) => !isOver(end, tx.now.getTime(), windowDays));
  const spans = [...(going === undefined ? others : kept), span];
  await putOplog(tx, { ...row, facts: { ...rest, spans, windowDays, ...trimmed } });
  await insertSegments(tx, row.clusterId, span.id, segments);
  for (const gone of going ?? []) {
    for (const one of gone.segments) await deleteSegment(tx, row.clusterId, gone.span, one.to);
  }
}

/** Records that archiving succeeded again after failures. */
async function recordCaughtUp(tx: Tx, { clusterId, groupId }: OplogRow): Promise<void> {
  const cluster = await clusterById(tx, clusterId);
  const about = cluster && { clusterName: cluster.name };
  await recordInProject(tx, groupId, { type: 'CPS_OPLOG_CAUGHT_UP', actor: system, ...about });
}

function isOver({ seconds }: OplogMark, now: number, windowDays: number): boolean {
  return seconds * 1000 < now - windowDays * DAY_MS;
}

function isSame(one: OplogMark, other: OplogMark): boolean {
  return compare(one, other) === 0 && one.digest === other.digest;
}

/** Records that an archive run has ended without a result. `problem` is the reason if the run failed. */
export async function finishArchive(tx: Tx, row: OplogRow, problem?: string): Promise<void> {
  const { asked: _, ...rest } = ended(row);
  const failure = problem === undefined ? {} : { problem: { reason: problem, at: tx.now } };
  await putOplog(tx, { ...row, facts: { ...rest, ...failure } });
}

/** Counts a run that has ended. */
const ended = ({ facts }: OplogRow) => ({ ...facts, runs: (facts.runs ?? 0) + 1 });

/** Removes the archive. Callers no longer see it, and a task removes its objects. */
export async function removeArchive(tx: Tx, clusterId: string): Promise<void> {
  const row = await oplogOf(tx, clusterId);
  if (row === undefined) return;
  await deleteOplog(tx, clusterId);
  await forgetArchive(tx, row);
}

/** Enqueues the task that removes unreferenced segments. */
export async function forgetArchive(tx: Tx, row: OplogRow): Promise<void> {
  const place = { ...row, id: row.clusterId };
  await enqueueWork<ForgetWork>(tx, FORGET_OPLOG, place, {}, { queue: QUEUE });
  await trimOplogCopies(tx, place);
}

/** Keeps the archive of a removed cluster whose snapshots are retained, for the length of its restore window. */
export async function retainArchive(tx: Tx, clusterId: string): Promise<void> {
  const row = await oplogOf(tx, clusterId);
  if (row === undefined) return;
  const { next: _, ...rest } = row.facts;
  await putOplog(tx, { ...row, facts: { ...rest, ended: tx.now } });
  const runAt = new Date(tx.now.getTime() + row.facts.windowDays * DAY_MS);
  const place = { ...row, id: clusterId };
  await enqueueWork<ForgetWork>(tx, FORGET_OPLOG, place, { over: true }, { queue: `${QUEUE}:end`, runAt });
}
