import type { PlainObject } from '@portolan/foundation/plain-object';
import { isStorableText } from '@portolan/foundation/storable-text';
import type { Static, TObject } from 'typebox';
import { badValue, generalFaults, protocolFault } from '../../api/faults.ts';
import type { MountRequest } from '../../api/index.ts';

const JSON_TYPE = /^application\/json\s*(;|$)/i;

/**
 * Returns the document of a request. Throws an error with the status 415 for content types other than JSON, since pages
 * of other origins can send forms, but not JSON.
 */
function jsonBody({ headers, body }: MountRequest): PlainObject {
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
  readonly minLength?: number;
  readonly maxLength?: number;
}

/**
 * Returns the fields of a request, which are texts. Throws if a field is missing, too short or too long. An optional
 * field counts as missing if it is null, as in operations.
 */
export function bodyIn<B extends TObject>(request: MountRequest, { properties, ...schema }: B): Static<B> {
  const document = jsonBody(request);
  const required: readonly string[] = schema.required ?? [];
  const isGiven = (name: string) => (document[name] ?? undefined) !== undefined || required.includes(name);
  const fields = Object.entries(properties)
    .filter(([name]) => isGiven(name))
    .map(([name, bounds]) => [name, textIn(document, name, bounds)] as const);
  return Object.fromEntries(fields) as Static<B>;
}

function textIn(
  document: PlainObject,
  field: string,
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Bounds,
): string {
  const value = document[field];
  if (typeof value !== 'string') throw generalFaults.MISSING_ATTRIBUTE(field);
  if (value.length < minLength || value.length > maxLength)
    throw badValue(field, `must have ${minLength} to ${maxLength} characters`);
  if (!isStorableText(value)) throw badValue(field, 'contains characters that cannot be stored');
  return value;
}
