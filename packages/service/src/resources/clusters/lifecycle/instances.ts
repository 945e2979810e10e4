import { generalFaults } from '../../../api/faults.ts';
import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import type { TaskKind } from '../../../tasks/index.ts';
import type { HostNaming, Services } from '../../services.ts';
import { assertCan } from '../model/capabilities.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { hostName } from '../shapes/connection-strings.ts';
import { admitWork } from './admission.ts';
import { recordOn } from './events.ts';
import { stopOrRepair } from './repairs.ts';
import { setStopped } from './stops.ts';
import { type ClusterWork, enqueueWork } from './work.ts';

const STOP_START = { kind: 'cluster.stop-start' };

/** The requested state of one node: running, or stopped until another request starts it. */
export interface WantedInstance {
  readonly hostnameAndPort: string;
  readonly running: boolean;
}

/**
 * Enqueues the stop or start of a node. Throws if the cluster does not allow it at the moment, or does not have the
 * node.
 */
export async function requestStopStart(
  tx: Tx,
  cluster: ClusterModel,
  { hostnameAndPort, running }: WantedInstance,
  { actor, naming }: { readonly actor: Actor; readonly naming: HostNaming },
): Promise<void> {
  assertCan(cluster, 'stops');
  await admitWork(tx, cluster);
  const member = cluster.placement.members.find(
    (each) => hostnameAndPort === `${hostName(cluster, each, naming)}:${each.port}`,
  );
  if (member === undefined) throw generalFaults.INVALID_ATTRIBUTE('hostnameAndPort');
  const details = { hostname: hostName(cluster, member, naming), port: member.port };
  await recordOn(tx, cluster, 'CLUSTER_INSTANCE_STOP_START', actor, details);
  await setStopped(tx, cluster.id, 'operator', (before) => {
    const others = before.filter((id) => id !== member.id);
    return running ? others : [...others, member.id];
  });
  await enqueueWork(tx, STOP_START, cluster, {});
}

export const stopStart: TaskKind<ClusterWork, Services> = {
  ...STOP_START,
  steps: [{ name: 'stop or start', run: stopOrRepair }],
};
