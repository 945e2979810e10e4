import type { Direction } from '../bson/keys.ts';
import { toNumber } from '../bson/numbers/convert.ts';
import type { RawDocument } from '../bson/raw.ts';
import { isNumber } from '../bson/value.ts';
import { type Interval, isAllKeys } from '../language/filter/bounds.ts';
import { isPoint } from '../language/filter/index.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';

export interface SortPart {
  readonly path: string;
  readonly direction: Direction;
}

/** Parses a sort. Returns undefined for sorts that no index can provide, such as `{$meta: 'textScore'}`. */
export function sortParts(sort: RawDocument | undefined): readonly SortPart[] | undefined {
  if (sort === undefined) return undefined;
  const parts: SortPart[] = [];
  for (const element of sort) {
    if (!isNumber(element)) return undefined;
    parts.push({ path: element.name, direction: toNumber(element) < 0 ? -1 : 1 });
  }
  return parts;
}

/**
 * Returns the direction in which an index scan within these bounds returns documents in the sort order. Returns
 * undefined if neither direction does. A field that is bounded to a single value does not affect the order, unless a
 * document can have several values in this field.
 */
export function orderIn(
  index: IndexDefinition,
  bounds: ReadonlyArray<readonly Interval[]>,
  sort: readonly SortPart[],
): { readonly reverse: boolean } | undefined {
  if (index.kind !== 'ordinary') return undefined;
  const constant = new Set<string>();
  for (const [i, part] of index.parts.entries()) {
    const depths = index.multikey[i] ?? new Set();
    const [only, ...others] = bounds[i] ?? [];
    if (depths.size > 0 && !isAllKeys(bounds[i] ?? [])) return undefined;
    if (depths.size === 0 && only && others.length === 0 && isPoint(only)) constant.add(part.path.text);
  }
  return follow(index, sort, constant);
}

/**
 * Returns the direction in which a scan of one field in a wildcard index returns documents in the sort order. Returns
 * undefined unless the sort is by this field alone and no document has an array on its path.
 */
export function orderOfField(
  index: IndexDefinition,
  field: string,
  sort: readonly SortPart[] | undefined,
): { readonly reverse: boolean } | undefined {
  const [first, ...others] = sort ?? [];
  if (first?.path !== field || others.length > 0 || index.arraysOn(field).size > 0) return undefined;
  return { reverse: first.direction !== (index.parts[0]?.direction ?? 1) };
}

/** Maximum number of scans that are merged, as in the server (`internalQueryMaxScansToExplode`). */
export const MAX_MERGED = 200;

/**
 * If the leading fields of an index are limited to several values each, a scan with one value of each can have the sort
 * order although the whole scan does not. Returns the number of these fields, and the direction of the scans. Returns
 * undefined if there is no such number.
 */
export function mergedOrderIn(
  index: IndexDefinition,
  bounds: ReadonlyArray<readonly Interval[]>,
  sort: readonly SortPart[],
): { readonly fields: number; readonly reverse: boolean } | undefined {
  const arrays = (i: number) => (index.multikey[i]?.size ?? 0) > 0;
  if (index.kind !== 'ordinary' || bounds.some((one, i) => arrays(i) && !isAllKeys(one))) return undefined;
  const constant = new Set<string>();
  let scans = 1;
  for (const [i, intervals] of bounds.entries()) {
    scans *= intervals.length;
    if (arrays(i) || scans === 0 || scans > MAX_MERGED || !intervals.every(isPoint)) return undefined;
    constant.add(index.parts[i]?.path.text ?? '');
    const order = scans > 1 ? follow(index, sort, constant) : undefined;
    if (order !== undefined) return { fields: i + 1, reverse: order.reverse };
  }
  return undefined;
}

function follow(
  { parts }: IndexDefinition,
  sort: readonly SortPart[],
  constant: ReadonlySet<string>,
): { readonly reverse: boolean } | undefined {
  let reverse: boolean | undefined;
  let at = 0;
  for (const { path, direction } of sort) {
    if (constant.has(path)) continue;
    while (constant.has(parts[at]?.path.text ?? '')) at++;
    const part = parts[at++];
    if (part === undefined || part.path.text !== path) return undefined;
    const backward = part.direction !== direction;
    if (reverse !== undefined && reverse !== backward) return undefined;
    reverse = backward;
  }
  return { reverse: reverse ?? false };
}
