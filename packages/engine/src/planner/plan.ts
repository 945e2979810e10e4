import { bsonTypes } from '../bson/bson-types.ts';
import type { Comparison } from '../bson/collation/index.ts';
import { describe } from '../bson/describe.ts';
import { toNumber } from '../bson/numbers/convert.ts';
import { documentOf, RawDocument } from '../bson/raw.ts';
import { isNumber, type Value } from '../bson/value.ts';
import { plannerError } from '../errors/planner-error.ts';
import { ServerError } from '../errors/server-error.ts';
import { type Condition, type Filter, intersect, isPoint } from '../language/filter/index.ts';
import type { Statement } from '../statement/statement.ts';
import type { Collection } from '../storage/collection/collection.ts';
import type { AccessPath } from '../storage/model/access-path.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';
import type { StoredRecord } from '../storage/records/page.ts';
import type { RecordStream } from '../storage/records/scan.ts';
import { type Candidate, candidatesOf, coversMatches } from './candidates.ts';
import { choose } from './choose.ts';
import { type Hint, readHint } from './hint.ts';
import { newPairLimit } from './implied.ts';
import { allows, indexFilters } from './index-filters.ts';
import { neverMatches } from './never.ts';
import { sortParts } from './order.ts';
import { predicatesOf } from './predicates.ts';
import { queryShape } from './query-shape.ts';
import { checkTableScan } from './table-scans.ts';

/** The plan by which a command reads its documents. */
export interface Plan {
  readonly path: AccessPath;
  /** True if the path returns documents in the requested order. */
  readonly sorted: boolean;
  /** True if every document on the path matches, so that the filter need not be evaluated. */
  readonly exact?: boolean;
  /** True if an index filter limited the choice of indexes. */
  readonly restricted?: boolean;
  /** True if the filter matches no document, so that the path is empty. */
  readonly never?: boolean;
  /** Plans with other indexes that were rejected. */
  readonly rejected?: readonly Candidate[];
}

export interface PlanOptions {
  readonly sort?: RawDocument | undefined;
  readonly hint?: RawDocument | string | undefined;
  /** The collection whose indexes may be used. If undefined, no index is considered. */
  readonly collection?: Collection | undefined;
  /** The projection of the query. It is part of the query shape, which selects the index filter. */
  readonly projection?: RawDocument | undefined;
  /** The names or key patterns of the indexes to which query settings restrict the query. */
  readonly allowed?: readonly Value[] | undefined;
  /** How the query compares strings. Only an index with the same collation contains strings in this order. */
  readonly comparison?: Comparison | undefined;
}

/**
 * Returns the best path to the documents that a filter matches: by `_id`, with one index, with a union of indexes, or
 * by a collection scan. Unless the plan is `exact`, the filter must still be evaluated on each document.
 */
export function plan(
  filter: Filter,
  { sort, hint: given, collection, projection, allowed, comparison = filter.comparison }: PlanOptions = {},
): Plan {
  if (allowed !== undefined) {
    const within = planWithin(allowed, filter, { sort, collection, comparison });
    if (within !== undefined) return within;
  }
  // Query settings with indexes take precedence over the hint of the query, even if none of these indexes serves the
  // query.
  const hint = allowed === undefined ? given : undefined;
  const identified = collection?.identified !== false;
  const order = orderOf(sort, identified && comparison === undefined);
  if (collection?.indexed === false) return byTime(filter, order);
  const only = collection && indexFilters(collection);
  const restricted = only?.size ? only.get(queryShape(filter.root, sort, projection, comparison)) : undefined;
  // An index filter takes precedence over the hint of the query.
  const hinted = restricted === undefined ? readHint(hint, collection) : readHint(undefined, collection);
  checkCombination(filter, order, hinted);
  if (filter.scored && collection !== undefined) checkTextUnderOr(filter, collection);
  if (order.kind === 'natural') return natural(order.reverse, true);
  if (hinted.kind === 'none' && identified && !collection?.options.has('capped') && neverMatches(filter.root))
    return { path: { kind: 'byId', intervals: [], reverse: false }, sorted: true, never: true };
  if (hinted.kind === 'natural') return natural(hinted.reverse, order.kind === 'none');
  if (hinted.kind === 'index') return byIndex(hinted.index, filter, sort, order, comparison);
  const bounds = identified ? filter.bounds.get('_id') : undefined;
  const sorted = order.kind !== 'other';
  const reverse = order.kind === 'byId' && order.reverse;
  if (bounds !== undefined) {
    // An _id is never an array, so all conditions on it concern the same value.
    const { intervals } = bounds.reduce(intersect);
    const better = intervals.every(isPoint) || hinted.kind === 'byId' || collection?.indexes.length === 0;
    if (better || collection === undefined) return { path: { kind: 'byId', intervals, reverse }, sorted };
  }
  if (collection !== undefined && collection.indexes.length > 0 && hinted.kind === 'none') {
    const isAllowed = restricted && ((index: IndexDefinition) => allows(restricted, index));
    const choice = choiceOf(collection, filter, { sort, comparison }, order, isAllowed);
    if (choice !== undefined) return restricted ? { ...choice, restricted: true } : choice;
  }
  if (restricted !== undefined) return { ...natural(false, order.kind === 'none'), restricted: true };
  if (order.kind === 'byId' || hinted.kind === 'byId') return { path: { kind: 'byId', reverse }, sorted };
  checkTableScan(filter, collection);
  return natural(false, sorted);
}

