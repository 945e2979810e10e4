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
  /** The clusters with groups. The cluster whose last group was longest ago comes first. */
  readonly #turns = new Set<OpenCluster>();

  *[Symbol.iterator](): Generator<Operation> {
    yield* this.queue;
    for (const groups of [this.#rests, this.#groups])
      for (const group of groups.values()) for (const { operation } of group) yield operation;
  }

  /** Adds a write to the next transaction of its cluster. */
  join(ready: Ready): void {
    this.#add(this.#groups, ready);
  }

  /** Adds a write for which the transaction of its group had no time. */
  leave(ready: Ready): void {
    this.#add(this.#rests, ready);
  }

  #add(groups: Map<OpenCluster, Ready[]>, ready: Ready): void {
    const { cluster } = ready;
    this.#turns.add(cluster);
    const group = groups.get(cluster);
    if (group === undefined) groups.set(cluster, [ready]);
    else group.push(ready);
  }

  hasRest(cluster: OpenCluster | undefined): boolean {
    return cluster !== undefined && this.#rests.has(cluster);
  }

  /** Removes and yields one group of each cluster that may run. Other operations then run before further groups. */
  *take(mayRun: (cluster: OpenCluster) => boolean): Generator<readonly [OpenCluster, readonly Ready[]]> {
    for (const cluster of [...this.#turns]) {
      const groups = this.#rests.has(cluster) ? this.#rests : this.#groups;
      const group = groups.get(cluster);
      if (group === undefined || !mayRun(cluster)) continue;
      groups.delete(cluster);
      this.#turns.delete(cluster);
      if (this.#groups.has(cluster)) this.#turns.add(cluster);
      if (group.length > 0) yield [cluster, group];
    }
  }

  remove(operation: Operation): void {
    if (this.queue.delete(operation)) return;
    for (const groups of [this.#rests, this.#groups]) {
      for (const group of groups.values()) {
        const index = group.findIndex((ready) => ready.operation === operation);
        if (index !== -1) group.splice(index, 1);
      }
    }
  }
}
