import { useState } from 'react';
import { apiRequest } from '../../api/requests.ts';
import { useChange } from '../../api/resources.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { RolesField } from '../../parts/roles-field.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { ApiKey } from './api-keys.tsx';
import type { AccessPlace } from './place.ts';

interface CreateApiKeyProps {
  readonly place: AccessPlace;
  readonly onClose: () => void;
}

/** Creates a key, and shows its secret once. */
export function CreateApiKey({ place, onClose }: CreateApiKeyProps) {
  const [desc, setDesc] = useState('');
  const [roles, setRoles] = useState<readonly string[]>([
    place.groupId === undefined ? 'ORG_MEMBER' : 'GROUP_READ_ONLY',
  ]);
  const creation = useChange<ApiKey>();
  const created = creation.data;
  if (created)
    return (
      <SecretDialog
        title="API key"
        texts={[
          ['public key', created.publicKey],
          ['private key', created.privateKey],
        ]}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title="Create API key"
      action="Create"
      isReady={desc !== '' && roles.length > 0}
      attempt={creation}
      onSubmit={() => creation.mutate(apiRequest('POST', `${place.path}/apiKeys`, { desc, roles }))}
      onClose={onClose}
    >
      <TextField
        id="desc"
        label="Purpose"
        value={desc}
        onChange={setDesc}
        error={creation.error}
        isRequired
      />
      <RolesField roles={place.roles} value={roles} onChange={setRoles} error={creation.error} />
    </FormDialog>
  );
}
