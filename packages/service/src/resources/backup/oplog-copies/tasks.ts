import { InFlight } from '@portolan/foundation/in-flight';
import type { ReadTx } from '../../../store/index.ts';
import type { TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { allSegments, oplogOf, segmentsBehind } from '../continuous/rows.ts';
import type { Position, StoredSegment } from '../continuous/segment.ts';
import { attemptsFor } from '../vault/attempts.ts';
import { OplogVault } from '../vault/oplog-vault.ts';
import { VaultDamaged } from '../vault/vault.ts';
import { COPY_OPLOG, type CopyOplogWork, FORGET_OPLOG_COPY, type ForgetOplogCopyWork } from './changes.ts';
import { deleteOplogCopy, type OplogCopyRow, oplogCopyIn, putOplogCopy } from './rows.ts';

/** Segments that are copied at the same time. */
const AT_ONCE = 4;
const BEGINNING: Position = { seconds: 0, increment: 0 };

/** Copies what is archived and not yet in a region. Cut off, it begins again where it had begun. */
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
    {
      name: 'copy',
      async run({ services, store, payload: { clusterId, region } }) {
        const found = await store.read(async (tx) => {
          const row = await oplogCopyIn(tx, clusterId, region);
          return row && { row, ...(await missingIn(tx, row)) };
        });
        if (found === undefined) return {};
        const to = new OplogVault(services.copies(region), clusterId);
        // Of a copy that has just begun something may be there: it was begun before.
        const begins = Object.keys(found.row.facts.through).length === 0;
        const segments = begins ? await to.missing(found.segments) : found.segments;
        await copyAll(services, new OplogVault(services.snapshots, clusterId), to, segments);
        return found.through;
      },
      async commit(tx, { payload: { clusterId, region } }, through) {
        const row = await oplogCopyIn(tx, clusterId, region);
        const reached = through as OplogCopyRow['facts']['through'];
        if (row) await putOplogCopy(tx, { ...row, facts: { ...row.facts, through: reached } });
      },
    },
  ],
};

/** What is archived behind what a region has, and how far the copy is with it. */
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
  from: OplogVault,
  to: OplogVault,
  segments: readonly StoredSegment[],
): Promise<void> {
  const puts = new InFlight(AT_ONCE);
  const copy = async (segment: StoredSegment) => {
    try {
      await to.keep(segment, await from.content(segment));
    } catch (error) {
      if (!(error instanceof VaultDamaged)) throw error;
      // It was needed no more and is gone by now, or is lost; those behind it are copied all the same.
      log.warn({ reason: error.message }, 'a segment of an oplog could not be copied');
    }
  };
  try {
    for (const segment of segments) await puts.add(() => copy(segment));
  } finally {
    await puts.ended();
  }
  await puts.done();
}

/** Removes what a region holds of an oplog and no row names. */
export const forgetOplogCopy: TaskKind<ForgetOplogCopyWork, Services> = {
  ...FORGET_OPLOG_COPY,
  steps: [
    {
      name: 'remove files',
      async run({ services, store, payload: { clusterId, region, all } }) {
        const kept = all ? [] : await store.read((tx) => allSegments(tx, clusterId));
        await new OplogVault(services.copies(region), clusterId).forgetAllBut(kept);
        return { isEmpty: kept.length === 0 };
      },
      async commit(tx, { payload: { clusterId, region } }, result) {
        const row = await oplogCopyIn(tx, clusterId, region);
        if (row === undefined || !(result as { isEmpty: boolean }).isEmpty) return;
        // A task that comes behind this one begins anew.
        if (row.facts.asked) await putOplogCopy(tx, { ...row, facts: { asked: true, through: {} } });
        else await deleteOplogCopy(tx, row);
      },
    },
  ],
};
