import type { Comparison } from '../bson/collation/index.ts';
import { isAllKeys } from '../language/filter/bounds.ts';
import { type Condition, intersect, isPoint } from '../language/filter/index.ts';
import type { Collection } from '../storage/collection/collection.ts';
import type { AccessPath } from '../storage/model/access-path.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';
import { type Candidate, candidatesOf, type QueryRequirements } from './candidates.ts';
import { isCollatable } from './collated.ts';
import { newPairLimit, type PairLimit } from './implied.ts';
import { mergeOf } from './merged.ts';
import { MAX_MERGED, type SortPart } from './order.ts';
import { type Predicate, predicatesOf } from './predicates.ts';
import { isUsable } from './usable.ts';

/** The chosen path and the rejected candidates. */
export interface Choice {
  readonly path: AccessPath;
  readonly sorted: boolean;
  /** True if every key on the path belongs to a document that matches the filter. */
  readonly exact: boolean;
  readonly rejected: readonly Candidate[];
}

/** Maximum number of keys that are counted to compare the selectivity of indexes. */
const MAX_COUNTED_KEYS = 1_000;
/**
 * An index that provides the sort order is preferred even if it reads up to this many times more keys than another
 * index.
 */
const WORTH_OF_ORDER = 10;

/** Returns the best path, or undefined if no index helps. */
export function choose(
  collection: Collection,
  root: Condition,
  sort: readonly SortPart[] | undefined,
  comparison: Comparison | undefined,
  allowed: (index: IndexDefinition) => boolean = () => true,
  pairs = newPairLimit(),
): Choice | undefined {
  const predicates = predicatesOf(root);
  const question = { root, predicates, sort, comparison, pairs };
  const candidates = collection.indexes
    .filter((index) => isUsable(index, collection) && allowed(index))
    .flatMap((index) => {
      // Check for an interruption at each index, because conditions can have hundreds of thousands of intervals.
      collection.running.checkNow();
      return candidatesOf(index, question);
    });
  const bounded = candidates.filter((candidate) => candidate.bounded > 0);
  const best = leastOf(collection, bounded);
  const whole = collection.identified ? byIdRange(question) : undefined;
  if (best === undefined || (whole !== undefined && !best.candidate.sorted && whole.sorted)) {
    if (whole !== undefined) return { ...whole, rejected: bounded };
  }
  const united = best === undefined ? unionPath(collection, question) : undefined;
  if (united !== undefined) {
    return { path: united, sorted: united.kind === 'merge', exact: false, rejected: [] };
  }
  const chosen = best?.candidate ?? candidates[0];
  if (chosen === undefined) return undefined;
  const path = chosen.merged ?? chosen.path;
  return { ...chosen, path, rejected: candidates.filter((other) => other !== chosen) };
}

/** Returns a scan in `_id` order within the bounds that the query sets for `_id`. */
function byIdRange({
  predicates,
  sort,
  comparison,
}: QueryRequirements): Omit<Choice, 'rejected'> | undefined {
  const own = predicates.all.filter(({ path }) => path === '_id');
  if (own.length === 0) return undefined;
  const bounds = own.map((one) => one.bounds).reduce(intersect);
  const [first, ...others] = sort ?? [];
  const { intervals } = bounds;
  const inOrder = comparison === undefined || !isCollatable(intervals);
  const sorted = inOrder && first?.path === '_id' && others.length === 0;
  const reverse = sorted && first.direction === -1;
  return { path: { kind: 'byId', intervals, reverse }, sorted: sorted || sort === undefined, exact: false };
}

interface Counted {
  readonly candidate: Candidate;
  readonly keys: number;
}

function leastOf(collection: Collection, candidates: readonly Candidate[]): Counted | undefined {
  const [only, ...others] = candidates;
  if (only === undefined) return undefined;
  if (others.length === 0) return { candidate: only, keys: 0 };
  const counted = candidates.map((candidate) => ({ candidate, keys: keysOf(collection, candidate) }));
  return counted.reduce((best, other) => (isBetter(other, best) ? other : best));
}

function keysOf(collection: Collection, { path }: Candidate): number {
  return collection.estimateIn(path.index, path.ranges, MAX_COUNTED_KEYS);
}

function isBetter(a: Counted, b: Counted): boolean {
  const [left, right] = [costOf(a), costOf(b)];
  if (left !== right) return left < right;
  return a.candidate.bounded > b.candidate.bounded;
}

function costOf({ candidate, keys }: Counted): number {
  return candidate.sorted ? keys : (keys + 1) * WORTH_OF_ORDER;
}

/**
 * Returns a union of paths, one for each alternative of an `$or`. If all of them provide the sort order, merges them.
 * Returns undefined if each `$or` has an alternative without a path.
 */
function unionPath(
  collection: Collection,
  { predicates, sort, comparison, pairs }: QueryRequirements,
): AccessPath | undefined {
  for (const alternatives of predicates.either) {
    const merged = sort && sortedUnion(collection, alternatives, { sort, comparison, pairs });
    if (merged !== undefined) return merged;
    const found: AccessPath[] = [];
    for (const alternative of alternatives) {
      const path = pathOf(collection, alternative, comparison, pairs);
      if (path === undefined) break;
      found.push(path);
    }
    if (found.length < alternatives.length) continue;
    return { kind: 'union', paths: found, reverse: false };
  }
  return undefined;
}

/**
 * Merges paths in the sort order, one for each alternative. Returns undefined if an alternative has none, or if there
 * would be too many scans.
 */
function sortedUnion(
  collection: Collection,
  alternatives: readonly Condition[],
  {
    sort,
    comparison,
    pairs,
  }: Pick<QueryRequirements, 'comparison' | 'pairs'> & { readonly sort: readonly SortPart[] },
): AccessPath | undefined {
  const found: AccessPath[] = [];
  let scans = 0;
  for (const alternative of alternatives) {
    const choice = choose(collection, alternative, sort, comparison, undefined, pairs);
    if (choice?.sorted !== true || !isBounded(choice.path)) return undefined;
    scans += scansOf(choice.path);
    if (scans > MAX_MERGED) return undefined;
    found.push(choice.path);
  }
  return mergeOf(found, sort, comparison);
}

/** Returns the number of scans that a merge of the path would keep open. */
function scansOf(path: AccessPath): number {
  return path.kind === 'merge' ? path.paths.reduce((sum, one) => sum + scansOf(one), 0) : 1;
}

/** True if the path does not read a whole index. */
function isBounded(path: AccessPath): boolean {
  if (path.kind === 'merge') return path.paths.every(isBounded);
  if (path.kind === 'byId') return path.intervals !== undefined;
  return path.kind === 'index' && path.bounds?.[0] !== undefined && !isAllKeys(path.bounds[0]);
}

function pathOf(
  collection: Collection,
  root: Condition,
  comparison: Comparison | undefined,
  pairs: PairLimit,
): AccessPath | undefined {
  const byId = collection.identified ? idPath(predicatesOf(root).all) : undefined;
  return byId ?? choose(collection, root, undefined, comparison, undefined, pairs)?.path;
}

/** Returns point lookups by `_id`. No other path is cheaper. */
function idPath(predicates: readonly Predicate[]): AccessPath | undefined {
  const own = predicates.filter(({ path }) => path === '_id').map(({ bounds }) => bounds);
  if (own.length === 0) return undefined;
  const { intervals } = own.reduce(intersect);
  return intervals.every(isPoint) ? { kind: 'byId', intervals, reverse: false } : undefined;
}
