import { inBatches } from '@portolan/foundation/in-batches';
import type { Selectable } from 'kysely';
import { type CacheKey, cacheKeysOf, type ReadTx, type Tx } from '../../store/index.ts';

interface Tables {
  login_session: {
    id: string;
    token_hash: Uint8Array;
    user_id: string;
    operator: number;
    address: string;
    agent: string;
    created: number;
    used: number;
    provider_id: string | null;
  };
  login_link: { token_hash: Uint8Array; expires: number };
}

/** A session of a person. Dates are machine time. */
export interface SessionRow {
  readonly id: string;
  readonly userId: string;
  /** Whether the session also has the rights of the operator. */
  readonly isOperator: boolean;
  /**
   * The identity provider of an organization with which the session began. The session then has only the roles of the
   * user in organizations that are connected to this identity provider.
   */
  readonly providerId?: string | undefined;
  /** The address and the browser of the login. */
  readonly address: string;
  readonly agent: string;
  readonly created: number;
  readonly used: number;
}

export async function insertSession(tx: Tx, row: SessionRow, tokenHash: Uint8Array): Promise<void> {
  const { id, address, agent, created, used } = row;
  await tx
    .from<Tables>()
    .insertInto('login_session')
    .values({
      ...{ id, address, agent, created, used },
      token_hash: tokenHash,
      user_id: row.userId,
      operator: row.isOperator ? 1 : 0,
      provider_id: row.providerId ?? null,
    })
    .execute();
}

export async function sessionByToken(tx: ReadTx, tokenHash: Uint8Array): Promise<SessionRow | undefined> {
  const row = await sessions(tx).where('token_hash', '=', tokenHash).executeTakeFirst();
  return row && readSession(row);
}

/** Returns the sessions of a person, oldest first. */
export async function sessionsOf(tx: ReadTx, userId: string): Promise<SessionRow[]> {
  return (await sessions(tx).where('user_id', '=', userId).orderBy('id').execute()).map(readSession);
}

export async function markUsed(tx: Tx, id: string, used: number): Promise<void> {
  await tx.from<Tables>().updateTable('login_session').set({ used }).where('id', '=', id).execute();
}

/** The cache key of a session. A transaction that ends the session touches the key. */
const sessionKeys = cacheKeysOf('login session');
const KEY_START = sessionKeys('');

export function idOfSessionKey(key: CacheKey): string | undefined {
  return key.startsWith(KEY_START) ? key.slice(KEY_START.length) : undefined;
}

/** Maximum number of ids in one query. */
const CHUNK = 200;

/** Returns which of these sessions exist. */
export async function existingSessions(tx: ReadTx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const existing = new Set<string>();
  for (const some of inBatches(ids, CHUNK)) {
    const query = tx.from<Tables>().selectFrom('login_session').select('id');
    for (const { id } of await query.where('id', 'in', some).execute()) existing.add(id);
  }
  return existing;
}

/** Deletes a session of a person. Returns whether the session existed. */
export async function deleteSession(
  tx: Tx,
  { id, userId }: Pick<SessionRow, 'id' | 'userId'>,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .from<Tables>()
    .deleteFrom('login_session')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  tx.touch(sessionKeys(id));
  return numDeletedRows > 0n;
}

/** Ends all sessions of a person except the one with the id `keptId`. */
export async function deleteSessionsOf(tx: Tx, userId: string, keptId = ''): Promise<void> {
  const sessions = tx.from<Tables>().deleteFrom('login_session').where('user_id', '=', userId);
  const ended = await sessions.where('id', '!=', keptId).returning('id').execute();
  tx.touch(...ended.map(({ id }) => sessionKeys(id)));
}

/** Ends all sessions that began with an identity provider. */
export async function deleteSessionsWith(tx: Tx, providerId: string): Promise<void> {
  const sessions = tx.from<Tables>().deleteFrom('login_session').where('provider_id', '=', providerId);
  const ended = await sessions.returning('id').execute();
  tx.touch(...ended.map(({ id }) => sessionKeys(id)));
}

/** Deletes expired links, and sessions whose creation or last use is too long ago. */
export async function deleteEnded(
  tx: Tx,
  at: { readonly now: number; readonly createdBefore: number; readonly usedBefore: number },
): Promise<void> {
  const ended = await tx
    .from<Tables>()
    .deleteFrom('login_session')
    .where((row) => row.or([row('created', '<=', at.createdBefore), row('used', '<=', at.usedBefore)]))
    .returning('id')
    .execute();
  tx.touch(...ended.map(({ id }) => sessionKeys(id)));
  await tx.from<Tables>().deleteFrom('login_link').where('expires', '<=', at.now).execute();
}

export async function insertLink(tx: Tx, tokenHash: Uint8Array, expires: number): Promise<void> {
  await tx.from<Tables>().insertInto('login_link').values({ token_hash: tokenHash, expires }).execute();
}

export async function hasLink(tx: ReadTx, tokenHash: Uint8Array): Promise<boolean> {
  const links = tx.from<Tables>().selectFrom('login_link').select('expires');
  return (await links.where('token_hash', '=', tokenHash).executeTakeFirst()) !== undefined;
}

/** Deletes a link. Returns when it expires; undefined if the link does not exist. */
export async function takeLink(tx: Tx, tokenHash: Uint8Array): Promise<number | undefined> {
  const links = tx.from<Tables>().deleteFrom('login_link').where('token_hash', '=', tokenHash);
  return (await links.returning('expires').executeTakeFirst())?.expires;
}

function sessions(tx: ReadTx) {
  return tx.from<Tables>().selectFrom('login_session').selectAll();
}

function readSession(row: Selectable<Tables['login_session']>): SessionRow {
  const { id, address, agent, created, used } = row;
  const session = { id, address, agent, created, used, userId: row.user_id, isOperator: row.operator === 1 };
  return row.provider_id === null ? session : { ...session, providerId: row.provider_id };
}
