import { system } from '../../events/index.ts';
import type { Tx } from '../../store/index.ts';
import { step, type TaskContext, type TaskKind } from '../../tasks/index.ts';
import { clusterById } from '../clusters/index.ts';
import { recordInProject } from '../projects/index.ts';
import type { Services } from '../services.ts';
import { BUILD, type IndexWork, indexSpec } from './changes.ts';

/** Builds the index. If that fails, it is a mistake of the caller, not a failure of the task. */
const build = step({
  name: 'build',
  async run({ services, store, payload: { clusterId, index } }: TaskContext<Services, IndexWork>) {
    const cluster = await store.read((tx) => clusterById(tx, clusterId));
    if (!cluster || cluster.state === 'DELETING') return { error: 'the cluster is gone' };
    if (cluster.paused) return { error: 'the cluster is paused' };
    const { db: $db, collection } = index;
    const command = { createIndexes: collection, $db, indexes: [indexSpec(index)] };
    const reply = await services.engines.at(cluster.host).run(clusterId, command);
    return reply.ok === 1 ? {} : { error: String(reply.errmsg) };
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
