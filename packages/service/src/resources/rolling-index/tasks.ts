import { repeat } from '@portolan/foundation/repeat';
import { system } from '../../events/index.ts';
import { codeOf, PASSING } from '../../replication/error-codes.ts';
import type { Tx } from '../../store/index.ts';
import { step, type TaskContext, type TaskKind, type TaskProgress } from '../../tasks/index.ts';
import { clusterById } from '../clusters/index.ts';
import { recordInProject } from '../projects/index.ts';
import type { Services } from '../services.ts';
import { BUILD, type IndexWork, indexSpec } from './changes.ts';
import type { RollingIndex } from './schema.ts';

/** Interval between two queries for the progress of a build, in milliseconds of machine time. */
const WATCH_MS = 1000;

/** Returns the command that finds the running build of an index. */
const buildsOf = ({ db, collection }: RollingIndex) => ({
  currentOp: 1,
  $db: 'admin',
  ns: `${db}.${collection}`,
  'command.createIndexes': collection,
  progress: { $exists: true },
});

function progressIn({ inprog }: Readonly<Record<string, unknown>>): TaskProgress | undefined {
  if (!Array.isArray(inprog)) return undefined;
  const [found] = inprog as readonly { readonly progress: { done: unknown; total: unknown } }[];
  if (found === undefined) return undefined;
  const [done, total] = [Number(found.progress.done), Number(found.progress.total)];
  return { unit: 'documents', done, total };
}

/**
 * Builds the index. The step returns an error of the build instead of throwing it, since a retry would not help. If the
 * cluster is restarting, the step throws and runs again.
 */
const build = step({
  name: 'build',
  async run(context: TaskContext<Services, IndexWork>) {
    const { services, store, payload } = context;
    const { clusterId, index } = payload;
    const cluster = await store.read((tx) => clusterById(tx, clusterId));
    if (!cluster || cluster.state === 'DELETING') return { error: 'the cluster is gone' };
    if (cluster.paused) return { error: 'the cluster is paused' };
    const { db: $db, collection } = index;
    const command = { createIndexes: collection, $db, indexes: [indexSpec(index)] };
    const engine = services.engines.at(cluster.host);
    const watch = repeat({
      machine: services.machine,
      interval: WATCH_MS,
      async run() {
        const reached = progressIn(await engine.run(clusterId, buildsOf(index)));
        if (reached !== undefined) context.progress(reached);
      },
      // If the progress cannot be read, the build continues.
      onError: (error) => context.log.debug({ error }, 'the progress of an index build is unknown'),
    });
    const reply = await engine.run(clusterId, command).finally(() => watch.stop());
    if (reply.ok === 1) return {};
    const error = String(reply.errmsg);
    if (PASSING.has(codeOf(reply))) throw new Error(error);
    return { error };
  },
  commit: (tx, { payload }, { error }) => record(tx, payload, error),
});

/** Builds the index once for all nodes, which share their data. */
export const buildIndex: TaskKind<IndexWork, Services> = {
  ...BUILD,
  steps: [build],
  onFailed: (tx, { payload }, _, reason) => record(tx, payload, reason),
};

async function record(tx: Tx, { clusterId }: IndexWork, reason: string | undefined): Promise<void> {
  const cluster = await clusterById(tx, clusterId);
  if (!cluster) return;
  const { groupId, name: clusterName } = cluster;
  const type = `ROLLING_INDEX_${reason === undefined ? 'SUCCESS' : 'FAILED'}_INDEX_BUILD`;
  const details = reason === undefined ? {} : { reason };
  await recordInProject(tx, groupId, { type, actor: system, clusterName, details });
}
