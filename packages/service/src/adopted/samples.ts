import type { DatabaseSizes, FoundMachine, MemberSample } from '@portolan/engine/interface/engine';
import type { MachineClock } from '@portolan/foundation/clock';
import type { Document, MongoClient } from 'mongodb';
import { askIfKnown } from './connection.ts';
import { checkedReply, Databases } from './replies.ts';

/** This file converts what servers report about themselves to samples in the form of the embedded engine. */

const MIB = 1024 ** 2;

/** Values that apply to the whole deployment at the time of a sample. */
export interface Whole {
  readonly sizes: DatabaseSizes;
  readonly disk: MemberSample['disk'];
  readonly oplog?: MemberSample['oplog'];
  readonly machine?: FoundMachine | undefined;
}

interface Moment {
  readonly time: number;
  readonly taken: number;
  readonly lag?: number | undefined;
}

/** Returns a sample of one member, made from its `serverStatus`. Counters that the status lacks are 0. */
export function sampleOf(status: Document, { time, taken, lag }: Moment, whole: Whole): MemberSample {
  const at = (path: string) => numberAt(status, path);
  const group = <Name extends string>(path: string, names: readonly Name[]) =>
    Object.fromEntries(names.map((name) => [name, at(`${path}.${name}`) ?? 0])) as Record<Name, number>;
  const latency = (kind: string) => ({
    ops: at(`opLatencies.${kind}.ops`) ?? 0,
    micros: at(`opLatencies.${kind}.latency`) ?? 0,
  });
  const faults = at('extra_info.page_faults');
  return {
    time,
    taken,
    operations: group('opcounters', ['insert', 'query', 'update', 'delete', 'getmore', 'command']),
    documents: group('metrics.document', ['returned', 'inserted', 'updated', 'deleted']),
    examined: {
      keys: at('metrics.queryExecutor.scanned') ?? 0,
      documents: at('metrics.queryExecutor.scannedObjects') ?? 0,
    },
    sorts: {
      statements: at('metrics.operation.scanAndOrder') ?? 0,
      spilled: at('metrics.query.sort.spillToDisk') ?? 0,
    },
    latency: { reads: latency('reads'), writes: latency('writes'), commands: latency('commands') },
    processor: {
      user: at('extra_info.user_time_us') ?? 0,
      kernel: at('extra_info.system_time_us') ?? 0,
    },
    ...(whole.machine && { ownProcessors: whole.machine.processors }),
    asserts: group('asserts', ['regular', 'user']),
    queued: group('globalLock.currentQueue', ['readers', 'writers']),
    connections: group('connections', ['current', 'totalCreated']),
    network: {
      ...group('network', ['bytesIn', 'bytesOut']),
      requests: at('network.numRequests') ?? 0,
    },
    cursors: {
      open: at('metrics.cursor.open.total') ?? 0,
      timedOut: at('metrics.cursor.timedOut') ?? 0,
    },
    expired: at('metrics.ttl.deletedDocuments') ?? 0,
    sizes: whole.sizes,
    memory: { resident: (at('mem.resident') ?? 0) * MIB, virtual: (at('mem.virtual') ?? 0) * MIB },
    machine: {
      ...{ processor: null, memory: null, swap: null, network: null, disk: null },
      ...(whole.machine && { processors: whole.machine.processors }),
      ...(faults === undefined ? {} : { pageFaults: faults }),
    },
    ...(whole.oplog && { oplog: whole.oplog }),
    ...(lag === undefined ? {} : { lag }),
    disk: whole.disk,
  };
}

function numberAt(document: Document, path: string): number | undefined {
  let value: unknown = document;
  for (const name of path.split('.')) value = (value as Document | undefined)?.[name];
  return value === undefined || value === null || Number.isNaN(Number(value)) ? undefined : Number(value);
}

const noSizes: DatabaseSizes = {
  ...{ data: 0, storage: 0, index: 0, objects: 0, collections: 0, indexes: 0, views: 0 },
};

/** The databases of a deployment with their sizes, and the disk on which they are stored. */
export interface Sizes {
  readonly databases: Readonly<Record<string, DatabaseSizes>>;
  readonly disk: MemberSample['disk'];
}

