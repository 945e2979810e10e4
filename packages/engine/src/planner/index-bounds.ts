import { encodeKey } from '../bson/keys.ts';
import { string } from '../bson/value.ts';
import { allKeys, holdsNull, type Interval, intersect, isAllKeys } from '../language/filter/bounds.ts';
import { isPoint } from '../language/filter/index.ts';
import type { IndexDefinition, IndexPart } from '../storage/model/index-definition.ts';
import { isMultikey } from '../storage/model/multikey.ts';
import {
  concatenate,
  everyKey,
  type KeyRange,
  keysWithin,
  partKey,
  rangeAfter,
  rangeOf,
} from '../storage/model/range.ts';
import type { Predicate, Scope } from './predicates.ts';

/** The part of an index that contains the matches of a query. */
export interface IndexBounds {
  /** One list of intervals per index part. */
  readonly parts: ReadonlyArray<readonly Interval[]>;
  /** The predicates that are true for every key within the bounds. */
  readonly met: ReadonlySet<Predicate>;
  readonly ranges: readonly KeyRange[];
  /** True if the ranges contain only keys within the bounds. */
  readonly tight: boolean;
}

interface PartBounds {
  readonly intervals: readonly Interval[];
  readonly scope: Scope | undefined;
  readonly used: readonly Predicate[];
}

const unbounded: PartBounds = { intervals: [allKeys], scope: undefined, used: [] };

/**
 * Returns the bounds that predicates define on an index. Combines several bounds as far as arrays in the documents
 * allow.
 */
export function boundsIn(index: IndexDefinition, predicates: readonly Predicate[]): IndexBounds {
  const chosen: PartBounds[] = [];
  for (const [i, part] of index.parts.entries()) {
    const arrays = (index.multikey[i]?.size ?? 0) > 0;
    const own = predicates.filter(({ path, scalar }) => path === part.path.text && !(scalar && arrays));
    const usable = own.filter((predicate) => isCombinable(predicate, i, index, chosen));
    chosen.push(partBoundsOf(usable, index.multikey[i] ?? new Set()));
  }
  const parts = chosen.map(({ intervals }) => intervals);
  const { ranges, tight } = rangesOf(index, parts);
  return { parts, met: metBy(chosen, isMultikey(index.multikey)), ranges, tight };
}

/**
 * True if the predicate can bound a field while the bounds in `chosen` apply to other fields. Two fields may be in the
 * same array. Their predicates must then be about the same array element, because otherwise different elements can
 * satisfy them.
 */
function isCombinable(
  { scope }: Predicate,
  i: number,
  { parts, multikey }: IndexDefinition,
  chosen: readonly PartBounds[],
): boolean {
  return chosen.every((other, j) => {
    if (isAllKeys(other.intervals)) return true;
    const shared = sharedDepth(parts[i]?.path.text ?? '', parts[j]?.path.text ?? '');
    const arrays = [...(multikey[i] ?? [])].filter((depth) => depth <= shared && multikey[j]?.has(depth));
    const deepest = Math.max(0, ...arrays);
    return deepest === 0 || (scope !== undefined && scope === other.scope && scope.depth >= deepest);
  });
}

function sharedDepth(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')];
  let depth = 0;
  while (depth < left.length && left[depth] === right[depth]) depth++;
  return depth;
}

/**
 * Returns the bounds of one field. If documents have arrays in this field, intersects only predicates on the same array
 * element.
 */
function partBoundsOf(predicates: readonly Predicate[], arrays: ReadonlySet<number>): PartBounds {
  const [first] = predicates;
  if (first === undefined) return unbounded;
  if (arrays.size === 0) return intersection(predicates);
  const deepest = Math.max(...arrays);
  const groups = new Map<unknown, Predicate[]>();
  for (const predicate of predicates) {
    const { scope } = predicate;
    const key = scope !== undefined && scope.depth >= deepest ? scope : predicate;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [predicate]);
    else group.push(predicate);
  }
  const choices = [...groups.values()].map(intersection);
  return choices.reduce((best, other) => (width(other) < width(best) ? other : best));
}

function intersection(predicates: readonly Predicate[]): PartBounds {
  const bounds = predicates.map((predicate) => predicate.bounds).reduce(intersect);
  return { intervals: bounds.intervals, scope: predicates[0]?.scope, used: predicates };
}

/** Returns the width of bounds: points are narrower than ranges, and ranges are narrower than all keys. */
function width({ intervals }: PartBounds): number {
  if (isAllKeys(intervals)) return Number.POSITIVE_INFINITY;
  return intervals.every(isPoint) ? intervals.length : 1_000_000;
}

function metBy(chosen: readonly PartBounds[], multikey: boolean): ReadonlySet<Predicate> {
  const used = chosen.flatMap((one) => one.used);
  const exact = used.filter(({ bounds }) => bounds.exact === true && !(multikey && holdsNull(bounds)));
  return new Set(exact);
}

/**
 * Maximum number of key ranges. If several leading fields are limited to points, each combination of their points is a
 * range.
 */
const MAX_RANGES = 1_000;

/** Returns key ranges that contain everything within the bounds. */
export function rangesOf(
  { parts }: { readonly parts: ReadonlyArray<Pick<IndexPart, 'direction'>> },
  bounds: ReadonlyArray<readonly Interval[]>,
): { ranges: KeyRange[]; tight: boolean } {
  let prefixes: Uint8Array[] = [new Uint8Array(0)];
  const within = (prefix: Uint8Array, i: number) => keysWithin(prefix, parts[i - 1]?.direction ?? 1);
  for (const [i, intervals] of bounds.entries()) {
    if (intervals.length === 0) return { ranges: [], tight: true };
    const direction = parts[i]?.direction ?? 1;
    const ordered = direction === 1 ? intervals : intervals.toReversed();
    const rest = bounds.slice(i + 1);
    const loose = !rest.every(isAllKeys);
    if (prefixes.length * ordered.length > MAX_RANGES && i > 0) {
      return { ranges: prefixes.map((prefix) => within(prefix, i)), tight: false };
    }
    if (!ordered.every(isPoint)) {
      if (isAllKeys(intervals)) return { ranges: prefixes.map((prefix) => within(prefix, i)), tight: !loose };
      const own = ordered.map((interval) => rangeOf(interval, direction));
      return {
        ranges: prefixes.flatMap((prefix) => own.map((range) => rangeAfter(prefix, range))),
        tight: !loose,
      };
    }
    const values = ordered.map(({ low }) => partKey(low.key, direction));
    prefixes = prefixes.flatMap((prefix) => values.map((value) => concatenate(prefix, value)));
  }
  return { ranges: prefixes.map((prefix) => within(prefix, parts.length)), tight: true };
}

/** Returns the key ranges of one path's values in a wildcard index. */
export function wildcardRanges(path: string, intervals: readonly Interval[], direction: 1 | -1): KeyRange[] {
  const prefix = encodeKey(string(path));
  const ordered = direction === 1 ? intervals : intervals.toReversed();
  if (isAllKeys(intervals)) return [keysWithin(prefix, 1)];
  return ordered.map((interval) => rangeAfter(prefix, rangeOf(interval, direction)));
}

export const wholeIndex: readonly KeyRange[] = [everyKey];
