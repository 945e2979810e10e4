import type { Comparison } from '../bson/collation/index.ts';
import { writeDocument } from '../bson/document-writer.ts';
import type { RawDocument } from '../bson/raw.ts';
import { int32 } from '../bson/value.ts';
import type { Interval } from '../language/filter/bounds.ts';
import { compileSort } from '../language/sort.ts';
import { unwatched } from '../statement/statement.ts';
import type { AccessPath, IndexPath } from '../storage/model/access-path.ts';
import { rangesOf } from './index-bounds.ts';
import { mergedOrderIn, type SortPart } from './order.ts';

type MergePath = Extract<AccessPath, { kind: 'merge' }>;

/** Returns the path that merges paths whose records have the order of the sort. */
export function mergeOf(
  paths: readonly AccessPath[],
  sort: readonly SortPart[],
  comparison: Comparison | undefined,
): MergePath {
  const spec = specOf(sort);
  const { compare } = compileSort(spec, { comparison, statement: unwatched });
  return { kind: 'merge', paths, compare, sort: spec, reverse: false };
}

function specOf(sort: readonly SortPart[]): RawDocument {
  return writeDocument((writer) => {
    for (const { path, direction } of sort) writer.field(path, int32(direction));
  });
}

/**
 * Divides a scan of an index into scans that have the order of the sort, and merges them. Returns undefined if this is
 * not possible.
 */
export function divided(
  whole: IndexPath,
  sort: readonly SortPart[],
  comparison: Comparison | undefined,
): MergePath | undefined {
  const { index, bounds = [] } = whole;
  const order = mergedOrderIn(index, bounds, sort);
  if (order === undefined) return undefined;
  const rest = bounds.slice(order.fields);
  const paths = combinationsOf(bounds.slice(0, order.fields)).map((leading): IndexPath => {
    const own = [...leading.map((interval) => [interval]), ...rest];
    return { ...whole, ranges: rangesOf(index, own).ranges, reverse: order.reverse, bounds: own };
  });
  return { ...mergeOf(paths, sort, comparison), whole };
}

function combinationsOf(bounds: ReadonlyArray<readonly Interval[]>): Interval[][] {
  return bounds.reduce<Interval[][]>(
    (found, intervals) => found.flatMap((before) => intervals.map((interval) => [...before, interval])),
    [[]],
  );
}
