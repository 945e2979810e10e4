import { bsonTypes } from '../../bson/bson-types.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { int64Of, type Value } from '../../bson/value.ts';
import type { Layout } from './layout.ts';

/** Returns the time of a measurement in milliseconds, or undefined if its `timeField` contains no date. */
export function timeOf(measurement: RawDocument, { timeField }: Layout): bigint | undefined {
  const time = measurement.get(timeField);
  return time?.type === bsonTypes.date ? int64Of(time) : undefined;
}

/** Returns a key that measurements with the same value of the `metaField` share. */
export function metaKeyOf(measurement: RawDocument, { metaField }: Layout): string {
  const meta = metaField === undefined ? undefined : measurement.get(metaField);
  return meta === undefined ? '' : `${meta.type}:${bytesOf(meta).toString('latin1')}`;
}

export function bytesOf({ bytes, start, end }: Value): Buffer {
  return Buffer.from(bytes.subarray(start, end));
}

/** Sorts the measurements of one insertion as the server does: those with the same value of the `metaField` by time. */
export function inTimeOrder(measurements: readonly RawDocument[], layout: Layout): RawDocument[] {
  const places = Map.groupBy(measurements.keys(), (place) =>
    metaKeyOf(measurements[place] as RawDocument, layout),
  );
  const times = measurements.map((measurement) => timeOf(measurement, layout) ?? 0n);
  const ordered = [...measurements];
  for (const same of places.values()) {
    const byTime = same.toSorted((a, b) => Number((times[a] as bigint) - (times[b] as bigint)));
    for (const [i, place] of same.entries())
      ordered[place] = measurements[byTime[i] as number] as RawDocument;
  }
  return ordered;
}
