import { typeName } from '../../bson/bson-types.ts';
import { describe } from '../../bson/describe.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';

export function cannotCreate(reason: string): ServerError {
  return new ServerError('CannotCreateIndex', reason);
}

export function wrongType(field: string, wanted: string, { type }: Value): ServerError {
  return new ServerError(
    'TypeMismatch',
    `The field '${field}' must be of type ${wanted}, but got ${typeName(type)}`,
  );
}

export function notBoolean(field: string, value: Value): ServerError {
  return new ServerError(
    'TypeMismatch',
    `The field '${field} has value ${field}: ${describe(value)}, which is not convertible to bool`,
  );
}
