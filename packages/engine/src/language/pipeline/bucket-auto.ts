import { bsonTypes } from '../../bson/bson-types.ts';
import { byBytes } from '../../bson/collation/comparison.ts';
import { describe } from '../../bson/describe.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { exactInteger } from '../../bson/numbers/integers.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import { type Element, isNumber, nullValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../environment.ts';
import { type AccumulatedField, compileAccumulatedField } from '../expression/accumulators/index.ts';
import type { Expression } from '../expression/expression.ts';
import { type Bucket, type Keyed, splitBuckets } from './bucket-split.ts';
import { countField, groupingOf, outputOf } from './buckets.ts';
import { type Granularity, parseGranularity } from './granularity.ts';
import type { Stage, StageTable } from './stage.ts';
import { groupsInput } from './stage-facts.ts';

export const bucketAutoStages: StageTable = {
  $bucketAuto: {
    compile: (spec, { environment }) => compileBucketAuto(spec, environment),
    ...groupsInput,
  },
};

/** Distributes documents evenly over buckets. Documents with equal values are in the same bucket. */
function compileBucketAuto(spec: Value, environment: Environment): Stage {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(
      40240,
      `The argument to $bucketAuto must be an object, but found: ${describe(spec)}`,
    );
  }
  const parsed: { groupBy?: Expression; buckets?: number; granularity?: Granularity } = {};
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
        fields = outputOf(element, 40244, '$bucketAuto').map((field) =>
          compileAccumulatedField(field, environment),
        );
        if (fields.length === 0) fields = [countField(environment)];
        break;
      case 'granularity':
        parsed.granularity = parseGranularity(element);
        break;
      default:
        throw new ServerError(40245, `Unrecognized option to $bucketAuto: ${element.name}.`);
    }
  }
  const { groupBy, buckets, granularity } = parsed;
  if (groupBy === undefined || buckets === undefined) {
    throw new ServerError(40246, "$bucketAuto requires 'groupBy' and 'buckets' to be specified");
  }
  const { comparison = byBytes } = environment;
  return function* (docs) {
    const sorted = [...docs]
      .map((given): Keyed => {
        const doc = given.compact();
        return { key: groupBy.evaluate({ root: doc }) ?? nullValue, doc };
      })
      .sort((a, b) => comparison.compare(a.key, b.key));
    for (const bucket of splitBuckets(sorted, buckets, comparison, granularity)) {
      yield resultOf(bucket, fields);
    }
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

function resultOf({ min, max, docs }: Bucket, fields: readonly AccumulatedField[]): RawDocument {
  const id = writeDocument((writer) => {
    writer.field('min', min);
    writer.field('max', max);
  }).toValue();
  return writeDocument((writer) => {
    writer.field('_id', id);
    for (const { name, create } of fields) {
      const accumulator = create(RawDocument.empty);
      for (const { doc } of docs) accumulator.add({ root: doc });
      writer.field(name, accumulator.result() ?? nullValue);
    }
  });
}
