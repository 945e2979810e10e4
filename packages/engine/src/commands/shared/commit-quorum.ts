import { typeName } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { byType } from './field-builders.ts';

/** The members that must finish an index build: a number of members, or the name of a mode. */
export const commitQuorum = byType({ number: membersOf, string: textOf }, ({ type }) => {
  const text = `commitQuorum has to be a number or a string, but is ${typeName(type)}`;
  return new ServerError('FailedToParse', text);
});

/** Maximum number of members of a replica set. */
const MAX_MEMBERS = 50;

function membersOf(value: Value): number {
  const members = Math.trunc(toNumber(value)) || 0;
  if (members >= 0 && members <= MAX_MEMBERS) return members;
  throw new ServerError(
    'FailedToParse',
    `commitQuorum has to be a non-negative number and not greater than ${MAX_MEMBERS}`,
  );
}
