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
import { inheritMetadata } from '../metadata.ts';
import { DocumentList } from '../spill/document-list.ts';
import { type Order, sortedWithin } from '../spill/sorted.ts';
import { type Keyed, splitBuckets } from './bucket-split.ts';
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
  return bucketing({ groupBy, buckets, granularity, fields }, environment);
}

interface Bucketing {
  readonly groupBy: Expression;
  readonly buckets: number;
  readonly granularity: Granularity | undefined;
  readonly fields: readonly AccumulatedField[];
}

function bucketing({ groupBy, buckets, granularity, fields }: Bucketing, environment: Environment): Stage {
  const { comparison = byBytes, statement } = environment;
  const order: Order = {
    keyOf: (keyed) => [keyed.get('key') ?? nullValue],
    compareKeys: ([a = nullValue], [b = nullValue]) => comparison.compare(a, b),
  };
  const withKeys = function* (docs: Iterable<RawDocument>): Generator<RawDocument> {
    for (const doc of docs) yield withKey(groupBy.evaluate({ root: doc }) ?? nullValue, doc);
  };
  return function* (docs) {
    const sorted = new DocumentList(environment, '$bucketAuto');
    const keyed = function* (): Generator<Keyed> {
      for (const doc of sorted) {
        statement.check();
        yield keyedOf(doc);
      }
    };
    try {
      let total = 0;
      for (const doc of sortedWithin(withKeys(docs), order, environment)) {
        sorted.add(doc);
        total++;
      }
      const open = () => bucketOf(fields);
      yield* splitBuckets(keyed(), { total, count: buckets, comparison, granularity, open });
    } finally {
      sorted.close();
    }
  };
}

/**
 * Returns a document that contains another document and its key. The key is evaluated only once, because it can be
 * random. A second evaluation for the buckets could then give another key than the one for the sort.
 */
function withKey(key: Value, doc: RawDocument): RawDocument {
  const keyed = writeDocument((writer) => {
    writer.field('key', key);
    writer.field('doc', doc.toValue());
  });
  inheritMetadata(doc, keyed);
  return keyed;
}

function keyedOf(keyed: RawDocument): Keyed {
  const doc = keyed.document('doc') ?? RawDocument.empty;
  inheritMetadata(keyed, doc);
  return { key: keyed.get('key') ?? nullValue, doc };
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

function bucketOf(fields: readonly AccumulatedField[]) {
  const accumulators = fields.map(({ create }) => create(RawDocument.empty));
  return {
    add(doc: RawDocument): void {
      for (const accumulator of accumulators) accumulator.add({ root: doc });
    },
    result(min: Value, max: Value): RawDocument {
      return writeDocument((writer) => {
        const id = writeDocument((inner) => {
          inner.field('min', min);
          inner.field('max', max);
        });
        writer.field('_id', id.toValue());
        for (const [i, { name }] of fields.entries()) {
          writer.field(name, accumulators[i]?.result() ?? nullValue);
        }
      });
    },
  };
}
