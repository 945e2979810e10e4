import { bsonTypes, rankOf } from '../../bson/bson-types.ts';
import { byBytes, type Comparison } from '../../bson/collation/comparison.ts';
import { describe } from '../../bson/describe.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, entriesOf } from '../../bson/raw.ts';
import { type Element, int32, nullValue, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../environment.ts';
import { type AccumulatedField, compileAccumulatedField } from '../expression/accumulators/index.ts';
import { compileExpression } from '../expression/compile.ts';
import type { Expression } from '../expression/expression.ts';
import { compileSort } from '../sort.ts';
import { sortedWithin } from '../spill/sorted.ts';
import { groupBy, repeatedId } from './group.ts';
import type { Stage, StageTable } from './stage.ts';
import { groupsInput } from './stage-facts.ts';

/** Stages that group documents and sort the groups by key. */
export const bucketStages: StageTable = {
  $sortByCount: {
    compile(spec, { environment }) {
      const id = countedBy(spec, environment);
      const counting = groupBy(id, [countField(environment)], environment);
      const order = compileSort(
        writeDocument((writer) => writer.field('count', int32(-1))),
        environment,
      );
      return (docs) => sortedWithin(counting(docs), order, environment);
    },
    ...groupsInput,
  },
  $bucket: {
    compile: (spec, { environment }) => compileBucket(spec, environment),
    ...groupsInput,
  },
};

/** Returns the compiled field `count: {$sum: 1}`. */
export function countField(environment: Environment): AccumulatedField {
  const spec = writeDocument((writer) => {
    writer.field('count', writeDocument((inner) => inner.field('$sum', int32(1))).toValue());
  });
  const [field] = spec;
  return compileAccumulatedField(field as NonNullable<typeof field>, environment);
}

function countedBy(spec: Value, environment: Environment): Expression {
  if (spec.type === bsonTypes.object) {
    if (!documentOf(spec).first()?.name.startsWith('$')) {
      throw new ServerError(
        40147,
        'the sortByCount field must be defined as a $-prefixed path or an expression inside an object',
      );
    }
  } else if (spec.type !== bsonTypes.string) {
    throw new ServerError(40149, 'the sortByCount field must be specified as a string or as an object');
  } else if (!textOf(spec).startsWith('$')) {
    throw new ServerError(
      40148,
      'the sortByCount field must be defined as a $-prefixed path or an expression inside an object',
    );
  }
  return compileExpression(spec, environment);
}

interface Bucket {
  readonly groupBy: Expression;
  readonly boundaries: readonly Value[];
  readonly other: Value | undefined;
}

function compileBucket(spec: Value, environment: Environment): Stage {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(40201, `Argument to $bucket stage must be an object, but found type: ${spec.type}`);
  }
  const parsed: { groupBy?: Expression; boundaries?: readonly Value[]; other?: Value } = {};
  let output: readonly Element[] | undefined;
  for (const element of documentOf(spec)) {
    switch (element.name) {
      case 'groupBy':
        parsed.groupBy = groupingOf(element, environment, 40202, '$bucket');
        break;
      case 'boundaries':
        parsed.boundaries = boundariesOf(element, environment);
        break;
      case 'default':
        parsed.other = constantOf(
          element,
          environment,
          40195,
          'The $bucket default field must be a constant',
        );
        break;
      case 'output':
        output = outputOf(element, 40196, '$bucket');
        break;
      default:
        throw new ServerError(40197, `Unrecognized option to $bucket: ${element.name}`);
    }
  }
  const { groupBy: by, boundaries, other } = parsed;
  if (by === undefined || boundaries === undefined) {
    throw new ServerError(40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.");
  }
  const { comparison = byBytes } = environment;
  checkDefault(other, boundaries, comparison);
  // The server compiles buckets as groups, so their errors are those of `$group`.
  const fields = output?.map((element) => {
    if (element.name === '_id') throw repeatedId();
    return compileAccumulatedField(element, environment);
  }) ?? [countField(environment)];
  const grouping = groupBy(bucketOf({ groupBy: by, boundaries, other }, comparison), fields, environment);
  const order = compileSort(
    writeDocument((writer) => writer.field('_id', int32(1))),
    environment,
  );
  return (docs) => sortedWithin(grouping(docs), order, environment);
}

/** Compiles the grouping expression, a path or an operator. */
export function groupingOf(spec: Value, environment: Environment, code: number, stage: string): Expression {
  const isPath = spec.type === bsonTypes.string && textOf(spec).startsWith('$');
  const isOperator = spec.type === bsonTypes.object && documentOf(spec).first()?.name.startsWith('$');
  if (!isPath && !isOperator) {
    throw new ServerError(
      code,
      `The ${stage} 'groupBy' field must be defined as a $-prefixed path or an expression, but found: ${describe(spec)}.`,
    );
  }
  return compileExpression(spec, environment);
}

export function outputOf(spec: Value, code: number, stage: string): readonly Element[] {
  if (spec.type === bsonTypes.object) return [...documentOf(spec)];
  throw new ServerError(code, `The ${stage} 'output' field must be an object, but found: ${describe(spec)}.`);
}

function constantOf(spec: Value, environment: Environment, code: number, message: string): Value {
  const { constant } = compileExpression(spec, environment);
  if (constant === undefined) throw new ServerError(code, `${message}, but found: ${describe(spec)}.`);
  return constant;
}

function boundariesOf(spec: Value, environment: Environment): readonly Value[] {
  if (spec.type !== bsonTypes.array) {
    throw new ServerError(
      40200,
      `The $bucket 'boundaries' field must be an array, but found: ${describe(spec)}.`,
    );
  }
  const boundaries = entriesOf(spec).map((entry) =>
    constantOf(
      entry,
      environment,
      40191,
      "The $bucket 'boundaries' field must be an array of constant values",
    ),
  );
  if (boundaries.length < 2) {
    throw new ServerError(40192, "The $bucket 'boundaries' field must have at least 2 values");
  }
  boundaries.slice(1).forEach((upper, i) => {
    const lower = boundaries[i] as Value;
    if (rankOf(lower.type) !== rankOf(upper.type)) {
      throw new ServerError(
        40193,
        "All values in the 'boundaries' option to $bucket must have the same type.",
      );
    }
    if ((environment.comparison ?? byBytes).compare(lower, upper) >= 0) {
      throw new ServerError(40194, "The 'boundaries' option to $bucket must be sorted, but it was not");
    }
  });
  return boundaries;
}

function checkDefault(other: Value | undefined, boundaries: readonly Value[], { compare }: Comparison): void {
  if (other === undefined) return;
  const [lowest, highest] = [boundaries[0] as Value, boundaries.at(-1) as Value];
  if (rankOf(other.type) !== rankOf(lowest.type)) return;
  if (compare(other, lowest) >= 0 && compare(other, highest) < 0) {
    throw new ServerError(
      40199,
      "The $bucket 'default' field must be less than the lowest boundary or greater than or equal to the highest boundary.",
    );
  }
}

/** Returns the lower boundary of the interval that contains the value. */
function bucketOf({ groupBy: by, boundaries, other }: Bucket, { compare }: Comparison): Expression {
  return {
    evaluate(scope) {
      const value = by.evaluate(scope) ?? nullValue;
      for (let i = boundaries.length - 1; i >= 0; i--) {
        const lower = boundaries[i] as Value;
        if (compare(value, lower) < 0) continue;
        if (i < boundaries.length - 1) return lower;
        break;
      }
      if (other !== undefined) return other;
      throw new ServerError(
        40066,
        '$switch could not find a matching branch for an input, and no default was specified.',
      );
    },
  };
}
