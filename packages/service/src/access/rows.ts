import { nextTurn } from '@portolan/foundation/next-turn';
import { sql } from 'kysely';
import { prepared, type ReadTx, type Tx } from '../store/index.ts';
import type { Grant, ScopeKind } from './caller.ts';

/** The tables that `migrations.ts` creates. */
export interface AccessTables {
  api_key: {
    id: string;
    org_id: string;
    public_key: string;
    description: string;
    private_key_mask: string;
    ha1_md5: Uint8Array;
    ha1_sha256: Uint8Array;
    created_at: number;
  };
  service_account: { id: string; org_id: string; name: string; description: string; created_at: number };
  service_account_secret: {
    id: string;
    service_account_id: string;
    hash: Uint8Array;
    mask: string;
    created_at: number;
    /** Expiry in service time; null if the secret never expires. */
    expires_at: number | null;
    /** Time of the last use, in service time. */
    last_used_at: number | null;
  };
  role_grant: { principal_id: string; scope_kind: ScopeKind; scope_id: string; role: string };
  access_list_entry: {
    principal_id: string;
    cidr_block: string;
    created_at: number;
    request_count: number;
    /** Time of the last use, in service time. */
    last_used_at: number | null;
    last_used_address: string | null;
  };
  access_list_requirement: { org_id: string };
  revoked_token: { id: string; expires_at: number };
  used_nonce: { nonce: string; nc: number; expires_at: number };
  wrong_credentials: { name: string; address: string; attempts: number; expires_at: number };
}

type Tables = AccessTables;
export type ApiKeyRow = Tables['api_key'];
export type ServiceAccountRow = Tables['service_account'];
export type SecretRow = Tables['service_account_secret'];

const keyByPublicKey = prepared<Tables, { publicKey: string }, ApiKeyRow>((db, of) =>
  db.selectFrom('api_key').selectAll().where('public_key', '=', of.publicKey),
);
const accountById = prepared<Tables, { id: string }, ServiceAccountRow>((db, of) =>
  db.selectFrom('service_account').selectAll().where('id', '=', of.id),
);
const grantsOfPrincipal = prepared<Tables, { id: string }, Grant>((db, of) =>
  db
    .selectFrom('role_grant')
    .select(['scope_kind as scope', 'scope_id as id', 'role'])
    .where('principal_id', '=', of.id)
    .orderBy('scope_kind')
    .orderBy('scope_id')
    .orderBy('role'),
);
const rolesOfPrincipalAt = prepared<
  Tables,
  { id: string; kind: ScopeKind; scopeId: string },
  { role: string }
>((db, of) =>
  db
    .selectFrom('role_grant')
    .select('role')
    .where('principal_id', '=', of.id)
    .where('scope_kind', '=', of.kind)
    .where('scope_id', '=', of.scopeId)
    .orderBy('role'),
);
const addressesOfPrincipal = prepared<Tables, { id: string }, { cidr_block: string }>((db, of) =>
  db
    .selectFrom('access_list_entry')
    .select('cidr_block')
    .where('principal_id', '=', of.id)
    .orderBy('cidr_block'),
);
const secretsOfAccount = prepared<Tables, { id: string }, SecretRow>((db, of) =>
  db.selectFrom('service_account_secret').selectAll().where('service_account_id', '=', of.id).orderBy('id'),
);
const revokedToken = prepared<Tables, { id: string }, { id: string }>((db, of) =>
  db.selectFrom('revoked_token').select('id').where('id', '=', of.id),
);
const insertNonce = prepared<Tables, Tables['used_nonce'], object>((db, of) =>
  db
    .insertInto('used_nonce')
    .values({ nonce: of.nonce, nc: of.nc, expires_at: of.expires_at })
    .onConflict((conflict) => conflict.doNothing()),
);

export const findApiKey = (tx: ReadTx, publicKey: string) => keyByPublicKey.first(tx, { publicKey });
export const findServiceAccount = (tx: ReadTx, id: string) => accountById.first(tx, { id });
export const grantsOf = (tx: ReadTx, id: string) => grantsOfPrincipal.all(tx, { id });
/** Returns the roles of a principal on one organization or project. */
export async function rolesOn(tx: ReadTx, id: string, kind: ScopeKind, scopeId: string): Promise<string[]> {
  return (await rolesOfPrincipalAt.all(tx, { id, kind, scopeId })).map(({ role }) => role);
}

