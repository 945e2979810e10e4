import Type from 'typebox';
import { countRequests, pageOfRequests, TRAIL_SIZE, type TrailEntry } from '../../access/index.ts';
import { Choice, DateTime } from '../../api/fields.ts';
import { extension } from '../services.ts';

const Caller = Type.Object({
  id: Type.String({ description: 'Of the API key, or the client id of the service account.' }),
  kind: Choice(['apiKey', 'serviceAccount']),
  name: Type.String({ description: 'The public key, or the client id.' }),
});

const TrailedRequest = Type.Object(
  {
    at: DateTime({ description: 'When it was answered, by the clock of the machine.' }),
    caller: Caller,
    method: Type.String(),
    milliseconds: Type.Number(),
    operation: Type.String({ description: '`none` where path or method fitted none.' }),
    path: Type.String({ description: 'Without the query.' }),
    remoteAddress: Type.String(),
    requestId: Type.String({ description: 'As the answer and the log name it.' }),
    status: Type.Integer(),
  },
  { description: 'Who called what from where, with which result.' },
);

function presentRequest({ address, at, ...rest }: TrailEntry) {
  return { ...rest, at: new Date(at), remoteAddress: address };
}

export const listRequests = extension({
  id: 'listOrganizationRequests',
  summary: `Lists the last requests of an organization's callers, newest first; ${TRAIL_SIZE} at most are kept.`,
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
