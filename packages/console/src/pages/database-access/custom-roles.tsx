import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { useList } from '../../api/resources.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Remove } from '../../parts/remove.tsx';
import { CustomRoleDialog } from './custom-role-dialog.tsx';

export interface Resource {
  readonly cluster?: boolean;
  readonly db?: string;
  readonly collection?: string;
}

export interface CustomRole {
  readonly roleName: string;
  readonly actions: readonly { readonly action: string; readonly resources?: readonly Resource[] }[];
  readonly inheritedRoles: readonly { readonly role: string; readonly db: string }[];
}

interface CustomRolesProps {
  readonly group: string;
  readonly isAdmin: boolean;
}

/** The roles of a project for its database users. */
export function CustomRoles({ group, isAdmin }: CustomRolesProps) {
  const path = `${group}/customDBRoles/roles`;
  const { data, error } = useList<CustomRole>(path);
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
                    change={{ method: 'DELETE', path: `${path}/${encodeURIComponent(role.roleName)}` }}
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
