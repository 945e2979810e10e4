import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { exactInteger } from '../../../bson/numbers/integers.ts';
import { documentOf, entriesOf } from '../../../bson/raw.ts';
import { int64Of, isNumber, textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Sort } from '../../sort.ts';
import { type Frame, type Partition, type Window, wholePartition } from './partition.ts';
import { isTimeUnit, later, type TimeUnit } from './units.ts';

/** One end of a window: an offset in documents or sort values, the current document, or no limit. */
type Bound = number | 'current' | 'unbounded';

/** Returns the value of an expression that is the same for every document. */
type ConstantOf = (value: Value) => Value | undefined;

const whole: Window = { frame: wholePartition, unit: undefined, slides: false, hasCurrent: true };

export function parseWindow(spec: Value | undefined, sort: Sort | undefined, constantOf: ConstantOf): Window {
  if (spec === undefined) return whole;
  if (spec.type !== bsonTypes.object)
    throw wrong(`'window' field must be an object, not ${typeName(spec.type)}`);
  let documents: Value | undefined;
  let range: Value | undefined;
  let unit: TimeUnit | undefined;
  for (const element of documentOf(spec)) {
    if (element.name === 'documents') documents = element;
    else if (element.name === 'range') range = element;
    else if (element.name === 'unit') unit = parseUnit(element);
    else throw wrong(`'window' field that is not recognized: ${element.name}`);
  }
  if (documents !== undefined && range !== undefined) {
    throw wrong("Window bounds can specify either 'documents' or 'range', not both.");
  }
  if (range !== undefined) return rangeWindow(range, unit, sort, constantOf);
  if (unit !== undefined) throw wrong("Window bounds can only specify 'unit' with range-based bounds.");
  return documents === undefined ? whole : documentWindow(documents, sort, constantOf);
}

export function wrong(message: string): ServerError {
  return new ServerError('FailedToParse', message);
}

export function parseUnit(value: Value): TimeUnit {
  if (value.type !== bsonTypes.string) throw wrong("'unit' must be a string");
  const name = textOf(value);
  if (!isTimeUnit(name)) throw new ServerError('BadValue', `unknown time unit value: ${name}`);
  return name;
}

function documentWindow(spec: Value, sort: Sort | undefined, constantOf: ConstantOf): Window {
  const [lower, upper] = boundsOf(spec, 'documents', (given) => {
    const value = constantOf(given);
    const offset = value !== undefined && isNumber(value) ? exactInteger(value) : undefined;
    if (offset === undefined) throw wrong('Numeric document-based bounds must be an integer');
    return Number(offset);
  });
  if (sort === undefined && !(lower === 'unbounded' && upper === 'unbounded')) {
    throw new ServerError(5339901, 'Document-based bounds require a sortBy');
  }
  return {
    unit: undefined,
    slides: lower !== 'unbounded',
    hasCurrent: containsCurrent(lower, upper),
    frame:
      ({ docs }) =>
      (place) => ({
        from: lower === 'unbounded' ? 0 : Math.max(0, place + offset(lower)),
        to: upper === 'unbounded' ? docs.length - 1 : Math.min(docs.length - 1, place + offset(upper)),
      }),
  };
}

function offset(bound: Bound): number {
  return typeof bound === 'number' ? bound : 0;
}

function containsCurrent(lower: Bound, upper: Bound): boolean {
  return offset(lower) <= 0 && offset(upper) >= 0;
}

function boundsOf(spec: Value, kind: string, read: (value: Value) => number): readonly [Bound, Bound] {
  const entries = spec.type === bsonTypes.array ? entriesOf(spec) : [];
  const [lower, upper, ...others] = entries;
  if (lower === undefined || upper === undefined || others.length > 0) {
    throw wrong(`Window bounds must be a 2-element array: ${kind}`);
  }
  const bounds = [boundOf(lower, read), boundOf(upper, read)] as const;
  const crossed =
    bounds[0] !== 'unbounded' && bounds[1] !== 'unbounded' && offset(bounds[0]) > offset(bounds[1]);
  if (crossed) throw new ServerError(5339900, `Lower bound must not exceed upper bound: ${kind}`);
  return bounds;
}

function boundOf(value: Value, read: (value: Value) => number): Bound {
  if (value.type !== bsonTypes.string) return read(value);
  const text = textOf(value);
  if (text === 'unbounded' || text === 'current') return text;
  throw wrong(`Window bounds must be 'unbounded', 'current', or a number: ${text}`);
}

/** Compiles a window that is defined by differences between sort values: numbers, or dates in a unit of time. */
function rangeWindow(
  spec: Value,
  unit: TimeUnit | undefined,
  sort: Sort | undefined,
  constantOf: ConstantOf,
): Window {
  const [lower, upper] = boundsOf(spec, 'range', (given) => {
    const value = constantOf(given);
    if (value === undefined || !isNumber(value)) {
      throw wrong('Range-based bounds expression must be a number');
    }
    if (unit !== undefined && exactInteger(value) === undefined) {
      throw wrong("With 'unit', range-based bounds must be an integer");
    }
    return toNumber(value);
  });
  if (sort?.parts.length !== 1) {
    throw new ServerError(5339902, 'Range-based bounds require sortBy a single field');
  }
  if (sort.parts[0]?.direction !== 1) {
    throw new ServerError(8947401, 'Range-based bounds require a non-descending sortBy');
  }
  return {
    unit,
    slides: lower !== 'unbounded',
    hasCurrent: containsCurrent(lower, upper),
    frame: rangeFrame(lower, upper, unit),
  };
}

/** Unlike an offset of 0, `current` excludes the other documents with the same sort value. */
function rangeFrame(lower: Bound, upper: Bound, unit: TimeUnit | undefined): Frame {
  return (partition) => {
    const positions = positionsOf(partition, unit);
    const last = positions.length - 1;
    const shifted = (at: number, by: number) => (unit === undefined ? at + by : later(at, by, unit));
    return (place) => {
      const at = positions[place] as number;
      let from = place;
      let to = place;
      if (lower === 'unbounded') from = 0;
      else if (lower !== 'current') {
        const least = shifted(at, lower);
        while (from > 0 && (positions[from - 1] as number) >= least) from--;
        while (from <= last && (positions[from] as number) < least) from++;
      }
      if (upper === 'unbounded') to = last;
      else if (upper !== 'current') {
        const most = shifted(at, upper);
        while (to < last && (positions[to + 1] as number) <= most) to++;
        while (to >= 0 && (positions[to] as number) > most) to--;
      }
      return { from, to };
    };
  };
}

/** Returns the sort values as numbers. */
function positionsOf({ docs, sortValue }: Partition, unit: TimeUnit | undefined): number[] {
  return docs.map((root) => {
    const value = sortValue?.evaluate({ root });
    if (unit !== undefined) {
      if (value?.type === bsonTypes.date) return Number(int64Of(value));
      throw new ServerError(
        5429513,
        `Invalid range: Expected the sortBy field to be a Date, but it was ${typeName(value?.type)}`,
      );
    }
    if (value !== undefined && isNumber(value)) return toNumber(value);
    throw new ServerError(
      value?.type === bsonTypes.date ? 5429513 : 5429414,
      `Invalid range: Expected the sortBy field to be a number, but it was ${typeName(value?.type)}`,
    );
  });
}
