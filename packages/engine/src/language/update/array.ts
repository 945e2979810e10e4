import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { byBytes } from '../../bson/collation/comparison.ts';
import { describe } from '../../bson/describe.ts';
import { exactInteger } from '../../bson/numbers/integers.ts';
import { documentOf } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { listOf } from '../expression/entries.ts';
import { listed } from '../parts.ts';
import { lastPart } from './describe.ts';
import { arrayWith, deepest, valuesToAdd } from './entries.ts';
import type { ModifierTable } from './modifier.ts';

/** Modifiers that treat arrays as sets or stacks. */
export const arrayModifiers: ModifierTable = {
  $addToSet: (operand, path, { comparison = byBytes, statement }) => {
    const values = valuesOf(operand);
    return {
      depth: 1 + deepest(values, statement),
      creates: () => true,
      apply(current) {
        if (current === undefined)
          return arrayWith(valuesToAdd(values, [], comparison, statement), statement);
        if (current.type !== bsonTypes.array) {
          throw new ServerError(
            'BadValue',
            `Cannot apply $addToSet to non-array field. Field named '${lastPart(path)}' has non-array type ` +
              typeName(current.type),
          );
        }
        const entries = listOf(current, statement, 'an update');
        const added = valuesToAdd(values, entries, comparison, statement);
        return added.length === 0 ? 'keep' : arrayWith(entries.concat(added), statement);
      },
    };
  },
  $pop: (operand, path, { statement }) => {
    const last = popsLast(operand, path);
    return {
      depth: 0,
      failsWhenBlocked: true,
      creates: () => false,
      apply(current) {
        if (current === undefined) return 'keep';
        if (current.type !== bsonTypes.array) {
          throw new ServerError(
            'TypeMismatch',
            `Path '${path}' contains an element of non-array type '${typeName(current.type)}'`,
          );
        }
        const entries = listOf(current, statement, 'an update');
        if (entries.length === 0) return 'keep';
        return arrayWith(last ? entries.slice(0, -1) : entries.slice(1), statement);
      },
    };
  },
};

function valuesOf(operand: Value): readonly Value[] {
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
  return listed(documentOf(first), 'an update');
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
