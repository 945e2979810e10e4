import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { Link } from 'wouter';
import { apiRequest } from '../../api/requests.ts';
import { useChange, useDocument } from '../../api/resources.ts';
import { rolesText } from '../../api/roles.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/date.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Remove } from '../../parts/remove.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { AddressList } from './address-list.tsx';
import type { AccessPlace } from './place.ts';
import type { Secret, ServiceAccount } from './service-accounts.tsx';
import { ValidityField } from './validity-field.tsx';

interface ServiceAccountPageProps {
  readonly place: AccessPlace;
  readonly id: string;
}

/** One service account: its secrets, and the addresses from which it may call. */
export function ServiceAccountPage({ place, id }: ServiceAccountPageProps) {
  const path = `${place.path}/serviceAccounts/${id}` as const;
  const { data, error } = useDocument(path);
  return (
    <>
      <Link href={`${place.address}/accounts`}>All service accounts</Link>
      <Problem error={error} />
      {data && (
        <>
          <Heading title={data.name} />
          <Facts
            facts={[
              ['Client id', data.clientId],
              ['Purpose', data.description],
              ['Roles', rolesText(data.roles)],
            ]}
          />
          <Secrets path={`${path}/secrets`} account={data} isOwner={place.isOwner} />
          <AddressList path={`${path}/accessList`} isOwner={place.isOwner} />
        </>
      )}
    </>
  );
}

interface SecretsProps {
  readonly path: `${AccessPlace['path']}/serviceAccounts/${string}/secrets`;
  readonly account: ServiceAccount;
  readonly isOwner: boolean;
}

function Secrets({ path, account, isOwner }: SecretsProps) {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <Heading title="Secrets">
        {isOwner && (
          <Button variant="secondary" onClick={() => setAdding(true)}>
            Add secret
          </Button>
        )}
      </Heading>
      <p>Two secrets may be valid at once: add one, let the program use it, and delete the other.</p>
      <DataTable<Secret>
        label="Secrets"
        columns={[
          { title: 'Secret', cell: ({ maskedSecretValue }) => maskedSecretValue },
          { title: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
          { title: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
          { title: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
          {
            title: 'Action',
            cell: (secret) =>
              isOwner && (
                <Remove
                  name={secret.maskedSecretValue ?? 'secret'}
                  change={apiRequest('DELETE', `${path}/${secret.id}`)}
                  consequence="The service then rejects tokens that were obtained with this secret."
                />
              ),
          },
        ]}
        rows={account.secrets}
        keyOf={({ id }) => id}
        empty="Add a secret, with which the program obtains access tokens."
      />
      {isAdding && <AddSecret path={path} account={account} onClose={() => setAdding(false)} />}
    </>
  );
}

interface AddSecretProps {
  readonly path: `${AccessPlace['path']}/serviceAccounts/${string}/secrets`;
  readonly account: ServiceAccount;
  readonly onClose: () => void;
}

function AddSecret({ path, account: { name, clientId }, onClose }: AddSecretProps) {
  const [hours, setHours] = useState('8760');
  const creation = useChange<Secret>();
  if (creation.data)
    return (
      <SecretDialog
        title={`Secret of ${name}`}
        texts={[
          ['client id', clientId],
          ['secret', creation.data.secret ?? ''],
        ]}
        onClose={onClose}
      />
    );
  const body = { secretExpiresAfterHours: Number(hours) };
  return (
    <FormDialog
      title="Add secret"
      action="Add"
      attempt={creation}
      onSubmit={() => creation.mutate(apiRequest('POST', path, body))}
      onClose={onClose}
    >
      <ValidityField value={hours} onChange={setHours} error={creation.error} />
    </FormDialog>
  );
}
