import type { CustomRoleSpec, RoleGrant } from '../interface/engine.ts';
import { type Allowance, patternOf } from './resources.ts';
import { builtInRoles } from './roles.ts';

/** All roles, both built-in and custom. */
export class RoleBook {
  readonly #custom: ReadonlyMap<string, CustomRoleSpec>;

  constructor(custom: readonly CustomRoleSpec[]) {
    this.#custom = new Map(custom.map((role) => [keyOf(role), role]));
  }

  custom(role: string, database: string): CustomRoleSpec | undefined {
    return this.#custom.get(keyOf({ role, database }));
  }

  get all(): IterableIterator<CustomRoleSpec> {
    return this.#custom.values();
  }

  /**
   * Returns the privileges of the grants, including the privileges of inherited roles. An unknown role adds no
   * privileges.
   */
  allowances(grants: readonly RoleGrant[]): Allowance[] {
    return this.withInherited(grants).flatMap((grant) => {
      const custom = this.custom(grant.role, grant.database);
      if (custom === undefined) {
        // Use `Object.hasOwn`, because a role may have the name of an inherited property, such as `constructor`.
        return Object.hasOwn(builtInRoles, grant.role) ? (builtInRoles[grant.role]?.(grant) ?? []) : [];
      }
      return custom.privileges.map(({ resource, actions }) => ({
        resource: patternOf(resource),
        actions: actions.includes('anyAction') ? ('all' as const) : new Set(actions),
      }));
    });
  }

  /** Returns the grants and all grants that their roles inherit, without duplicates. */
  withInherited(grants: readonly RoleGrant[]): RoleGrant[] {
    const found = new Map<string, RoleGrant>();
    const add = (grant: RoleGrant): void => {
      const key = `${keyOf(grant)}.${grant.collection ?? ''}`;
      if (found.has(key)) return;
      found.set(key, grant);
      for (const inherited of this.custom(grant.role, grant.database)?.roles ?? []) add(inherited);
    };
    for (const grant of grants) add(grant);
    return [...found.values()];
  }
}

function keyOf({ role, database }: Pick<RoleGrant, 'role' | 'database'>): string {
  return `${database}.${role}`;
}
