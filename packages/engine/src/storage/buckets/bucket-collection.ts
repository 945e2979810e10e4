import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { Collection } from '../collection/collection.ts';
import type { Connection } from '../file/connection.ts';
import type { Transaction } from '../file/transaction.ts';
import type { IndexDefinition } from '../model/index-definition.ts';
import { idKey } from '../records/id-key.ts';
import type { StoredRecord } from '../records/page.ts';
import type { RecordStream } from '../records/scan.ts';
import { BUCKETS, type Layout, layoutOf } from './layout.ts';
import { Packer } from './pack.ts';
import { measurementsOf } from './unpack.ts';

/** A collection number to which no index belongs. */
const NO_NUMBER = -1;

/**
 * The buckets of a time series collection, in the form that dump tools expect. The measurements are stored
 * individually. Reading builds buckets from them, and inserting a bucket inserts its measurements.
 */
class BucketCollection extends Collection {
  readonly #series: Collection;

  constructor(
    series: Collection,
    { connection, transaction }: { readonly connection: Connection; readonly transaction: Transaction },
  ) {
    const { database, name, uuid } = series;
    const row = {
      number: NO_NUMBER,
      database,
      name: `${BUCKETS}${name}`,
      uuid,
      options: RawDocument.empty,
      documents: 0,
      bytes: 0,
    };
    super(row, connection, transaction, () => {});
    this.#series = series;
  }

  /** The layout is not cached between scans, because `collMod` may change it. */
  get #layout(): Layout {
    return layoutOf(this.#series.options.document('timeseries') ?? RawDocument.empty);
  }

  override get identified(): boolean {
    return false;
  }

  override get documents(): number {
    let count = 0;
    const buckets = this.scan();
    while (buckets.next() !== undefined) count++;
    return count;
  }

  override get bytes(): number {
    return this.#series.bytes;
  }

  override get indexes(): readonly IndexDefinition[] {
    return [];
  }

  override find(): undefined {
    return undefined;
  }

  override insertTogether(): boolean {
    return false;
  }

  override insert(_key: Uint8Array, bucket: RawDocument): boolean {
    for (const measurement of measurementsOf(bucket, this.#layout)) {
      this.#series.insert(idKey(measurement), measurement);
    }
    return true;
  }

  override replace(): void {
    throw this.#readOnly();
  }

  override remove(): void {
    throw this.#readOnly();
  }

  override buildIndex(): () => IndexDefinition {
    throw this.#readOnly();
  }

  /** Scans always go forward. A backward scan would pack the measurements into different buckets. */
  override scan(): RecordStream {
    return new Buckets(this.#series.scan({ kind: 'natural', reverse: false }), new Packer(this.#layout));
  }

  #readOnly(): ServerError {
    return new ServerError(
      'IllegalOperation',
      `${this.namespace} can be read and restored; change its measurements through ${this.#series.namespace}`,
    );
  }
}

/** Yields buckets in the order in which they become full. */
class Buckets implements RecordStream {
  readonly #measurements: RecordStream;
  readonly #packer: Packer;
  #rid = 0;

  constructor(measurements: RecordStream, packer: Packer) {
    this.#measurements = measurements;
    this.#packer = packer;
  }

  next(): StoredRecord | undefined {
    let record = this.#measurements.next();
    for (; record !== undefined; record = this.#measurements.next()) {
      const full = this.#packer.add(record.doc);
      if (full !== undefined) return { rid: ++this.#rid, doc: full };
    }
    const rest = this.#packer.rest();
    return rest && { rid: ++this.#rid, doc: rest };
  }

  release(): void {
    this.#measurements.release();
  }

  get ended(): boolean {
    return false;
  }
}

const made = new WeakMap<Collection, BucketCollection>();

/**
 * Returns the buckets collection with this name. Returns undefined if no time series collection has a buckets
 * collection of this name.
 */
export function bucketsNamed(
  name: string,
  find: (series: string) => Collection | undefined,
  parts: { readonly connection: Connection; readonly transaction: Transaction },
): Collection | undefined {
  if (!name.startsWith(BUCKETS)) return undefined;
  const series = find(name.slice(BUCKETS.length));
  if (series?.options.has('timeseries') !== true) return undefined;
  let buckets = made.get(series);
  if (buckets === undefined) {
    buckets = new BucketCollection(series, parts);
    made.set(series, buckets);
  }
  return buckets;
}

/**
 * Throws for a buckets collection, because it is created, changed and dropped together with its time series collection.
 */
export function refuseBuckets(collection: Collection): void {
  if (!(collection instanceof BucketCollection)) return;
  throw new ServerError(
    'IllegalOperation',
    `${collection.namespace} is created and dropped with its time series collection`,
  );
}
