import { BoundedCache } from '@portolan/foundation/bounded-cache';
import type { CustomRoleSpec, UserSpec } from '../interface/engine.ts';
import { ANONYMOUS_ROOT, type WireUser } from './caller.ts';
import type { Privilege } from './privilege.ts';
import { Rights } from './rights.ts';
import { RoleBook } from './role-book.ts';

/** A user without SCRAM verifiers. Only connection threads, which authenticate users, receive the verifiers. */
export type Account = Omit<UserSpec, 'scram'>;

interface Compiled {
  readonly roles: WireUser['roles'];
  readonly rights: Rights;
}

/** Maximum number of users whose compiled rights are cached. A project has at most 100 users. */
const MAX_COMPILED = 1_000;
const noRights = new Rights([]);

/** The users and roles of one cluster, and the rights of each user. */
export class Accounts {
  users: readonly Account[] = [];
  #roles = new RoleBook([]);
  readonly #compiled = new BoundedCache<string, Compiled>({ entries: MAX_COMPILED });

  get roles(): RoleBook {
    return this.#roles;
  }

  configure(users: readonly Account[], customRoles: readonly CustomRoleSpec[]): void {
    this.users = users;
    this.#roles = new RoleBook(customRoles);
    this.#compiled.clear();
  }

  /** True if `user` has all `needed` privileges. An unauthenticated caller has no privileges. */
  allows(user: WireUser | undefined, needed: readonly Privilege[]): boolean {
    if (user === undefined) return false;
    const rights = this.rightsOf(user);
    for (const privilege of needed) if (!rights.allows(privilege)) return false;
    return true;
  }

  rightsOf(user: WireUser | undefined): Rights {
    if (user === undefined) return noRights;
    if (user.unrestricted) return this.rightsOf(ANONYMOUS_ROOT);
    const key = `${user.database}.${user.username}`;
    const found = this.#compiled.get(key);
    if (found !== undefined && sameRoles(found.roles, user.roles)) return found.rights;
    const rights = new Rights(this.#roles.allowances(user.roles));
    this.#compiled.set(key, { roles: user.roles, rights });
    return rights;
  }
}

/**
 * True if both lists contain the same roles in the same order. If not, the user has received other roles since the
 * rights were compiled.
 */
function sameRoles(a: WireUser['roles'], b: WireUser['roles']): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    const [one, other] = [a[i], b[i]];
    if (one?.role !== other?.role || one?.database !== other?.database) return false;
    if (one?.collection !== other?.collection) return false;
  }
  return true;
}
