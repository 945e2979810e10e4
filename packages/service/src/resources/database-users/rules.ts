import { badValue, generalFaults } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import { builtInRoles, serverRoles } from './built-in-roles.ts';
import { userFaults } from './faults.ts';
import { commonPasswords, isWeak } from './passwords.ts';
import { findUser, type UserDocument, type UserRow } from './rows.ts';
import type { DatabaseUserUpdate } from './schema.ts';

/** Returns the user that a path names. Throws USERNAME_NOT_FOUND. */
export async function requireDatabaseUser(
  tx: ReadTx,
  at: { readonly groupId: string; readonly databaseName: string; readonly username: string },
): Promise<UserRow> {
  const row = await findUser(tx, at);
  if (!row) throw userFaults.USERNAME_NOT_FOUND(at.username);
  return row;
}

const authTypes = ['awsIAMType', 'ldapAuthType', 'oidcAuthType', 'x509Type'] as const;

/** Builds the document of a user. Fields that the body omits keep their previous values, if any. */
export function readUser(body: DatabaseUserUpdate, before?: UserDocument): UserDocument {
  const document: UserDocument = {
    awsIAMType: body.awsIAMType ?? before?.awsIAMType ?? 'NONE',
    ldapAuthType: body.ldapAuthType ?? before?.ldapAuthType ?? 'NONE',
    oidcAuthType: body.oidcAuthType ?? before?.oidcAuthType ?? 'NONE',
    x509Type: body.x509Type ?? before?.x509Type ?? 'NONE',
    labels: body.labels ?? before?.labels ?? [],
    roles: body.roles ?? before?.roles ?? [],
    scopes: body.scopes ?? before?.scopes ?? [],
    ...((body.description ?? before?.description) === undefined
      ? {}
      : { description: body.description ?? before?.description ?? '' }),
  };
  const changed = before && authTypes.some((name) => before[name] !== document[name]);
  if (changed) throw userFaults.AUTH_TYPE_CANNOT_BE_CHANGED();
  if (authTypes.filter((name) => document[name] !== 'NONE').length > 1)
    throw badValue(
      'x509Type',
      `and ${authTypes.filter((name) => name !== 'x509Type').join(', ')} exclude each other`,
    );
  return document;
}

/** Whether the user authenticates with a password. */
export function usesPassword(document: UserDocument): boolean {
  return authTypes.every((name) => document[name] === 'NONE');
}

/** Throws for a change of the fields that identify a user. */
export function checkIdentity(
  before: UserRow,
  { groupId, username, databaseName }: DatabaseUserUpdate,
): void {
  if (groupId !== undefined && groupId !== before.groupId) throw generalFaults.GROUP_MISMATCH(groupId);
  if (username !== undefined && username !== before.username) {
    throw userFaults.DATABASE_USERNAME_CANNOT_BE_CHANGED();
  }
  if (databaseName !== undefined && databaseName !== before.databaseName) {
    throw userFaults.DATABASE_NAME_CANNOT_BE_CHANGED();
  }
}

/**
 * Throws for the wrong database. Users with a password, and groups of an identity provider, belong to `admin`. All
 * other users belong to `$external`.
 */
export function checkDatabase(databaseName: string, document: UserDocument): void {
  const admin = usesPassword(document) || document.oidcAuthType === 'IDP_GROUP';
  if (admin && databaseName !== 'admin') throw userFaults.DATABASE_NAME_INVALID_ADMIN();
  if (!admin && databaseName !== '$external') throw userFaults.DATABASE_NAME_INVALID_EXTERNAL();
}

export function checkPassword(password: string | undefined, document: UserDocument, username: string): void {
  if (!usesPassword(document) && password !== undefined)
    throw userFaults.PLATFORM_X509_USER_CANNOT_USE_SCRAM();
  if (password !== undefined && commonPasswords.has(password.toLowerCase()))
    throw userFaults.COMMON_PASSWORD();
  if (password !== undefined && isWeak(password, username)) throw userFaults.WEAK_PASSWORD();
}

/** Throws for roles that a user cannot have. `custom` contains the names of the project's custom roles. */
export function checkRoles({ roles }: UserDocument, custom: ReadonlySet<string>): void {
  if (roles.length === 0) throw generalFaults.MISSING_ATTRIBUTE('roles');
  const own = roles.filter(({ roleName }) => custom.has(roleName));
  if (own.length > 0 && roles.length > 1) {
    throw userFaults.PLATFORM_INVALID_CUSTOM_ROLE_ASSIGNMENT(own[0]?.roleName ?? '');
  }
  for (const role of roles) checkRole(role, custom);
  const names = roles.map((role) => `${role.roleName}@${role.databaseName}.${role.collectionName ?? ''}`);
  if (new Set(names).size < names.length) throw userFaults.DUPLICATE_DATABASE_ROLES();
}

function checkRole(
  { roleName, databaseName, collectionName }: UserDocument['roles'][number],
  custom: ReadonlySet<string>,
): void {
  const where = builtInRoles[roleName];
  if (where === undefined) {
    if (serverRoles.has(roleName) && databaseName !== 'admin') {
      throw userFaults.PLATFORM_RESTRICTED_ROLE(roleName);
    }
    // Custom roles exist only in admin, so the name is unknown in any other database.
    if (databaseName !== 'admin') throw userFaults.UNSUPPORTED_ROLE(roleName, databaseName);
    if (custom.has(roleName)) return;
    if (serverRoles.has(roleName)) throw userFaults.PLATFORM_RESTRICTED_ROLE(roleName);
    throw userFaults.PLATFORM_INVALID_ROLE(roleName);
  }
  if (where === 'admin' && databaseName !== 'admin') {
    throw userFaults.PLATFORM_INVALID_ROLE_DATABASE(roleName, databaseName);
  }
  if (collectionName !== undefined && collectionName !== '' && where !== 'any or collection') {
    throw userFaults.PLATFORM_RESTRICTED_COLLECTION(roleName);
  }
}
