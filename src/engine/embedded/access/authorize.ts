import type { Privilege, WireUser } from '../command.ts';
import { builtInRoles, type ResourcePattern } from './roles.ts';

/** Whether `user` may do all that is `needed`. Who has not logged in may do nothing. */
export function authorize(user: WireUser | undefined, needed: readonly Privilege[]): boolean {
  if (user === undefined) return false;
  return needed.every((privilege) => user.roles.some((grant) => grants(grant, privilege)));
}

function grants(grant: WireUser['roles'][number], privilege: Privilege): boolean {
  // `Object.hasOwn`: a custom role may be called `constructor`.
  if (!Object.hasOwn(builtInRoles, grant.role)) return false;
  const allowances = builtInRoles[grant.role]?.(grant) ?? [];
  return allowances.some(
    ({ resource, actions }) =>
      (actions === 'all' || actions.has(privilege.action)) && covers(resource, privilege),
  );
}

function covers(resource: ResourcePattern, { database, collection = '' }: Privilege): boolean {
  if (resource.kind === 'anything') return true;
  if (database === undefined) return resource.kind === 'cluster';
  switch (resource.kind) {
    case 'cluster':
      return false;
    case 'anyNormal':
      return database !== 'local' && database !== 'config' && !isSystem(collection);
    case 'database':
      return database === resource.database && !isSystem(collection);
    case 'collection':
      return (
        collection === resource.collection && (resource.database === '' || resource.database === database)
      );
  }
}

/** Names that a role has to grant one by one. */
function isSystem(collection: string): boolean {
  return collection.startsWith('system.');
}
