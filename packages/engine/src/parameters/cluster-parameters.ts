import type { PlainObject } from '@portolan/foundation/plain-object';
import { bsonTypes } from '../bson/bson-types.ts';
import { toBigInt } from '../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../bson/raw.ts';
import { boolOf, isNumber, textOf, type Value } from '../bson/value.ts';
import { ServerError } from '../errors/server-error.ts';

/** This file contains a table of the cluster-wide parameters with their fields, defaults and bounds. */

export interface ClusterParameters {
  readonly changeStreamOptions: {
    readonly preAndPostImages: { readonly expireAfterSeconds: 'off' | bigint };
  };
  readonly changeStreams: { readonly expireAfterSeconds: bigint };
  readonly defaultMaxTimeMS: { readonly readOperations: bigint };
  readonly [name: string]: PlainObject;
}

export const clusterParameterDefaults: ClusterParameters = {
  addOrRemoveShardInProgress: { inProgress: false },
  auditConfig: { filter: {}, auditAuthorizationSuccess: false },
  changeStreamOptions: { preAndPostImages: { expireAfterSeconds: 'off' } },
  changeStreams: { expireAfterSeconds: 3600n },
  configServerReadPreferenceForCatalogQueries: { mustAlwaysUseNearest: false },
  defaultMaxTimeMS: { readOperations: 0n },
  fleCompactionOptions: {
    maxCompactionSize: 268_435_456,
    maxAnchorCompactionSize: 268_435_456,
    maxESCEntriesPerCompactionDelete: 350_000,
    compactAnchorPaddingFactor: 0,
  },
  fleDisableSubstringPreviewParameterLimits: { shouldDisable: false },
  internalQueryCutoffForSampleFromRandomCursor: { sampleCutoff: 0.05 },
  internalSearchOptions: { oversubscriptionFactor: 1.064, batchSizeGrowthFactor: 1.5 },
  pauseMigrationsDuringMultiUpdates: { enabled: false },
  querySettings: { settingsArray: [] },
  readConcernDefaultsForCatalog: { enabled: false },
  shardedClusterCardinalityForDirectConns: { hasTwoOrMoreShards: false },
};

/** Parameters that only other commands or the server itself can set. */
const notSettable: ReadonlySet<string> = new Set([
  'querySettings',
  'shardedClusterCardinalityForDirectConns',
]);

/** Merges `given` into the current value of a cluster parameter. Null resets a field to its default. */
export function readClusterParameter(name: string, given: RawDocument, now: ClusterParameters): object {
  const defaults = knownParameter(name);
  if (notSettable.has(name)) {
    throw new ServerError('NotImplemented', `The parameter ${name} is not set by this command`);
  }
  if (name === 'changeStreamOptions') checkStreamOptions(given);
  return merged(name, given, defaults, now[name] ?? defaults);
}

/**
 * Throws unless `given` has the field `preAndPostImages` and no unknown field. A field whose name starts with `$` is
 * ignored, but makes `preAndPostImages` optional. The other parameters accept unknown fields.
 */
function checkStreamOptions(given: RawDocument): void {
  for (const { name } of given) {
    if (name === 'preAndPostImages' || name.startsWith('$')) continue;
    throw new ServerError('BadValue', `BSON field 'changeStreamOptions.${name}' is an unknown field.`);
  }
  const images = given.get('preAndPostImages');
  const other = [...given].some(({ name }) => name.startsWith('$'));
  if (!other && (images === undefined || images.type === bsonTypes.null)) {
    throw new ServerError('BadValue', "Expected 'changeStreamOptions.preAndPostImages', but it is missing");
  }
}

export function knownParameter(name: string): PlainObject {
  if (Object.hasOwn(clusterParameterDefaults, name)) {
    return clusterParameterDefaults[name] as PlainObject;
  }
  throw new ServerError('NoSuchKey', `Unknown server parameter: ${name}`);
}

type Fields = Readonly<Record<string, unknown>>;

function merged(name: string, given: RawDocument, defaults: Fields, before: Fields): Fields {
  const { clusterParameterTime: _, ...kept } = before;
  const result: Record<string, unknown> = { ...kept };
  for (const field of given) {
    if (field.name.startsWith('$')) {
      throw new ServerError(
        'DollarPrefixedFieldName',
        `${name} has the field '${field.name}', which is no name`,
      );
    }
    if (!Object.hasOwn(defaults, field.name)) {
      throw new ServerError(40415, `BSON field '${name}.${field.name}' is an unknown field.`);
    }
    const path = `${name}.${field.name}`;
    const standard = defaults[field.name];
    result[field.name] = field.type === bsonTypes.null ? standard : readField(path, field, standard, before);
  }
  return result;
}

function readField(path: string, value: Value, standard: unknown, before: Fields): unknown {
  if (path === 'changeStreamOptions.preAndPostImages') return images(path, value);
  switch (typeof standard) {
    case 'boolean':
      if (value.type === bsonTypes.bool) return boolOf(value);
      throw wrongType(path, 'bool');
    case 'bigint':
    case 'number': {
      if (!isNumber(value)) throw wrongType(path, 'long');
      const number = toBigInt(value);
      const least = path === 'changeStreams.expireAfterSeconds' ? 1n : 0n;
      if (number >= least) return typeof standard === 'bigint' ? number : Number(number);
      throw new ServerError(
        'BadValue',
        `BSON field '${path}' value must be >= ${least}, actual value '${number}'`,
      );
    }
    default:
      if (value.type !== bsonTypes.object) throw wrongType(path, 'object');
      return merged(path, documentOf(value), standard as Fields, before);
  }
}

function images(path: string, value: Value): { expireAfterSeconds: 'off' | bigint } {
  if (value.type !== bsonTypes.object) throw new ServerError('BadValue', `${path} has to be an object`);
  const seconds = documentOf(value).get('expireAfterSeconds');
  if (seconds === undefined || seconds.type === bsonTypes.null) return { expireAfterSeconds: 'off' };
  if (seconds.type === bsonTypes.string) {
    if (textOf(seconds) === 'off') return { expireAfterSeconds: 'off' };
    throw new ServerError(
      'BadValue',
      "Invalid string value for the 'changeStreamOptions.preAndPostImages.expireAfterSeconds' parameter: " +
        `'${textOf(seconds)}'`,
    );
  }
  if (!isNumber(seconds)) {
    throw new ServerError('BadValue', `${path}.expireAfterSeconds has to be a text or a number`);
  }
  const number = toBigInt(seconds);
  if (number > 0n) return { expireAfterSeconds: number };
  throw new ServerError(
    'BadValue',
    "Invalid value for the 'changeStreamOptions.preAndPostImages.expireAfterSeconds' parameter: '" +
      `${number}'`,
  );
}

function wrongType(path: string, expected: string): ServerError {
  return new ServerError(
    'TypeMismatch',
    `BSON field '${path}' is the wrong type, expected type '${expected}'`,
  );
}
