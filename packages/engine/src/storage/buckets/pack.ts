import { createHash } from 'node:crypto';
import { bsonTypes } from '../../bson/bson-types.ts';
import { type DocumentWriter, writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { date, int32, Value } from '../../bson/value.ts';
import { extreme } from './bounds.ts';
import type { Layout } from './layout.ts';
import { bytesOf, metaKeyOf, timeOf } from './time-order.ts';

/** The server's limits per bucket. */
const MAX_MEASUREMENTS = 1_000;
const MAX_BYTES = 125 * 1_024;
/**
 * Maximum number of open buckets. Each open bucket has a different value of the meta field. Above the limit, the oldest
 * bucket is closed.
 */
const MAX_OPEN = 1_000;

interface Open {
  readonly meta: Value | undefined;
  readonly from: bigint;
  readonly measurements: RawDocument[];
  bytes: number;
}

/** Packs measurements into buckets in insertion order, as the server does. */
export class Packer {
  readonly #layout: Layout;
  /** Open buckets by the value of the meta field. */
  readonly #open = new Map<string, Open>();

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** Adds a measurement. If a bucket has to be closed for the measurement, returns this bucket. */
  add(measurement: RawDocument): RawDocument | undefined {
    const { metaField, spanMs, roundingMs } = this.#layout;
    const time = timeOf(measurement, this.#layout) ?? 0n;
    const meta = metaField === undefined ? undefined : measurement.get(metaField);
    const key = metaKeyOf(measurement, this.#layout);
    const open = this.#open.get(key);
    const fits =
      open !== undefined &&
      time >= open.from &&
      time < open.from + spanMs &&
      open.measurements.length < MAX_MEASUREMENTS &&
      open.bytes + measurement.length <= MAX_BYTES;
    if (fits) {
      open.measurements.push(measurement.compact());
      open.bytes += measurement.length;
      return undefined;
    }
    const full = open === undefined && this.#open.size >= MAX_OPEN ? this.#oldest() : this.#close(key);
    this.#open.set(key, {
      meta: meta && new Value(meta.type, bytesOf(meta), 0, meta.end - meta.start),
      from: floorTo(time, roundingMs),
      measurements: [measurement.compact()],
      bytes: measurement.length,
    });
    return full;
  }

  /** Called repeatedly after the last measurement. Closes and returns an open bucket, or undefined if none is open. */
  rest(): RawDocument | undefined {
    return this.#oldest();
  }

  #oldest(): RawDocument | undefined {
    const [key] = this.#open.keys();
    return key === undefined ? undefined : this.#close(key);
  }

  #close(key: string): RawDocument | undefined {
    const open = this.#open.get(key);
    this.#open.delete(key);
    return open && bucketOf(open, this.#layout);
  }
}

function floorTo(time: bigint, step: bigint): bigint {
  const rest = ((time % step) + step) % step;
  return time - rest;
}

/** The values of one field, each with the index of its measurement. */
type Column = Array<readonly [number, Value]>;

function bucketOf({ meta, from, measurements }: Open, { timeField, metaField }: Layout): RawDocument {
  const columns = new Map<string, Column>();
  measurements.forEach((measurement, i) => {
    for (const field of measurement) {
      if (field.name === metaField) continue;
      const column = columns.get(field.name);
      if (column === undefined) columns.set(field.name, [[i, field]]);
      else column.push([i, field]);
    }
  });
  const content = writeDocument((writer) => {
    document(writer, 'control', () => {
      writer.field('version', int32(1));
      bounds(writer, 'min', columns, 1, (name, value) => (name === timeField ? date(from) : value));
      bounds(writer, 'max', columns, -1, (_, value) => value);
    });
    if (meta !== undefined) writer.field('meta', meta);
    document(writer, 'data', () => {
      for (const [name, column] of columns) {
        document(writer, name, () => {
          for (const [i, value] of column) writer.field(String(i), value);
        });
      }
    });
  });
  return writeDocument((writer) => {
    writer.field('_id', idOf(from, content));
    for (const field of content) writer.element(field);
  });
}

function document(writer: DocumentWriter, name: string, write: () => void): void {
  writer.head(bsonTypes.object, name);
  const start = writer.begin();
  write();
  writer.end(start);
}

function bounds(
  writer: DocumentWriter,
  name: string,
  columns: ReadonlyMap<string, Column>,
  sign: 1 | -1,
  shown: (name: string, value: Value) => Value,
): void {
  document(writer, name, () => {
    for (const [field, column] of columns) {
      let found: Value | undefined;
      for (const [, value] of column) found = extreme(found, value, sign);
      if (found !== undefined) writer.field(field, shown(field, found));
    }
  });
}

const ID_BYTES = 12;

/** Derives the id from the start and the content of the bucket, so that each read returns the same id. */
function idOf(from: bigint, content: RawDocument): Value {
  const bytes = createHash('sha256').update(content.toBytes()).digest().subarray(0, ID_BYTES);
  bytes.writeUInt32BE(Number(BigInt.asUintN(32, from / 1_000n)));
  return new Value(bsonTypes.objectId, bytes, 0, ID_BYTES);
}
