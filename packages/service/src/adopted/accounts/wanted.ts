import type { AccessSpec, CustomRoleSpec, RoleGrant, UserSpec } from '@portolan/engine/interface/engine';
import type { Document } from 'mongodb';
import { type AccountName, keyOf } from './book.ts';
import { digestOf } from './digests.ts';
import { contentsOfRole, ownRoleOf, serverGrants } from './grants.ts';

/** An account that the project wants on a deployment. */
export interface WantedAccount extends AccountName {
  /** The fields of the command that creates or changes the account. */
  readonly fields: Document;
  /** A digest that changes whenever the fields change. It does not reveal the password. */
  readonly digest: string;
  /** Keys of the roles that the service creates and that the account inherits. */
  readonly needs: readonly string[];
  /** The reason why servers cannot have this account; absent if they can have it. */
  readonly problem?: string;
  /**
   * The reason why servers cannot create this account; absent if they can. This reason does not prevent a
   * change of an account that exists.
   */
  readonly obstacle?: string;
}

/** Returns the accounts that a project wants, in the order of creation. */
export function wantedAccounts({ users, customRoles = [] }: AccessSpec): WantedAccount[] {
  const own = users.flatMap((user) => ownRoleOf(user) ?? []);
  const roles = [...inOrder(customRoles), ...own];
  const names = new Set(roles.map(keyOfRole));
  return [...roles.map((role) => wantedRole(role, names)), ...users.map((user) => wantedUser(user, names))];
}

const keyOfRole = ({ role, database }: RoleGrant) => keyOf({ kind: 'ROLE', database, name: role });

/** Returns roles in an order in which each role follows the roles that it inherits. */
export function inOrder(roles: readonly CustomRoleSpec[]): CustomRoleSpec[] {
  const byKey = new Map(roles.map((role) => [keyOfRole(role), role]));
  const ordered = new Set<CustomRoleSpec>();
  const visit = (role: CustomRoleSpec) => {
    byKey.delete(keyOfRole(role));
    for (const inherited of role.roles) {
      const next = byKey.get(keyOfRole(inherited));
      if (next !== undefined) visit(next);
    }
    ordered.add(role);
  };
  for (const role of roles) if (byKey.has(keyOfRole(role))) visit(role);
  return [...ordered];
}

function wantedRole(
  { role, database, privileges, roles }: CustomRoleSpec,
  names: ReadonlySet<string>,
): WantedAccount {
  const fields = { privileges, roles: roles.flatMap(serverGrants) };
  const needs = roles.map(keyOfRole).filter((key) => names.has(key));
  return { kind: 'ROLE', database, name: role, fields, digest: contentsOfRole(fields), needs };
}

const NOT_TRUSTED =
  'the service issues the certificates of this user, but the servers do not trust the authority of the service';
const NOT_KNOWN =
  'on adopted deployments, only users with a password or with a certificate of another authority can log in';
const NO_PASSWORD = 'the service has not stored the password of this user: set the password again';

function wantedUser(user: UserSpec, names: ReadonlySet<string>): WantedAccount {
  const { username: name, database, roles, scram, password, certificates } = user;
  const own = ownRoleOf(user);
  const whole = roles.filter(({ collection }) => collection === undefined);
  const granted = [...whole, ...(own === undefined ? [] : [own])];
  const grants = granted.flatMap(serverGrants);
  const { text, version } = password ?? {};
  const problem =
    certificates?.authority === 'managed'
      ? NOT_TRUSTED
      : scram === undefined && certificates === undefined
        ? NOT_KNOWN
        : undefined;
  return {
    ...{ kind: 'USER', database, name },
    fields: { ...(text === undefined ? {} : { pwd: text }), roles: grants },
    digest: digestOf([grants, version]),
    needs: granted.map(keyOfRole).filter((key) => names.has(key)),
    ...(problem === undefined ? {} : { problem }),
    ...(scram !== undefined && text === undefined ? { obstacle: NO_PASSWORD } : {}),
  };
}
