import type { Engine } from '@portolan/engine/interface/calls';
import type { IndexKey } from './suggestions.ts';

/** Facts about a collection that has slow operations. */
export interface CollectionFacts {
  /** Fields and directions of each index; empty for special indexes such as text indexes. */
  readonly indexes: ReadonlyArray<readonly IndexKey[]>;
  /** The average size of a document in bytes. */
  readonly averageSize: number;
}

/** Returns facts about collections, by namespace. The result lacks collections that no longer exist. */
export async function collectionFacts(
  engine: Engine,
  clusterId: string,
  namespaces: Iterable<string>,
): Promise<ReadonlyMap<string, CollectionFacts>> {
  const facts = new Map<string, CollectionFacts>();
  for (const namespace of new Set(namespaces)) {
    const dot = namespace.indexOf('.');
    const [$db, collection] = [namespace.slice(0, dot), namespace.slice(dot + 1)];
    const indexes: unknown = await engine.run(clusterId, { listIndexes: collection, $db });
    if (!isOk(indexes)) continue;
    const size: unknown = await engine.run(clusterId, { collStats: collection, $db });
    facts.set(namespace, { indexes: keysIn(indexes), averageSize: sizeIn(size) });
  }
  return facts;
}

const isOk = (reply: unknown): reply is IndexReply => Number((reply as { ok?: unknown }).ok) === 1;

interface IndexReply {
  readonly cursor: { readonly firstBatch: ReadonlyArray<{ readonly key?: object }> };
}

function keysIn({ cursor }: IndexReply): ReadonlyArray<readonly IndexKey[]> {
  return cursor.firstBatch.map(({ key = {} }) => {
    const keys = Object.entries(key).map(([field, direction]) => [field, Number(direction)] as const);
    return keys.filter((one): one is IndexKey => one[1] === 1 || one[1] === -1);
  });
}

function sizeIn(reply: unknown): number {
  const { avgObjSize } = reply as { readonly avgObjSize?: unknown };
  return Number(avgObjSize ?? 0);
}
