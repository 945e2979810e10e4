import type { OpenCluster } from './open-cluster.ts';
import type { Operation } from './operations.ts';
import type { Ready } from './ready.ts';

/** Operations that have arrived but not started. */
export class Backlog {
  /** The operations in order of arrival. Entries may be added and removed during an iteration. */
  readonly queue = new Set<Operation>();
  /** Writes to be committed together, by cluster. */
  readonly #groups = new Map<OpenCluster, Ready[]>();
  /** The writes for which the transaction of their group had no time. They are committed before later groups. */
  readonly #rests = new Map<OpenCluster, Ready[]>();

  *[Symbol.iterator](): Generator<Operation> {
    yield* this.queue;
    for (const groups of this.#all)
      for (const group of groups.values()) for (const { operation } of group) yield operation;
  }

  get #all() {
    return [this.#rests, this.#groups];
  }

  /** Adds a write to the next transaction of its cluster. */
  join(ready: Ready): void {
    add(this.#groups, ready);
  }

  /** Adds a write for which the transaction of its group had no time. */
  leave(ready: Ready): void {
    add(this.#rests, ready);
  }

  hasRest(cluster: OpenCluster | undefined): boolean {
    return cluster !== undefined && this.#rests.has(cluster);
  }

  /**
   * Removes and yields the groups that may run. A group that the caller leaves again is not yielded again, so that other
   * operations can run before it.
   */
  *take(mayRun: (cluster: OpenCluster) => boolean): Generator<readonly [OpenCluster, readonly Ready[]]> {
    for (const groups of this.#all) {
      for (const cluster of [...groups.keys()]) {
        const group = groups.get(cluster);
        if (group === undefined || !mayRun(cluster)) continue;
        groups.delete(cluster);
        if (group.length > 0) yield [cluster, group];
      }
    }
  }

  remove(operation: Operation): void {
    if (this.queue.delete(operation)) return;
    for (const groups of this.#all) {
      for (const group of groups.values()) {
        const index = group.findIndex((ready) => ready.operation === operation);
        if (index !== -1) group.splice(index, 1);
      }
    }
  }
}

function add(groups: Map<OpenCluster, Ready[]>, ready: Ready): void {
  const group = groups.get(ready.cluster);
  if (group === undefined) groups.set(ready.cluster, [ready]);
  else group.push(ready);
}
