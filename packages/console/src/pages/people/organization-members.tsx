import { Alert, Button } from '@patternfly/react-core';
import { type ReactNode, useState } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { apiRequest } from '../../api/requests.ts';
import { useList } from '../../api/resources.ts';
import { rolesText } from '../../api/roles.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Remove } from '../../parts/remove.tsx';
import { Invite } from './invite.tsx';
import type { InOrganization } from './place.ts';
import { RolesDialog } from './roles-dialog.tsx';

export type OrganizationMember = Schemas['OrganizationMember'];

export const nameOf = ({ firstName = '', lastName = '' }: { firstName?: string; lastName?: string }) =>
  `${firstName} ${lastName}`.trim();

/** The members of an organization with their roles. */
export function OrganizationMembers({ place }: InOrganization) {
  const path = `${place.path}/users` as const;
  const { data, error } = useList(`${path}?orgMembershipStatus=ACTIVE`);
  const [changed, setChanged] = useState<OrganizationMember>();
  const [isInviting, setInviting] = useState(false);
  const [outcome, setOutcome] = useState<ReactNode>();
  return (
    <>
      <Heading title="People">
        {place.isOwner && <Button onClick={() => setInviting(true)}>Invite person</Button>}
      </Heading>
      {outcome && <Alert isInline isLiveRegion variant="success" title={outcome} />}
      <DataTable<OrganizationMember>
        label="People"
        columns={[
          { title: 'User name', cell: ({ username }) => username },
          { title: 'Name', cell: nameOf },
          { title: 'Roles', cell: ({ roles }) => rolesText(roles.orgRoles) },
          { title: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          {
            title: 'Action',
            cell: (member) =>
              place.isOwner && <Actions path={path} member={member} onChange={() => setChanged(member)} />,
          },
        ]}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        empty="Invite people, who then log in here with roles."
      />
      {isInviting && <Invite place={place} onInvited={setOutcome} onClose={() => setInviting(false)} />}
      {changed && (
        <RolesDialog
          name={changed.username}
          roles={place.roles}
          held={changed.roles.orgRoles}
          changeTo={(orgRoles) => apiRequest('PUT', `${path}/${changed.id}/roles`, { orgRoles })}
          onClose={() => setChanged(undefined)}
        />
      )}
    </>
  );
}

interface ActionsProps {
  readonly path: `/orgs/${string}/users`;
  readonly member: OrganizationMember;
  readonly onChange: () => void;
}

function Actions({ path, member, onChange }: ActionsProps) {
  return (
    <>
      <Button
        variant="link"
        isInline
        className="beside"
        aria-label={`Change roles of ${member.username}`}
        onClick={onChange}
      >
        Change roles
      </Button>
      <Remove
        name={member.username}
        action="Remove"
        change={apiRequest('DELETE', `${path}/${member.id}`)}
        consequence="The person loses all roles in the organization, its projects and its teams. The account stays."
      />
    </>
  );
}