const idIndex = { name: '_id_', key: RawDocument.from({ _id: 1 }) };

/**
 * Plans a query with the indexes that query settings allow. Returns undefined if none of them serves the query, which
 * is then planned with all indexes.
 */
function planWithin(
  allowed: readonly Value[],
  filter: Filter,
  { sort, collection, comparison }: Pick<PlanOptions, 'sort' | 'collection' | 'comparison'>,
): Plan | undefined {
  const order = orderOf(sort, comparison === undefined);
  const isSpecial = filter.scored === true || filter.near !== undefined || order.kind === 'natural';
  if (collection === undefined || !collection.indexed || isSpecial) return undefined;
  const sorted = order.kind !== 'other';
  const reverse = order.kind === 'byId' && order.reverse;
  const bounds = collection.identified ? filter.bounds.get('_id') : undefined;
  if (bounds !== undefined && allows({ indexes: allowed }, idIndex)) {
    return { path: { kind: 'byId', intervals: bounds.reduce(intersect).intervals, reverse }, sorted };
  }
  const isAllowed = (index: IndexDefinition) => allows({ indexes: allowed }, index);
  const choice = choiceOf(collection, filter, { sort, comparison }, order, isAllowed);
  if (choice !== undefined) return choice;
  const scans = allowed.some((index) => index.type === bsonTypes.object && documentOf(index).has('$natural'));
  return scans ? natural(false, order.kind === 'none') : undefined;
}

/** Returns the plan with the best of the allowed indexes, or undefined if none of them serves the query. */
function choiceOf(
  collection: Collection,
  { root }: Filter,
  { sort, comparison }: Pick<PlanOptions, 'sort' | 'comparison'>,
  order: VisitOrder,
  isAllowed: ((index: IndexDefinition) => boolean) | undefined,
): Plan | undefined {
  const parts = order.kind === 'none' ? undefined : sortParts(sort);
  const choice = choose(collection, root, parts, comparison, isAllowed);
  return choice && { ...choice, sorted: order.kind === 'none' || choice.sorted };
}

/** Throws for combinations of filter, sort and hint that the reference server rejects. */
function checkCombination({ near, scored }: Filter, order: VisitOrder, hinted: Hint): void {
  const kind = near === undefined ? 'text' : 'geoNear';
  const natural = order.kind === 'natural';
  if ((near !== undefined || scored) && natural) {
    throw new ServerError('BadValue', `${kind} expression not allowed with $natural sort order`);
  }
  if (near !== undefined && hinted.kind === 'natural') {
    throw new ServerError('BadValue', 'geoNear expression not allowed with $natural hint');
  }
  if (scored && hinted.kind !== 'none') {
    throw new ServerError('BadValue', 'text and hint not allowed in same query');
  }
  if (near !== undefined) checkNearHint(hinted);
  if (!natural || hinted.kind === 'none') return;
  if (hinted.kind !== 'natural') {
    throw new ServerError('BadValue', 'index hint not allowed with $natural sort order');
  }
  if (hinted.reverse !== order.reverse) {
    throw new ServerError('BadValue', '$natural hint must be in the same direction as $natural sort order');
  }
}

/** Throws if an `$or` contains `$text`, and another alternative of this `$or` has no index. */
function checkTextUnderOr(
  { root, comparison }: Pick<Filter, 'root' | 'comparison'>,
  collection: Collection,
): void {
  const { operator, children = [] } = root;
  for (const child of children) checkTextUnderOr({ root: child, comparison }, collection);
  if (operator !== '$or' || !children.some(containsText)) return;
  const found = (child: Condition) =>
    containsText(child) || choose(collection, child, undefined, comparison) !== undefined;
  if (children.every(found)) return;
  throw plannerError(
    'Failed to produce a solution for TEXT under OR - other non-TEXT clauses under OR have to be indexed as well.',
  );
}

function containsText({ operator, children = [] }: Condition): boolean {
  return operator === '$text' || children.some(containsText);
}

/** Throws unless the hinted index is geospatial, as `$near` requires. */
function checkNearHint(hinted: Hint): void {
  if (hinted.kind === 'none') return;
  if (hinted.kind === 'index' && (hinted.index.kind === '2d' || hinted.index.kind === '2dsphere')) return;
  throw plannerError('unable to find index for $geoNear query');
}

