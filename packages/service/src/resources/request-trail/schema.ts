import Type from 'typebox';
import { callerKinds } from '../../access/index.ts';
import { Choice, DateTime } from '../../api/fields.ts';

/** Fields common to all records of a request. */
export const requestFields = {
  method: Type.String(),
  milliseconds: Type.Number(),
  operation: Type.String({ description: 'Operation id; `none` if path or method matched no operation.' }),
  path: Type.String({ description: 'Path without the query.' }),
  remoteAddress: Type.String(),
  requestId: Type.String({ description: 'Request id as in the response and the log.' }),
  status: Type.Integer(),
};

const Caller = Type.Object({
  id: Type.String({ description: 'Id of the API key or user, or client id of the service account.' }),
  kind: Choice(callerKinds),
  name: Type.String({ description: 'Public key, client id or user name.' }),
});

export const TrailedRequest = Type.Object(
  {
    at: DateTime({ description: 'Time of the response, in machine time.' }),
    caller: Caller,
    ...requestFields,
  },
  { description: 'A request with its caller and result.' },
);
