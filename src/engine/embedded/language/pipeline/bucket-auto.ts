import { ServerError } from '../../server-error.ts';
import { bsonTypes } from '../bson-types.ts';
import { compareValues } from '../compare.ts';
import { describe } from '../describe.ts';
import { writeDocument } from '../document-writer.ts';
import type { Environment } from '../expression/environment.ts';
import type { Expression } from '../expression/expression.ts';
import { exactInteger } from '../filter/whole-number.ts';
import { documentOf, RawDocument } from '../raw.ts';
import { type Element, isNumber, nullValue, type Value } from '../value.ts';
import type { AccumulatedField } from './accumulators/index.ts';
import { countField, groupingOf, outputOf } from './buckets.ts';
import type { Stage, StageTable } from './pipeline.ts';

export const bucketAutoStages: StageTable = {
  $bucketAuto: (spec, { environment }) => compileBucketAuto(spec, environment),
};

interface Keyed {
  readonly key: Value;
  readonly doc: RawDocument;
}

/** Buckets of about the same number of documents; equal values stay together. */
function compileBucketAuto(spec: Value, environment: Environment): Stage {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(
      40240,
      `The argument to $bucketAuto must be an object, but found: ${describe(spec)}`,
    );
  }
  const parsed: { groupBy?: Expression; buckets?: number } = {};
  let fields: readonly AccumulatedField[] = [countField(environment)];
  for (const element of documentOf(spec)) {
    switch (element.name) {
      case 'groupBy':
        parsed.groupBy = groupingOf(element, environment, 40239, '$bucketAuto');
        break;
      case 'buckets':
        parsed.buckets = bucketsOf(element);
        break;
      case 'output':
        fields = outputOf(element, environment, 40244, '$bucketAuto');
        break;
      case 'granularity':
        throw refuseGranularity(element);
      default:
        throw new ServerError(40245, `Unrecognized option to $bucketAuto: ${element.name}.`);
    }
  }
  const { groupBy, buckets } = parsed;
  if (groupBy === undefined || buckets === undefined) {
    throw new ServerError(40246, "$bucketAuto requires 'groupBy' and 'buckets' to be specified");
  }
  return function* (docs) {
    const sorted = [...docs]
      .map((given): Keyed => {
        const doc = given.compact();
        return { key: groupBy.evaluate({ root: doc }) ?? nullValue, doc };
      })
      .sort((a, b) => compareValues(a.key, b.key));
    const parts = split(sorted, buckets);
    for (const [i, part] of parts.entries()) yield resultOf(part, parts[i + 1]?.[0], fields);
  };
}

function bucketsOf(element: Element): number {
  if (!isNumber(element)) {
    throw new ServerError(
      40241,
      `The $bucketAuto 'buckets' field must be a numeric value, but found: ${describe(element)}`,
    );
  }
  const count = exactInteger(element);
  if (count === undefined || count > 0x7fffffffn || count < -0x80000000n) {
    throw new ServerError(
      40242,
      `The $bucketAuto 'buckets' field must be representable as a 32-bit integer, but found ${describe(element)}`,
    );
  }
  if (count <= 0n) {
    throw new ServerError(
      40243,
      `The $bucketAuto 'buckets' field must be greater than 0, but found: ${count}`,
    );
  }
  return Number(count);
}

function refuseGranularity(element: Element): ServerError {
  return element.type === bsonTypes.string
    ? new ServerError('CommandNotSupported', "the option 'granularity' of $bucketAuto is not supported")
    : new ServerError(40261, "The $bucketAuto 'granularity' field must be a string");
}

function split(sorted: readonly Keyed[], buckets: number): Keyed[][] {
  const size = Math.max(1, Math.round(sorted.length / buckets));
  const parts: Keyed[][] = [];
  let at = 0;
  while (at < sorted.length) {
    // The last bucket takes what rounding left over.
    let end = parts.length === buckets - 1 ? sorted.length : Math.min(at + size, sorted.length);
    const { key } = sorted[end - 1] as Keyed;
    while (end < sorted.length && compareValues((sorted[end] as Keyed).key, key) === 0) end++;
    parts.push(sorted.slice(at, end));
    at = end;
  }
  return parts;
}

/** A bucket ends where the next begins, the last at its own greatest value. */
function resultOf(
  part: readonly Keyed[],
  next: Keyed | undefined,
  fields: readonly AccumulatedField[],
): RawDocument {
  const [least, greatest] = [part[0] as Keyed, part.at(-1) as Keyed];
  const id = writeDocument((writer) => {
    writer.field('min', least.key);
    writer.field('max', (next ?? greatest).key);
  }).toValue();
  return writeDocument((writer) => {
    writer.field('_id', id);
    for (const { name, create } of fields) {
      const accumulator = create(RawDocument.empty);
      for (const { doc } of part) accumulator.add({ root: doc });
      writer.field(name, accumulator.result() ?? nullValue);
    }
  });
}
