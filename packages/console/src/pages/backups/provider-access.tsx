import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { apiRequest } from '../../api/requests.ts';
import type { GroupPath } from '../../api/resources.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Remove } from '../../parts/remove.tsx';
import { AddAccessRole, AuthorizeRole } from './access-role-dialogs.tsx';
import { type AccessRole, isUsable, roleText, useAccessRoles } from './access-roles.ts';

/** The roles with which the service reaches buckets and keys at cloud providers. */
export function ProviderAccess({ group }: { readonly group: GroupPath }) {
  const path = `${group}/cloudProviderAccess` as const;
  const { roles, error } = useAccessRoles(group);
  const [dialog, setDialog] = useState<AccessRole | 'new'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <Heading title="Access roles">
        <Button variant="secondary" onClick={() => setDialog('new')}>
          Add role
        </Button>
      </Heading>
      <DataTable<AccessRole>
        label="Access roles"
        columns={[
          { title: 'Provider', cell: ({ providerName }) => providerName },
          { title: 'Role', cell: roleText },
          { title: 'State', cell: (role) => (isUsable(role) ? 'authorized' : 'to be authorized') },
          {
            title: 'Used for',
            cell: ({ featureUsages = [] }) => featureUsages.map(({ featureType }) => featureType).join(', '),
          },
          {
            title: 'Action',
            cell: (role) => (
              <>
                {!isUsable(role) && (
                  <Button variant="link" isInline className="beside" onClick={() => setDialog(role)}>
                    Authorize…
                  </Button>
                )}
                <Remove
                  name={roleText(role)}
                  change={apiRequest('DELETE', `${path}/${role.providerName}/${role.id}`)}
                  consequence="A role that is in use cannot be deleted."
                />
              </>
            ),
          },
        ]}
        rows={roles}
        keyOf={({ id }) => id}
        error={error}
        empty="Add the role that may write to your bucket, and authorize it."
      />
      {dialog === 'new' && <AddAccessRole path={path} onClose={close} />}
      {dialog && dialog !== 'new' && <AuthorizeRole path={path} role={dialog} onClose={close} />}
    </>
  );
}
