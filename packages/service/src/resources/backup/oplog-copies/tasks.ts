import { InFlight } from '@portolan/foundation/in-flight';
import type { ReadTx } from '../../../store/index.ts';
import { step, type TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { attemptsFor } from '../chunk-store/attempts.ts';
import { BackupDamaged } from '../chunk-store/chunk-store.ts';
import { SegmentStore } from '../chunk-store/segment-store.ts';
import { allSegments, oplogOf, segmentsBehind } from '../model/oplog/rows.ts';
import type { Position, StoredSegment } from '../model/oplog/segment.ts';
import { COPY_OPLOG, type CopyOplogWork, FORGET_OPLOG_COPY, type ForgetOplogCopyWork } from './changes.ts';
import { deleteOplogCopy, type OplogCopyRow, oplogCopyIn, putOplogCopy } from './rows.ts';

/** The number of segments that are copied concurrently. */
const AT_ONCE = 4;
const BEGINNING: Position = { seconds: 0, increment: 0 };

/** Copies new segments to a region. A resumed copy continues after the last completed segment. */
export const copyOplog: TaskKind<CopyOplogWork, Services> = {
  ...COPY_OPLOG,
  attempts: attemptsFor,
  steps: [
    {
      name: 'begin',
      async commit(tx, { payload: { clusterId, region } }) {
        const row = await oplogCopyIn(tx, clusterId, region);
        if (row) await putOplogCopy(tx, { ...row, facts: { through: row.facts.through } });
      },
    },
    step({
      name: 'copy',
      async run({ services, store, payload: { clusterId, region } }) {
        const found = await store.read(async (tx) => {
          const row = await oplogCopyIn(tx, clusterId, region);
          return row && { row, ...(await missingIn(tx, row)) };
        });
        if (found === undefined) return {};
        const to = new SegmentStore(services.copies(region), clusterId);
        // A first copy has no stored positions. Skip the segments that an earlier, deleted copy left in the region.
        const begins = Object.keys(found.row.facts.through).length === 0;
        const segments = begins ? await to.missing(found.segments) : found.segments;
        await copyAll(services, new SegmentStore(services.snapshots, clusterId), to, segments);
        return found.through;
      },
      async commit(tx, { payload: { clusterId, region } }, through) {
        const row = await oplogCopyIn(tx, clusterId, region);
        if (row) await putOplogCopy(tx, { ...row, facts: { ...row.facts, through } });
      },
    }),
  ],
};

/** Returns the segments that the region lacks, and the positions that the copy has reached once they are copied. */
async function missingIn(tx: ReadTx, { clusterId, facts }: OplogCopyRow) {
  const segments: StoredSegment[] = [];
  const through: Record<string, Position> = {};
  for (const { id } of (await oplogOf(tx, clusterId))?.facts.spans ?? []) {
    const from = facts.through[id] ?? BEGINNING;
    const behind = await segmentsBehind(tx, clusterId, id, from);
    segments.push(...behind);
    const { seconds, increment } = behind.at(-1)?.to ?? from;
    through[id] = { seconds, increment };
  }
  return { segments, through };
}

async function copyAll(
  { log }: Pick<Services, 'log'>,
  from: SegmentStore,
  to: SegmentStore,
  segments: readonly StoredSegment[],
): Promise<void> {
  const puts = new InFlight(AT_ONCE);
  const copy = async (segment: StoredSegment) => {
    try {
      await to.keep(segment, await from.content(segment));
    } catch (error) {
      if (!(error instanceof BackupDamaged)) throw error;
      // The segment has expired or is lost. Continue with later segments.
      log.warn({ reason: error.message }, 'oplog segment could not be copied');
    }
  };
  try {
    for (const segment of segments) await puts.add(() => copy(segment));
  } finally {
    await puts.ended();
  }
  await puts.done();
}

/** Removes unreferenced segments from a region. */
export const forgetOplogCopy: TaskKind<ForgetOplogCopyWork, Services> = {
  ...FORGET_OPLOG_COPY,
  steps: [
    step({
      name: 'remove files',
      async run({ services, store, payload: { clusterId, region, all } }) {
        const kept = all ? [] : await store.read((tx) => allSegments(tx, clusterId));
        await new SegmentStore(services.copies(region), clusterId).forgetAllBut(kept);
        return { isEmpty: kept.length === 0 };
      },
      async commit(tx, { payload: { clusterId, region } }, { isEmpty }) {
        const row = await oplogCopyIn(tx, clusterId, region);
        if (row === undefined || !isEmpty) return;
        // `asked` means that another copy task is enqueued. Without positions, that task starts from the beginning.
        if (row.facts.asked) await putOplogCopy(tx, { ...row, facts: { asked: true, through: {} } });
        else await deleteOplogCopy(tx, row);
      },
    }),
  ],
};
