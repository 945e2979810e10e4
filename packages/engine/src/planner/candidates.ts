import { bsonTypes } from '../bson/bson-types.ts';
import { compareBytes } from '../bson/bytes.ts';
import type { Comparison } from '../bson/collation/index.ts';
import { RawDocument } from '../bson/raw.ts';
import { minKey, string } from '../bson/value.ts';
import {
  allKeys,
  type Bounds,
  boundsOfPoints,
  boundsOfTypes,
  type Interval,
  intersect,
  intervalOfPrefix,
  isAllKeys,
} from '../language/filter/bounds.ts';
import { isTrue } from '../language/filter/existence.ts';
import { type Condition, isPoint } from '../language/filter/index.ts';
import { hashed } from '../storage/indexes/tuples.ts';
import { fieldsOf } from '../storage/indexes/wildcard-keys.ts';
import type { AccessPath, IndexPath } from '../storage/model/access-path.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';
import { canSort, isCollatable, predicatesUnder } from './collated.ts';
import { containsAllMatches, needsField, type PairLimit } from './implied.ts';
import { boundsIn, rangesOf, wholeIndex, wildcardRanges } from './index-bounds.ts';
import { keyTestOf } from './key-test.ts';
import { divided } from './merged.ts';
import { orderIn, orderOfField, type SortPart } from './order.ts';
import type { Predicate, Predicates } from './predicates.ts';

/** A plan that executes a query with one index. */
export interface Candidate {
  readonly path: IndexPath;
  /** True if the scan returns documents in the requested order. */
  readonly sorted: boolean;
  /** Number of leading index fields with bounds. */
  readonly bounded: number;
  /** True if every key in the ranges belongs to a document that matches the filter. */
  readonly exact: boolean;
  /** The path in its place, if it provides the requested order only in parts that must be merged. */
  readonly merged?: AccessPath | undefined;
}

/** What a query requires of an index. */
export interface QueryRequirements {
  readonly root: Condition;
  readonly predicates: Predicates;
  /** The requested sort; undefined if there is none, or if no index can provide it. */
  readonly sort: readonly SortPart[] | undefined;
  /** How the query compares strings. */
  readonly comparison: Comparison | undefined;
  /** The comparisons with partial filters that are left. All alternatives of the query share them. */
  readonly pairs: PairLimit;
}

/**
 * Returns the plans with the index. There are none if the index does not help, or does not contain all matching
 * documents. With a hint, `forced` is true: then returns one plan for any index that has keys.
 */
export function candidatesOf(
  index: IndexDefinition,
  question: QueryRequirements,
  forced = false,
): readonly Candidate[] {
  if (!index.hasKeys) return [];
  if (index.isGeographic || (index.collated && index.kind !== 'ordinary'))
    return forced ? [unbounded(index)] : [];
  if (index.kind === 'wildcard') return wildcardCandidates(index, question, forced);
  const candidate = candidateOf(index, question, forced);
  return candidate === undefined ? [] : [candidate];
}

function candidateOf(
  index: IndexDefinition,
  { root, predicates, sort, comparison, pairs }: QueryRequirements,
  forced: boolean,
): Candidate | undefined {
  const usable = predicatesUnder(index, predicates, comparison);
  if (!forced && !containsAllMatches(index, root, usable, pairs)) return undefined;
  const found = index.kind === 'hashed' ? hashedBounds(index, usable) : boundsIn(index, usable);
  const bounded = found.parts.findIndex(isAllKeys);
  const leading = bounded < 0 ? found.parts.length : bounded;
  const sortable = sort !== undefined && canSort(index, found.parts, sort, comparison);
  const order = sortable ? orderIn(index, found.parts, sort) : undefined;
  // Scanning a whole sparse index can be faster than scanning the collection, because the index can have far fewer
  // keys.
  const fewer = index.sparse && usable.some(({ path }) => path === index.parts[0]?.path.text);
  if (leading === 0 && order === undefined && !fewer && !forced) return undefined;
  const met = found.tight ? new Set([...found.met].map(({ condition }) => condition)) : nothing;
  const keyTest = keyTestOf(index, root, (condition) => met.has(condition));
  const path: IndexPath = {
    kind: 'index',
    index,
    ranges: found.ranges,
    reverse: order?.reverse ?? false,
    bounds: found.parts,
    ...(keyTest === undefined ? {} : { keyTest }),
  };
  const merged = sortable && order === undefined ? divided(path, sort, comparison) : undefined;
  return {
    path,
    ...(merged === undefined ? {} : { merged }),
    sorted: order !== undefined || merged !== undefined,
    bounded: leading,
    exact:
      !index.collated &&
      found.tight &&
      predicates.complete &&
      predicates.all.every((one) => found.met.has(one)),
  };
}

