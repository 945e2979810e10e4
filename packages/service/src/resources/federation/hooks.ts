import { badValue } from '../../api/faults.ts';
import { on } from '../../events/index.ts';
import { subscribe } from '../../store/index.ts';
import { organizationCreated, organizationRemoving } from '../organizations/index.ts';
import { connect, forget } from './changes.ts';
import { federationFaults } from './faults.ts';
import { connectionsOf, findConnection } from './rows.ts';
import { admitsDomain, MAX_CONNECTED } from './rules.ts';

/** Connects a new organization to the federation settings that its creator names and owns. */
export const connectNewOrganization = subscribe(
  organizationCreated,
  async (tx, { orgId, federationSettingsId: id, owns, actor }) => {
    if (id === undefined) return;
    const connections = await connectionsOf(tx, id);
    if (!connections.some((connection) => owns(connection.orgId)))
      throw badValue(
        'federationSettingsId',
        'must be the id of federation settings of an organization that the caller owns',
      );
    if (connections.length >= MAX_CONNECTED)
      throw federationFaults.MAX_CONNECTED_ORGS_EXCEEDED(MAX_CONNECTED);
    await connect(tx, id, orgId, actor);
  },
);

export const forgetOrganization = subscribe(organizationRemoving, (tx, { orgId }) => forget(tx, orgId));

/** Rejects members and invited people whose mail addresses are in none of the allowed domains. */
export const restrictDomains = on(['INVITED_TO_ORG', 'JOINED_ORG'], async (tx, { orgId, details }) => {
  const username = details?.targetUsername;
  const connection = await findConnection(tx, orgId);
  if (username === undefined || connection === undefined || admitsDomain(connection, username)) return;
  throw federationFaults.DOMAIN_NOT_ALLOWED(orgId, username);
});
