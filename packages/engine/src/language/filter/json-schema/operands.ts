import { bsonTypes, type TypeName, typeName } from '../../../bson/bson-types.ts';
import { nonNegative } from '../../../bson/numbers/integers.ts';
import { documentOf } from '../../../bson/raw.ts';
import { steps } from '../../../bson/turns.ts';
import { isNumber, textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';

export function mismatch(keyword: string, expected: string): ServerError {
  return new ServerError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be ${expected}`);
}

export function wrong(keyword: string, problem: string): ServerError {
  return new ServerError('FailedToParse', `$jsonSchema keyword '${keyword}' ${problem}`);
}

export function expectType(operand: Value, keyword: string, type: TypeName): Value {
  if (typeName(operand.type) !== type) throw mismatch(keyword, `a value of type ${type}`);
  return operand;
}

export function numberOperand(operand: Value, keyword: string): Value {
  if (!isNumber(operand)) throw mismatch(keyword, 'a number');
  return operand;
}

export function countOperand(operand: Value, keyword: string): number {
  return Number(nonNegative(operand, keyword));
}

/** The cost of a name in statement steps (see `steps`), because each name is decoded and stored. */
const NAME_STEPS = 8;

/** Reads an operand that must be a non-empty list of distinct texts. */
export function namesOperand(operand: Value, keyword: string): ReadonlySet<string> {
  const names = new Set<string>();
  let count = 0;
  for (const entry of documentOf(expectType(operand, keyword, 'array'))) {
    steps(NAME_STEPS);
    count++;
    if (entry.type !== bsonTypes.string) throw mismatch(keyword, 'an array of strings');
    names.add(textOf(entry));
  }
  if (count === 0) throw wrong(keyword, 'cannot be an empty array');
  if (names.size !== count) throw wrong(keyword, 'cannot have duplicate entries');
  return names;
}

/** Throws if a schema has two keywords that exclude each other. The caller has one of them. */
export function refuseBoth(
  keyword: string,
  other: string,
  sibling: (name: string) => Value | undefined,
): void {
  if (sibling(keyword) === undefined || sibling(other) === undefined) return;
  throw new ServerError(
    'FailedToParse',
    `Cannot specify both $jsonSchema keywords '${keyword}' and '${other}'`,
  );
}
