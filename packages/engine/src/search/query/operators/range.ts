import { bsonTypes } from '../../../bson/bson-types.ts';
import { passes } from '../../../bson/turns.ts';
import type { Value } from '../../../bson/value.ts';
import type { Segment } from '../../file/segment.ts';
import { keys } from '../../mapping/field.ts';
import { isLargeInteger } from '../../mapping/integers.ts';
import { searchError } from '../errors.ts';
import { explained } from '../explain-term.ts';
import type { Hits } from '../hits.ts';
import type { OperatorTable } from '../operator.ts';
import { plainPaths } from '../paths.ts';
import type { Searching } from '../searching.ts';
import type { Spec } from '../spec.ts';
import { readDoesNotAffect } from './exact.ts';
import { lowerBound, marking, type SearchValue, searchValue } from './values.ts';

interface Bound {
  readonly value: SearchValue;
  readonly inclusive: boolean;
}

/** A range of values; one of its bounds may be absent. */
export interface ValueRange {
  readonly low?: Bound | undefined;
  readonly high?: Bound | undefined;
}

export const rangeOperators: OperatorTable = {
  range(spec, context) {
    const { search } = context;
    const paths = plainPaths(spec);
    const low = boundOf(spec, 'gt', 'gte');
    const high = boundOf(spec, 'lt', 'lte');
    const omitted = readDoesNotAffect(spec, context);
    spec.finish();
    if (low === undefined && high === undefined) {
      throw searchError(`"${spec.at}" must have at least one of [gt, gte, lt, lte]`);
    }
    checkInterval(spec, low, high);
    for (const path of paths) checkPath(path, low ?? high, search);
    if (omitted !== undefined) return omitted;
    const query = paths.map((path) => queryOf(path, { low, high })).join(' ');
    return {
      ...marking((segment, hits) => {
        for (const path of paths) markRange(segment, path, { low, high }, hits);
      }),
      query,
      explain: () => explained(1, 'sum of:', [explained(1, query)]),
    };
  },
};

const typeNames: Readonly<Record<string, string>> = { number: 'double', date: 'date', string: 'token' };

/** Describes a range like the reference server, which compares numbers by their bits. */
function queryOf(path: string, { low, high }: ValueRange): string {
  const kind = (low ?? high)?.value.kind ?? 'number';
  const end = (bound: Bound | undefined, otherwise: number) => {
    const value = bound?.value ?? { number: otherwise };
    if ('text' in value) return value.text;
    const { number } = value;
    return kind === 'date' ? String(number) : String(bitsOf(number));
  };
  const [open, close] = [low?.inclusive === false ? '{' : '[', high?.inclusive === false ? '}' : ']'];
  const [from, to] = [end(low, Number.NEGATIVE_INFINITY), end(high, Number.POSITIVE_INFINITY)];
  return `$type:${typeNames[kind] ?? kind}/${path}:${open}${from} TO ${to}${close}`;
}

/** Returns the bits of a number as an integer that has the same order as the numbers. */
function bitsOf(number: number): bigint {
  const bits = new BigInt64Array(Float64Array.of(number).buffer)[0] as bigint;
  return bits < 0n ? bits ^ 0x7fffffffffffffffn : bits;
}

function boundOf(spec: Spec, open: string, closed: string): Bound | undefined {
  const [exclusive, inclusive] = [spec.raw(open), spec.raw(closed)];
  if (exclusive !== undefined && inclusive !== undefined) {
    throw searchError(`"${spec.at}" cannot have both "${open}" and "${closed}"`);
  }
  if (exclusive !== undefined) return { value: boundValue(exclusive, spec.name(open)), inclusive: false };
  return inclusive && { value: boundValue(inclusive, spec.name(closed)), inclusive: true };
}

const bounds: ReadonlySet<number> = new Set([
  bsonTypes.int,
  bsonTypes.long,
  bsonTypes.double,
  bsonTypes.date,
  bsonTypes.string,
  bsonTypes.objectId,
]);

