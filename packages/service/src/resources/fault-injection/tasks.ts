import type { TaskKind } from '../../tasks/index.ts';
import { type ClusterWork, clusterById } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { UPDATE_NODES } from './changes.ts';
import { allFaults, type FaultRow } from './rows.ts';

/** Sends the declared wire faults of a cluster to its nodes. */
export const updateNodes: TaskKind<ClusterWork, Services> = {
  ...UPDATE_NODES,
  steps: [
    {
      name: 'tell',
      async run({ services, store, payload }) {
        const { cluster, rows } = await store.read(async (tx) => ({
          cluster: await clusterById(tx, payload.clusterId),
          rows: await allFaults(tx),
        }));
        if (cluster === undefined) return;
        const own = rows.filter(
          ({ rule }) => rule.groupId === cluster.groupId && rule.clusterName === cluster.name,
        );
        await services.engines.at(cluster.host).setFaults(cluster.id, own.flatMap(wireFault));
      },
    },
  ],
};

function wireFault({ id, rule }: FaultRow) {
  if (rule.wire === undefined) return [];
  const { delayMilliseconds: delay, ...wire } = rule.wire;
  const { skip = 0, times, probability = 1, seed } = rule;
  return [
    {
      ...wire,
      id,
      skip,
      probability,
      seed,
      ...(times === undefined ? {} : { times }),
      ...(delay === undefined ? {} : { delay }),
    },
  ];
}