/** Returns the plan for a hinted index, whether or not it helps. */
function byIndex(
  index: IndexDefinition,
  { root }: Filter,
  sort: RawDocument | undefined,
  order: VisitOrder,
  comparison: Comparison | undefined,
): Plan {
  const parts = order.kind === 'none' ? undefined : sortParts(sort);
  const predicates = predicatesOf(root);
  const question = { root, predicates, sort: parts, comparison, pairs: newPairLimit() };
  const [candidate] = candidatesOf(index, question, true);
  if (candidate === undefined) return natural(false, order.kind === 'none');
  if (index.kind === 'wildcard' && predicates.all.length === 0 && predicates.either.length === 0) {
    if (containsType(root)) return natural(false, order.kind === 'none');
    throw plannerError('a wildcard index only answers what a query asks of its fields');
  }
  if (
    index.kind === 'wildcard' &&
    predicates.all.length > 0 &&
    !predicates.all.some((one) => coversMatches(index, one))
  )
    throw plannerError('the wildcard index lacks keys of documents that the query can match');
  const path = candidate.merged ?? candidate.path;
  return { ...candidate, path, sorted: order.kind === 'none' || candidate.sorted };
}

/**
 * True if the filter contains `$type`. A wildcard index cannot find arrays by type, because it has keys for the
 * elements of an array, but not for the array itself.
 */
function containsType({ operator, children = [] }: Condition): boolean {
  return operator === '$type' || (operator === '$and' && children.some(containsType));
}

/**
 * Plans a scan of the oplog, which has no indexes. With conditions on `ts`, the scan starts at the first time that can
 * match, and ends at the last one.
 */
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

/**
 * Returns the order in which a scan must visit documents. `keyed` is true if the collection can be scanned by `_id`.
 */
function orderOf(sort: RawDocument | undefined, keyed: boolean): VisitOrder {
  const first = sort?.first();
  if (sort === undefined || first === undefined) return { kind: 'none' };
  const natural = sort.get('$natural');
  if (natural !== undefined) return { kind: 'natural', reverse: naturalDirection(natural, sort) < 0 };
  if (sort.after(first) !== undefined || !isNumber(first)) return { kind: 'other' };
  const reverse = toNumber(first) < 0;
  return first.name === '_id' && keyed ? { kind: 'byId', reverse } : { kind: 'other' };
}

function naturalDirection(natural: Value, sort: RawDocument): number {
  if (sort.count() > 1) {
    throw new ServerError(
      'BadValue',
      `Cannot include '$natural' in compound sort: ${describe(sort.toValue())}`,
    );
  }
  const direction = isNumber(natural) ? toNumber(natural) : 0;
  if (Math.abs(direction) === 1) return direction;
  throw new ServerError('BadValue', '$natural sort cannot be set to a value other than -1 or 1.');
}

export interface MatchOptions {
  /** The number of records that will be read, if known. */
  readonly expected?: number | undefined;
  /**
   * True to skip the verification of checksums. The caller then calls `check` or `whole` for each record that it uses.
   */
  readonly unchecked?: boolean;
  /** With `unchecked`: the fields that the filter and the caller read before they call `check` or `whole`. */
  readonly fields?: ReadonlySet<string> | undefined;
}

/** The records on a path that match a filter. */
export class Matches implements RecordStream {
  readonly #records: RecordStream;
  readonly #filter: Filter;
  readonly #statement: Statement;
  readonly #unchecked: boolean;
  #last: StoredRecord | undefined;

  constructor(collection: Collection, path: AccessPath, filter: Filter, options: MatchOptions = {}) {
    const { expected, unchecked = false, fields } = options;
    // If the number of records is known, the caller reads all of them. Verifying whole pages is then cheaper than
    // verifying records.
    const byPage = !unchecked && expected !== undefined && isEverything(filter);
    this.#filter = filter;
    this.#statement = collection.running;
    this.#unchecked = unchecked || byPage;
    this.#records = collection.scan(path, expected, undefined, { unchecked: !byPage, fields });
  }

  next(): StoredRecord | undefined {
    for (;;) {
      this.#statement.check();
      const record = this.#records.next();
      if (record === undefined) return undefined;
      if (!this.#accepts(record.doc)) continue;
      if (!this.#unchecked) this.check();
      this.#last = record;
      return record;
    }
  }

  check(): void {
    this.#records.check?.();
  }

  /**
   * Returns the last record with all its fields. Returns undefined if it was deleted meanwhile, or changed so that it
   * no longer matches.
   */
  whole(): StoredRecord | undefined {
    if (this.#records.whole !== undefined) {
      const record = this.#records.whole();
      if (record === this.#last || record === undefined) return record;
      return this.#accepts(record.doc) ? record : undefined;
    }
    this.check();
    return this.#last;
  }

  #accepts(doc: RawDocument): boolean {
    try {
      return this.#filter.matches(doc);
    } catch (error) {
      // The error may be a consequence of a damaged document. In that case, report the damage instead.
      this.check();
      throw error;
    }
  }

  release(): void {
    this.#records.release();
  }

  get ended(): boolean {
    return this.#records.ended;
  }
}

function isEverything({ root }: Filter): boolean {
  return root.operator === '$and' && root.children?.length === 0;
}

/** Yields the documents of a record stream. */
export function* documentsOf(records: RecordStream, statement: Statement): Generator<RawDocument> {
  for (let record = records.next(); record !== undefined; record = records.next()) {
    statement.check();
    yield record.doc;
  }
}
