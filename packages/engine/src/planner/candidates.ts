import { bsonTypes } from '../bson/bson-types.ts';
import { string } from '../bson/value.ts';
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
import type { AccessPath } from '../storage/access.ts';
import type { IndexDefinition } from '../storage/indexes/index-definition.ts';
import { hashed } from '../storage/indexes/tuples.ts';
import { fieldsOf } from '../storage/indexes/wildcard-keys.ts';
import { holdsAll, needsField } from './implied.ts';
import { boundsIn, rangesOf, wholeIndex, wildcardRanges } from './index-bounds.ts';
import { orderIn, type SortPart } from './order.ts';
import type { Predicate, Predicates } from './predicates.ts';

/** A way to answer a query by one index. */
export interface Candidate {
  readonly path: Extract<AccessPath, { kind: 'index' }>;
  /** It visits documents in the order that was asked for. */
  readonly sorted: boolean;
  /** How many parts of the index are bounded. */
  readonly bounded: number;
  /** Every key on the way is one of a document that the filter matches. */
  readonly exact: boolean;
}

/** What a query asks of an index. */
export interface Question {
  readonly root: Condition;
  readonly predicates: Predicates;
  /** Absent: no order, or one that no index has. */
  readonly sort: readonly SortPart[] | undefined;
}

/** None where the index does not help, or does not have all documents; `forced`: it is used whatever it has. */
export function candidateOf(
  index: IndexDefinition,
  question: Question,
  forced = false,
): Candidate | undefined {
  if (!index.hasKeys) return undefined;
  if (!index.answersQueries) return forced ? unbounded(index) : undefined;
  const { root, predicates, sort } = question;
  if (index.kind === 'wildcard') return wildcardCandidate(index, question, forced);
  if (!forced && !holdsAll(index, root, predicates.all)) return undefined;
  const found =
    index.kind === 'hashed' ? hashedBounds(index, predicates.all) : boundsIn(index, predicates.all);
  const bounded = found.parts.findIndex(isAllKeys);
  const leading = bounded < 0 ? found.parts.length : bounded;
  const order = sort && orderIn(index, found.parts, sort);
  // A sparse index leaves fewer, though all of its keys are asked for.
  const fewer = index.sparse && predicates.all.some(({ path }) => path === index.parts[0]?.path.text);
  if (leading === 0 && order === undefined && !fewer && !forced) return undefined;
  return {
    path: {
      kind: 'index',
      index,
      ranges: found.ranges,
      reverse: order?.reverse ?? false,
      bounds: found.parts,
    },
    sorted: order !== undefined,
    bounded: leading,
    exact: found.tight && predicates.complete && predicates.all.every((one) => found.met.has(one)),
  };
}

function unbounded(index: IndexDefinition): Candidate {
  const path = { kind: 'index', index, ranges: wholeIndex, reverse: false, bounds: [] } as const;
  return { path, sorted: false, bounded: 0, exact: false };
}

/** Hashes are looked up one by one; what else is asked for is not in their order. */
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

/** Values that an index over all fields has only in parts. */
const taken: Bounds = boundsOfTypes([bsonTypes.object, bsonTypes.array], false);

/** An index over all fields answers for one of them; documents that lack it are not there. */
function wildcardCandidate(
  index: IndexDefinition,
  { root, predicates }: Question,
  forced: boolean,
): Candidate | undefined {
  const usable = index.parts.length > 1 ? [] : predicates.all.filter((one) => reaches(index, one));
  const [first] = usable.toSorted((a, b) => widthOf(a.bounds) - widthOf(b.bounds));
  if (first === undefined || (!forced && !holdsAll(index, root, predicates.all))) {
    return forced ? unbounded(index) : undefined;
  }
  const { intervals } = first.bounds;
  const paths = boundsOfPoints([string(first.path)]).intervals;
  const below = isAllKeys(intervals) ? [intervalOfPrefix(`${first.path}.`)] : [];
  const ranges = wildcardRanges(first.path, intervals, index.parts[0]?.direction ?? 1);
  return {
    path: {
      kind: 'index',
      index,
      ranges: [...ranges, ...below.map(({ low, high }) => ({ low: low.key, high: high.key }))],
      reverse: false,
      bounds: [[...paths, ...below], intervals],
      field: first.path,
    },
    sorted: false,
    bounded: 1,
    exact: false,
  };
}

function reaches(index: IndexDefinition, { path, bounds, condition, scope }: Predicate): boolean {
  if (scope !== undefined || !needsField(condition) || /(^|\.)\d+(\.|$)/.test(path)) return false;
  if (!isAllKeys(bounds.intervals) && intersect(bounds, taken).intervals.length > 0) return false;
  return covers(index, path);
}

/** Whether the index has all there is at a path. */
function covers(index: IndexDefinition, path: string): boolean {
  const below = index.parts[0]?.path.text ?? '';
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
