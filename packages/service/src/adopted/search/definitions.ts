import { isDeepStrictEqual } from 'node:util';
import type { PlainObject } from '@portolan/foundation/plain-object';

/**
 * Whether servers have made `there`, a part of an index definition, from the requested part `asked`. Servers add
 * options with their default values, but no fields. `isFields` says whether the names in this part are names of fields.
 */
export function isMadeFrom(asked: unknown, there: unknown, isFields = false): boolean {
  if (Array.isArray(asked) && Array.isArray(there))
    return asked.length === there.length && asked.every((one, index) => isMadeFrom(one, there[index]));
  if (!isObject(asked) || !isObject(there)) return isDeepStrictEqual(asked, there);
  const added = Object.keys(there).filter((name) => !(name in asked));
  const isFieldAdded = isFields ? added.length > 0 : added.includes('fields') && !isEmpty(there.fields);
  if (isFieldAdded) return false;
  return Object.entries(asked).every(
    ([name, value]) => name in there && isMadeFrom(value, there[name], !isFields && name === 'fields'),
  );
}

const isObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (fields: unknown) => isObject(fields) && Object.keys(fields).length === 0;
