import type { ReadTx, Tx } from '../../../store/index.ts';

interface Tables {
  openid_identity: { issuer: string; subject: string; user_id: string; created: number };
  used_openid_state: { state_hash: Uint8Array; expires: number };
}

/** The identity of a person at a provider. Its `subject` stays the same if the mail address changes. */
interface Subject {
  /**
   * The issuer of the operator's provider, or `sourceOf` an organization's identity provider. Several identity
   * providers can have the same issuer, but they trust different claims, so each has its own subjects.
   */
  readonly source: string;
  readonly subject: string;
}

/** Returns the source of the subjects of an organization's identity provider. It differs from the URLs of issuers. */
export const sourceOf = (providerId: string) => `identity provider ${providerId}`;

export async function userIdOf(tx: ReadTx, { source, subject }: Subject): Promise<string | undefined> {
  const rows = tx.from<Tables>().selectFrom('openid_identity').select('user_id');
  const row = await rows.where('issuer', '=', source).where('subject', '=', subject).executeTakeFirst();
  return row?.user_id;
}

/** Whether a user already logs in with another subject of this source. */
export async function hasIdentity(tx: ReadTx, source: string, userId: string): Promise<boolean> {
  const rows = tx.from<Tables>().selectFrom('openid_identity').select('subject').where('issuer', '=', source);
  return (await rows.where('user_id', '=', userId).executeTakeFirst()) !== undefined;
}

export async function insertIdentity(
  tx: Tx,
  { source, subject }: Subject,
  { userId, created }: { readonly userId: string; readonly created: number },
): Promise<void> {
  const values = { user_id: userId, created };
  await tx
    .from<Tables>()
    .insertInto('openid_identity')
    .values({ issuer: source, subject, ...values })
    // The existing row can only be that of a deleted user. Replace it.
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet(values))
    .execute();
}

/** Deletes the identities of a user; returns whether there were any. */
export async function deleteIdentities(tx: Tx, userId: string): Promise<boolean> {
  const query = tx.from<Tables>().deleteFrom('openid_identity').where('user_id', '=', userId);
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}

/** Deletes the identities of all users at an organization's identity provider. */
export async function deleteIdentitiesAt(tx: Tx, providerId: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('openid_identity').where('issuer', '=', sourceOf(providerId)).execute();
}

/** Marks a login as used; returns whether it was unused. `expires` is machine time. */
export async function useState(tx: Tx, stateHash: Uint8Array, expires: number): Promise<boolean> {
  const query = tx
    .from<Tables>()
    .insertInto('used_openid_state')
    .values({ state_hash: stateHash, expires })
    .onConflict((conflict) => conflict.column('state_hash').doNothing());
  return (await query.executeTakeFirst()).numInsertedOrUpdatedRows === 1n;
}

export async function deleteUsedStates(tx: Tx, now: number): Promise<void> {
  await tx.from<Tables>().deleteFrom('used_openid_state').where('expires', '<=', now).execute();
}
