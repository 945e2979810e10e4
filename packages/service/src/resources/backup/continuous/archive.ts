import { type OplogMark, type OplogPosition, oplogFramesOf } from '@portolan/engine/management';
import type { Store } from '../../../store/index.ts';
import { type ClusterModel, clusterById, hasTrait } from '../../clusters/index.ts';
import type { Services } from '../../services.ts';
import { SegmentStore } from '../chunk-store/segment-store.ts';
import { type OplogRow, oplogOf, putOplog, segmentsUpTo } from '../model/oplog/rows.ts';
import type { StoredSegment } from '../model/oplog/segment.ts';
import { hasOpenRestore } from '../model/restores/rows.ts';
import { type SnapshotRow, snapshotsOf } from '../model/snapshots/rows.ts';
import { type Archived, type ArchiveWork, windowDaysOf } from './changes.ts';
import { lastReplaced } from './gaps.ts';
import { basesOf, compare, unneededUpTo } from './window.ts';

/** The interval between two removals of expired segments. */
const TRIM_MS = 3_600_000;

interface Found {
  readonly row: OplogRow;
  readonly cluster: ClusterModel;
  readonly snapshots: readonly SnapshotRow[];
  /** The end of the last restore that replaced the history of the cluster. */
  readonly restored: Date | undefined;
  readonly windowDays: number;
}

/**
 * Archives the oplog entries since the last run. Returns undefined if the cluster is being created or removed, or has
 * no archive.
 */
export async function archiveOplog(
  services: Pick<Services, 'clock' | 'engines' | 'snapshots'>,
  store: Store,
  { clusterId, last = false }: ArchiveWork,
): Promise<Archived | undefined> {
  const found = await store.read((tx) => find(tx, clusterId, last));
  if (found === undefined) return undefined;
  const { row, cluster, windowDays } = found;
  const now = services.clock.now();
  const writer = new ArchiveWriter(store, new SegmentStore(services.snapshots, clusterId), row);
  const engine = services.engines.at(cluster.host);
  for (const { after, started } of startPoints(found, now)) {
    const archived = await writer.keep(engine.oplog(clusterId, after), after);
    if (archived === undefined) continue;
    const going = await expiredSegments(store, found, now);
    const since = started ?? startOf(archived.begun, found, now);
    const { time, ...rest } = archived;
    const checked = new Date(Math.min(now.getTime(), time ?? now.getTime())).toISOString();
    const dates = { checked, read: now.toISOString(), started: since.toISOString() };
    return { ...rest, ...dates, windowDays, ...(going === undefined ? {} : { going }) };
  }
  return undefined;
}

async function find(
  tx: Parameters<Parameters<Store['read']>[0]>[0],
  clusterId: string,
  last: boolean,
): Promise<Found | undefined> {
  const row = await oplogOf(tx, clusterId);
  const cluster = await clusterById(tx, clusterId);
  if (row === undefined || cluster === undefined) return undefined;
  if (cluster.state === 'CREATING' || (cluster.state === 'DELETING' && !last)) return undefined;
  return {
    row,
    cluster,
    snapshots: await snapshotsOf(tx, clusterId),
    restored: await lastReplaced(tx, cluster),
    windowDays: await windowDaysOf(tx, cluster),
  };
}

interface StartPoint {
  readonly after: OplogMark | OplogPosition | undefined;
  /**
   * The earliest service time to which the span can be restored if it begins at this point. If undefined, the first
   * entry that is read determines this time.
   */
  readonly started: Date | undefined;
}

/**
 * Returns the points from which the archive can continue, best first. These are the end of the archive, the last
 * snapshot (if the oplog still contains its position), and the present. At the last two points, a new span begins after
 * a gap. If the cluster was restored after the last snapshot, the new span covers only the time after the restore,
 * because the restore replaced the history.
 */
