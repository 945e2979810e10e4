import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { apiRequest } from '../../api/requests.ts';
import { type GroupPath, useList } from '../../api/resources.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Remove } from '../../parts/remove.tsx';
import { CustomRoleDialog } from './custom-role-dialog.tsx';

export type CustomRole = Schemas['CustomRole'];
export type Resource = NonNullable<NonNullable<CustomRole['actions']>[number]['resources']>[number];

interface CustomRolesProps {
  readonly group: GroupPath;
  readonly isAdmin: boolean;
}

/** The roles of a project for its database users. */
export function CustomRoles({ group, isAdmin }: CustomRolesProps) {
  const path = `${group}/customDBRoles/roles` as const;
  const { data, error } = useList(path);
  const [dialog, setDialog] = useState<CustomRole | 'new'>();
  return (
    <>
      <Heading title="Custom roles">
        {isAdmin && (
          <Button variant="secondary" onClick={() => setDialog('new')}>
            Create role
          </Button>
        )}
      </Heading>
      <DataTable<CustomRole>
        label="Custom roles"
        columns={[
          { title: 'Role', cell: ({ roleName }) => roleName },
          { title: 'Actions', cell: ({ actions }) => actions.map(({ action }) => action).join(', ') },
          {
            title: 'Inherits',
            cell: ({ inheritedRoles }) => inheritedRoles.map(({ role, db }) => `${role}@${db}`).join(', '),
          },
          {
            title: 'Action',
            cell: (role) =>
              isAdmin && (
                <>
                  <Button
                    variant="link"
                    isInline
                    className="beside"
                    aria-label={`Edit ${role.roleName}`}
                    onClick={() => setDialog(role)}
                  >
                    Edit
                  </Button>
                  <Remove
                    name={role.roleName}
                    change={apiRequest('DELETE', `${path}/${encodeURIComponent(role.roleName)}`)}
                    consequence="A role that is granted to a user or inherited by another role cannot be deleted."
                  />
                </>
              ),
          },
        ]}
        rows={data}
        keyOf={({ roleName }) => roleName}
        error={error}
        empty="Create a role for users whose rights should differ from those of the built-in roles."
      />
      {dialog && (
        <CustomRoleDialog
          path={path}
          role={dialog === 'new' ? undefined : dialog}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}
