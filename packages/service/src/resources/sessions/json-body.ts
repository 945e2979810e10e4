import type { PlainObject } from '@portolan/foundation/plain-object';
import { isStorableText } from '@portolan/foundation/storable-text';
import { badValue, generalFaults, protocolFault } from '../../api/faults.ts';
import type { MountRequest } from '../../api/index.ts';

const JSON_TYPE = /^application\/json\s*(;|$)/i;

/**
 * Returns the document of a request. Throws an error with the status 415 for content types other than JSON, since pages
 * of other origins can send forms, but not JSON.
 */
export function jsonBody({ headers, body }: MountRequest): PlainObject {
  if (!JSON_TYPE.test(headers['content-type'] ?? ''))
    throw protocolFault(415, 'The body must be JSON, with the content type application/json.');
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {}
  if (typeof value !== 'object' || value === null) throw generalFaults.MALFORMED_JSON();
  return value as PlainObject;
}

interface Bounds {
  readonly least?: number;
  readonly most?: number;
}

/** Returns a text field of a document. Throws if the field is missing, too short or too long. */
export function textIn(
  document: PlainObject,
  field: string,
  { least = 0, most = 1024 }: Bounds = {},
): string {
  const value = document[field];
  if (typeof value !== 'string') throw generalFaults.MISSING_ATTRIBUTE(field);
  if (value.length < least || value.length > most)
    throw badValue(field, `must have ${least} to ${most} characters`);
  if (!isStorableText(value)) throw badValue(field, 'contains characters that cannot be stored');
  return value;
}

/** Returns the new password in a document. Throws unless it has a length that `POST /users` accepts. */
export function newPasswordIn(document: PlainObject, field = 'password'): string {
  return textIn(document, field, { least: 8 });
}
