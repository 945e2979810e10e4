import Type from 'typebox';
import { Choice, DateTime } from '../../api/fields.ts';
import { recordings } from '../../api/inspect/inspector.ts';
import { requestFields } from '../request-trail/index.ts';

const optional = Type.Optional;

const Caller = Type.Object(
  {
    id: Type.String(),
    kind: Type.String({ description: 'Kind of the caller: `apiKey`, `serviceAccount` or `user`.' }),
    name: Type.String(),
  },
  {
    description: 'Caller of the request. Absent if the caller was the operator or had no valid credentials.',
  },
);

const summary = {
  at: DateTime({
    description: 'Time at which the response ended, by the clock of the machine, not service time.',
  }),
  background: Type.Boolean({
    description: 'Whether a page of the console sent the request only to show data.',
  }),
  caller: optional(Caller),
  challenge: optional(
    Type.Boolean({
      description:
        'True if the request had no credentials, and the response asked for them. Every authentication with HTTP Digest begins with such a request. Otherwise absent.',
    }),
  ),
  detail: optional(Type.String({ maxLength: 1000, description: 'Text of the error. Secrets are masked.' })),
  errorCode: optional(Type.String()),
  ...requestFields,
  version: optional(Type.String({ description: 'Resource version of the response, such as `2025-03-12`.' })),
};

export const InspectedRequest = Type.Object(summary, {
  description: 'An API request and the status of its response.',
});

const Message = Type.Object({
  body: optional(
    Type.String({ description: 'JSON body with masked secrets. Present only if bodies are recorded.' }),
  ),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'Headers, by name in lower case. Secrets are masked.',
  }),
});

export const InspectedExchange = Type.Object(
  {
    ...summary,
    curl: Type.String({
      description:
        'Shell command that repeats the request with `curl`. It contains names of environment variables instead of the credentials.',
    }),
    errorDocumentation: optional(Type.String({ description: 'URL of the documentation of the error.' })),
    operationDocumentation: optional(
      Type.String({ description: 'URL of the documentation of the operation.' }),
    ),
    request: Message,
    response: Message,
    unreadFields: Type.Array(Type.String(), {
      description:
        'Paths of fields of the body that had no effect, for example because their value was null. If the request failed before its body was read, the list is empty.',
    }),
    unreadParameters: Type.Array(Type.String(), {
      description: 'Names of query parameters that the operation does not have.',
    }),
    url: Type.String({ description: 'URL with its query. Secret parameters are masked.' }),
  },
  { description: 'An API request and its response. Secrets are masked.' },
);

export const HttpArchive = Type.Object(
  { log: Type.Unknown() },
  {
    'x-verbatim': true,
    description:
      'An HTTP Archive (HAR 1.2), which browsers and other tools can open. Secrets are masked. Bodies are present only if they were recorded.',
  },
);

export const InspectorSettings = Type.Object({
  recording: Choice(recordings, {
    description:
      '`NOTHING`: requests are not recorded. `HEADERS`: all parts except bodies are recorded. `BODIES`: all parts are recorded.',
  }),
});

export const RequestFilter = Type.Object({
  background: optional(
    Type.Boolean({
      default: false,
      description: 'Whether to include the requests that pages of the console sent only to show data.',
    }),
  ),
  caller: optional(
    Type.String({
      description: 'Returns only requests of the caller with this id, public key, client id or user name.',
    }),
  ),
  errorCode: optional(
    Type.String({ description: 'Returns only requests that failed with this error code.' }),
  ),
  failed: optional(
    Type.Boolean({
      default: false,
      description:
        'Returns only requests whose response has the HTTP status 400 or a higher one. Omits requests with `challenge` if the client repeated the request with credentials.',
    }),
  ),
  maxStatus: optional(
    Type.Integer({
      minimum: 100,
      maximum: 599,
      description: 'Returns only requests whose response has this HTTP status or a lower one.',
    }),
  ),
  method: optional(
    Choice(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'], {
      description: 'Returns only requests with this HTTP method.',
    }),
  ),
  minStatus: optional(
    Type.Integer({
      minimum: 100,
      maximum: 599,
      description: 'Returns only requests whose response has this HTTP status or a higher one.',
    }),
  ),
  operation: optional(Type.String({ description: 'Returns only requests for the operation with this id.' })),
  pathContains: optional(
    Type.String({ maxLength: 1000, description: 'Returns only requests whose path contains this text.' }),
  ),
  since: optional(DateTime({ description: 'Returns only requests that ended at this time or later.' })),
});
