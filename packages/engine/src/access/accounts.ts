import type { CustomRoleSpec, UserSpec } from '../interface/engine.ts';
import type { WireUser } from './caller.ts';
import type { Privilege } from './privilege.ts';
import { Rights } from './rights.ts';
import { RoleBook } from './role-book.ts';

/** A user as it can be told: how it proves itself stays with the threads that log users in. */
export type Account = Omit<UserSpec, 'scram'>;

interface Compiled {
  readonly roles: WireUser['roles'];
  readonly rights: Rights;
}

/** So many users' rights are kept compiled; a project has 100. */
const MOST_COMPILED = 1_000;
const nobody = new Rights([]);

/** Users and roles of one cluster, and what each user may do. */
export class Accounts {
  users: readonly Account[] = [];
  #roles = new RoleBook([]);
  readonly #compiled = new Map<string, Compiled>();

  get roles(): RoleBook {
    return this.#roles;
  }

  configure(users: readonly Account[], customRoles: readonly CustomRoleSpec[]): void {
    this.users = users;
    this.#roles = new RoleBook(customRoles);
    this.#compiled.clear();
  }

  /** Whether `user` may do all that is `needed`. Who has not logged in may do nothing. */
  allows(user: WireUser | undefined, needed: readonly Privilege[]): boolean {
    if (user === undefined) return false;
    const rights = this.rightsOf(user);
    for (const privilege of needed) if (!rights.allows(privilege)) return false;
    return true;
  }

  rightsOf(user: WireUser | undefined): Rights {
    if (user === undefined) return nobody;
    const key = `${user.database}.${user.username}`;
    const found = this.#compiled.get(key);
    if (found !== undefined && sameRoles(found.roles, user.roles)) return found.rights;
    const rights = new Rights(this.#roles.allowances(user.roles));
    if (this.#compiled.size >= MOST_COMPILED) this.#compiled.clear();
    this.#compiled.set(key, { roles: user.roles, rights });
    return rights;
  }
}

/** A request brings the roles of its caller along; another list of them means that they were changed. */
function sameRoles(a: WireUser['roles'], b: WireUser['roles']): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    const [one, other] = [a[i], b[i]];
    if (one?.role !== other?.role || one?.database !== other?.database) return false;
    if (one?.collection !== other?.collection) return false;
  }
  return true;
}
