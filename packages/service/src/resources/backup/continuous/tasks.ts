import { NotYet, resultOf, step, type TaskKind } from '../../../tasks/index.ts';
import { clusterById } from '../../clusters/index.ts';
import type { Services } from '../../services.ts';
import { attemptsFor } from '../chunk-store/attempts.ts';
import { SegmentStore } from '../chunk-store/segment-store.ts';
import { allSegments, deleteOplog, oplogOf } from '../model/oplog/rows.ts';
import { hasOpenRestore } from '../model/restores/rows.ts';
import { queueOplogCopies, trimOplogCopies } from '../oplog-copies/changes.ts';
import { archiveOplog } from './archive.ts';
import {
  ARCHIVE_OPLOG,
  type Archived,
  type ArchiveWork,
  awaitNext,
  FOLLOW_OPLOG,
  FORGET_OPLOG,
  type FollowWork,
  type ForgetWork,
  finishArchive,
  keepArchived,
  requestArchive,
} from './changes.ts';

const WAIT_MS = 200;
/** The pause before the removal of an archive is tried again. */
const RESTORE_WAIT_MS = 1000;

/** Enqueues an archive run at regular intervals of service time. */
export const followOplog: TaskKind<FollowWork, Services> = {
  ...FOLLOW_OPLOG,
  steps: [
    {
      name: 'follow',
      async commit(tx, { payload }) {
        const row = await oplogOf(tx, payload.clusterId);
        const cluster = await clusterById(tx, payload.clusterId);
        if (row?.facts.next?.toISOString() !== payload.at || cluster === undefined) return;
        await awaitNext(tx, row);
        if (cluster.state !== 'CREATING' && cluster.state !== 'DELETING')
          await requestArchive(tx, cluster.id);
      },
    },
  ],
};

/** `sweep` says whether an interrupted run may have left objects. */
const archive = step<ArchiveWork, Services, { archived?: Archived | undefined; sweep: boolean }>({
  name: 'archive',
  async run({ services, store, payload }) {
    const before = await store.read((tx) => oplogOf(tx, payload.clusterId));
    // Wait for the other run, since two concurrent runs would start at the same entry.
    if (payload.last && before?.facts.asked) throw new NotYet(WAIT_MS, 'another archive is under way');
    const archived = await archiveOplog(services, store, payload);
    return { archived, sweep: before?.facts.writing === true };
  },
  async commit(tx, { payload }, { archived }) {
    const row = await oplogOf(tx, payload.clusterId);
    if (row === undefined) return;
    if (archived === undefined) await finishArchive(tx, row);
    else await keepArchived(tx, row, archived);
    const { segments, going } = archived ?? {};
    const place = { ...row, id: row.clusterId };
    // Copy new segments to the regions. Also do this after each search for expired segments, since a region may have
    // been unavailable at the last attempt.
    if (segments?.length || going) await queueOplogCopies(tx, place);
    if (going?.length) await trimOplogCopies(tx, place);
  },
});

/** Archives the oplog entries since the last run. An interrupted run starts again from the end of the archive. */
export const archiveCluster: TaskKind<ArchiveWork, Services> = {
  ...ARCHIVE_OPLOG,
  attempts: attemptsFor,
  steps: [
    archive,
    {
      name: 'tidy',
      async run(context) {
        const { services, store, payload } = context;
        const { archived, sweep } = resultOf(context, archive);
        const going = archived?.going?.flatMap(({ segments: gone }) => gone) ?? [];
        if (!sweep && going.length === 0) return;
        const { row, segments } = await store.read(async (tx) => ({
          row: await oplogOf(tx, payload.clusterId),
          segments: await allSegments(tx, payload.clusterId),
        }));
        const segmentStore = new SegmentStore(services.snapshots, payload.clusterId);
        if (row !== undefined && sweep) await segmentStore.forgetAllBut(segments);
        else await segmentStore.forget(going, segments);
      },
    },
  ],
  async onFailed(tx, { payload }, _, problem) {
    const row = await oplogOf(tx, payload.clusterId);
    if (row) await finishArchive(tx, row, problem);
  },
};

/** Removes the objects of a removed archive from the snapshot store. */
export const forgetOplog: TaskKind<ForgetWork, Services> = {
  ...FORGET_OPLOG,
  steps: [
    {
      name: 'end',
      async commit(tx, { payload }) {
        const row = await oplogOf(tx, payload.clusterId);
        if (!payload.over || row?.facts.ended === undefined) return;
        if (await hasOpenRestore(tx, payload.clusterId))
          throw new NotYet(RESTORE_WAIT_MS, 'the cluster is being restored');
        await deleteOplog(tx, payload.clusterId);
        await trimOplogCopies(tx, { ...row, id: row.clusterId });
      },
    },
    {
      name: 'remove files',
      async run({ services, store, payload }) {
        const segments = await store.read((tx) => allSegments(tx, payload.clusterId));
        await new SegmentStore(services.snapshots, payload.clusterId).forgetAllBut(segments);
      },
    },
  ],
};
