import { useState } from 'react';
import { urlOf } from '../../api/client.ts';
import { apiRequest } from '../../api/requests.ts';
import { useChange } from '../../api/resources.ts';
import { Copied } from '../../parts/copied.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { RolesField } from '../../parts/roles-field.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { AccessPlace } from './place.ts';
import type { ServiceAccount } from './service-accounts.tsx';
import { ValidityField } from './validity-field.tsx';

interface CreateServiceAccountProps {
  readonly place: AccessPlace;
  readonly onClose: () => void;
}

/** Creates a service account, and shows its secret once. */
export function CreateServiceAccount({ place, onClose }: CreateServiceAccountProps) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [hours, setHours] = useState('8760');
  const [roles, setRoles] = useState<readonly string[]>([
    place.groupId === undefined ? 'ORG_MEMBER' : 'GROUP_READ_ONLY',
  ]);
  const creation = useChange<ServiceAccount>();
  const { data: created, error } = creation;
  if (created)
    return (
      <SecretDialog
        title={`Secret of ${created.name}`}
        texts={[
          ['client id', created.clientId],
          ['secret', created.secrets[0]?.secret ?? ''],
        ]}
        onClose={onClose}
      >
        <p className="gap">This command requests an access token, which is valid for an hour:</p>
        <Copied label="token command" text={tokenCommand(created)} />
      </SecretDialog>
    );
  const body = { name, description, roles, secretExpiresAfterHours: Number(hours) };
  return (
    <FormDialog
      title="Create service account"
      action="Create"
      isReady={name !== '' && description !== ''}
      attempt={creation}
      onSubmit={() => creation.mutate(apiRequest('POST', `${place.path}/serviceAccounts`, body))}
      onClose={onClose}
    >
      <TextField id="name" label="Name" value={name} onChange={setName} error={error} isRequired />
      <TextField
        id="description"
        label="Purpose"
        value={description}
        onChange={setDescription}
        error={error}
        isRequired
      />
      <ValidityField value={hours} onChange={setHours} error={error} />
      <RolesField roles={place.roles} value={roles} onChange={setRoles} error={error} />
    </FormDialog>
  );
}

const tokenCommand = ({ clientId }: ServiceAccount): string =>
  `curl --user '${clientId}:SECRET' --data grant_type=client_credentials '${urlOf('api/oauth/token')}'`;
