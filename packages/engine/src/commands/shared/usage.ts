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
  /** How many there were, by the least time of those that are counted together. */
  readonly histogram: ReadonlyMap<number, number>;
}

const nothing: Tally = { time: 0, count: 0, histogram: new Map() };

class Tallied implements Tally {
  time = 0;
  count = 0;
  readonly histogram = new Map<number, number>();

  add(time: number): void {
    this.time += time;
    this.count++;
    const least = leastOf(time);
    this.histogram.set(least, (this.histogram.get(least) ?? 0) + 1);
  }
}

/** Powers of two, and from 1024 on those and half of what lies between them. */
function leastOf(time: number): number {
  if (time < 2) return 0;
  const power = 2 ** Math.floor(Math.log2(time));
  return power >= 1024 && time >= power * 1.5 ? power * 1.5 : power;
}

export class CollectionUsage {
  readonly #tallies = new Map<Event, Tallied>();

  add(event: Event, time: number): void {
    let tally = this.#tallies.get(event);
    if (tally === undefined) {
      tally = new Tallied();
      this.#tallies.set(event, tally);
    }
    tally.add(time);
  }

  get(event: Event): Tally {
    return this.#tallies.get(event) ?? nothing;
  }

  toDocument(): Record<Event, Pick<Tally, 'time' | 'count'>> {
    const names: readonly Event[] = ['total', 'readLock', 'writeLock', ...usageEvents];
    const told = names.map((name) => {
      const { time, count } = this.get(name);
      return [name, { time, count }];
    });
    return Object.fromEntries(told);
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
