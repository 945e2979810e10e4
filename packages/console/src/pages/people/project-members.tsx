import { Alert, Button } from '@patternfly/react-core';
import { type ReactNode, useState } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { apiRequest } from '../../api/requests.ts';
import { type GroupPath, useList } from '../../api/resources.ts';
import { rolesText } from '../../api/roles.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Remove } from '../../parts/remove.tsx';
import { Invite } from './invite.tsx';
import { nameOf } from './organization-members.tsx';
import type { InProject } from './place.ts';
import { RolesDialog } from './roles-dialog.tsx';

type ProjectMember = Schemas['ProjectMember'];

interface Row {
  /** The member, with all roles that apply in the project. */
  readonly member: ProjectMember;
  /** The member, with only the roles that were granted in the project itself. These roles can be changed here. */
  readonly direct: ProjectMember | undefined;
}

/** The people who have access to a project: by roles in it, through a team, or by a role in the organization. */
export function ProjectMembers({ place }: InProject) {
  const path = `${place.path}/users` as const;
  const filter = 'orgMembershipStatus=ACTIVE';
  const { data, error } = useList(`${path}?flattenTeams=true&includeOrgUsers=true&${filter}`);
  const { data: direct } = useList(`${path}?${filter}`);
  const [changed, setChanged] = useState<ProjectMember>();
  const [isInviting, setInviting] = useState(false);
  const [outcome, setOutcome] = useState<ReactNode>();
  const rows = data?.map((member): Row => ({ member, direct: direct?.find(({ id }) => id === member.id) }));
  return (
    <>
      <Heading title="People">
        {place.isOwner && <Button onClick={() => setInviting(true)}>Add person</Button>}
      </Heading>
      {outcome && <Alert isInline isLiveRegion variant="success" title={outcome} />}
      <DataTable<Row>
        label="People"
        columns={[
          { title: 'User name', cell: ({ member }) => member.username },
          { title: 'Name', cell: ({ member }) => nameOf(member) },
          { title: 'Roles', cell: ({ member }) => rolesText(member.roles) },
          {
            title: 'Roles in the project itself',
            cell: (row) => (row.direct ? rolesText(row.direct.roles) : 'none: by a team or the organization'),
          },
          {
            title: 'Action',
            cell: (row) =>
              place.isOwner &&
              row.direct && <Actions path={path} member={row.direct} onChange={setChanged} />,
          },
        ]}
        rows={rows}
        keyOf={({ member }) => member.id}
        error={error}
        empty="Add people of the organization, or invite others, with roles in this project."
      />
      {isInviting && <Invite place={place} onInvited={setOutcome} onClose={() => setInviting(false)} />}
      {changed && (
        <RolesDialog
          name={changed.username}
          roles={place.roles}
          held={changed.roles}
          changeTo={(groupRoles) => apiRequest('PUT', `${path}/${changed.id}/roles`, { groupRoles })}
          onClose={() => setChanged(undefined)}
        />
      )}
    </>
  );
}

interface ActionsProps {
  readonly path: `${GroupPath}/users`;
  readonly member: ProjectMember;
  readonly onChange: (member: ProjectMember) => void;
}

function Actions({ path, member, onChange }: ActionsProps) {
  return (
    <>
      <Button
        variant="link"
        isInline
        className="beside"
        aria-label={`Change roles of ${member.username}`}
        onClick={() => onChange(member)}
      >
        Change roles
      </Button>
      <Remove
        name={member.username}
        action="Remove"
        change={apiRequest('DELETE', `${path}/${member.id}`)}
        consequence="The person loses the roles in this project, and stays in the organization."
      />
    </>
  );
}
