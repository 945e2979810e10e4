import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CollectionDigest, type EmbeddedEngine, EngineError } from '@portolan/engine/management';
import type { StateDifference } from '../resources/services.ts';
import { compareDatabases } from '../store/index.ts';
import { CLUSTERS, DATABASE } from './layout.ts';

/** Tables that are not compared. Their content changes without requests, or only records which requests were sent. */
const TRACES = [
  ...['access_list_entry_use', 'counter', 'engine_host', 'generations', 'measured', 'measurement'],
  ...['nickname', 'request_rate', 'request_trail', 'request_trail_end', 'task', 'timetable', 'told_election'],
  ...['used_nonce', 'wrong_credentials'],
];

/** The error that is thrown if the clusters of a state cannot be read. */
export class UnreadableClusters extends Error {
  readonly folder: string;

  constructor(folder: string, reason: string) {
    super(reason);
    this.folder = folder;
  }
}

/** Lists the differences between two states. Throws `UnreadableClusters`. */
export async function compareStates(
  engine: Pick<EmbeddedEngine, 'digestClusters'>,
  before: string,
  after: string,
): Promise<StateDifference[]> {
  const rows = compareDatabases(join(before, DATABASE), join(after, DATABASE), TRACES);
  const [first, second] = await Promise.all([before, after].map((folder) => digestsIn(engine, folder)));
  return [
    ...rows.map(({ table, key, name, change }) => ({
      ...{ kind: 'RESOURCE' as const, type: table, id: key.join('/') },
      ...(name === undefined ? {} : { name }),
      change: CHANGES[change],
    })),
    ...collections(first ?? new Map(), second ?? new Map()),
  ];
}

const CHANGES = { added: 'ADDED', changed: 'CHANGED', removed: 'REMOVED' } as const;

type Digests = ReadonlyMap<string, CollectionDigest>;

/** Returns digests of all collections, by cluster, database and collection name. */
async function digestsIn(engine: Pick<EmbeddedEngine, 'digestClusters'>, folder: string): Promise<Digests> {
  const clusters = join(folder, CLUSTERS);
  const found = existsSync(clusters) ? await engine.digestClusters(clusters).catch(unreadable(folder)) : [];
  return new Map(
    found.flatMap(({ id, collections }) =>
      collections.map((one) => [`${id}/${one.database}.${one.name}`, one] as const),
    ),
  );
}

function unreadable(folder: string) {
  return (error: Error): never => {
    throw error instanceof EngineError ? new UnreadableClusters(folder, error.message) : error;
  };
}

function collections(before: Digests, after: Digests): StateDifference[] {
  const ids = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return ids.flatMap((id) => {
    const [was, is] = [before.get(id), after.get(id)];
    if (was?.digest === is?.digest) return [];
    const change = was === undefined ? 'ADDED' : is === undefined ? 'REMOVED' : 'CHANGED';
    const { database = '', name = '' } = is ?? was ?? {};
    return [
      { kind: 'COLLECTION' as const, type: 'collection', id, name: `${database}.${name}`, change } as const,
    ];
  });
}
