import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { type UsageEvent, usageEvents } from '../../observe/operation-kinds.ts';
import type { Oplog } from '../../storage/oplog/oplog.ts';
import type { ClusterContext } from '../context/cluster.ts';

/** Maximum number of tracked namespaces. At the limit, the least recently used namespace is removed. */
const MAX_NAMESPACES = 10_000;

/** Numbers and durations of operations per collection since the cluster was opened. */
export class Usage {
  readonly #namespaces = new BoundedCache<string, CollectionUsage>({ entries: MAX_NAMESPACES });

  /** Returns the usage of a collection, created on first use. */
  of(namespace: string): CollectionUsage {
    return this.#namespaces.of(namespace, () => new CollectionUsage());
  }

  get(namespace: string): CollectionUsage | undefined {
    return this.#namespaces.get(namespace);
  }

  /** Removes the usage of a dropped collection. */
  forget(namespace: string): void {
    this.#namespaces.delete(namespace);
  }
}

type Event = UsageEvent | 'total' | 'readLock' | 'writeLock';

/** `time` is in microseconds. */
interface Tally {
  readonly time: number;
  readonly count: number;
  /** Number of operations by the lower bound of the histogram bucket. */
  readonly histogram: ReadonlyMap<number, number>;
}

const nothing: Tally = { time: 0, count: 0, histogram: new Map() };

class TallyCounter implements Tally {
  time = 0;
  count = 0;
  readonly histogram = new Map<number, number>();

  add(time: number): void {
    this.time += time;
    this.count++;
    const least = bucketOf(time);
    this.histogram.set(least, (this.histogram.get(least) ?? 0) + 1);
  }
}

/**
 * Returns the lower bound of the histogram bucket that contains a duration. The bounds are the powers of two and, above
 * 1024, also the midpoints between them.
 */
function bucketOf(time: number): number {
  if (time < 2) return 0;
  const power = 2 ** Math.floor(Math.log2(time));
  return power >= 1024 && time >= power * 1.5 ? power * 1.5 : power;
}

export class CollectionUsage {
  readonly #tallies = new Map<Event, TallyCounter>();
  /** Numbers of queries that have read the documents without an index. */
  readonly collectionScans = { total: 0, nonTailable: 0 };

  addCollectionScan(tailable: boolean): void {
    this.collectionScans.total++;
    if (!tailable) this.collectionScans.nonTailable++;
  }

  add(event: Event, time: number): void {
    let tally = this.#tallies.get(event);
    if (tally === undefined) {
      tally = new TallyCounter();
      this.#tallies.set(event, tally);
    }
    tally.add(time);
  }

  get(event: Event): Tally {
    return this.#tallies.get(event) ?? nothing;
  }

  toDocument(): Record<Event, Pick<Tally, 'time' | 'count'>> {
    const names: readonly Event[] = ['total', 'readLock', 'writeLock', ...usageEvents];
    const entries = names.map((name) => {
      const { time, count } = this.get(name);
      return [name, { time, count }];
    });
    return Object.fromEntries(entries);
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
