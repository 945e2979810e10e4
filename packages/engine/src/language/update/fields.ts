import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { byBytes } from '../../bson/collation/comparison.ts';
import { documentOf } from '../../bson/raw.ts';
import { depthOf } from '../../bson/validate.ts';
import { date, textOf, timestamp, timestampSeconds, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../environment.ts';
import type { Modifier, ModifierTable, UpdateContext } from './modifier.ts';

/** Modifiers that write a single field. */
export const fieldModifiers: ModifierTable = {
  $set: (operand) => setter(operand, () => true),
  $setOnInsert: (operand) => setter(operand, ({ inserting }) => inserting),
  $unset: () => ({
    depth: 0,
    creates: () => false,
    apply: (current) => (current === undefined ? 'keep' : 'remove'),
  }),
  $min: (operand, _, environment) => extreme(operand, (order) => order < 0, environment),
  $max: (operand, _, environment) => extreme(operand, (order) => order > 0, environment),
  $currentDate: (operand) => {
    const make = currentOf(operand);
    return { depth: 0, creates: () => true, apply: (_, { now }) => make(now()) };
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

function extreme(
  operand: Value,
  wins: (order: number) => boolean,
  { comparison = byBytes }: Environment,
): Modifier {
  return {
    depth: depthOf(operand),
    creates: () => true,
    apply: (current) =>
      current === undefined || wins(comparison.compare(operand, current)) ? operand : 'keep',
  };
}

function currentOf(operand: Value): (now: number) => Value {
  const asDate = (now: number) => date(BigInt(Math.trunc(now)));
  if (operand.type === bsonTypes.bool) return asDate;
  if (operand.type !== bsonTypes.object) {
    throw new ServerError(
      'BadValue',
      `${typeName(operand.type)} is not valid type for $currentDate. Please use a boolean ('true') or a ` +
        "$type expression ({$type: 'timestamp/date'}).",
    );
  }
  const wrong = () =>
    new ServerError('BadValue', "The '$type' string field is required to be 'date' or 'timestamp'");
  const spec = documentOf(operand);
  for (const { name } of spec) {
    if (name !== '$type') throw new ServerError('BadValue', `Unrecognized $currentDate option: ${name}`);
  }
  const type = spec.get('$type');
  if (type?.type !== bsonTypes.string) throw wrong();
  switch (textOf(type)) {
    case 'date':
      return asDate;
    case 'timestamp':
      return (now) => timestamp(timestampSeconds(now), 1);
    default:
      throw wrong();
  }
}
