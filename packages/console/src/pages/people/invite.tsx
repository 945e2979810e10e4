import { type ReactNode, useState } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { apiRequest } from '../../api/requests.ts';
import { useChange } from '../../api/resources.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { InboxNote } from '../../parts/inbox-note.tsx';
import { RolesField } from '../../parts/roles-field.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { AccessPlace } from './place.ts';

interface InviteProps {
  readonly place: AccessPlace;
  /** Called with a sentence that tells the user what happened. */
  readonly onInvited: (outcome: ReactNode) => void;
  readonly onClose: () => void;
}

type Invited = Schemas['OrganizationMember'] | Schemas['ProjectMember'];

/** Invites a person by mail; a member of the organization is added to a project at once. */
export function Invite({ place, onInvited, onClose }: InviteProps) {
  const { groupId, orgId } = place;
  const [username, setUsername] = useState('');
  const [roles, setRoles] = useState<readonly string[]>([
    groupId === undefined ? 'ORG_MEMBER' : 'GROUP_READ_ONLY',
  ]);
  const invitation = useChange<Invited>((invited) => {
    onInvited(outcomeOf(invited));
    onClose();
  });
  const invite = () =>
    invitation.mutate(
      groupId === undefined
        ? apiRequest('POST', `/orgs/${orgId}/users`, { username, roles: { orgRoles: roles } })
        : apiRequest('POST', `/groups/${groupId}/users`, { username, roles }),
    );
  return (
    <FormDialog
      title={groupId === undefined ? 'Invite person' : 'Add person'}
      action={groupId === undefined ? 'Invite' : 'Add'}
      isReady={username !== '' && roles.length > 0}
      attempt={invitation}
      onSubmit={invite}
      onClose={onClose}
    >
      <TextField
        id="username"
        label="E-mail address"
        value={username}
        onChange={setUsername}
        error={invitation.error}
        help={
          groupId === undefined
            ? 'The person gets a mail with a link that is valid for 30 days.'
            : 'A person who is not in the organization yet gets a mail with a link that is valid for 30 days.'
        }
        isRequired
      />
      <RolesField roles={place.roles} value={roles} onChange={setRoles} error={invitation.error} />
    </FormDialog>
  );
}

function outcomeOf({ username, orgMembershipStatus }: Invited): ReactNode {
  if (orgMembershipStatus !== 'PENDING') return `${username} has been added.`;
  return (
    <>
      {username} gets a mail with a link. Open invitations are under Invitations.
      <InboxNote what="The mail is also" />
    </>
  );
}
