import { encodeDocument } from '../../../bson/encode.ts';
import { RawDocument } from '../../../bson/raw.ts';
import { BUCKETS } from '../../../storage/buckets/layout.ts';
import type { ClusterStore } from '../../../storage/cluster-store.ts';
import type { Collection } from '../../../storage/collection/collection.ts';
import { removeView, storeView } from '../../views/view.ts';

/**
 * This file stores the view of a time series. On the server, a time series is a view on a buckets collection. The
 * engine stores the documents of a time series unchanged and has no buckets collection. It stores the definition of
 * the view, and shows clients the view and a buckets collection as the server does.
 */

export function storeBuckets(
  store: ClusterStore,
  database: string,
  name: string,
  options: RawDocument,
): void {
  const { timeField, metaField, bucketMaxSpanSeconds } = options.document('timeseries')?.toObject() ?? {};
  const unpack = { $_internalUnpackBucket: { timeField, metaField, bucketMaxSpanSeconds } };
  const pipeline = [new RawDocument(encodeDocument(unpack))];
  const collation = options.document('collation');
  storeView(store, database, {
    name,
    on: `${BUCKETS}${name}`,
    pipeline,
    ...(collation ? { collation } : {}),
  });
}

export function removeBuckets(store: ClusterStore, database: string, name: string): void {
  removeView(store, database, name);
}

/** Describes the buckets collection of a time series. */
export function bucketsOf({ name, options }: Collection): {
  readonly name: string;
  readonly options: object;
} {
  const shown = Object.fromEntries([...options].map((option) => [option.name, option]));
  const { timeField } = options.document('timeseries')?.toObject() ?? {};
  return {
    name: `${BUCKETS}${name}`,
    options: { validator: bucketSchema(timeField), clusteredIndex: true, ...shown },
  };
}

/** Returns the validator of a buckets collection. */
function bucketSchema(timeField: string): object {
  const time = { bsonType: 'date' };
  const bounds = { bsonType: 'object', required: [timeField], properties: { [timeField]: time } };
  const control = {
    bsonType: 'object',
    required: ['version', 'min', 'max'],
    properties: {
      version: { bsonType: 'number' },
      min: bounds,
      max: bounds,
      closed: { bsonType: 'bool' },
      count: { bsonType: 'number', minimum: 1 },
    },
    additionalProperties: false,
  };
  return {
    $jsonSchema: {
      bsonType: 'object',
      required: ['_id', 'control', 'data'],
      properties: {
        _id: { bsonType: 'objectId' },
        control,
        data: { bsonType: 'object' },
        meta: {},
      },
      additionalProperties: false,
    },
  };
}
