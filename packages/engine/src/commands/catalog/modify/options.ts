import type { RawDocument } from '../../../bson/raw.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { CappedCollection } from '../../../storage/collection/capped.ts';
import type { Collection } from '../../../storage/collection/collection.ts';
import type { ClusterContext } from '../../context/cluster.ts';
import { storedEnvironment } from '../../shared/environment.ts';
import { cappedMax, cappedSize } from '../create/capped.ts';
import { readExpiry } from '../create/clustered.ts';
import { checkImages, whole } from '../create/options.ts';
import type { Options } from '../create/stored-options.ts';
import { checkValidator, logsPlainValues } from '../create/validator.ts';
import type { ModifyArguments } from './arguments.ts';
import { changedBucketing, checkBucketingAlone } from './bucketing.ts';

/** Returns the changed options of a collection. `undefined` removes an option. */
export function changesOf(collection: Collection, args: ModifyArguments, cluster: ClusterContext): Options {
  checkBucketingAlone(args);
  return {
    ...validation(collection, args, cluster),
    ...limits(collection, args),
    ...images(collection, args.changeStreamPreAndPostImages),
    ...expiry(collection, args.expireAfterSeconds, cluster),
    ...(args.timeseries ? { timeseries: changedBucketing(timeseriesOf(collection), args.timeseries) } : {}),
  };
}

function validation(collection: Collection, args: ModifyArguments, cluster: ClusterContext): Options {
  const { validator, validationLevel, validationAction } = args;
  if ((validator ?? validationLevel ?? validationAction) === undefined) return {};
  const { database, name, options } = collection;
  if (options.has('timeseries')) throw invalid('a validator is not supported on a time-series collection');
  const checked = validator ?? options.document('validator');
  if (checked !== undefined) {
    const withoutEncryption = logsPlainValues(
      validationLevel ?? options.string('validationLevel'),
      validationAction ?? options.string('validationAction'),
    );
    checkValidator(checked, database, name, { ...storedEnvironment(cluster), withoutEncryption });
  }
  return {
    ...(validator ? { validator: validator.isEmpty ? undefined : validator } : {}),
    ...(validationLevel === undefined ? {} : { validationLevel }),
    ...(validationAction === undefined ? {} : { validationAction }),
  };
}

function limits(collection: Collection, { cappedSize: size, cappedMax: max }: ModifyArguments): Options {
  if ((size ?? max) === undefined) return {};
  if (!(collection instanceof CappedCollection)) throw invalid('Collection must be capped.');
  return {
    ...(size === undefined ? {} : { size: whole(cappedSize(size)) }),
    ...(max === undefined ? {} : { max: cappedMax(max) }),
  };
}

function images(
  { database, options }: Collection,
  requested: ModifyArguments['changeStreamPreAndPostImages'],
): Options {
  if (requested === undefined) return {};
  const { enabled } = requested;
  checkImages(database, options.has('timeseries'));
  return { changeStreamPreAndPostImages: enabled ? { enabled } : undefined };
}

function expiry(
  { options }: Collection,
  requested: number | 'off' | undefined,
  { clock }: ClusterContext,
): Options {
  if (requested === undefined) return {};
  if (!options.has('timeseries') && !options.has('clusteredIndex')) {
    throw invalid("'expireAfterSeconds' is only supported on time-series and clustered collections");
  }
  return { expireAfterSeconds: requested === 'off' ? undefined : readExpiry(requested, clock.now()) };
}

function timeseriesOf({ options }: Collection): RawDocument {
  const timeseries = options.document('timeseries');
  if (timeseries === undefined) throw invalid('option only supported on a time-series collection');
  return timeseries;
}

export function invalid(message: string): ServerError {
  return new ServerError('InvalidOptions', message);
}
