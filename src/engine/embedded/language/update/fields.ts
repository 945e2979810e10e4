import { ServerError } from '../../server-error.ts';
import { bsonTypes, typeName } from '../bson-types.ts';
import { describe, describeDocument } from '../describe.ts';
import { writeDocument } from '../document-writer.ts';
import { addNumbers } from '../numbers/arithmetic.ts';
import { depthOf } from '../validate.ts';
import { int64Of, isNumber, nullValue, type Value } from '../value.ts';
import type { Modifier, ModifierTable, Outcome, UpdateContext } from './modifier.ts';

/** Modifiers that write one value to one field. */
export const fieldModifiers: ModifierTable = {
  $set: (operand) => setter(operand, () => true),
  $setOnInsert: (operand) => setter(operand, ({ inserting }) => inserting),
  $unset: () => ({
    depth: 0,
    creates: () => false,
    apply: (current) => (current === undefined ? 'keep' : 'remove'),
  }),
  $inc: (operand, path) => {
    if (!isNumber(operand)) {
      throw new ServerError(
        'TypeMismatch',
        `Cannot increment with non-numeric argument: {${lastPart(path)}: ${describe(operand)}}`,
      );
    }
    return {
      depth: 0,
      creates: () => true,
      apply: (current, context) => increment(current, operand, path, context),
    };
  },
};

function setter(operand: Value, applies: (context: UpdateContext) => boolean): Modifier {
  return {
    depth: depthOf(operand),
    creates: applies,
    apply: (current, context) =>
      !applies(context) || current?.identical(operand) === true ? 'keep' : operand,
  };
}

function increment(
  current: Value | undefined,
  operand: Value,
  path: string,
  { document }: UpdateContext,
): Outcome {
  if (current === undefined) return operand;
  if (!isNumber(current)) {
    throw new ServerError(
      'TypeMismatch',
      `Cannot apply $inc to a value of non-numeric type. ${describeId(document)} has the field ` +
        `'${lastPart(path)}' of non-numeric type ${typeName(current.type)}`,
    );
  }
  const sum = addNumbers(current, operand);
  if (sum === undefined) {
    throw new ServerError(
      'BadValue',
      `Failed to apply $inc operations to current value (${describeTyped(current)}) for document ` +
        describeId(document),
    );
  }
  return sum.identical(current) ? 'keep' : sum;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** `{_id: 1}` */
function describeId(document: UpdateContext['document']): string {
  const id = document.get('_id') ?? nullValue;
  return describeDocument(writeDocument((writer) => writer.field('_id', id)))
    .replace('{ ', '{')
    .replace(/ }$/, '}');
}

function describeTyped(value: Value): string {
  return value.type === bsonTypes.long ? `(NumberLong)${int64Of(value)}` : `(NumberInt)${describe(value)}`;
}