const nothing: ReadonlySet<Condition> = new Set();

/** Maximum number of plans with a wildcard index. */
const MAX_WILDCARD_PLANS = 64;

function unbounded(index: IndexDefinition): Candidate {
  const path = { kind: 'index', index, ranges: wholeIndex, reverse: false, bounds: [] } as const;
  return { path, sorted: false, bounded: 0, exact: false };
}

/** Returns the bounds in a hashed index, which supports only equality: its keys are not in value order. */
function hashedBounds(index: IndexDefinition, predicates: readonly Predicate[]) {
  const parts = index.parts.map((part): readonly Interval[] => {
    const own = predicates.filter(({ path }) => path === part.path.text).map(({ bounds }) => bounds);
    if (own.length === 0) return [allKeys];
    const { intervals } = own.reduce(intersect);
    if (!part.hashed) return intervals;
    if (!intervals.every(isPoint)) return [allKeys];
    return boundsOfPoints(intervals.map(({ low }) => hashed(low.value ?? string('')))).intervals;
  });
  return { parts, met: new Set<Predicate>(), ...rangesOf(index, parts), tight: false };
}

/**
 * The bounds of documents and arrays. A wildcard index stores keys of their members instead of keys of the
 * values themselves, except for empty documents.
 */
const decomposed: Bounds = boundsOfTypes([bsonTypes.object, bsonTypes.array], false);
const [emptyDocument] = boundsOfPoints([RawDocument.empty.toValue()]).intervals;

/**
 * Returns the plans with a wildcard index, the narrowest first. A plan that uses only the fields before the wildcard of a
 * compound index comes last.
 */
function wildcardCandidates(
  index: IndexDefinition,
  question: QueryRequirements,
  forced: boolean,
): readonly Candidate[] {
  const before = prefixCandidate(index, question);
  const found = [...fieldCandidates(index, question, forced), ...(before === undefined ? [] : [before])];
  return found.length > 0 || !forced ? found : [unbounded(index)];
}

/**
 * The index supports conditions on a single path, so there is one plan for each path. The index has no keys for
 * documents without the path.
 */
function fieldCandidates(
  index: IndexDefinition,
  question: QueryRequirements,
  forced: boolean,
): readonly Candidate[] {
  const { root, pairs, predicates } = question;
  const usable = predicates.all.filter(
    (one) => reaches(index, one) && !(one.scalar && index.arraysOn(one.path).size > 0),
  );
  if (usable.length === 0 || (!forced && !containsAllMatches(index, root, predicates.all, pairs))) return [];
  const narrowest = new Map<string, Predicate>();
  for (const one of usable.toSorted((a, b) => widthOf(a.bounds) - widthOf(b.bounds))) {
    if (!narrowest.has(one.path)) narrowest.set(one.path, one);
  }
  return [...narrowest.values()]
    .slice(0, forced ? 1 : MAX_WILDCARD_PLANS)
    .flatMap((first) => wildcardCandidate(index, first, question, usable, forced) ?? []);
}

function wildcardCandidate(
  index: IndexDefinition,
  first: Predicate,
  { predicates, sort, comparison }: QueryRequirements,
  usable: readonly Predicate[],
  forced: boolean,
): Candidate | undefined {
  const { intervals } = index.arraysOn(first.path).size > 0 ? first.bounds : sharedBounds(first, usable);
  const paths = boundsOfPoints([string(first.path)]).intervals;
  const below = isAllKeys(intervals) ? [intervalOfPrefix(`${first.path}.`)] : [];
  if (index.parts.length > 1) {
    return compoundCandidate(index, first, [[...paths, ...below], intervals], predicates.all, forced);
  }
  const ranges = wildcardRanges(first.path, intervals, index.parts[0]?.direction ?? 1);
  const sortable = below.length === 0 && (comparison === undefined || !isCollatable(intervals));
  const order = sortable ? orderOfField(index, first.path, sort) : undefined;
  return {
    path: {
      kind: 'index',
      index,
      ranges: [...ranges, ...below.map(({ low, high }) => ({ low: low.key, high: high.key }))],
      reverse: order?.reverse ?? false,
      bounds: [[...paths, ...below], intervals],
      field: first.path,
    },
    sorted: order !== undefined,
    bounded: 1,
    exact: false,
  };
}

/** Returns the bounds of all predicates on the path of one. Without arrays, they concern the same value. */
function sharedBounds({ path }: Predicate, predicates: readonly Predicate[]): Bounds {
  return predicates
    .filter((one) => one.path === path)
    .map(({ bounds }) => bounds)
    .reduce(intersect);
}

