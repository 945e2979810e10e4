import { systemRandom } from '@portolan/foundation/random';
import { encodeDocument } from '../bson/encode.ts';
import type { RawDocument } from '../bson/raw.ts';
import { type Description, describeDatabase } from '../commands/catalog/list-collections.ts';
import { specsOf } from '../commands/indexes/specifications.ts';
import { ownersOf } from '../commands/sharding/owners.ts';
import type { DocumentBatch, SnapshotCollection, SnapshotShare } from '../interface/snapshot.ts';
import { documentsOf } from '../planner/plan.ts';
import { BUCKETS } from '../storage/buckets/layout.ts';
import { ClusterStore } from '../storage/cluster-store.ts';
import type { Collection } from '../storage/collection/collection.ts';
import { OPLOG } from '../storage/oplog/name.ts';

/** Approximate maximum size of a message between threads. Only a message with a single large document exceeds it. */
const BATCH_BYTES = 512 * 1024;

type Named = Pick<SnapshotCollection, 'database' | 'name'>;

/**
 * A private copy of a cluster's file. If the copy has an older format, opening it converts it to the present format.
 */
export class CopiedCluster {
  readonly #store: ClusterStore;

  constructor(folder: string, key?: Uint8Array) {
    this.#store = ClusterStore.open(folder, systemRandom(), { now: () => 0, term: () => 0 }, { key });
  }

  collections(): SnapshotCollection[] {
    const databases = this.#store.databases().filter((name) => name !== OPLOG.database);
    return databases.flatMap((database) =>
      describeDatabase(this.#store, database).map((description) => {
        const { name, type } = description;
        return { database, name, type, metadata: this.#metadata(database, description) };
      }),
    );
  }

  shares(of: Named): SnapshotShare[] {
    const collection = this.#collection(of);
    if (collection === undefined) return [];
    const owners = ownersOf(this.#store, of.database, of.name);
    const { only } = owners;
    const shares = new Map(owners.shards.map((shard) => [shard, { documents: 0, bytes: 0 }]));
    if (only !== undefined && collection.number >= 0) {
      shares.set(only, { documents: collection.documents, bytes: collection.bytes });
    } else {
      for (const document of everyOf(collection)) {
        const share = shares.get(owners.of(document));
        if (share === undefined) continue;
        share.documents++;
        share.bytes += document.length;
      }
    }
    return [...shares].map(([shard, share]) => ({ shard, ...share }));
  }

  *documents(of: Named, shard?: string): Generator<DocumentBatch> {
    const collection = this.#collection(of);
    if (collection === undefined) return;
    const owners = ownersOf(this.#store, of.database, of.name);
    let held: Uint8Array[] = [];
    let size = 0;
    for (const document of everyOf(collection)) {
      if (shard !== undefined && owners.of(document) !== shard) continue;
      held.push(document.toBytes());
      size += document.length;
      if (size < BATCH_BYTES) continue;
      yield { documents: held.length, bytes: joined(held, size) };
      held = [];
      size = 0;
    }
    if (held.length > 0) yield { documents: held.length, bytes: joined(held, size) };
  }

  #collection({ database, name }: Named): Collection | undefined {
    return this.#store.collection(database, name);
  }

  #metadata(database: string, { name, type, options }: Description): Uint8Array {
    const collection = type === 'view' ? undefined : this.#store.collection(database, name);
    const indexes = collection === undefined || name.startsWith(BUCKETS) ? [] : specsOf(collection);
    const uuid = collection && Buffer.from(collection.uuid).toString('hex');
    return encodeDocument({ options, indexes, uuid, collectionName: name, type });
  }
}

const everyOf = (collection: Collection): Iterable<RawDocument> =>
  documentsOf(collection.scan({ kind: 'natural', reverse: false }), collection.running);

/** Copies the parts into a buffer that can be transferred to another thread. */
function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
