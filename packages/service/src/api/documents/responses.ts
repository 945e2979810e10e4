import { STATUS_CODES } from 'node:http';
import { PLAIN_MEDIA_TYPE } from '../addresses.ts';
import { supportHeaders } from '../support.ts';
import type { Placed } from './edition.ts';
import type { FaultRules } from './fault-rules.ts';
import { type JsonObject, present } from './json.ts';
import type { SchemaBook } from './schema-book.ts';
import { answerSchema, enveloped } from './schemas.ts';

const text = (description: string, more: JsonObject = {}) => ({
  description,
  schema: { type: 'string', ...more },
});
const count = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } });

/** Response headers, as `components.headers`. */
export const sharedHeaders: JsonObject = {
  Deprecation: {
    ...text('Date since which the version is deprecated, such as `Mon, 5 Aug 2024 00:00:00 GMT`.'),
    required: true,
  },
  'RateLimit-Limit': count(
    'Maximum number of requests per minute. The requests of all callers to a project or organization count together; other requests count per caller.',
  ),
  'RateLimit-Remaining': count('Number of requests that may still be sent in the current minute.'),
  'Retry-After': count('Seconds to wait before another request.'),
  'WWW-Authenticate': text('A Digest challenge with a fresh nonce.'),
  Sunset: {
    ...text(
      'Date until which the version is supported, such as `Wed, 5 Aug 2026 00:00:00 GMT`. The service serves the version even after this date.',
    ),
    required: true,
  },
  'X-Error-Code': text('The same value as `errorCode` in the body.'),
};

const headerRefs = (...names: string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const ownHeaders: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const refusalStatuses = [400, 401, 403, 404, 406, 409, 413, 415, 429, 500] as const;

type RefusalStatus = (typeof refusalStatuses)[number];

/** Error responses, as `components.responses`; each lists the codes of its status. */
export function sharedResponses(book: SchemaBook, faults: FaultRules, errorSchema: object): JsonObject {
  const schema = enveloped(book, 'Error', book.write(errorSchema, 'reply') as JsonObject);
  const refusal = (status: number, description: string) => ({
    description,
    headers: headerRefs('X-Error-Code', ...(ownHeaders[status] ?? [])),
    content: { [PLAIN_MEDIA_TYPE]: { schema } },
  });
  const entries = refusalStatuses.map((status) => {
    const codes = faults.filter((fault) => fault.status === status).map((fault) => fault.code);
    const described = refusal(status, `${STATUS_CODES[status]}.`);
    return [responseName(status), codes.length > 0 ? { ...described, 'x-error-codes': codes } : described];
  });
  return { ...Object.fromEntries(entries), Refusal: refusal(0, 'Any other error.') };
}

/** `404` → `NotFound`. */
function responseName(status: number): string {
  return (STATUS_CODES[status] ?? `Status ${status}`).replace(/[^A-Za-z]/g, '');
}

export function responsesOf(book: SchemaBook, placed: Placed, legacy: boolean): JsonObject {
  const refusals = refusalStatuses.filter((status) => mayAnswer(status, placed, legacy));
  return {
    [placed.shape.status]: success(book, placed, legacy),
    ...(placed.operation.mayBeEmpty ? { 204: { description: `${STATUS_CODES[204]}.` } } : {}),
    ...Object.fromEntries(
      refusals.map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
    ),
    default: { $ref: '#/components/responses/Refusal' },
  };
}

function success(book: SchemaBook, placed: Placed, legacy: boolean): JsonObject {
  const { rateLimited, shape, mediaType, extension } = placed;
  const schema = answerSchema(book, placed);
  const names = [
    ...(legacy || extension ? [] : Object.keys(supportHeaders(shape.support))),
    ...(rateLimited ? ['RateLimit-Limit', 'RateLimit-Remaining'] : []),
  ];
  return present({
    description: `${STATUS_CODES[shape.status]}.`,
    headers: names.length > 0 ? headerRefs(...names) : undefined,
    content: schema && { [mediaType]: { schema } },
  });
}

function mayAnswer(status: RefusalStatus, { operation, shape, extension }: Placed, legacy: boolean): boolean {
  const withCredentials = shape.access !== 'no credentials';
  const rules: Record<RefusalStatus, boolean> = {
    400: true,
    401: withCredentials,
    403: withCredentials,
    404: operation.path.includes('{'),
    406: !legacy && !extension,
    409: operation.method !== 'GET',
    413: shape.body !== undefined,
    415: shape.body !== undefined,
    429: withCredentials,
    500: true,
  };
  return rules[status];
}
