import { typeName } from '../../language/bson-types.ts';
import { describe, describeDocument } from '../../language/describe.ts';
import type { RawDocument } from '../../language/raw.ts';
import type { Value } from '../../language/value.ts';
import { type CodeName, ServerError } from '../../server-error.ts';

/** What is wrong with the specification of an index, in the words of the server. */
export function inSpecification(code: CodeName | number, spec: RawDocument, reason: string): ServerError {
  const shown = describeDocument(spec);
  return new ServerError(code, `Error in specification ${shown} :: caused by :: ${reason}`);
}

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
