import Type from 'typebox';
import { callerKinds } from '../../access/index.ts';
import { Choice, DateTime } from '../../api/fields.ts';

/** Fields that all records of requests have. */
export const requestFields = {
  method: Type.String(),
  milliseconds: Type.Number(),
  operation: Type.String({
    description: 'Id of the operation; `none` if no operation has the path and method.',
  }),
  path: Type.String({ description: 'Path without the query.' }),
  remoteAddress: Type.String(),
  requestId: Type.String({ description: 'Id of the request, which the response and the log also contain.' }),
  status: Type.Integer(),
};

const Caller = Type.Object({
  id: Type.String({ description: 'Id of the API key or user, or client id of the service account.' }),
  kind: Choice(callerKinds, { description: 'Kind of the caller: `apiKey`, `serviceAccount` or `user`.' }),
  name: Type.String({
    description: 'Public key of the API key, client id of the service account, or user name.',
  }),
});

export const TrailedRequest = Type.Object(
  {
    at: DateTime({
      description: 'Time at which the response ended, by the clock of the machine, not service time.',
    }),
    caller: Caller,
    ...requestFields,
  },
  { description: 'An API request with its caller and the status of its response.' },
);
