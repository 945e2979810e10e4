import type { MachineClock } from '@portolan/foundation/clock';
import { ids } from '@portolan/foundation/ids';
import type { Random } from '@portolan/foundation/random';
import { objectId } from '../bson/value.ts';
import type { ClusterClock, ClusterRandom } from '../commands/context/cluster.ts';

/** The clock of a cluster that was opened at a monotonic time. */
export function clusterClock(now: () => number, machine: MachineClock, opened: number): ClusterClock {
  const elapsed = () => machine.monotonic();
  return { now, elapsed, uptime: () => Math.floor((elapsed() - opened) / 1000) };
}

export function clusterRandom(now: () => number, random: Random): ClusterRandom {
  const source = ids(now, random);
  return {
    bytes: (size) => random.bytes(size),
    fraction: () => random.fraction(),
    newId: () => objectId(Buffer.from(source.next(), 'hex')),
  };
}
