import { Button } from '@patternfly/react-core';
import type { Schemas } from '../../api/operations.ts';
import { apiRequest } from '../../api/requests.ts';
import { useChange, useList } from '../../api/resources.ts';
import { rolesText } from '../../api/roles.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Remove } from '../../parts/remove.tsx';
import type { AccessPlace, InPlace } from './place.ts';

type Invitation = Schemas['OrganizationInvitation'] | Schemas['ProjectInvitation'];

/** Invitations that nobody has accepted yet. */
export function Invitations({ place }: InPlace) {
  const path = `${place.path}/invites` as const;
  const { data, error } = useList(path);
  return (
    <>
      <Heading title="Open invitations" />
      <DataTable<Invitation>
        label="Invitations"
        columns={[
          { title: 'Address', cell: ({ username }) => username },
          { title: 'Roles', cell: ({ roles }) => rolesText(roles) },
          { title: 'Invited by', cell: ({ inviterUsername }) => inviterUsername },
          { title: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { title: 'Valid until', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
          {
            title: 'Action',
            cell: (invitation) => place.isOwner && <Actions path={path} invitation={invitation} />,
          },
        ]}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        empty="Invite a person under People. The invitation is listed here until the person accepts it."
      />
    </>
  );
}

function Actions({
  path,
  invitation: { id, username },
}: {
  path: `${AccessPlace['path']}/invites`;
  invitation: Invitation;
}) {
  const sending = useChange();
  return (
    <>
      <Button
        variant="link"
        isInline
        className="beside"
        aria-label={`Send again to ${username}`}
        isLoading={sending.isPending}
        onClick={() => sending.mutate(apiRequest('POST', `${path}/${id}:resend`))}
      >
        Send again
      </Button>
      <Remove
        name={username}
        action="Revoke"
        change={apiRequest('DELETE', `${path}/${id}`)}
        consequence="The link in the mail becomes invalid."
      />
      {sending.isSuccess && <span role="status">Sent.</span>}
      <Problem error={sending.error} />
    </>
  );
}
