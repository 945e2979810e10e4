import type { SearchIndexStatus } from '@portolan/engine/management';
import { NotYet, step, type TaskContext, type TaskKind } from '../../tasks/index.ts';
import { clusterById } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import {
  APPLY,
  type BuildEnd,
  FOLLOW,
  markBuilding,
  markMissing,
  recordBuildEnd,
  recordDroppedByDriver,
  recordRejection,
  retryWithoutCollection,
  type SearchWork,
} from './changes.ts';
import {
  apply,
  buildProgress,
  hasCollection,
  ifReachable,
  indexesOfCollection,
  NAMESPACE_NOT_FOUND,
} from './engine-indexes.ts';
import { analyzersOf, indexById } from './rows.ts';
import { isBuilt } from './rules.ts';

/** Polling interval while a cluster is paused or being changed. */
const WAIT_MS = 1000;
/** Polling interval while an index is being built. */
const BUILD_POLL_MS = 200;

type Context = TaskContext<Services, SearchWork>;

const keyOf = ({ clusterId, indexId: id }: SearchWork) => ({ clusterId, id });

/**
 * Returns the index of a task, and its cluster. Undefined if the index or the cluster no longer exists, or if the index
 * has changed.
 */
async function current({ store, payload }: Context) {
  const { row, cluster, analyzers } = await store.read(async (tx) => ({
    row: await indexById(tx, keyOf(payload)),
    cluster: await clusterById(tx, payload.clusterId),
    analyzers: await analyzersOf(tx, payload.clusterId),
  }));
  if (row === undefined || cluster === undefined || row.version !== payload.version) return undefined;
  if (cluster.paused || cluster.state === 'CREATING')
    throw new NotYet(WAIT_MS, `the cluster is ${cluster.state}`);
  return { row, cluster, analyzers };
}

interface Sent {
  readonly refusal: { readonly code: number; readonly message: string } | undefined;
  /** The status of the row at the time when the change was sent to the cluster. */
  readonly status: SearchIndexStatus;
}

/** Creates, changes or drops an index in the cluster. */
export const applyIndex: TaskKind<SearchWork, Services> = {
  ...APPLY,
  steps: [
    step({
      name: 'send',
      async run(context): Promise<Sent | undefined> {
        const now = await current(context);
        if (now === undefined) return undefined;
        const refusal = await apply(context.services, now.cluster, now.row, now.analyzers);
        return { refusal, status: now.row.status };
      },
      async commit(tx, { payload }, sent) {
        const row = await indexById(tx, keyOf(payload));
        const cluster = await clusterById(tx, payload.clusterId);
        if (sent === undefined || row === undefined || cluster === undefined) return;
        // If the index was changed or deleted in the meantime, the task of that change continues.
        if (row.version !== payload.version || (row.status === 'DELETING') !== (sent.status === 'DELETING'))
          return;
        if (sent.refusal === undefined) await markBuilding(tx, cluster, row);
        else if (sent.refusal.code === NAMESPACE_NOT_FOUND) await retryWithoutCollection(tx, cluster, row);
        else await recordRejection(tx, cluster, row, sent.refusal.message);
      },
    }),
  ],
  attempts: Number.POSITIVE_INFINITY,
};

/** The end of a build, or the removal of the index. */
type BuildResult = BuildEnd | { readonly status: 'dropped' };

/** Polls the cluster until the build has ended. */
export const followIndex: TaskKind<SearchWork, Services> = {
  ...FOLLOW,
  steps: [
    step({
      name: 'look',
      async run(context): Promise<BuildResult | undefined> {
        const now = await current(context);
        if (now === undefined || now.row.status === 'DELETING') return undefined;
        const { database, collection, id, version } = now.row;
        const indexes = await indexesOfCollection(context.services, now.cluster, database, collection);
        const index = indexes.find((one) => one.id === id);
        if (index === undefined) {
          const { services, payload } = context;
          // After a restore, the cluster may create the index later, so a missing index does not count as dropped.
          const isDropped = !payload.restored && (await hasCollection(services, now.cluster, now.row));
          return { status: isDropped ? 'dropped' : 'DOES_NOT_EXIST' };
        }
        const isLatest = Number(index.latestDefinitionVersion.version) >= version;
        if (isLatest && (isBuilt(index) || index.status === 'FAILED')) {
          const { status, message, synonymMappingStatus: synonyms } = index;
          return { status, message, synonyms };
        }
        const reached = await ifReachable(now.cluster, () =>
          buildProgress(context.services, now.cluster, now.row),
        );
        if (reached !== undefined) context.progress(reached);
        throw new NotYet(BUILD_POLL_MS, `the index is ${index.status}`);
      },
      async commit(tx, { payload }, ended) {
        const row = await indexById(tx, keyOf(payload));
        const cluster = await clusterById(tx, payload.clusterId);
        if (ended === undefined || row === undefined || cluster === undefined) return;
        if (row.version !== payload.version || row.status === 'DELETING') return;
        if (ended.status === 'dropped') await recordDroppedByDriver(tx, cluster, row);
        else if (ended.status === 'DOES_NOT_EXIST') await markMissing(tx, row);
        else await recordBuildEnd(tx, cluster, row, ended, payload.restored);
      },
    }),
  ],
  attempts: Number.POSITIVE_INFINITY,
};
