import type { ReadTx, Tx } from '../../../store/index.ts';

interface Tables {
  openid_identity: { issuer: string; subject: string; user_id: string; created: number };
  used_openid_state: { state_hash: Uint8Array; expires: number };
}

/** The identity of a person at the provider. Its `subject` stays the same if the mail address changes. */
interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

export async function userIdOf(tx: ReadTx, { issuer, subject }: Subject): Promise<string | undefined> {
  const rows = tx.from<Tables>().selectFrom('openid_identity').select('user_id');
  const row = await rows.where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst();
  return row?.user_id;
}

/** Whether a user already logs in with an identity of this issuer. */
export async function hasIdentity(tx: ReadTx, issuer: string, userId: string): Promise<boolean> {
  const rows = tx.from<Tables>().selectFrom('openid_identity').select('subject').where('issuer', '=', issuer);
  return (await rows.where('user_id', '=', userId).executeTakeFirst()) !== undefined;
}

export async function insertIdentity(
  tx: Tx,
  { issuer, subject }: Subject,
  { userId, created }: { readonly userId: string; readonly created: number },
): Promise<void> {
  const values = { user_id: userId, created };
  await tx
    .from<Tables>()
    .insertInto('openid_identity')
    .values({ issuer, subject, ...values })
    // The existing row can only be that of a deleted user. Replace it.
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doUpdateSet(values))
    .execute();
}

/** Deletes the identities of a user; returns whether there were any. */
export async function deleteIdentities(tx: Tx, userId: string): Promise<boolean> {
  const query = tx.from<Tables>().deleteFrom('openid_identity').where('user_id', '=', userId);
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
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
