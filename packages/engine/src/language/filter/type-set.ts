import { bsonTypes, type TypeName, typeName } from '../../bson/bson-types.ts';
import { describe } from '../../bson/describe.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf } from '../../bson/raw.ts';
import { isNumber, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';

/** A set of types by type byte. */
export interface TypeSet extends Iterable<number> {
  has(type: number): boolean;
}

const numberTypes: readonly number[] = [bsonTypes.int, bsonTypes.long, bsonTypes.double, bsonTypes.decimal];

/** Parses a type name or number, or a list of them. `operator` is used in error messages. */
export function parseTypes(operand: Value, operator: string): TypeSet {
  const types = new Set<number>();
  for (const value of operand.type === bsonTypes.array ? documentOf(operand) : [operand])
    for (const type of typesOf(value, operator)) types.add(type);
  if (types.size > 0) return types;
  throw new ServerError('FailedToParse', `${operator} must match at least one type`);
}

function typesOf(value: Value, operator: string): readonly number[] {
  if (value.type === bsonTypes.string) return typesOfName(textOf(value));
  if (isNumber(value)) return [typeOfCode(value)];
  throw new ServerError('TypeMismatch', `${operator} must be represented as a number or a string`);
}

function typesOfName(name: string): readonly number[] {
  if (name === 'number') return numberTypes;
  const type = Object.hasOwn(bsonTypes, name) ? bsonTypes[name as TypeName] : undefined;
  if (type === undefined) throw new ServerError('BadValue', `Unknown type name alias: ${name}`);
  return [type];
}

/** Maps type numbers to type bytes; MinKey has the number -1. */
function typeOfCode(value: Value): number {
  const code = toNumber(value);
  const type = code === -1 ? bsonTypes.minKey : code;
  const valid = Number.isInteger(code) && code !== bsonTypes.minKey && typeName(type) !== 'missing';
  if (!valid) throw new ServerError('BadValue', `Invalid numerical type code: ${describe(value)}`);
  return type;
}