/** Whether principals together hold at least `count` roles. */
export async function holdRoles(tx: ReadTx, ids: readonly string[], count: number): Promise<boolean> {
  if (ids.length === 0) return false;
  const held = tx.from<Tables>().selectFrom('role_grant').select('role').where('principal_id', 'in', ids);
  const last = await held
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst();
  return last !== undefined;
}

export const secretsOf = (tx: ReadTx, id: string) => secretsOfAccount.all(tx, { id });
export const isRevoked = async (tx: ReadTx, id: string) =>
  (await revokedToken.first(tx, { id })) !== undefined;

/** Selects principals: those of an organization, or those with a role on a project. */
export type PrincipalOwner = { readonly orgId: string } | { readonly groupId: string };

/** Subquery for the ids of principals with a role on a project. */
export const principalsIn = (tx: ReadTx, groupId: string) =>
  tx
    .from<Tables>()
    .selectFrom('role_grant')
    .select('principal_id')
    .where('scope_kind', '=', 'group')
    .where('scope_id', '=', groupId);

export async function addressesOf(tx: ReadTx, id: string): Promise<string[]> {
  return (await addressesOfPrincipal.all(tx, { id })).map((row) => row.cidr_block);
}

/** Inserts a use of a nonce; returns false if the nonce was used with this count before. */
export async function insertUsedNonce(tx: Tx, row: Tables['used_nonce']): Promise<boolean> {
  return (await insertNonce.run(tx, row)) > 0;
}

export async function insertApiKey(tx: Tx, row: ApiKeyRow): Promise<void> {
  await tx.from<Tables>().insertInto('api_key').values(row).execute();
}

export async function insertServiceAccount(tx: Tx, row: ServiceAccountRow): Promise<void> {
  await tx.from<Tables>().insertInto('service_account').values(row).execute();
}

export async function insertSecret(tx: Tx, row: SecretRow): Promise<void> {
  await tx.from<Tables>().insertInto('service_account_secret').values(row).execute();
}

export async function insertGrant(tx: Tx, row: Tables['role_grant']): Promise<void> {
  const insert = tx.from<Tables>().insertInto('role_grant').values(row);
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
}

export async function deleteGrant(tx: Tx, row: Tables['role_grant']): Promise<void> {
  await tx
    .from<Tables>()
    .deleteFrom('role_grant')
    .where('principal_id', '=', row.principal_id)
    .where('scope_kind', '=', row.scope_kind)
    .where('scope_id', '=', row.scope_id)
    .where('role', '=', row.role)
    .execute();
}

/** Deletes every role on an organization or project; returns the principals that had such a role. */
export async function deleteGrantsOn(tx: Tx, kind: ScopeKind, id: string): Promise<string[]> {
  const rows = await tx
    .from<Tables>()
    .deleteFrom('role_grant')
    .where('scope_kind', '=', kind)
    .where('scope_id', '=', id)
    .returning('principal_id')
    .execute();
  return [...new Set(rows.map((row) => row.principal_id))];
}

/** Returns the API keys and service accounts that belong to an organization. */
export async function principalsOf(tx: ReadTx, orgId: string): Promise<string[]> {
  const db = tx.from<Tables>();
  const keys = await db.selectFrom('api_key').select('id').where('org_id', '=', orgId).execute();
  const accounts = await db.selectFrom('service_account').select('id').where('org_id', '=', orgId).execute();
  return [...keys, ...accounts].map((row) => row.id);
}

/** Deletes API keys or service accounts with their dependent rows. */
export async function deletePrincipals(tx: Tx, ids: readonly string[]): Promise<void> {
  const db = tx.from<Tables>();
  for (const id of ids) {
    await db.deleteFrom('role_grant').where('principal_id', '=', id).execute();
    await db.deleteFrom('access_list_entry').where('principal_id', '=', id).execute();
    await db.deleteFrom('api_key').where('id', '=', id).execute();
    await db.deleteFrom('service_account').where('id', '=', id).execute();
  }
}

const requirementOfOrg = prepared<Tables, { orgId: string }, { org_id: string }>((db, of) =>
  db.selectFrom('access_list_requirement').selectAll().where('org_id', '=', of.orgId),
);

