import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import type { Comparison } from '../../../bson/collation/comparison.ts';
import { writeDocument } from '../../../bson/document-writer.ts';
import { integerValue } from '../../../bson/numbers/convert.ts';
import { documentOf, entriesOf } from '../../../bson/raw.ts';
import { nullValue, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { arrayOf } from '../field-path.ts';
import { isNullish } from '../operator.ts';
import type { AccumulatorTable } from './accumulator.ts';
import { MemoryUsage } from './memory-usage.ts';
import { type Collector, over } from './operand.ts';

/** Accumulators that return values unchanged. */
export const pickingAccumulators: AccumulatorTable = {
  $min: over((_, { compare }) => extreme(-1, compare)),
  $max: over((_, { compare }) => extreme(1, compare)),
  $first: over(first),
  $last: over(last),
  $push: over((name) => {
    const values: Value[] = [];
    const held = new MemoryUsage(name);
    return {
      add(value) {
        if (value === undefined) return;
        values.push(value.detached());
        held.grow(value);
      },
      result: () => arrayOf(values),
      get size() {
        return held.bytes;
      },
    };
  }),
  $addToSet: over((name, comparison) =>
    distinct(name, (value) => (value === undefined ? [] : [value]), comparison),
  ),
  $setUnion: over((name, comparison) => distinct(name, setOf, comparison)),
  $concatArrays: over(concatenation),
  $mergeObjects: over(merging),
  $count: (operand) => {
    if (operand.type !== bsonTypes.object || !documentOf(operand).isEmpty) {
      throw new ServerError('TypeMismatch', '$count takes no arguments, i.e. $count:{}');
    }
    return () => {
      let count = 0n;
      return {
        add() {
          count++;
        },
        result: () => integerValue(count),
      };
    };
  },
};

function extreme(direction: 1 | -1, compare: Comparison['compare']): Collector {
  let best: Value | undefined;
  return {
    add(value) {
      if (value === undefined || isNullish(value)) return;
      if (best === undefined || compare(value, best) * direction > 0) best = value.detached();
    },
    result: () => best ?? nullValue,
  };
}

function first(): Collector {
  let seen = false;
  let found: Value | undefined;
  return {
    add(value) {
      if (seen) return;
      seen = true;
      found = value?.detached();
    },
    result: () => found,
  };
}

function last(): Collector {
  let found: Value | undefined;
  return {
    add(value) {
      found = value;
    },
    result: () => found,
  };
}

/** Collects each distinct value once, in order of appearance. */
function distinct(
  name: string,
  valuesOf: (value: Value | undefined) => readonly Value[],
  { keyText }: Comparison,
): Collector {
  const found = new Map<string, Value>();
  const held = new MemoryUsage(name);
  return {
    add(given) {
      for (const value of valuesOf(given)) {
        const key = keyText(value);
        if (found.has(key)) continue;
        found.set(key, value.detached());
        held.grow(value);
      }
    },
    result: () => arrayOf([...found.values()]),
    get size() {
      return held.bytes;
    },
  };
}

function setOf(value: Value | undefined): readonly Value[] {
  if (value === undefined) return [];
  if (value.type === bsonTypes.array) return entriesOf(value);
  throw new ServerError(
    'TypeMismatch',
    `$setUnion requires array inputs, but input is of type ${typeName(value.type)}`,
  );
}

function concatenation(name: string): Collector {
  const values: Value[] = [];
  const held = new MemoryUsage(name);
  return {
    add(value) {
      if (value === undefined) return;
      if (value.type !== bsonTypes.array) {
        throw new ServerError(
          'TypeMismatch',
          `$concatArrays requires array inputs, but input is of type ${typeName(value.type)}`,
        );
      }
      for (const entry of entriesOf(value.detached())) values.push(entry);
      held.grow(value);
    },
    result: () => arrayOf(values),
    get size() {
      return held.bytes;
    },
  };
}

/** Merges documents. If a field repeats, it gets the value of the last document, at the position of the first. */
function merging(): Collector {
  const fields = new Map<string, Value>();
  return {
    add(value) {
      if (value === undefined || isNullish(value)) return;
      if (value.type !== bsonTypes.object) {
        throw new ServerError(
          5911200,
          `$mergeObjects requires object inputs, but input is of type ${typeName(value.type)}`,
        );
      }
      for (const field of documentOf(value.detached())) fields.set(field.name, field);
    },
    result: () =>
      writeDocument((writer) => {
        for (const [name, value] of fields) writer.field(name, value);
      }).toValue(),
  };
}
