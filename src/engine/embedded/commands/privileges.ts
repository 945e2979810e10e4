import { builtInRoles, type ResourcePattern } from '../access/roles.ts';
import type { WireUser } from '../command.ts';

/** What roles allow, in the shape of answers. */
export function describePrivileges(roles: WireUser['roles']): object[] {
  return roles.flatMap((grant) => {
    const allowances = Object.hasOwn(builtInRoles, grant.role)
      ? builtInRoles[grant.role]?.(grant)
      : undefined;
    return (allowances ?? []).map(({ resource, actions }) => ({
      resource: describeResource(resource),
      actions: actions === 'all' ? ['anyAction'] : [...actions].sort(),
    }));
  });
}

function describeResource(resource: ResourcePattern): object {
  switch (resource.kind) {
    case 'cluster':
      return { cluster: true };
    case 'anything':
      return { anyResource: true };
    case 'anyNormal':
      return { db: '', collection: '' };
    case 'database':
      return { db: resource.database, collection: '' };
    case 'collection':
      return { db: resource.database, collection: resource.collection };
  }
}
