import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { int32Of, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Layout } from './layout.ts';

/** Returns the measurements of an uncompressed bucket, whose columns are plain documents. */
export function measurementsOf(bucket: RawDocument, { timeField, metaField }: Layout): RawDocument[] {
  const version = bucket.document('control')?.get('version');
  const data = bucket.document('data');
  if (version?.type !== bsonTypes.int || data === undefined) throw noBucket();
  if (int32Of(version) !== 1) {
    throw new ServerError('InvalidOptions', 'Buckets whose columns are compressed cannot be stored');
  }
  const columns = [...data].map((column) => {
    if (column.type !== bsonTypes.object) throw noBucket();
    return [
      column.name,
      new Map<string, Value>([...documentOf(column)].map((each) => [each.name, each])),
    ] as const;
  });
  const times = columns.find(([name]) => name === timeField)?.[1];
  if (times === undefined) throw noBucket();
  const meta = bucket.get('meta');
  return [...times.keys()].map((row) =>
    writeDocument((writer) => {
      for (const [name, column] of columns) {
        const value = column.get(row);
        if (value !== undefined) writer.field(name, value);
        if (name === timeField && metaField !== undefined && meta !== undefined)
          writer.field(metaField, meta);
      }
    }),
  );
}

function noBucket(): ServerError {
  return new ServerError('DocumentValidationFailure', 'Document failed validation');
}
