import { type UsageEvent, usageEvents } from '../../observe/operation-kinds.ts';
import type { Oplog } from '../../storage/oplog/oplog.ts';
import type { ClusterContext } from '../context/cluster.ts';

/** Collections come and go; of more than this many the first are forgotten. */
const MOST_NAMESPACES = 10_000;

/** How often each collection was asked for what, and how long it took, since the cluster was opened. */
export class Usage {
  readonly #namespaces = new Map<string, CollectionUsage>();

  /** The usage of a collection that is there. */
  of(namespace: string): CollectionUsage {
    let found = this.#namespaces.get(namespace);
    if (found === undefined) {
      found = new CollectionUsage();
      const [oldest] = this.#namespaces.keys();
      if (oldest !== undefined && this.#namespaces.size >= MOST_NAMESPACES) this.#namespaces.delete(oldest);
      this.#namespaces.set(namespace, found);
    }
    return found;
  }

  get(namespace: string): CollectionUsage | undefined {
    return this.#namespaces.get(namespace);
  }

  /** Forgets a collection that is gone. */
  forget(namespace: string): void {
    this.#namespaces.delete(namespace);
  }
}

type Event = UsageEvent | 'total' | 'readLock' | 'writeLock';

/** `time` in microseconds. */
interface Tally {
  readonly time: number;
  readonly count: number;
}

export class CollectionUsage {
  readonly #tallies = new Map<Event, Tally>();

  add(event: Event, time: number): void {
    const { time: before, count } = this.get(event);
    this.#tallies.set(event, { time: before + time, count: count + 1 });
  }

  get(event: Event): Tally {
    return this.#tallies.get(event) ?? { time: 0, count: 0 };
  }

  toDocument(): Record<Event, Tally> {
    const names: readonly Event[] = ['total', 'readLock', 'writeLock', ...usageEvents];
    return Object.fromEntries(names.map((name) => [name, this.get(name)])) as Record<Event, Tally>;
  }
}

const usages = new WeakMap<Oplog, Usage>();

export function usageOf({ store }: ClusterContext): Usage {
  let usage = usages.get(store.oplog);
  if (usage === undefined) {
    usage = new Usage();
    usages.set(store.oplog, usage);
  }
  return usage;
}
