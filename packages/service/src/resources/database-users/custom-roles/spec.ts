import type { CustomRoleSpec } from '@portolan/engine/management';
import { actionNamed } from './actions.ts';
import type { RoleRow } from './rows.ts';

/** A custom role as the engine takes it: in the server's names of actions. */
export function roleSpec({ name, document }: RoleRow): CustomRoleSpec {
  return {
    role: name,
    database: 'admin',
    privileges: document.actions.flatMap(({ action, resources = [] }) =>
      resources.map(({ cluster, db = '', collection = '' }) => ({
        actions: [actionNamed(action).action],
        resource: cluster === true ? { cluster: true } : { db, collection },
      })),
    ),
    roles: document.inheritedRoles.map(({ role, db }) => ({ role, database: db })),
  };
}