function startPoints({ row, cluster, snapshots, restored }: Found, now: Date): readonly StartPoint[] {
  const through = row.facts.spans.at(-1)?.through;
  const base = basesOf(snapshots).at(-1)?.position;
  // If the servers have one history, and do not return the changes after the end of the archive, they do not return
  // those after an earlier snapshot either.
  const isPast = hasTrait(cluster, 'continuedHistory') && base && through && compare(base, through) <= 0;
  const isUsable = base && !isPast;
  const last = isUsable ? base : undefined;
  const taken = last === undefined ? now : new Date(last.seconds * 1000);
  return [
    ...(through === undefined ? [] : [{ after: through, started: now }]),
    ...(last === undefined
      ? []
      : [{ after: last, started: restored && restored > taken ? restored : taken }]),
    { after: undefined, started: undefined },
  ];
}

/**
 * Returns the earliest time at which the data was the same as now. This is the time of the newest oplog entry or of the
 * last restore, whichever is later.
 */
function startOf({ seconds }: OplogPosition, { restored }: Found, now: Date): Date {
  const newest = new Date(Math.min(seconds * 1000, now.getTime()));
  return restored && restored > newest ? restored : newest;
}

class ArchiveWriter {
  readonly #store: Store;
  readonly #segmentStore: SegmentStore;
  readonly #row: OplogRow;
  #isMarked = false;

  constructor(store: Store, segmentStore: SegmentStore, row: OplogRow) {
    this.#store = store;
    this.#segmentStore = segmentStore;
    this.#row = row;
    this.#isMarked = row.facts.writing === true;
  }

  /** Stores the entries as segments. Returns undefined if the oplog no longer contains the requested entry. */
  async keep(bytes: AsyncIterable<Uint8Array>, after: OplogMark | OplogPosition | undefined) {
    const segments: StoredSegment[] = [];
    let begun: OplogMark | undefined;
    let through: OplogMark | undefined;
    let time: number | undefined;
    for await (const frame of oplogFramesOf(bytes)) {
      if (frame.kind === 'head') {
        if (!frame.head.whole && after !== undefined) return undefined;
        begun = frame.head.after;
      } else if (frame.kind === 'end') ({ to: through, time } = frame);
      else {
        await this.#markWriting();
        await this.#segmentStore.keep(frame.segment, frame.content);
        segments.push({ ...frame.segment, bytes: frame.content.length });
      }
    }
    if (begun === undefined || through === undefined) throw new Error('the oplog was cut off');
    const continues = after !== undefined && 'digest' in after;
    return { begun, segments, through, time, ...(continues ? { from: after } : {}) };
  }

  /**
   * Sets a mark before the first object is written. If the service crashes, the mark shows that there may be objects
   * without rows.
   */
  async #markWriting(): Promise<void> {
    if (this.#isMarked) return;
    this.#isMarked = true;
    await this.#store.write(async (tx) => {
      const row = await oplogOf(tx, this.#row.clusterId);
      if (row) await putOplog(tx, { ...row, facts: { ...row.facts, writing: true } });
    });
  }
}

/**
 * Returns the segments that are not needed for a restore to any time within the restore window. Undefined if the last
 * removal was less than `TRIM_MS` ago, and during a restore.
 */
async function expiredSegments(
  store: Store,
  { row, snapshots, windowDays }: Found,
  now: Date,
): Promise<Archived['going']> {
  const { clusterId, facts } = row;
  if (now.getTime() - (facts.trimmed?.getTime() ?? 0) < TRIM_MS) return undefined;
  return store.read(async (tx) => {
    if (await hasOpenRestore(tx, clusterId)) return undefined;
    const all = facts.spans.map(async (span) => {
      const upTo = unneededUpTo(span, snapshots, { now: now.getTime(), windowDays });
      return { span: span.id, segments: await segmentsUpTo(tx, clusterId, span.id, upTo) };
    });
    return (await Promise.all(all)).filter(({ segments }) => segments.length > 0);
  });
}
