import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { double, int64, nullValue, type Value } from '../../bson/value.ts';
import { searchError } from './errors.ts';
import { comparableIn, compareRanked, numbersIn, type Ranked, valueFrom, valuesAt } from './facet-values.ts';
import type { Place } from './ranking.ts';
import type { Searching } from './searching.ts';
import { Spec } from './spec.ts';

const metricTypes = ['count', 'sum', 'avg', 'min', 'max', 'first', 'last'] as const;

type MetricType = (typeof metricTypes)[number];

/** Computes one value of the documents in a bucket. */
export interface Metric {
  readonly name: string;
  readonly type: MetricType;
  /** Computes the value. `orderOf` returns the position of a document among the results. */
  of(places: readonly Place[], orderOf: (place: Place) => number): Value;
}

/** Reads the `aggregations` of a facet. */
export function readMetrics(facet: Spec, search: Searching): readonly Metric[] | undefined {
  const spec = facet.document('aggregations');
  if (spec === undefined) return undefined;
  const metrics = spec.names.map((name) =>
    metricOf(name, Spec.of(spec.required(name), spec.name(name)), search),
  );
  if (metrics.length === 0) throw searchError(`"${spec.at}" cannot be empty`);
  return metrics;
}

function metricOf(name: string, spec: Spec, search: Searching): Metric {
  spec.required('type');
  const type = spec.oneOf('type', metricTypes) ?? 'count';
  const path = spec.string('path');
  spec.finish();
  if (type === 'count') {
    if (path !== undefined) throw searchError(`"${spec.name('path')}" cannot be set with type count`);
    const of = (places: readonly Place[]) => {
      search.spend(1);
      return int64(BigInt(places.length));
    };
    return { name, type, of };
  }
  if (path === undefined) throw searchError(`"${spec.name('path')}" is required with type ${type}`);
  checkIndexed(spec, type, path, search);
  return {
    name,
    type,
    of(places, orderOf) {
      search.spend(1 + places.length);
      return compute[type](places, valuesAt(path, search), orderOf);
    },
  };
}

const none: readonly Ranked[] = [];

function checkIndexed(spec: Spec, type: MetricType, path: string, search: Searching): void {
  if (search.plan === undefined) return;
  const isSum = type === 'sum' || type === 'avg';
  const types = isSum ? (['number'] as const) : (['number', 'date', 'token'] as const);
  if (types.some((one) => search.mapping(path, one) !== undefined)) return;
  throw searchError(`"${spec.at}" requires path "${path}" to be indexed as ${types.join(', ')}`);
}

type Compute = (
  places: readonly Place[],
  valuesIn: (place: Place) => readonly Ranked[],
  orderOf: (place: Place) => number,
) => Value;

const compute: Readonly<Record<Exclude<MetricType, 'count'>, Compute>> = {
  sum: (places, valuesIn) => double(sumOf(singleNumbers(places, valuesIn))),
  avg(places, valuesIn) {
    const numbers = singleNumbers(places, valuesIn);
    return numbers.length === 0 ? nullValue : double(sumOf(numbers) / numbers.length);
  },
  min: (places, valuesIn) => extreme(places, valuesIn, -1),
  max: (places, valuesIn) => extreme(places, valuesIn, 1),
  first: (places, valuesIn, orderOf) => valuesOf(least(places, orderOf), valuesIn),
  last: (places, valuesIn, orderOf) =>
    valuesOf(
      least(places, (place) => -orderOf(place)),
      valuesIn,
    ),
};

function least(places: readonly Place[], numberOf: (place: Place) => number): Place | undefined {
  let [best, lowest]: [Place | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const place of places) {
    const number = numberOf(place);
    if (number < lowest) [best, lowest] = [place, number];
  }
  return best;
}

/** Returns the number in each document that has exactly one value. Ignores all other documents. */
function singleNumbers(places: readonly Place[], valuesIn: (place: Place) => readonly Ranked[]): number[] {
  return places.flatMap((place) => {
    const values = valuesIn(place);
    return values.length === 1 ? numbersIn(values) : [];
  });
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function extreme(
  places: readonly Place[],
  valuesIn: (place: Place) => readonly Ranked[],
  sign: -1 | 1,
): Value {
  let best: Ranked | undefined;
  for (const place of places) {
    for (const one of comparableIn(valuesIn(place)))
      if (best === undefined || sign * compareRanked(one, best) > 0) best = one;
  }
  return best === undefined ? nullValue : valueFrom(best);
}

/** Returns the value of a document: null if it has none, an array if it has several. */
function valuesOf(place: Place | undefined, valuesIn: (place: Place) => readonly Ranked[]): Value {
  const values = place === undefined ? none : valuesIn(place);
  const [only] = values;
  if (only === undefined) return nullValue;
  if (values.length === 1) return valueFrom(only);
  const different = values
    .toSorted(compareRanked)
    .filter((one, at, all) => at === 0 || compareRanked(one, all[at - 1] as Ranked) !== 0);
  return writeDocument((writer) => {
    different.forEach((one, at) => {
      writer.field(String(at), valueFrom(one));
    });
  }).toValue(bsonTypes.array);
}
