import Type from 'typebox';
import {
  callerKinds,
  countRequests,
  pageOfRequests,
  TRAIL_SIZE,
  type TrailEntry,
} from '../../access/index.ts';
import { Choice, DateTime } from '../../api/fields.ts';
import { extension } from '../services.ts';

const Caller = Type.Object({
  id: Type.String({ description: 'Id of the API key or user, or client id of the service account.' }),
  kind: Choice(callerKinds),
  name: Type.String({ description: 'Public key, client id or user name.' }),
});

const TrailedRequest = Type.Object(
  {
    at: DateTime({ description: 'Time of the response, in machine time.' }),
    caller: Caller,
    method: Type.String(),
    milliseconds: Type.Number(),
    operation: Type.String({ description: 'Operation id; `none` if path or method matched no operation.' }),
    path: Type.String({ description: 'Path without the query.' }),
    remoteAddress: Type.String(),
    requestId: Type.String({ description: 'Request id as in the response and the log.' }),
    status: Type.Integer(),
  },
  { description: 'A request with its caller and result.' },
);

function presentRequest({ address, at, ...rest }: TrailEntry) {
  return { ...rest, at: new Date(at), remoteAddress: address };
}

export const listRequests = extension({
  id: 'listOrganizationRequests',
  summary: `Lists the latest requests of an organization's callers, newest first; at most ${TRAIL_SIZE} are kept.`,
  tag: 'Operator',
  method: 'GET',
  path: '/orgs/{orgId}/requests',
  access: 'operator',
  surface: 'operator',
  reply: TrailedRequest,
  list: 'page',
  status: 200,
  handler: ({ params: { orgId }, page, read }) =>
    read(async (tx) => {
      const { entries, next } = await pageOfRequests(tx, orgId, page);
      const totalCount = page.includeCount ? await countRequests(tx, orgId) : undefined;
      return { results: entries.map(presentRequest), next, totalCount };
    }),
});
