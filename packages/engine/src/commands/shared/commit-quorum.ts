import { typeName } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { byType } from './field-builders.ts';

/** The members that must finish an index build: a number of members, or the name of a mode. */
export const commitQuorum = byType({ number: toNumber, string: textOf }, ({ type }) => {
  const text = `commitQuorum has to be a number or a string, but is ${typeName(type)}`;
  return new ServerError('FailedToParse', text);
});
