import { isDeepStrictEqual } from 'node:util';
import { withoutPaths } from '@portolan/foundation/paths-in-text';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { Store } from '../../store/index.ts';
import { every, recurring, step, type TaskContext, type TaskKind } from '../../tasks/index.ts';
import { firstBucket } from '../backup/index.ts';
import { type ClusterModel, clusterById } from '../clusters/index.ts';
import { findProject } from '../projects/index.ts';
import type { Services } from '../services.ts';
import { type ArchiveWork, endPause, endRun, MOVE, PAUSE, runDue } from './changes.ts';
import { exists } from './documents.ts';
import { deleteExpired, folderOfArchive } from './files.ts';
import { moveDocuments } from './move.ts';
import { type ArchiveRow, archiveById } from './rows.ts';
import { isPaused } from './states.ts';
import { isOpen } from './window.ts';

/** Interval between runs, in milliseconds of service time. */
const INTERVAL_MS = 300_000;
const ATTEMPTS = 5;

interface Archiving {
  readonly row: ArchiveRow;
  readonly cluster: ClusterModel;
  readonly orgId: string;
  readonly bucket: ObjectStore | undefined;
}

async function opened({ clouds }: Services, store: Store, work: ArchiveWork): Promise<Archiving | undefined> {
  return store.read(async (tx) => {
    const row = await archiveById(tx, work.archiveId);
    const cluster = await clusterById(tx, work.clusterId);
    const project = cluster && (await findProject(tx, cluster.groupId));
    if (!row || isPaused(row.state) || !project || cluster.paused || cluster.state === 'DELETING')
      return undefined;
    return { row, cluster, orgId: project.orgId, bucket: await firstBucket(tx, clouds, row.groupId) };
  });
}

type Result = Parameters<typeof endRun>[2];

const move = step<ArchiveWork, Services, Result | null>({
  name: 'move',
  async run(context) {
    const { services, store, payload, signal, attempt, log } = context;
    const found = await opened(services, store, payload);
    if (found === undefined) return null;
    try {
      return await moved(context, found);
    } catch (error) {
      if (signal.aborted || attempt < ATTEMPTS) throw error;
      // Return the failure instead of throwing it. The next run tries again, and a failed task for each run would be
      // useless.
      log.warn({ error }, 'a run of an online archive has failed');
      return { failure: withoutPaths(error instanceof Error ? error.message : String(error)) };
    }
  },
  async commit(tx, { payload }, result) {
    if (result !== null) await endRun(tx, payload.archiveId, result);
  },
});

async function moved(
  { services, store, signal }: TaskContext<Services, ArchiveWork>,
  { row, cluster, orgId, bucket }: Archiving,
): Promise<Result> {
  const isOrphaned = row.state === 'ORPHANED';
  if (bucket === undefined) return { state: isOrphaned ? 'ORPHANED' : 'PENDING', seen: row.seen };
  const { database, collection, settings } = row;
  const at = { engine: services.engines.at(cluster.host), clusterId: cluster.id, database, collection };
  const folder = folderOfArchive(row, { orgId, clusterName: cluster.name });
  const now = services.clock.now();
  const days = settings.expiration?.expireAfterDays;
  if (days !== undefined) await deleteExpired(bucket, folder, days, now);
  if (!(await exists(at))) return { state: row.seen ? 'ORPHANED' : 'ACTIVE', seen: row.seen };
  const goesOn = async () => {
    signal.throwIfAborted();
    const current = await store.read((tx) => archiveById(tx, row.id));
    return (
      current !== undefined &&
      !isPaused(current.state) &&
      isDeepStrictEqual(current.settings, settings) &&
      isOpen(settings.schedule, services.clock.now())
    );
  };
  // If the archive is orphaned, its collection exists again. This run then only makes the archive active, unless
  // another archive moves documents of the collection. The next run moves the documents.
  if (!isOrphaned) await moveDocuments(at, { criteria: settings.criteria, folder, now }, { bucket, goesOn });
  return { state: 'ACTIVE', seen: true };
}

/**
 * Moves documents: writes them to a file, and deletes them from the collection when the file is durable. If a run is
 * interrupted between these steps, documents are both in the file and in the collection.
 */
export const moveArchive: TaskKind<ArchiveWork, Services> = {
  ...MOVE,
  attempts: ATTEMPTS,
  awaitsExternalServices: true,
  steps: [move],
};

export const pauseArchive: TaskKind<ArchiveWork, Services> = {
  ...PAUSE,
  steps: [{ name: 'pause', commit: (tx, { payload }) => endPause(tx, payload.archiveId) }],
};

const START = { kind: 'onlineArchive.start' };

export const startRuns: TaskKind<null, Services> = {
  ...START,
  steps: [{ name: 'start', run: ({ store }) => runDue(store) }],
};

export const archiveTimetable = recurring({
  name: 'onlineArchive.start',
  kind: START,
  payload: null,
  next: every(INTERVAL_MS),
});
