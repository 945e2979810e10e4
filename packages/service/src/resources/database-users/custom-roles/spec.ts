import type { CustomRoleSpec } from '@portolan/engine/management';
import { serverAction } from './actions.ts';
import type { RoleRow } from './rows.ts';

/** Returns the role as the engine expects it, with the server's names of actions. */
export function roleSpec({ name, document }: RoleRow): CustomRoleSpec {
  return {
    role: name,
    database: 'admin',
    privileges: document.actions.flatMap(({ action, resources = [] }) => {
      const known = serverAction(action);
      if (known === undefined) return [];
      return resources.map(({ cluster, db = '', collection = '' }) => ({
        actions: [known],
        resource: cluster === true ? { cluster: true } : { db, collection },
      }));
    }),
    roles: document.inheritedRoles.map(({ role, db }) => ({ role, database: db })),
  };
}