/** The name that stands for the wildcard if a plan does not depend on a field below it. */
const ANY_FIELD = '$_path';

/** The paths in the keys of a compound wildcard index: all names, and MinKey for documents that the wildcard misses. */
const anyPath: readonly Interval[] = [
  ...boundsOfPoints([minKey]).intervals,
  ...boundsOfTypes([bsonTypes.string], true).intervals,
];

/**
 * Returns a plan that uses only the fields of a compound wildcard index before the wildcard. The index has keys for all
 * documents that have one of these fields.
 */
function prefixCandidate(
  index: IndexDefinition,
  { root, predicates, pairs }: QueryRequirements,
): Candidate | undefined {
  const [first] = index.parts;
  if (first === undefined || first.wildcard || !containsAllMatches(index, root, predicates.all, pairs))
    return undefined;
  const requires = predicates.all.some(
    (one) => one.path === first.path.text && one.scope === undefined && needsField(one),
  );
  if (!requires) return undefined;
  return compoundCandidate(index, { path: ANY_FIELD }, [anyPath, [allKeys]], predicates.all, false);
}

/**
 * Returns a plan with a compound wildcard index. The fields besides the wildcard never contain arrays, so all
 * conditions on these fields can be combined.
 */
function compoundCandidate(
  index: IndexDefinition,
  { path: field }: Pick<Predicate, 'path'>,
  wildcard: ReadonlyArray<readonly Interval[]>,
  predicates: readonly Predicate[],
  forced: boolean,
): Candidate | undefined {
  const bounds = index.parts.flatMap((part) => {
    if (part.wildcard) return wildcard;
    const own = predicates.filter(({ path, scope }) => path === part.path.text && scope === undefined);
    return own.length === 0 ? [[allKeys]] : [own.map((one) => one.bounds).reduce(intersect).intervals];
  });
  const open = bounds.findIndex(isAllKeys);
  if (open === 0 && !forced) return undefined;
  // In a key, the path comes before the value of the wildcard, and is always ascending.
  const parts = index.parts.flatMap((part) => (part.wildcard ? [ascending, part] : [part]));
  const { ranges } = rangesOf({ parts }, bounds);
  const path = { kind: 'index', index, ranges, reverse: false, bounds, field } as const;
  return { path, sorted: false, bounded: open < 0 ? bounds.length : open, exact: false };
}

const ascending = { direction: 1 } as const;

function reaches(index: IndexDefinition, predicate: Predicate): boolean {
  const { path, bounds, scope } = predicate;
  if (scope !== undefined || !needsField(predicate) || /(^|\.)\d+(\.|$)/.test(path)) return false;
  const divided = isAllKeys(bounds.intervals) ? [] : intersect(bounds, decomposed).intervals;
  return divided.every(isEmptyDocument) && covers(index, path);
}

function isEmptyDocument(interval: Interval): boolean {
  const key = emptyDocument?.low.key;
  return key !== undefined && isPoint(interval) && compareBytes(interval.low.key, key) === 0;
}

/**
 * True if a wildcard index has keys for the path of a condition, and for all documents that meet the condition. In a
 * compound wildcard index, these can also be the keys of a field besides the wildcard.
 */
export function coversMatches(index: IndexDefinition, predicate: Predicate): boolean {
  const { path, scope } = predicate;
  if (index.parts.some((part) => !part.wildcard && part.path.text === path)) return true;
  if (scope === undefined && !needsField(predicate)) return false;
  return coversField(index, path);
}

/** True if the wildcard of an index covers the path. */
export function coversField(index: IndexDefinition, path: string): boolean {
  const id = path.split('.')[0] === '_id' ? fieldsOf(index).get('_id') : undefined;
  return id === undefined ? covers(index, path) : isTrue(id);
}

/** True if the index has a key for every value at the path. */
function covers(index: IndexDefinition, path: string): boolean {
  const below = index.parts.find(({ wildcard }) => wildcard)?.path.text ?? '';
  if (below !== '') return path === below || path.startsWith(`${below}.`);
  const within = (name: string) => path === name || path.startsWith(`${name}.`);
  const fields = [...fieldsOf(index)];
  const included = fields.filter(({ name }) => name !== '_id');
  const [first] = included;
  if (first === undefined) return !within('_id');
  const includes = isTrue(first);
  if (includes) return included.some(({ name }) => within(name));
  const apart = (name: string) => !within(name) && !name.startsWith(`${path}.`);
  return fields.every(({ name }) => apart(name));
}

function widthOf({ intervals }: Bounds): number {
  if (isAllKeys(intervals)) return Number.POSITIVE_INFINITY;
  return intervals.every(isPoint) ? intervals.length : 1_000_000;
}