/** Time limit for reading the sizes of databases. Checks of the servers wait meanwhile. */
const SIZES_MS = 20_000;

/** Reads the sizes of the databases of a deployment. */
export class SizesReader {
  readonly #machine: Pick<MachineClock, 'monotonic'>;
  #read: Sizes | undefined;
  /** The database with which the next reading begins. */
  #next = '';

  constructor(machine: Pick<MachineClock, 'monotonic'>) {
    this.#machine = machine;
  }

  /** The sizes as last read; undefined before the first reading. */
  get read(): Sizes | undefined {
    return this.#read;
  }

  /**
   * Reads the sizes of all databases. If the time does not suffice, the others keep the sizes that were read before, and
   * the next reading begins with them.
   */
  async refresh(client: MongoClient): Promise<Sizes> {
    const listed = await askIfKnown(client, { listDatabases: 1, nameOnly: true });
    const { databases: all } = checkedReply('listDatabases', Databases, listed ?? { databases: [] });
    const names = all.map(({ name }) => name).toSorted();
    const from = Math.max(
      0,
      names.findIndex((name) => name >= this.#next),
    );
    const end = this.#machine.monotonic() + SIZES_MS;
    const read = new Map<string, DatabaseSizes>();
    let disk = this.#read?.disk;
    this.#next = '';
    for (const name of [...names.slice(from), ...names.slice(0, from)]) {
      if (this.#machine.monotonic() >= end) {
        this.#next = name;
        break;
      }
      const stats = await askIfKnown(client, { dbStats: 1 }, name);
      if (stats === undefined) continue;
      read.set(name, databaseSizes(stats));
      const [total, used] = [Number(stats.fsTotalSize), Number(stats.fsUsedSize)];
      if (total > 0) disk = { used, total, free: total - used };
    }
    const known = names.flatMap((name) => {
      const sizes = read.get(name) ?? this.#read?.databases[name];
      return sizes === undefined ? [] : [[name, sizes] as const];
    });
    const databases = Object.fromEntries(known);
    const ofDatabases = known.reduce((sum, [, { storage, index }]) => sum + storage + index, 0);
    this.#read = { databases, disk: disk?.total === undefined ? { used: ofDatabases } : disk };
    return this.#read;
  }
}

function databaseSizes(stats: Document): DatabaseSizes {
  const of = (name: string) => numberAt(stats, name) ?? 0;
  return {
    data: of('dataSize'),
    storage: of('storageSize'),
    index: of('indexSize'),
    objects: of('objects'),
    collections: of('collections'),
    indexes: of('indexes'),
    views: of('views'),
  };
}

export function sumOfSizes(databases: Sizes['databases']): DatabaseSizes {
  const names = Object.keys(noSizes) as (keyof DatabaseSizes)[];
  return Object.values(databases).reduce(
    (sum, one) =>
      Object.fromEntries(names.map((name) => [name, sum[name] + one[name]])) as unknown as DatabaseSizes,
    noSizes,
  );
}

/** Returns the oplog of a replica set; undefined if it has none, or if the user is not allowed to read it. */
export async function oplogOf(client: MongoClient): Promise<MemberSample['oplog']> {
  const edge = async (order: 1 | -1) => {
    const find = { find: 'oplog.rs', sort: { $natural: order }, limit: 1, projection: { ts: 1 } };
    const [entry] = (await askIfKnown(client, find, 'local'))?.cursor.firstBatch ?? [];
    return entry?.ts?.getHighBits() as number | undefined;
  };
  const [first, last] = [await edge(1), await edge(-1)];
  if (first === undefined || last === undefined) return undefined;
  const stats = await askIfKnown(client, { collStats: 'oplog.rs' }, 'local');
  const [size, most] = [numberAt(stats ?? {}, 'size') ?? 0, numberAt(stats ?? {}, 'maxSize') ?? 0];
  return { bytes: size, window: last - first, ...(most > 0 ? { whole: size < most * 0.9 } : {}) };
}
