import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import type { Comparison } from '../../../bson/collation/comparison.ts';
import { writeDocument } from '../../../bson/document-writer.ts';
import { integerValue } from '../../../bson/numbers/convert.ts';
import { PackedValues } from '../../../bson/packed.ts';
import { documentOf, entriesOf } from '../../../bson/raw.ts';
import { nullValue, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { arrayOf } from '../field-path.ts';
import { isNullish } from '../operator.ts';
import type { AccumulatorTable } from './accumulator.ts';
import { MeasuredValues } from './memory-usage.ts';
import { type Collector, over } from './operand.ts';

/** Accumulators that return values unchanged. */
export const pickingAccumulators: AccumulatorTable = {
  $min: over((_, { compare }) => new ExtremeValue(-1, compare)),
  $max: over((_, { compare }) => new ExtremeValue(1, compare)),
  $first: over(() => new FirstValue()),
  $last: over(() => new LastValue()),
  $push: over((name) => new PushedValues(name)),
  $addToSet: over(
    (name, comparison) =>
      new DistinctValues(name, (value) => (value === undefined ? [] : [value]), comparison),
  ),
  $setUnion: over((name, comparison) => new DistinctValues(name, setOf, comparison)),
  $concatArrays: over((name) => new ConcatenatedValues(name)),
  $mergeObjects: over((name) => new MergedFields(name)),
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

/** A list of values. */
abstract class ListedValues extends MeasuredValues implements Collector {
  protected readonly values: Value[] = [];

  abstract add(value: Value | undefined): void;

  result(): Value {
    return arrayOf(this.values);
  }
}

class PushedValues extends ListedValues {
  readonly #packed = new PackedValues();

  override add(value: Value | undefined): void {
    if (value === undefined) return;
    this.values.push(this.#packed.copyOf(value));
    this.held.grow(value);
  }
}

/** A single value of the input. */
abstract class PickedValue implements Collector {
  protected found: Value | undefined;

  abstract add(value: Value | undefined): void;

  result(): Value | undefined {
    return this.found;
  }

  get size(): number {
    return this.found === undefined ? 0 : this.found.end - this.found.start;
  }
}

class ExtremeValue extends PickedValue {
  readonly #direction: 1 | -1;
  readonly #compare: Comparison['compare'];

  constructor(direction: 1 | -1, compare: Comparison['compare']) {
    super();
    this.#direction = direction;
    this.#compare = compare;
  }

  override add(value: Value | undefined): void {
    if (value === undefined || isNullish(value)) return;
    if (this.found === undefined || this.#compare(value, this.found) * this.#direction > 0)
      this.found = value.detached();
  }

  override result(): Value {
    return this.found ?? nullValue;
  }
}

class FirstValue extends PickedValue {
  #seen = false;

  override add(value: Value | undefined): void {
    if (this.#seen) return;
    this.#seen = true;
    this.found = value?.detached();
  }
}

class LastValue extends PickedValue {
  override add(value: Value | undefined): void {
    this.found = value?.detached();
  }
}

/** Collects each distinct value once, in order of appearance. */
class DistinctValues extends MeasuredValues implements Collector {
  readonly #found = new Map<string, Value>();
  readonly #packed = new PackedValues();
  readonly #valuesOf: (value: Value | undefined) => readonly Value[];
  readonly #keyText: Comparison['keyText'];

  constructor(
    name: string,
    valuesOf: (value: Value | undefined) => readonly Value[],
    { keyText }: Comparison,
  ) {
    super(name);
    this.#valuesOf = valuesOf;
    this.#keyText = keyText;
  }

  add(given: Value | undefined): void {
    const keyText = this.#keyText;
    for (const value of this.#valuesOf(given)) {
      const key = keyText(value);
      if (this.#found.has(key)) continue;
      this.#found.set(key, this.#packed.copyOf(value));
      this.held.grow(value);
    }
  }

  result(): Value {
    return arrayOf([...this.#found.values()]);
  }
}

function setOf(value: Value | undefined): readonly Value[] {
  if (value === undefined) return [];
  if (value.type === bsonTypes.array) return entriesOf(value);
  throw new ServerError(
    'TypeMismatch',
    `$setUnion requires array inputs, but input is of type ${typeName(value.type)}`,
  );
}

class ConcatenatedValues extends ListedValues {
  override add(value: Value | undefined): void {
    if (value === undefined) return;
    if (value.type !== bsonTypes.array) {
      throw new ServerError(
        'TypeMismatch',
        `$concatArrays requires array inputs, but input is of type ${typeName(value.type)}`,
      );
    }
    for (const entry of entriesOf(value.detached())) this.values.push(entry);
    this.held.grow(value);
  }
}

/** Merges documents. If a field repeats, it gets the value of the last document, at the position of the first. */
class MergedFields extends MeasuredValues implements Collector {
  readonly #fields = new Map<string, Value>();

  add(value: Value | undefined): void {
    if (value === undefined || isNullish(value)) return;
    if (value.type !== bsonTypes.object) {
      throw new ServerError(
        5911200,
        `$mergeObjects requires object inputs, but input is of type ${typeName(value.type)}`,
      );
    }
    for (const field of documentOf(value)) {
      const before = this.#fields.get(field.name);
      if (before !== undefined) this.held.shrink(before);
      // Copy each field, because the field of one document must not keep the others in memory.
      this.#fields.set(field.name, field.detached());
      this.held.grow(field);
    }
  }

  result(): Value {
    return writeDocument((writer) => {
      for (const [name, value] of this.#fields) writer.field(name, value);
    }).toValue();
  }
}
