import { Fault } from '@portolan/foundation/faults';
import { operation } from '../../services.ts';
import { AvailableProject, LinkToken, LinkTokenRequest } from '../schema.ts';
import { addToken, newLinkToken, unlink } from './changes.ts';
import { agentsOf } from './rows.ts';
import { availableProjects, readAddresses } from './rules.ts';

export const listProjects = operation({
  id: 'listSourceProjects',
  tag: 'Cloud Migration Service',
  method: 'GET',
  path: '/orgs/{orgId}/liveMigrations/availableProjects',
  summary: 'Lists the projects of the source organization, with the deployments that can be migrated.',
  access: 'Organization Owner',
  reply: AvailableProject,
  list: 'array',
  status: 200,
  reachedFrom: { organization: 'availableProjects' },
  handler: (call) =>
    call.read(async (tx) =>
      availableProjects(await agentsOf(tx, call.params.orgId), call.services.machine.now()),
    ),
});

export const createToken = operation({
  id: 'createLinkToken',
  tag: 'Cloud Migration Service',
  method: 'POST',
  path: '/orgs/{orgId}/liveMigrations/linkTokens',
  summary: 'Creates a link token, which migration hosts use to register with this organization.',
  access: 'Organization Owner',
  body: LinkTokenRequest,
  reply: LinkToken,
  status: 201,
  async handler(call) {
    const addresses = readAddresses(call.body.accessListIps ?? []);
    const { orgId } = call.params;
    const { row, linkToken } = newLinkToken(call.services, {
      id: call.services.ids.next(),
      orgId,
      addresses,
    });
    await call.write((tx) => addToken(tx, row));
    return { linkToken };
  },
});

export const deleteToken = operation({
  id: 'deleteLinkToken',
  tag: 'Cloud Migration Service',
  method: 'DELETE',
  path: '/orgs/{orgId}/liveMigrations/linkTokens',
  summary:
    'Deletes the link tokens of an organization. This ends its link to the source organization, and all live migrations from it.',
  access: 'Organization Owner',
  status: 204,
  handler: (call) =>
    call.write(async (tx) => {
      if (!(await unlink(tx, call.params.orgId)))
        throw new Fault('UNEXPECTED_ERROR', 404, 'The organization has no link token.', null);
    }),
});
