import type { RawDocument } from '../bson/raw.ts';
import type { CustomRoleSpec, RoleGrant, ScramVerifier, UserSpec } from '../interface/engine.ts';
import { allStored, type CollectionName } from '../parameters/stored.ts';
import type { ClusterStore } from '../storage/cluster-store.ts';
import type { ResourceSpec } from './resources.ts';

/**
 * This file converts users and roles that commands have created. They are stored in the collections and document
 * formats of the server.
 */

export const USERS: CollectionName = { database: 'admin', collection: 'system.users' };
export const ROLES: CollectionName = { database: 'admin', collection: 'system.roles' };

export interface StoredGrant {
  readonly role: string;
  readonly db: string;
}

export interface AddressRestriction {
  readonly clientSource?: readonly string[];
  readonly serverAddress?: readonly string[];
}

/** A document of `admin.system.users`, without its id. */
export interface StoredUser {
  readonly user: string;
  readonly db: string;
  readonly userId?: unknown;
  readonly credentials: Readonly<Record<string, StoredVerifier | true>>;
  readonly roles: readonly StoredGrant[];
  readonly customData?: unknown;
  readonly authenticationRestrictions?: readonly AddressRestriction[];
}

export interface StoredVerifier {
  readonly iterationCount: number;
  readonly salt: string;
  readonly storedKey: string;
  readonly serverKey: string;
}

/** A document of `admin.system.roles`, without its id. */
export interface StoredRole {
  readonly role: string;
  readonly db: string;
  readonly privileges: ReadonlyArray<{
    readonly resource: ResourceSpec;
    readonly actions: readonly string[];
  }>;
  readonly roles: readonly StoredGrant[];
  readonly authenticationRestrictions?: readonly AddressRestriction[];
}

export function storedUsers(store: ClusterStore): StoredUser[] {
  return allStored(store, USERS).map(userOf);
}

/**
 * Converts a stored document to a user. `customData` remains raw BSON, so that it is returned exactly as it was
 * stored.
 */
export function userOf(document: RawDocument): StoredUser {
  return { ...(document.toObject() as StoredUser), customData: document.document('customData') };
}

export function storedRoles(store: ClusterStore): StoredRole[] {
  return allStored(store, ROLES).map((document) => document.toObject() as StoredRole);
}

/** Converts a stored user to the format that connection threads use to authenticate users. */
export function userSpecOf(user: StoredUser): UserSpec {
  const sha1 = verifierOf(user.credentials['SCRAM-SHA-1']);
  const sha256 = verifierOf(user.credentials['SCRAM-SHA-256']);
  const restrictions = user.authenticationRestrictions ?? [];
  return {
    username: user.user,
    database: user.db,
    roles: user.roles.map(grantOf),
    scram: { ...(sha1 ? { sha1 } : {}), ...(sha256 ? { sha256 } : {}) },
    ...(restrictions.length === 0 ? {} : { restrictions }),
  };
}

export function roleSpecOf({ role, db, privileges, roles }: StoredRole): CustomRoleSpec {
  return { role, database: db, privileges, roles: roles.map(grantOf) };
}

function grantOf({ role, db }: StoredGrant): RoleGrant {
  return { role, database: db };
}

export function storedGrantOf({ role, database }: RoleGrant): StoredGrant {
  return { role, db: database };
}

function verifierOf(stored: StoredVerifier | true | undefined): ScramVerifier | undefined {
  if (stored === undefined || stored === true) return undefined;
  const { iterationCount, salt, storedKey, serverKey } = stored;
  return { iterations: iterationCount, salt, storedKey, serverKey };
}
