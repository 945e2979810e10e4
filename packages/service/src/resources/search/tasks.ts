import type { SearchIndexStatus } from '@portolan/engine/management';
import { NotYet, type TaskContext, type TaskKind } from '../../tasks/index.ts';
import { clusterById } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import {
  APPLY,
  applied,
  type BuildEnd,
  built,
  droppedByDriver,
  FOLLOW,
  refused,
  type SearchWork,
  vanished,
  withoutCollection,
} from './changes.ts';
import { apply, hasCollection, indexesOfCollection, NAMESPACE_NOT_FOUND } from './engine-indexes.ts';
import { analyzersOf, indexById } from './rows.ts';
import { isBuilt } from './rules.ts';

/** Until a paused or changing cluster can be spoken to. */
const WAIT_MS = 1000;
/** Builds are looked at so often. */
const LOOK_MS = 200;

type Context = TaskContext<Services, SearchWork>;

const keyOf = ({ clusterId, indexId: id }: SearchWork) => ({ clusterId, id });

/** The index that a task is about and its cluster; nothing where either is gone, or the index was changed since. */
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
  /** The state that was carried out. */
  readonly status: SearchIndexStatus;
}

/** Has the cluster make, change or drop an index. */
export const applyIndex: TaskKind<SearchWork, Services> = {
  ...APPLY,
  steps: [
    {
      name: 'send',
      async run(context): Promise<Sent | undefined> {
        const now = await current(context);
        if (now === undefined) return undefined;
        const refusal = await apply(context.services, now.cluster, now.row, now.analyzers);
        return { refusal, status: now.row.status };
      },
      async commit(tx, { payload }, result) {
        const sent = result as Sent | undefined;
        const row = await indexById(tx, keyOf(payload));
        const cluster = await clusterById(tx, payload.clusterId);
        if (sent === undefined || row === undefined || cluster === undefined) return;
        // Somebody has changed or deleted it meanwhile: that has a task of its own.
        if (row.version !== payload.version || (row.status === 'DELETING') !== (sent.status === 'DELETING'))
          return;
        if (sent.refusal === undefined) await applied(tx, cluster, row);
        else if (sent.refusal.code === NAMESPACE_NOT_FOUND) await withoutCollection(tx, cluster, row);
        else await refused(tx, cluster, row, sent.refusal.message);
      },
    },
  ],
  attempts: Number.POSITIVE_INFINITY,
};

/** A build has ended, or its index was taken away meanwhile. */
type Followed = BuildEnd | { readonly status: 'dropped' };

/** Looks until the build has ended. */
export const followIndex: TaskKind<SearchWork, Services> = {
  ...FOLLOW,
  steps: [
    {
      name: 'look',
      async run(context): Promise<Followed | undefined> {
        const now = await current(context);
        if (now === undefined || now.row.status === 'DELETING') return undefined;
        const { database, collection, id, version } = now.row;
        const indexes = await indexesOfCollection(context.services, now.cluster, database, collection);
        const index = indexes.find((one) => one.id === id);
        if (index === undefined) {
          const { services, payload } = context;
          // What a restore brings may not be there yet.
          const isDropped = !payload.restored && (await hasCollection(services, now.cluster, now.row));
          return { status: isDropped ? 'dropped' : 'DOES_NOT_EXIST' };
        }
        const isLatest = Number(index.latestDefinitionVersion.version) >= version;
        if (isLatest && (isBuilt(index) || index.status === 'FAILED')) {
          const { status, message, synonymMappingStatus: synonyms } = index;
          return { status, message, synonyms };
        }
        throw new NotYet(LOOK_MS, `it is ${index.status}`);
      },
      async commit(tx, { payload }, result) {
        const ended = result as Followed | undefined;
        const row = await indexById(tx, keyOf(payload));
        const cluster = await clusterById(tx, payload.clusterId);
        if (ended === undefined || row === undefined || cluster === undefined) return;
        if (row.version !== payload.version || row.status === 'DELETING') return;
        if (ended.status === 'dropped') await droppedByDriver(tx, cluster, row);
        else if (ended.status === 'DOES_NOT_EXIST') await vanished(tx, row);
        else await built(tx, cluster, row, ended, payload.restored);
      },
    },
  ],
  attempts: Number.POSITIVE_INFINITY,
};
