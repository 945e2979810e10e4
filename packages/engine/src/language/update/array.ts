import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { byBytes, type Comparison } from '../../bson/collation/comparison.ts';
import { describe } from '../../bson/describe.ts';
import { exactInteger } from '../../bson/numbers/integers.ts';
import { documentOf, entriesOf } from '../../bson/raw.ts';
import { depthOf } from '../../bson/validate.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { arrayOf } from '../expression/field-path.ts';
import { lastPart } from './describe.ts';
import type { ModifierTable } from './modifier.ts';

/** Modifiers that treat arrays as sets or stacks. */
export const arrayModifiers: ModifierTable = {
  $addToSet: (operand, path, { comparison = byBytes }) => {
    const { compare } = comparison;
    const values = distinct(valuesToAdd(operand), compare);
    return {
      depth: 1 + Math.max(0, ...values.map(depthOf)),
      creates: () => true,
      apply(current) {
        if (current === undefined) return arrayOf(values);
        if (current.type !== bsonTypes.array) {
          throw new ServerError(
            'BadValue',
            `Cannot apply $addToSet to non-array field. Field named '${lastPart(path)}' has non-array type ` +
              typeName(current.type),
          );
        }
        const entries = entriesOf(current);
        const added = values.filter((value) => !entries.some((entry) => compare(entry, value) === 0));
        return added.length === 0 ? 'keep' : arrayOf([...entries, ...added]);
      },
    };
  },
  $pop: (operand, path) => {
    const last = popsLast(operand, path);
    return {
      depth: 0,
      creates: () => false,
      apply(current) {
        if (current === undefined) return 'keep';
        if (current.type !== bsonTypes.array) {
          throw new ServerError(
            'TypeMismatch',
            `Path '${path}' contains an element of non-array type '${typeName(current.type)}'`,
          );
        }
        const entries = entriesOf(current);
        if (entries.length === 0) return 'keep';
        return arrayOf(last ? entries.slice(0, -1) : entries.slice(1));
      },
    };
  },
};

function valuesToAdd(operand: Value): readonly Value[] {
  if (operand.type !== bsonTypes.object) return [operand];
  const spec = documentOf(operand);
  const first = spec.first();
  if (first?.name !== '$each') return [operand];
  if (first.type !== bsonTypes.array) {
    throw new ServerError(
      'TypeMismatch',
      `The argument to $each in $addToSet must be an array but it was of type ${typeName(first.type)}`,
    );
  }
  const second = spec.after(first);
  if (second !== undefined) {
    throw new ServerError('BadValue', `Found unexpected fields after $each in $addToSet: ${second.name}`);
  }
  return entriesOf(first);
}

function distinct(values: readonly Value[], compare: Comparison['compare']): Value[] {
  const found: Value[] = [];
  for (const value of values) {
    if (!found.some((other) => compare(other, value) === 0)) found.push(value);
  }
  return found;
}

function popsLast(operand: Value, path: string): boolean {
  const refuse = (expected: string) =>
    new ServerError('FailedToParse', `Expected ${expected} in: ${path}: ${describe(operand)}`);
  if (!isNumber(operand)) throw refuse('a number');
  const number = exactInteger(operand);
  if (number === undefined) throw refuse('an integer');
  if (number === 1n || number === -1n) return number === 1n;
  throw new ServerError('FailedToParse', `$pop expects 1 or -1, found: ${describe(operand)}`);
}
