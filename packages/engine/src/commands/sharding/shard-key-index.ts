import { bsonTypes } from '../../bson/bson-types.ts';
import { describeDocument } from '../../bson/describe.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { RawDocument } from '../../bson/raw.ts';
import { isNumber, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { IndexDefinition } from '../../storage/model/index-definition.ts';
import { isMultikey } from '../../storage/model/multikey.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';
import { indexCommands } from '../indexes/index.ts';
import { startsWithFields } from '../indexes/unique-on-shards.ts';

const createIndexes = indexCommands.find(({ name }) => name === 'createIndexes');

export interface WantedIndex {
  /** The shard key. */
  readonly pattern: RawDocument;
  /** True if the values of the shard key must be unique. */
  readonly unique: boolean;
  /** True if the index may be created. */
  readonly mayCreate: boolean;
}

/**
 * Ensures that an index starts with the shard key.
 * @throws InvalidOptions if there is no such index and it may not be created, or if shards cannot enforce a unique index
 */
export function ensureShardKeyIndex(
  collection: Collection,
  wanted: WantedIndex,
  request: CommandRequest,
  cluster: ClusterContext,
): void {
  const { pattern, unique, mayCreate } = wanted;
  for (const index of collection.indexes) checkUnique(collection, index, wanted);
  if (isId(pattern) || collection.indexes.some((index) => servesKey(index, pattern))) return;
  if (!mayCreate) {
    throw new ServerError(
      'InvalidOptions',
      'Please create an index that starts with the proposed shard key before sharding the collection.',
    );
  }
  createIndex(collection, { pattern, unique }, request, cluster);
}

/** Shards enforce uniqueness independently of each other. Thus equal keys must be on the same shard. */
function checkUnique(
  { database, name }: Collection,
  index: IndexDefinition,
  { pattern, unique }: WantedIndex,
): void {
  if (index.unique && !startsWithFields(index.key, pattern)) {
    throw new ServerError(
      'InvalidOptions',
      `can't shard collection '${database}.${name}' with unique index on ${describeDocument(index.key)} and proposed shard key ${describeDocument(pattern)}. Uniqueness can't be maintained unless shard key is a prefix`,
    );
  }
  if (unique && !index.unique && index.parts.length === [...pattern].length && servesKey(index, pattern)) {
    throw new ServerError(
      'InvalidOptions',
      `can't shard collection ${database}.${name}, ${describeDocument(pattern)} index not unique, and unique index explicitly specified`,
    );
  }
}

/** Returns whether an index starts with the shard key, and has exactly one key for each document. */
function servesKey(index: IndexDefinition, pattern: RawDocument): boolean {
  if (!hasEveryDocument(index)) return false;
  const kinds = [...index.key].map(kindOf);
  return startsWithFields(index.key, pattern) && [...pattern].every((part, i) => kindOf(part) === kinds[i]);
}

/** Returns whether an index that queries may use has exactly one key for each document. */
function hasEveryDocument({ sparse, hidden, collated, partialFilter, multikey }: IndexDefinition): boolean {
  return !sparse && !hidden && !collated && partialFilter === undefined && !isMultikey(multikey);
}

/** An index whose keys start with the fields of a shard key. */
export interface KeyIndex {
  /** Undefined for the order of `_id`. */
  readonly index: IndexDefinition | undefined;
  /** The fields of which the index has hashes. */
  readonly hashed: ReadonlySet<string>;
  /** True if the values of the shard key are unique. */
  readonly unique: boolean;
  /** True if a collection can be sharded with the index. */
  readonly serves: boolean;
}

/**
 * Returns an index with exactly one key for each document whose fields start with those of the shard key, ascending,
 * descending or hashed. Prefers an index with which the collection can be sharded.
 */
export function indexOfKey(collection: Collection, pattern: RawDocument): KeyIndex | undefined {
  const { length } = [...pattern];
  if (pattern.first()?.name === '_id' && length === 1 && collection.identified) {
    return { index: undefined, hashed: new Set(), unique: true, serves: isId(pattern) };
  }
  const usable = collection.indexes.filter(
    (index) =>
      (index.kind === 'ordinary' || index.kind === 'hashed') &&
      hasEveryDocument(index) &&
      startsWithFields(index.key, pattern),
  );
  const index = usable.find((one) => servesKey(one, pattern)) ?? usable[0];
  if (index === undefined) return undefined;
  return {
    index,
    hashed: new Set(index.parts.filter(({ hashed }) => hashed).map(({ path }) => path.text)),
    unique: usable.some(({ unique, parts }) => unique && parts.length === length),
    serves: servesKey(index, pattern),
  };
}

/** Returns 1 for an ascending part, and the kind of a special part, such as `hashed`. */
function kindOf(value: Value): string | number | undefined {
  if (value.type === bsonTypes.string) return textOf(value);
  return isNumber(value) ? toNumber(value) : undefined;
}

function isId(pattern: RawDocument): boolean {
  const [first, second] = pattern;
  return first?.name === '_id' && second === undefined && kindOf(first) === 1;
}

function createIndex(
  collection: Collection,
  { pattern, unique }: { readonly pattern: RawDocument; readonly unique: boolean },
  request: CommandRequest,
  cluster: ClusterContext,
): void {
  const parts = [...pattern].map((part) => [part.name, kindOf(part)] as const);
  const index = {
    key: Object.fromEntries(parts),
    name: parts.map(([name, kind]) => `${name}_${kind}`).join('_'),
    ...(unique ? { unique } : {}),
  };
  const body = new RawDocument(
    encodeDocument({ createIndexes: collection.name, indexes: [index], $db: collection.database }),
  );
  const createRequest = {
    ...request,
    name: 'createIndexes',
    database: collection.database,
    body,
    sequences: new Map(),
  };
  createIndexes?.run(createRequest, cluster);
}
