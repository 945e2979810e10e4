import { countRequests, pageOfRequests, TRAIL_SIZE, type TrailEntry } from '../../access/index.ts';
import { extension } from '../services.ts';
import { TrailedRequest } from './schema.ts';

function presentRequest({ address, at, ...rest }: TrailEntry) {
  return { ...rest, at: new Date(at), remoteAddress: address };
}

export const listRequests = extension({
  id: 'listOrganizationRequests',
  summary: `Lists the latest API requests by the callers of an organization, newest first. The service keeps the latest ${TRAIL_SIZE} requests of each organization.`,
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
