import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../api/operations.ts';
import { apiRequest } from '../../api/requests.ts';
import { useList } from '../../api/resources.ts';
import { rolesText } from '../../api/roles.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Remove } from '../../parts/remove.tsx';
import { Attach } from './attach.tsx';
import { CreateServiceAccount } from './create-service-account.tsx';
import type { AccessPlace, InPlace, ProjectPlace } from './place.ts';
import { RolesDialog } from './roles-dialog.tsx';

export type Secret = NonNullable<ServiceAccount['secrets']>[number];

export type ServiceAccount = Schemas['ServiceAccount'] | Schemas['ProjectServiceAccount'];

/** Returns when the last secret of an account expires. Returns undefined if a secret never expires. */
function lastExpiry({ secrets }: ServiceAccount): string | undefined {
  const expiries = secrets.flatMap(({ expiresAt }) => expiresAt ?? []);
  return expiries.length < secrets.length ? undefined : expiries.toSorted().at(-1);
}

/** The service accounts of an organization or a project. Programs use them to call the API with access tokens. */
export function ServiceAccounts({ place }: InPlace) {
  const { data, error } = useList(`${place.path}/serviceAccounts`);
  const [dialog, setDialog] = useState<'attach' | 'create'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <Heading title="Service accounts">
        {place.isOwner && place.groupId !== undefined && (
          <Button variant="secondary" onClick={() => setDialog('attach')}>
            Add account of the organization
          </Button>
        )}
        {place.isOwner && <Button onClick={() => setDialog('create')}>Create service account</Button>}
      </Heading>
      <DataTable<ServiceAccount>
        label="Service accounts"
        columns={[
          {
            title: 'Name',
            cell: ({ clientId, name }) => <Link href={`${place.address}/accounts/${clientId}`}>{name}</Link>,
          },
          { title: 'Client id', cell: ({ clientId }) => clientId },
          { title: 'Roles', cell: ({ roles }) => rolesText(roles) },
          {
            title: 'Last secret expires',
            cell: (account) => <Moment at={lastExpiry(account)} />,
          },
          {
            title: 'Action',
            cell: (account) => place.isOwner && <Actions place={place} account={account} />,
          },
        ]}
        rows={data}
        keyOf={({ clientId }) => clientId}
        error={error}
        empty="Create an account for a program that obtains access tokens; its secret is shown once."
      />
      {dialog === 'create' && <CreateServiceAccount place={place} onClose={close} />}
      {dialog === 'attach' && place.groupId !== undefined && (
        <AttachAccount place={place} accounts={data} onClose={close} />
      )}
    </>
  );
}

interface ActionsProps {
  readonly place: AccessPlace;
  readonly account: ServiceAccount;
}

function Actions({ place, account: { clientId, name, roles } }: ActionsProps) {
  const [isChanging, setChanging] = useState(false);
  const path = `${place.path}/serviceAccounts/${clientId}` as const;
  const inProject = place.groupId !== undefined;
  return (
    <>
      <Button
        variant="link"
        isInline
        className="beside"
        aria-label={`Change roles of ${name}`}
        onClick={() => setChanging(true)}
      >
        Change roles
      </Button>
      <Remove
        name={name}
        action={inProject ? 'Remove' : 'Delete'}
        change={apiRequest('DELETE', path)}
        consequence={
          inProject
            ? 'The account loses its roles in this project, and stays in the organization.'
            : 'The service then rejects all tokens of this account.'
        }
      />
      {isChanging && (
        <RolesDialog
          name={name}
          roles={place.roles}
          held={roles}
          changeTo={(names) => apiRequest('PATCH', path, { roles: names })}
          onClose={() => setChanging(false)}
        />
      )}
    </>
  );
}

interface AttachAccountProps {
  readonly place: ProjectPlace;
  readonly accounts: readonly ServiceAccount[] | undefined;
  readonly onClose: () => void;
}

function AttachAccount({ place, accounts = [], onClose }: AttachAccountProps) {
  const { data = [] } = useList(`/orgs/${place.orgId}/serviceAccounts`);
  const others = data.filter((one) => !accounts.some(({ clientId }) => clientId === one.clientId));
  return (
    <Attach
      title="Add account of the organization"
      label="Service account"
      roles={place.roles}
      options={others.map(({ clientId, name }) => [clientId, `${name} ${clientId}`])}
      changeTo={(id, roles) => apiRequest('POST', `${place.path}/serviceAccounts/${id}:invite`, { roles })}
      onClose={onClose}
    />
  );
}
