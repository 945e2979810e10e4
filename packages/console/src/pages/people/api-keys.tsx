import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../api/operations.ts';
import { apiRequest } from '../../api/requests.ts';
import { useList } from '../../api/resources.ts';
import { rolesText } from '../../api/roles.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Remove } from '../../parts/remove.tsx';
import { Attach } from './attach.tsx';
import { CreateApiKey } from './create-api-key.tsx';
import { type AccessPlace, type InPlace, organizationPlace, type ProjectPlace, rolesIn } from './place.ts';
import { RolesDialog } from './roles-dialog.tsx';

export type ApiKey = Schemas['ApiKey'];

/** The API keys of an organization or a project. Programs use them to call the API. */
export function ApiKeys({ place }: InPlace) {
  const path = `${place.path}/apiKeys` as const;
  const { data, error } = useList(path);
  const [dialog, setDialog] = useState<'attach' | 'create'>();
  const close = () => setDialog(undefined);
  const { address } = organizationPlace(place.orgId, false);
  return (
    <>
      <Heading title="API keys">
        {place.isOwner && place.groupId !== undefined && (
          <Button variant="secondary" onClick={() => setDialog('attach')}>
            Add key of the organization
          </Button>
        )}
        {place.isOwner && <Button onClick={() => setDialog('create')}>Create API key</Button>}
      </Heading>
      <DataTable<ApiKey>
        label="API keys"
        columns={[
          {
            title: 'Public key',
            cell: ({ id, publicKey }) => <Link href={`${address}/keys/${id}`}>{publicKey}</Link>,
          },
          { title: 'Purpose', cell: ({ desc }) => desc },
          { title: 'Roles', cell: ({ roles }) => rolesText(rolesIn(place, roles)) },
          { title: 'Action', cell: (key) => place.isOwner && <Actions place={place} apiKey={key} /> },
        ]}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        empty="Create a key for a program, such as a deployment pipeline; its secret is shown once."
      />
      {dialog === 'create' && <CreateApiKey place={place} onClose={close} />}
      {dialog === 'attach' && place.groupId !== undefined && (
        <AttachKey place={place} keys={data} onClose={close} />
      )}
    </>
  );
}

interface ActionsProps {
  readonly place: AccessPlace;
  readonly apiKey: ApiKey;
}

function Actions({ place, apiKey: { id, publicKey, roles } }: ActionsProps) {
  const [isChanging, setChanging] = useState(false);
  const path = `${place.path}/apiKeys/${id}` as const;
  const inProject = place.groupId !== undefined;
  return (
    <>
      <Button
        variant="link"
        isInline
        className="beside"
        aria-label={`Change roles of ${publicKey}`}
        onClick={() => setChanging(true)}
      >
        Change roles
      </Button>
      <Remove
        name={publicKey}
        action={inProject ? 'Remove' : 'Delete'}
        change={apiRequest('DELETE', path)}
        consequence={
          inProject
            ? 'The key loses its roles in this project, and stays in the organization.'
            : 'The service then rejects all requests with this key.'
        }
      />
      {isChanging && (
        <RolesDialog
          name={publicKey}
          roles={place.roles}
          held={rolesIn(place, roles)}
          changeTo={(names) => apiRequest('PATCH', path, { roles: names })}
          onClose={() => setChanging(false)}
        />
      )}
    </>
  );
}

interface AttachKeyProps {
  readonly place: ProjectPlace;
  readonly keys: readonly ApiKey[] | undefined;
  readonly onClose: () => void;
}

function AttachKey({ place, keys = [], onClose }: AttachKeyProps) {
  const { data = [] } = useList(`/orgs/${place.orgId}/apiKeys`);
  const others = data.filter((key) => !keys.some(({ id }) => id === key.id));
  return (
    <Attach
      title="Add key of the organization"
      label="Key"
      roles={place.roles}
      options={others.map(({ id, publicKey, desc }) => [id, `${publicKey} ${desc}`])}
      changeTo={(id, roles) =>
        apiRequest(
          'POST',
          `${place.path}/apiKeys/${id}`,
          roles.map((roleName) => ({ roleName })),
        )
      }
      onClose={onClose}
    />
  );
}