function boundValue(value: Value, name: string): SearchValue {
  if (!bounds.has(value.type)) throw searchError(`"${name}" must be a number, date, string, or objectId`);
  return searchValue(value, name);
}

function checkInterval(spec: Spec, low: Bound | undefined, high: Bound | undefined): void {
  if (low === undefined || high === undefined) return;
  if (low.value.kind !== high.value.kind) throw searchError(`"${spec.at}" must have bounds of one type`);
  const order = compare(low.value, high.value);
  if (order > 0 || (order === 0 && !(low.inclusive && high.inclusive))) {
    throw searchError(`"${spec.at}" must have a lower bound that is less than the upper one`);
  }
}

function compare(a: SearchValue, b: SearchValue): number {
  if ('term' in a && 'term' in b && a.number === b.number) return compareTexts(a.term, b.term);
  if ('number' in a && 'number' in b) return a.number - b.number;
  if ('text' in a && 'text' in b) return compareTexts(a.text, b.text);
  return 0;
}

function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Throws for string bounds if the path is indexed as dates, but not as tokens or as a filter field. */
function checkPath(path: string, bound: Bound | undefined, search: Searching): void {
  if (search.plan === undefined || bound?.value.kind !== 'string') return;
  const { mappings } = search.field(path);
  if (mappings.some(({ type }) => type === 'token' || type === 'filter')) return;
  if (mappings.some(({ type }) => type === 'date'))
    throw searchError(`"range" with a string requires path "${path}" to be indexed as token`);
}

export function markRange(segment: Segment, path: string, { low, high }: ValueRange, hits: Hits): void {
  const kind = (low ?? high)?.value.kind;
  if (kind === 'number') {
    const exact = segment.has(keys.integer(path));
    markNumbers(segment, keys.number(path), { low, high }, hits, exact);
    if (exact && !isNaNIn(low) && !isNaNIn(high)) markTexts(segment, keys.integer(path), { low, high }, hits);
  } else if (kind === 'date') markNumbers(segment, keys.date(path), { low, high }, hits, false);
  else if (kind === 'string') markTexts(segment, keys.token(path), { low, high }, hits);
  else if (kind === 'objectId') markTexts(segment, keys.objectId(path), { low, high }, hits);
}

function isNaNIn(bound: Bound | undefined): boolean {
  return bound !== undefined && 'number' in bound.value && Number.isNaN(bound.value.number);
}

/** Marks the documents with a point in the range. With `small`, ignores large integers, which have terms. */
function markNumbers(
  segment: Segment,
  field: string,
  { low, high }: ValueRange,
  hits: Hits,
  small: boolean,
): void {
  const points = segment.points(field);
  if (points === undefined) return;
  const { values, docs } = points;
  const from = low && 'number' in low.value ? low.value.number : Number.NEGATIVE_INFINITY;
  const to = high && 'number' in high.value ? high.value.number : Number.POSITIVE_INFINITY;
  if (isNaNIn(low) || isNaNIn(high)) return;
  passes(values.length);
  for (let at = lowerBound(values, from); at < values.length; at++) {
    const value = values[at] as number;
    if (value > to) break;
    if (small && isLargeInteger(value)) continue;
    if ((value === from && low?.inclusive === false) || (value === to && high?.inclusive === false)) continue;
    hits.set(docs[at] as number, 1);
  }
}

function markTexts(segment: Segment, field: string, { low, high }: ValueRange, hits: Hits): void {
  const [from, to] = [low && textIn(low), high && textIn(high)];
  for (const [term, { docs }] of segment.allPostings(field, from, to)) {
    if ((term === from && low?.inclusive === false) || (term === to && high?.inclusive === false)) continue;
    for (const doc of docs) hits.set(doc, 1);
  }
}

function textIn({ value }: Bound): string {
  if ('text' in value) return value.text;
  return value.kind === 'number' ? value.term : '';
}
