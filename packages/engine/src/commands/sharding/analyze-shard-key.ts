import { Double } from 'bson';
import { typeName } from '../../bson/bson-types.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { ownDatabases } from '../../interface/namespaces.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { converted, inRange } from '../shared/field-builders.ts';
import { checkNamespace } from '../shared/namespace.ts';
import { reading } from '../shared/presets.ts';
import { rejectView } from '../views/view.ts';
import { type KeyFigures, keyFigures } from './key-figures.ts';
import { onNamedCollection, splitNamespace } from './shard-collection.ts';
import { type KeyValues, readShardKey } from './shard-key.ts';
import { indexOfKey } from './shard-key-index.ts';
import { findSharded } from './sharded.ts';

interface Options {
  readonly keyCharacteristics?: boolean | undefined;
  readonly readWriteDistribution?: boolean | undefined;
  readonly sampleRate?: number | undefined;
  readonly sampleSize?: number | undefined;
}

/** By default, the number of documents that are sampled. */
const SAMPLE_SIZE = 10_000_000;
/** From this correlation between keys and insertions, a shard key is monotonic. */
const MONOTONIC = 0.7;
/** Maximum size of a common value in the reply, in bytes. */
const MAX_VALUE_BYTES = 3 << 20;

const sampleRate = converted('double', (rate) => {
  if (rate > 0 && rate <= 1) return rate;
  throw new ServerError('BadValue', `'sampleRate' must be greater than 0 and at most 1, but is ${rate}`);
});

const analyzeShardKey = command({
  name: 'analyzeShardKey',
  ...reading,
  database: 'admin',
  privileges: onNamedCollection('analyzeShardKey'),
  fields: {
    analyzeShardKey: 'string!',
    key: 'object!',
    keyCharacteristics: 'bool',
    readWriteDistribution: 'bool',
    sampleRate,
    sampleSize: inRange('int', 1),
  },
  run({ analyzeShardKey: namespace, key: pattern, ...options }, _request, cluster) {
    checkOptions(options);
    const collection = analyzedCollection(namespace, cluster);
    const characteristics =
      options.keyCharacteristics === false ? undefined : characteristicsOf(collection, pattern, options);
    if (characteristics === undefined && options.readWriteDistribution === false) {
      throw new ServerError(
        'IllegalOperation',
        'Cannot analyze the characteristics of a shard key that does not have a supporting index',
      );
    }
    const isSharded = findSharded(cluster, namespace) !== undefined;
    return {
      // All shards of a cluster share one store, so there are no orphaned documents.
      ...(characteristics && {
        keyCharacteristics: { ...characteristics, ...(isSharded ? { numOrphanDocs: 0n } : {}) },
      }),
      ...(options.readWriteDistribution === false ? {} : noSampledQueries),
    };
  },
});

/** The engine samples no queries. */
const noSampledQueries = {
  readDistribution: { sampleSize: { total: 0n, find: 0n, aggregate: 0n, count: 0n, distinct: 0n } },
  writeDistribution: { sampleSize: { total: 0n, update: 0n, delete: 0n, findAndModify: 0n } },
};

function checkOptions({ keyCharacteristics, readWriteDistribution, sampleRate, sampleSize }: Options): void {
  const fail = (message: string) => {
    throw new ServerError('InvalidOptions', message);
  };
  if (keyCharacteristics === false && readWriteDistribution === false) {
    fail("Must set at least one of 'keyCharacteristics' and 'readWriteDistribution' to true");
  }
  if (sampleRate !== undefined && sampleSize !== undefined) {
    fail("Cannot set both 'sampleRate' and 'sampleSize'");
  }
}

function analyzedCollection(namespace: string, { store }: ClusterContext): Collection {
  const { database, collection: name } = splitNamespace(namespace);
  checkNamespace(database, name);
  if (ownDatabases.has(database) || name.startsWith('system.')) {
    throw new ServerError('IllegalOperation', 'Cannot analyze a shard key for an internal collection');
  }
  rejectView(store, database, name);
  const collection = store.collection(database, name);
  if (collection === undefined) throw new ServerError('NamespaceNotFound', `${namespace} does not exist`);
  if (collection.options.has('timeseries') || collection.options.has('encryptedFields')) {
    throw new ServerError('IllegalOperation', `Cannot analyze a shard key for ${namespace}`);
  }
  return collection;
}

/** Describes a shard key. Returns undefined if no index supports it. */
function characteristicsOf(
  collection: Collection,
  pattern: RawDocument,
  { sampleRate, sampleSize = SAMPLE_SIZE }: Options,
): object | undefined {
  const key = readShardKey(pattern);
  const index = indexOfKey(collection, pattern);
  if (index === undefined) return undefined;
  const { documents, bytes } = collection;
  const rate = sampleRate ?? Math.min(1, sampleSize / documents);
  const figures = documents === 0 ? undefined : keyFigures(collection, key, index, rate);
  if (figures === undefined || figures.sampled === 0) {
    throw new ServerError('IllegalOperation', 'Cannot analyze a shard key for an empty collection');
  }
  return {
    numDocsTotal: BigInt(documents),
    avgDocSizeBytes: BigInt(Math.floor(bytes / documents)),
    numDocsSampled: BigInt(figures.sampled),
    isUnique: index.unique,
    numDistinctValues: BigInt(figures.distinct),
    mostCommonValues: figures.common.map(({ value, frequency }) => ({
      value: shown(value),
      frequency: BigInt(frequency),
    })),
    monotonicity: monotonicityOf(collection, [...key.values()], index.serves, figures),
  };
}

function monotonicityOf(
  collection: Collection,
  [first, ...others]: ReadonlyArray<{ readonly hashed: boolean }>,
  serves: boolean,
  { correlation }: KeyFigures,
): object {
  if (collection.options.has('clusteredIndex')) return { type: 'unknown' };
  const described = (coefficient: number) => ({
    recordIdCorrelationCoefficient: new Double(coefficient),
    type: Math.abs(coefficient) >= MONOTONIC ? 'monotonic' : 'not monotonic',
  });
  if (first?.hashed) return described(0);
  if (!serves || others.some(({ hashed }) => hashed)) return { type: 'unknown' };
  return described(Number(correlation.toFixed(10)));
}

/** Returns a shard key as the reply contains it. Large fields are replaced by their type and size. */
function shown(value: KeyValues): object {
  const fields = Object.entries(value);
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      field.end - field.start > MAX_VALUE_BYTES / fields.length ? truncated(field) : field,
    ]),
  );
}

function truncated({ type, start, end }: Value): object {
  return { type: typeName(type), value: 'truncated', sizeBytes: end - start };
}

export const shardKeyAnalysisCommands: readonly Command[] = [analyzeShardKey];
