import { bsonTypes } from '../language/bson-types.ts';
import { type Filter, intersect } from '../language/filter/index.ts';
import { toNumber } from '../language/numbers/convert.ts';
import type { RawDocument } from '../language/raw.ts';
import { isNumber, textOf } from '../language/value.ts';
import { ServerError } from '../server-error.ts';
import type { AccessPath } from '../storage/access.ts';
import type { Collection } from '../storage/collection.ts';
import type { StoredRecord } from '../storage/page.ts';
import type { RecordStream } from '../storage/scan.ts';

/** How a command visits the documents that it is about. */
export interface Plan {
  readonly path: AccessPath;
  /** The path visits documents in the order that was asked for. */
  readonly sorted: boolean;
}

export interface PlanOptions {
  readonly sort?: RawDocument | undefined;
  readonly hint?: RawDocument | string | undefined;
  /** What is visited, where it matters that it is ordered by time and has no key of `_id`. */
  readonly collection?: Collection | undefined;
}

/**
 * The unique key of `_id` is used where the filter bounds it or the order asked for is that of `_id`; everything else
 * is a scan. Documents on the path still have to be asked whether they match.
 */
export function plan(filter: Filter, { sort, hint, collection }: PlanOptions = {}): Plan {
  const order = orderOf(sort);
  if (collection?.indexed === false) return byTime(filter, order);
  const hinted = hint === undefined ? undefined : hintedOrder(hint);
  if (order.kind === 'natural') return natural(order.reverse, true);
  if (hinted?.kind === 'natural') return natural(hinted.reverse, order.kind === 'none');
  const bounds = filter.bounds.get('_id');
  const sorted = order.kind !== 'other';
  const reverse = order.kind === 'byId' && order.reverse;
  if (bounds !== undefined) {
    // An _id is never an array, so all conditions on it hold for one value.
    const { intervals } = bounds.reduce(intersect);
    return { path: { kind: 'byId', intervals, reverse }, sorted };
  }
  if (order.kind === 'byId' || hinted?.kind === 'byId') return { path: { kind: 'byId', reverse }, sorted };
  return natural(false, sorted);
}

/** Times bound a way through the oplog from its first to its last interval. */
function byTime(filter: Filter, order: VisitOrder): Plan {
  const intervals = filter.bounds.get('ts')?.reduce(intersect).intervals;
  const [first, last] = [intervals?.[0], intervals?.at(-1)];
  const times = first && last && { low: first.low, high: last.high };
  const reverse = order.kind === 'natural' && order.reverse;
  const path = { kind: 'natural', reverse, ...(times ? { times } : {}) } as const;
  return { path, sorted: order.kind === 'natural' || order.kind === 'none' };
}

function natural(reverse: boolean, sorted: boolean): Plan {
  return { path: { kind: 'natural', reverse }, sorted };
}

type VisitOrder =
  | { readonly kind: 'none' | 'other' }
  | { readonly kind: 'natural' | 'byId'; readonly reverse: boolean };

function orderOf(sort: RawDocument | undefined): VisitOrder {
  const first = sort?.first();
  if (sort === undefined || first === undefined) return { kind: 'none' };
  if (sort.after(first) !== undefined || !isNumber(first)) return { kind: 'other' };
  const reverse = toNumber(first) < 0;
  if (first.name === '$natural') return { kind: 'natural', reverse };
  return first.name === '_id' ? { kind: 'byId', reverse } : { kind: 'other' };
}

function hintedOrder(hint: RawDocument | string): VisitOrder {
  if (hint === '_id_') return { kind: 'byId', reverse: false };
  const order = typeof hint === 'string' ? undefined : orderOf(hint);
  if (order?.kind === 'natural' || order?.kind === 'none') return order;
  if (order?.kind === 'byId' && !order.reverse) return order;
  throw new ServerError(
    'BadValue',
    'error processing query: planner returned error :: caused by :: ' +
      'hint provided does not correspond to an existing index',
  );
}

/** The records of a collection that a filter matches, along a path. */
export class Matches implements RecordStream {
  readonly #records: RecordStream;
  readonly #filter: Filter;

  constructor(collection: Collection, path: AccessPath, filter: Filter, expected?: number) {
    this.#filter = filter;
    this.#records = collection.scan(path, expected);
  }

  next(): StoredRecord | undefined {
    for (;;) {
      const record = this.#records.next();
      if (record === undefined || this.#filter.matches(record.doc)) return record;
    }
  }

  release(): void {
    this.#records.release();
  }

  get ended(): boolean {
    return this.#records.ended;
  }
}

/** The documents of records, one by one. */
export function* documentsOf(records: RecordStream): Generator<RawDocument> {
  for (let record = records.next(); record !== undefined; record = records.next()) yield record.doc;
}

/** Refuses an order of text that is not that of bytes; nothing here knows languages. */
export function refuseCollation(collation: RawDocument | undefined): void {
  if (collation === undefined || collation.isEmpty) return;
  const locale = collation.get('locale');
  if (locale?.type === bsonTypes.string && textOf(locale) === 'simple') return;
  throw new ServerError('CommandNotSupported', 'collation is not supported');
}
