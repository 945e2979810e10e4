import { describeCollation, readCollation } from '../../../bson/collation/index.ts';
import type { RawDocument } from '../../../bson/raw.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { ownDatabases } from '../../../interface/namespaces.ts';
import type { ClusterContext } from '../../context/cluster.ts';
import { storedEnvironment } from '../../shared/environment.ts';
import type { CreateArguments } from './arguments.ts';
import { cappedMax, cappedSize, checkCapped } from './capped.ts';
import { checkClustered, readClustered, readExpiry } from './clustered.ts';
import { checkIdCollation } from './id-index.ts';
import { encodeOptions } from './stored-options.ts';
import { readTimeseries } from './timeseries.ts';
import { checkValidator, logsPlainValues } from './validator.ts';

/** Throws for invalid or conflicting arguments of a collection or view. */
export function checkArguments(args: CreateArguments): void {
  checkClustered(args);
  checkCapped(args);
  if (args.encryptedFields !== undefined) checkUnencrypted(args);
  checkIdCollation(args.idIndex?.collation, args.collation);
  if (args.pipeline !== undefined && args.viewOn === undefined) {
    throw invalid("'pipeline' requires 'viewOn' to also be specified");
  }
  if (args.viewOn !== undefined && args.idIndex !== undefined) {
    throw invalid("'idIndex' is not allowed with 'viewOn'");
  }
  if (args.recordIdsReplicated) throw invalid("'recordIdsReplicated' is not supported");
  if (args.expireAfterSeconds !== undefined && (args.timeseries ?? args.clusteredIndex) === undefined) {
    throw invalid(
      "'expireAfterSeconds' is only supported on time-series collections or when the 'clusteredIndex' option is specified",
    );
  }
}

/** Throws for options that a collection with encrypted fields does not support. */
function checkUnencrypted({ viewOn, timeseries, capped }: CreateArguments): void {
  if ((viewOn ?? timeseries) !== undefined) {
    throw new ServerError(6346401, 'Encrypted fields cannot be used with views or time-series collections');
  }
  if (capped) throw new ServerError(6367301, 'Encrypted fields cannot be used with capped collections');
}

/** Returns the stored options of a collection, in the order of replies. */
export function readOptions(args: CreateArguments, database: string, cluster: ClusterContext): RawDocument {
  const { capped, size, max, validator, timeseries, clusteredIndex, autoIndexId } = args;
  if (autoIndexId === false && database !== 'local') {
    throw invalid('autoIndexId:false is only allowed for collections in the local database');
  }
  if (validator !== undefined) {
    const withoutEncryption = logsPlainValues(args.validationLevel, args.validationAction);
    checkValidator(validator, database, args.create, { ...storedEnvironment(cluster), withoutEncryption });
  }
  const images = args.changeStreamPreAndPostImages;
  if (images !== undefined) checkImages(database, args.timeseries !== undefined);
  const expiry = args.expireAfterSeconds;
  const expireAfterSeconds = expiry === undefined ? undefined : readExpiry(expiry, cluster.clock.now());
  return encodeOptions({
    ...(capped ? { capped: true, size: whole(cappedSize(size ?? 0)) } : {}),
    ...(capped && max !== undefined ? { max: cappedMax(max) } : {}),
    temp: args.temp || undefined,
    changeStreamPreAndPostImages: images?.enabled ? { enabled: true } : undefined,
    storageEngine: unlessEmpty(args.storageEngine),
    indexOptionDefaults: unlessEmpty(args.indexOptionDefaults),
    validator: unlessEmpty(validator),
    validationLevel: args.validationLevel,
    validationAction: args.validationAction,
    collation: collationOf(args.collation),
    clusteredIndex: clusteredIndex && readClustered(clusteredIndex),
    expireAfterSeconds,
    timeseries: timeseries && readTimeseries(timeseries, args),
    encryptedFields: args.encryptedFields,
  });
}

/** Throws for system databases and time series, which do not support pre-images and post-images. */
export function checkImages(database: string, timeseries: boolean): void {
  if (timeseries) throw invalid("'changeStreamPreAndPostImages' is not supported on time-series collections");
  if (ownDatabases.has(database)) {
    throw invalid(
      `'changeStreamPreAndPostImages' is not supported on collections of the database ${database}`,
    );
  }
}

function unlessEmpty(document: RawDocument | undefined): RawDocument | undefined {
  return document?.isEmpty ? undefined : document;
}

/** Returns the collation with all its fields, or undefined for the simple collation. */
export function collationOf(collation: RawDocument | undefined): RawDocument | undefined {
  const spec = collation && !collation.isEmpty ? readCollation(collation) : undefined;
  return spec && describeCollation(spec);
}

const MAX_INT32 = 0x7fffffff;

/** Returns a size. If it exceeds int32, returns it as a bigint, which is stored as an int64. */
export function whole(size: number): number | bigint {
  return size > MAX_INT32 ? BigInt(size) : size;
}

function invalid(message: string): ServerError {
  return new ServerError('InvalidOptions', message);
}
