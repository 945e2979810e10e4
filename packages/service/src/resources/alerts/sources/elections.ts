import type { Deployment, Election } from '@portolan/engine/interface/engine';
import { system } from '../../../events/index.ts';
import type { Store, Tx } from '../../../store/index.ts';
import { type ClusterModel, hostName, setNameOf } from '../../clusters/index.ts';
import { recordInProject } from '../../projects/index.ts';
import type { HostNaming } from '../../services.ts';
import { reportedElection, setReportedElection } from './rows.ts';

const HOUR_MS = 3_600_000;

/** Returns the index of the shard that a member belongs to: 1 for `shard-01-02`. */
export function shardOf(memberId: string): number {
  return Number(/^shard-(\d+)-/.exec(memberId)?.[1] ?? 0);
}

/** Returns the number of elections of a replica set in the last hour. */
export function electionsIn(deployment: Deployment | undefined, shard: number, now: Date): number {
  const since = now.getTime() - HOUR_MS;
  const own = deployment?.elections?.filter(
    ({ memberId, time }) => shardOf(memberId) === shard && time > since,
  );
  return own?.length ?? 0;
}

/** Records each new election once as an event of its cluster. */
export class ElectionFeed {
  /** The newest election that was recorded for each cluster, as far as this instance knows. */
  readonly #reported = new Map<string, number>();

  async report(
    store: Store,
    cluster: ClusterModel,
    { elections = [] }: Pick<Deployment, 'elections'>,
    naming: HostNaming,
  ): Promise<void> {
    const newest = elections.at(-1)?.time;
    if (newest === undefined || newest <= (this.#reported.get(cluster.id) ?? 0)) return;
    await store.write(async (tx) => {
      const reported = await reportedElection(tx, cluster.id);
      for (const election of elections.filter(({ time }) => time > reported))
        await record(tx, cluster, election, naming);
      if (newest > reported) await setReportedElection(tx, cluster.id, newest);
    });
    this.#reported.set(cluster.id, newest);
  }
}

async function record(
  tx: Tx,
  cluster: ClusterModel,
  { memberId }: Election,
  naming: HostNaming,
): Promise<void> {
  const member = cluster.placement.members.find(({ id }) => id === memberId);
  const name = setNameOf(cluster.placement, shardOf(memberId));
  const details = {
    ...(member && { hostname: hostName(cluster, member, naming), port: member.port }),
    replicaSetName: name,
    shardName: name,
  };
  const about = { actor: system, clusterName: cluster.name, details };
  await recordInProject(tx, cluster.groupId, { type: 'PRIMARY_ELECTED', ...about });
}