export const isListRequired = async (tx: ReadTx, orgId: string) =>
  (await requirementOfOrg.first(tx, { orgId })) !== undefined;

export async function setListRequired(tx: Tx, orgId: string, required: boolean): Promise<void> {
  const db = tx.from<Tables>();
  if (!required) {
    await db.deleteFrom('access_list_requirement').where('org_id', '=', orgId).execute();
    return;
  }
  const insert = db.insertInto('access_list_requirement').values({ org_id: orgId });
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
}

export async function insertAddress(tx: Tx, row: Tables['access_list_entry']): Promise<void> {
  const insert = tx.from<Tables>().insertInto('access_list_entry').values(row);
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
}

export async function insertRevokedToken(tx: Tx, row: Tables['revoked_token']): Promise<void> {
  const insert = tx.from<Tables>().insertInto('revoked_token').values(row);
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
}

/**
 * Counts one failed attempt in the stored window. If this window ended before `now`, or ends after `latest`, replaces
 * it by a new window that ends at `expiresAt`.
 */
export async function countWrongAttempt(
  tx: Tx,
  at: { name: string; address: string; now: number; latest: number; expiresAt: number },
): Promise<{ attempts: number; expires_at: number }> {
  const { name, address, now, latest, expiresAt } = at;
  const over = sql<boolean>`(wrong_credentials.expires_at <= ${now} OR wrong_credentials.expires_at > ${latest})`;
  return tx
    .from<Tables>()
    .insertInto('wrong_credentials')
    .values({ name, address, attempts: 1, expires_at: expiresAt })
    .onConflict((conflict) =>
      conflict.columns(['name', 'address']).doUpdateSet({
        attempts: sql`CASE WHEN ${over} THEN 1 ELSE wrong_credentials.attempts + 1 END`,
        expires_at: sql`CASE WHEN ${over} THEN excluded.expires_at ELSE wrong_credentials.expires_at END`,
      }),
    )
    .returning(['attempts', 'expires_at'])
    .executeTakeFirstOrThrow();
}

const expiring = ['revoked_token', 'used_nonce', 'wrong_credentials'] as const;

/** Deletes the tokens, nonces and attempts that have expired at the machine time `now`. */
export async function deleteExpired(tx: Tx, now: number): Promise<void> {
  for (const table of expiring) {
    await tx.from<Tables>().deleteFrom(table).where('expires_at', '<', now).execute();
  }
}

/** A role of a principal on an organization or project. */
export interface HeldGrant extends Grant {
  readonly principalId: string;
}

/** Returns every role that is granted on the given organizations or projects. */
export async function grantsOnScopes(
  tx: ReadTx,
  kind: ScopeKind,
  ids: readonly string[],
): Promise<HeldGrant[]> {
  if (ids.length === 0) return [];
  return heldGrants(tx).where('scope_kind', '=', kind).where('scope_id', 'in', ids).execute();
}

/** How many principals a statement reads. Each can have `MAX_ROLES` roles. */
const PRINCIPALS_AT_ONCE = 8;

/** Returns every role of the given principals. Other requests are served between the statements. */
export async function grantsOfPrincipals(tx: ReadTx, ids: readonly string[]): Promise<HeldGrant[]> {
  const found: HeldGrant[][] = [];
  for (let at = 0; at < ids.length; at += PRINCIPALS_AT_ONCE) {
    if (at > 0) await nextTurn();
    const some = ids.slice(at, at + PRINCIPALS_AT_ONCE);
    found.push(await heldGrants(tx).where('principal_id', 'in', some).execute());
  }
  return found.flat();
}

/** Returns every role of the given principals, grouped by principal. */
export async function grantsOfAll(
  tx: ReadTx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Grant[]>> {
  return Map.groupBy(await grantsOfPrincipals(tx, ids), ({ principalId }) => principalId);
}

function heldGrants(tx: ReadTx) {
  return tx
    .from<Tables>()
    .selectFrom('role_grant')
    .select(['principal_id as principalId', 'scope_kind as scope', 'scope_id as id', 'role'])
    .orderBy('principal_id')
    .orderBy('scope_kind')
    .orderBy('scope_id')
    .orderBy('role');
}
