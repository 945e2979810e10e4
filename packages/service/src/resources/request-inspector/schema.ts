import Type from 'typebox';
import { Choice, DateTime } from '../../api/fields.ts';
import { recordings } from '../../api/inspect/inspector.ts';
import { requestFields } from '../request-trail/index.ts';

const optional = Type.Optional;

const Caller = Type.Object(
  { id: Type.String(), kind: Type.String(), name: Type.String() },
  { description: 'Absent for the operator, and for callers without valid credentials.' },
);

const summary = {
  at: DateTime({ description: 'Time of the end of the response, in machine time.' }),
  caller: optional(Caller),
  errorCode: optional(Type.String()),
  ...requestFields,
  version: optional(Type.String({ description: 'The resource version that served the request.' })),
};

export const InspectedRequest = Type.Object(summary, { description: 'A request and its result.' });

const Message = Type.Object({
  body: optional(
    Type.String({ description: 'JSON, with secrets masked; absent unless bodies are recorded.' }),
  ),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'Headers by name in lower case, with secrets masked.',
  }),
});

export const InspectedExchange = Type.Object(
  {
    ...summary,
    curl: Type.String({
      description: 'The same request as a shell command; credentials are environment variables.',
    }),
    request: Message,
    response: Message,
    url: Type.String({ description: 'URL with its query; secret parameters are masked.' }),
  },
  { description: 'A request and its response, with secrets masked.' },
);

export const InspectorSettings = Type.Object({
  recording: Choice(recordings, {
    description: 'The recorded parts of each request: none, all but the bodies, or all.',
  }),
});

export const RequestFilter = Type.Object({
  caller: optional(Type.String({ description: 'Returns only requests of the caller with this name or id.' })),
  errorCode: optional(Type.String({ description: 'Returns only requests that ended with this error.' })),
  maxStatus: optional(Type.Integer({ minimum: 100, maximum: 599 })),
  method: optional(Choice(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'])),
  minStatus: optional(Type.Integer({ minimum: 100, maximum: 599 })),
  operation: optional(Type.String({ description: 'Returns only requests for this operation.' })),
  pathContains: optional(
    Type.String({ maxLength: 1000, description: 'Returns only requests whose path contains this text.' }),
  ),
  since: optional(DateTime({ description: 'Returns only requests that ended at this time or later.' })),
});
