import type { OpenCluster } from './open-cluster.ts';
import type { Operation } from './operations.ts';
import type { Ready } from './ready.ts';

/** What has come and is not begun yet. */
export class Backlog {
  /** What waits for its turn, in the order in which it came. Things may be added and taken out while it is gone over. */
  readonly queue = new Set<Operation>();
  /** Writes that wait for their transaction, by cluster. */
  readonly groups = new Map<OpenCluster, Ready[]>();

  *[Symbol.iterator](): Generator<Operation> {
    yield* this.queue;
    for (const group of this.groups.values()) for (const { operation } of group) yield operation;
  }

  /** Lets a write wait for others that share its transaction. */
  join(ready: Ready): void {
    const group = this.groups.get(ready.cluster);
    if (group === undefined) this.groups.set(ready.cluster, [ready]);
    else group.push(ready);
  }

  remove(operation: Operation): void {
    if (this.queue.delete(operation)) return;
    for (const group of this.groups.values()) {
      const place = group.findIndex((ready) => ready.operation === operation);
      if (place !== -1) group.splice(place, 1);
    }
  }
}
