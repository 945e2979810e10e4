import type { RawDocument } from '../../../bson/raw.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { isIdKey } from '../../../storage/index-specs/index-spec.ts';
import type { CreateArguments } from './arguments.ts';
import type { GivenClustered } from './clustered-index.ts';

/** The description of a clustered index. */
export interface ClusteredIndex {
  readonly v: number;
  readonly key: RawDocument;
  readonly name: string;
  readonly unique: boolean;
}

export function readClustered(given: GivenClustered): ClusteredIndex {
  if (given === 'flag') {
    throw new ServerError(
      5979703,
      "'clusteredIndex' as a boolean is only supported on the buckets of a time-series collection",
    );
  }
  const { v = 2, key, name = '_id_', unique } = given;
  if (v !== 2) throw new ServerError(5979704, `'clusteredIndex.v' must be 2, but got ${v}`);
  if (!unique) throw new ServerError(5979700, "'clusteredIndex.unique' must be true");
  if (!isIdKey(key)) {
    throw new ServerError(
      'InvalidIndexSpecificationOption',
      "The 'clusteredIndex' option is only supported for key: {_id: 1}",
    );
  }
  if (name === '') throw new ServerError('BadValue', "'clusteredIndex.name' cannot be empty");
  return { v, key, name, unique };
}

/** Throws for options that a clustered collection does not support. Runs before the clustered index is validated. */
export function checkClustered(args: CreateArguments): void {
  const { clusteredIndex, capped, max, viewOn, idIndex, timeseries } = args;
  if (clusteredIndex === undefined) return;
  if (viewOn !== undefined)
    throw new ServerError(6026500, "The 'clusteredIndex' option is not supported with views");
  if (capped) throw new ServerError(6049200, "The 'clusteredIndex' option is not supported with 'capped'");
  if (max !== undefined)
    throw new ServerError(6049204, "The 'clusteredIndex' option is not supported with 'max'");
  const other = idIndex === undefined ? timeseries && 'timeseries' : 'idIndex';
  if (other !== undefined) {
    throw new ServerError(
      'InvalidOptions',
      `The 'clusteredIndex' option is not supported with the '${other}' option`,
    );
  }
}

/** Checks the TTL of a time series or clustered collection, in seconds. */
export function readExpiry(seconds: number, now: number): bigint {
  if (seconds < 0) throw invalidExpiry('cannot be less than 0');
  // With a longer TTL, only documents with times before 1970 would expire.
  if (seconds * 1000 > now) throw invalidExpiry('must be within the range of the epoch until now');
  return BigInt(seconds);
}

function invalidExpiry(reason: string): ServerError {
  return new ServerError('InvalidOptions', `TTL 'expireAfterSeconds' option ${reason}`);
}
