import type { ClusterContext, Command, CommandRequest } from '../command.ts';
import { bsonTypes } from '../language/bson-types.ts';
import { entriesOf } from '../language/raw.ts';
import { textOf } from '../language/value.ts';
import type { ClusterStore } from '../storage/cluster-store.ts';
import { collectionOf } from './namespace.ts';

/** Collections come and go; of more than this many the first are forgotten. */
const MOST_NAMESPACES = 10_000;

/** How often each kind of operation was asked for, and how long it took, since the cluster was opened. */
export class Usage {
  readonly operations: Record<OperationKind, number> = {
    insert: 0,
    query: 0,
    update: 0,
    delete: 0,
    getmore: 0,
    command: 0,
  };
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

export type OperationKind = 'insert' | 'query' | 'update' | 'delete' | 'getmore' | 'command';

const events = ['queries', 'getmore', 'insert', 'update', 'remove', 'commands'] as const;
type Event = (typeof events)[number] | 'total' | 'readLock' | 'writeLock';

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
    const names: readonly Event[] = ['total', 'readLock', 'writeLock', ...events];
    return Object.fromEntries(names.map((name) => [name, this.get(name)])) as Record<Event, Tally>;
  }
}

const usages = new WeakMap<ClusterStore, Usage>();

export function usageOf({ store }: ClusterContext): Usage {
  let usage = usages.get(store);
  if (usage === undefined) {
    usage = new Usage();
    usages.set(store, usage);
  }
  return usage;
}

interface Counting {
  readonly operation: OperationKind;
  readonly event: (typeof events)[number];
  /** The field whose entries are counted one by one. */
  readonly each?: string;
}

const countings: ReadonlyMap<string, Counting> = new Map([
  ['find', { operation: 'query', event: 'queries' }],
  ['getMore', { operation: 'getmore', event: 'getmore' }],
  ['insert', { operation: 'insert', event: 'insert', each: 'documents' }],
  ['update', { operation: 'update', event: 'update', each: 'updates' }],
  ['delete', { operation: 'delete', event: 'remove', each: 'deletes' }],
]);

const other: Counting = { operation: 'command', event: 'commands' };

/** The same command, counted. */
export function counted(command: Command): Command {
  const counting = countings.get(command.name) ?? other;
  const { variant } = command;
  return {
    ...command,
    ...(variant ? { variant: (request) => counted(variant(request)) } : {}),
    run(request, cluster) {
      const usage = usageOf(cluster);
      const began = cluster.elapsed();
      usage.operations[counting.operation] += amount(request, counting.each);
      try {
        return command.run(request, cluster);
      } finally {
        record(usage, request, cluster, counting, command.writes ?? false, cluster.elapsed() - began);
      }
    },
  };
}

function amount({ body, sequences }: CommandRequest, field: string | undefined): number {
  if (field === undefined) return 1;
  const inSequence = sequences.get(field);
  if (inSequence !== undefined) return inSequence.length;
  const inline = body.get(field);
  return inline?.type === bsonTypes.array ? entriesOf(inline).length : 0;
}

function record(
  usage: Usage,
  request: CommandRequest,
  { store }: ClusterContext,
  { event }: Counting,
  writes: boolean,
  milliseconds: number,
): void {
  const named = request.body.get('collection');
  const inField = event === 'getmore' && named?.type === bsonTypes.string;
  const name = inField ? textOf(named) : collectionOf(request);
  const collection = store.collection(request.database, name);
  if (collection === undefined) return;
  const time = Math.max(Math.round(milliseconds * 1000), 1);
  const used = usage.of(collection.namespace);
  for (const part of ['total', writes ? 'writeLock' : 'readLock', event] as const) used.add(part, time);
}
