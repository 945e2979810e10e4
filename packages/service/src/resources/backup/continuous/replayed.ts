import { type Engine, encodeFrame, type OplogPosition, type SentSegment } from '@portolan/engine/management';
import type { ServiceClock } from '@portolan/foundation/clock';
import { lookAhead } from '@portolan/foundation/in-flight';
import type { ReadTx, Store, Tx } from '../../../store/index.ts';
import { NotYet, PermanentFailure, type ReportProgress } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import type { Source } from '../copies/sources.ts';
import { type OplogRow, oplogOf, readOf, type Span, segmentsBehind } from '../model/oplog/rows.ts';
import type { StoredSegment } from '../model/oplog/segment.ts';
import { type PointInTime, type RestoreRow, updateRestore } from '../model/restores/rows.ts';
import { snapshotById } from '../model/snapshots/rows.ts';
import { oplogReader } from '../oplog-copies/reader.ts';
import { oplogCopiesOf } from '../oplog-copies/rows.ts';
import { requestArchive } from './changes.ts';
import { compare, isFarAhead, planReplay, type ReplayPlan, untilOf } from './window.ts';

/** The number of segments that are read concurrently. */
const AT_ONCE = 4;
const WAIT_MS = 200;
/**
 * A restore to the current second waits for the end of this second only if the second ends within this machine time. If
 * service time is frozen or very slow, the second ends later.
 */
const LONGEST_SECOND_MS = 10_000;

/**
 * Waits until the oplog is archived up to the point in time. Also waits until the oplog of the target is archived up to
 * now, since the restore replaces the target's data. Throws `PermanentFailure` if the archive cannot reach the point in
 * time.
 */
export async function awaitArchives(store: Store, clock: ServiceClock, job: RestoreRow): Promise<void> {
  const waiting = await store.write(async (tx) => {
    const waits = [
      ...((await waitsForSource(tx, clock, job)) ? [job.clusterId] : []),
      ...(waitsForTarget(job, await oplogOf(tx, job.targetId)) ? [job.targetId] : []),
    ];
    for (const id of waits) await requestArchive(tx, id);
    return waits.length > 0;
  });
  if (waiting) throw new NotYet(WAIT_MS, 'the oplog is not archived yet');
}

async function waitsForSource(tx: Tx, clock: ServiceClock, job: RestoreRow): Promise<boolean> {
  const { pointInTime } = job;
  if (pointInTime === undefined) return false;
  const row = await oplogOf(tx, job.clusterId);
  const plan = row && (await planFor(tx, job, row));
  if (plan === undefined && row?.facts.asked) return true;
  if (plan === undefined)
    throw new PermanentFailure('the archived oplog has a gap between the snapshot and the requested time');
  const problem = row && plan.waits ? problemSince(row, job.requested) : undefined;
  if (problem !== undefined) throw new PermanentFailure(`the oplog cannot be archived: ${problem}`);
  if (plan.waits && isOutOfReach(plan.span, job.requested, untilOf(pointInTime)))
    throw new PermanentFailure(
      `the clocks of the servers have not reached this time: they show ${plan.span.checked}`,
    );
  if (!plan.waits || row === undefined || !standsStill(clock, pointInTime)) return plan.waits;
  return !(await isArchivedSince(tx, job, row));
}

/**
 * Whether the oplog was read after the request, and the clocks of the servers were then still so far before
 * the point in time that the restore does not wait for them.
 */
function isOutOfReach(span: Span, requested: Date, until: OplogPosition): boolean {
  return Date.parse(readOf(span)) >= requested.getTime() && isFarAhead(until, Date.parse(span.checked));
}

/** Whether service time is frozen, or so slow that the requested second does not end within `LONGEST_SECOND_MS`. */
function standsStill(clock: ServiceClock, { seconds }: PointInTime): boolean {
  return clock.until(new Date((seconds + 1) * 1000)) > LONGEST_SECOND_MS;
}

/**
 * Whether an archive run that began after the request has ended. If service time is frozen, only such a run guarantees
 * that everything written before the request is archived.
 */
async function isArchivedSince(tx: Tx, job: RestoreRow, { facts }: OplogRow): Promise<boolean> {
  const { runs = 0, asked } = facts;
  const { awaitedRun } = job;
  if (awaitedRun !== undefined) return runs >= awaitedRun;
  // A run that is in progress may have begun before the request, so wait for the next run.
  await updateRestore(tx, { ...job, awaitedRun: runs + (asked ? 2 : 1) });
  return false;
}

/** Returns the plan for replaying the oplog from a job's snapshot to its point in time. */
async function planFor(tx: ReadTx, job: RestoreRow, row: OplogRow): Promise<ReplayPlan | undefined> {
  const snapshot = await snapshotById(tx, job.snapshotId);
  if (snapshot === undefined || job.pointInTime === undefined) return undefined;
  return planReplay(row, [snapshot], untilOf(job.pointInTime));
}

