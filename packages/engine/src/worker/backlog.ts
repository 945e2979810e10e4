import type { OpenCluster } from './open-cluster.ts';
import type { Operation } from './operations.ts';
import type { Ready } from './ready.ts';

/** Operations that have arrived but not started. */
export class Backlog {
  /** The operations in order of arrival. Entries may be added and removed during an iteration. */
  readonly queue = new Set<Operation>();
  /** Writes to be committed together, by cluster. */
  readonly groups = new Map<OpenCluster, Ready[]>();

  *[Symbol.iterator](): Generator<Operation> {
    yield* this.queue;
    for (const group of this.groups.values()) for (const { operation } of group) yield operation;
  }

  /** Adds a write to the next transaction of its cluster. */
  join(ready: Ready): void {
    const group = this.groups.get(ready.cluster);
    if (group === undefined) this.groups.set(ready.cluster, [ready]);
    else group.push(ready);
  }

  remove(operation: Operation): void {
    if (this.queue.delete(operation)) return;
    for (const group of this.groups.values()) {
      const index = group.findIndex((ready) => ready.operation === operation);
      if (index !== -1) group.splice(index, 1);
    }
  }
}