/** Whether the restore must wait for the archive of the target. If archiving fails, the restore does not wait. */
function waitsForTarget({ requested }: RestoreRow, row: OplogRow | undefined): boolean {
  if (row === undefined || row.facts.ended !== undefined) return false;
  const span = row.facts.spans.at(-1);
  if (span !== undefined && Date.parse(readOf(span)) >= requested.getTime()) return false;
  return problemSince(row, requested) === undefined;
}

function problemSince({ facts: { problem } }: OplogRow, since: Date): string | undefined {
  if (problem === undefined) return undefined;
  return problem.at >= since ? problem.reason : undefined;
}

interface RestoreWay {
  readonly engine: Engine;
  readonly place: Source;
  readonly progress: ReportProgress;
  /** Aborts the restore. */
  readonly signal: AbortSignal;
}

/** Restores a snapshot in the engine and replays the oplog up to the point in time of the job. */
export async function restoreAndReplay(
  services: Pick<Services, 'copies' | 'engines' | 'log' | 'snapshots'>,
  store: Store,
  job: RestoreRow,
  { engine, place: { chunkStore, region }, progress, signal }: RestoreWay,
) {
  const { snapshotId, pointInTime } = job;
  const { key, position } = await chunkStore.manifest(snapshotId);
  const until = pointInTime && untilOf(pointInTime);
  const segments = until === undefined ? [] : await segmentsOf(store, job, position, until);
  const [first] = segments;
  if (until === undefined || first === undefined)
    return engine.restore(job.targetId, key, [], chunkStore.frames(snapshotId, { progress }), signal);
  const copies = await store.read((tx) => oplogCopiesOf(tx, job.clusterId));
  const regions = copies.map((copy) => copy.region);
  const sent = sentSegments(oplogReader(services, job.clusterId, regions, region), segments);
  if (first.isChanges) {
    const frames = chunkStore.frames(snapshotId, { progress });
    const range = { after: position, until };
    const origin = await originOf(store, snapshotId);
    const replayed = services.engines.replayed({ origin, frames, segments: sent, range, signal });
    return engine.restore(job.targetId, undefined, [], replayed, signal);
  }
  const frames = chunkStore.frames(snapshotId, { replay: { after: first.after, until }, progress });
  const oplog = segmentFrames(sent, segments);
  return engine.restore(job.targetId, key, keysOf(segments), concatenated(frames, oplog), signal);
}

/** Returns the topology and version of the deployment of a snapshot. */
async function originOf(store: Store, snapshotId: string) {
  const facts = (await store.read((tx) => snapshotById(tx, snapshotId)))?.facts;
  if (facts?.version === undefined) throw new PermanentFailure('the snapshot is gone');
  const { version, sharded } = facts;
  if (sharded === undefined) return { topology: 'REPLICA_SET', version, replicaSets: [] } as const;
  const names = sharded.members.map(({ replicaSetName }) => replicaSetName);
  const replicaSets = sharded.configServers === 'DEDICATED' ? names.slice(0, -1) : names;
  return { topology: 'SHARDED', version, replicaSets } as const;
}

/** Returns the segments between a snapshot and the point in time. */
function segmentsOf(
  store: Store,
  job: RestoreRow,
  position: OplogPosition,
  until: OplogPosition,
): Promise<StoredSegment[]> {
  return store.read(async (tx) => {
    const row = await oplogOf(tx, job.clusterId);
    const plan = row && (await planFor(tx, job, row));
    if (plan === undefined) throw new PermanentFailure('the archived oplog is gone');
    const behind = await segmentsBehind(tx, job.clusterId, plan.span.id, position);
    return behind.filter(({ after }) => compare(after, until) < 0);
  });
}

async function* concatenated(...parts: ReadonlyArray<AsyncGenerator<Uint8Array>>) {
  for (const part of parts) yield* part;
}

/** Reads segments ahead. */
function sentSegments(
  read: (segment: StoredSegment) => Promise<Uint8Array>,
  segments: readonly StoredSegment[],
): AsyncGenerator<SentSegment> {
  return lookAhead(segments, AT_ONCE, async ({ bytes, ...segment }) => {
    return { segment, content: await read({ ...segment, bytes }) };
  });
}

async function* segmentFrames(
  sent: AsyncIterable<SentSegment>,
  segments: readonly StoredSegment[],
): AsyncGenerator<Uint8Array> {
  for await (const one of sent) yield encodeFrame({ kind: 'oplog', ...one });
  const last = segments.at(-1);
  if (last !== undefined) yield encodeFrame({ kind: 'replayed', to: last.to });
}

/** Returns the distinct keys that encrypt the segments. */
function keysOf(segments: readonly StoredSegment[]) {
  const keys = new Map(
    segments.flatMap(({ key }) => (key === undefined ? [] : [[key.wrapped, key] as const])),
  );
  return [...keys.values()];
}
