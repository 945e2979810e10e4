import { hashSecret } from '../../../access/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { findUserNamed, type UserRow } from '../../accounts/index.ts';
import type { Services } from '../../services.ts';
import { acceptWithAccount, invitationNamed } from '../../users/index.ts';
import { proveAddress } from '../proof.ts';
import { knownUser, namesOf, unknownPassword } from './account.ts';
import { ATTEMPT_MS } from './attempt.ts';
import type { Identity } from './provider.ts';
import { hasIdentity, insertIdentity, useState } from './rows.ts';

/** Why a person cannot log in. The login page has a text for each reason. */
export type Refusal = 'domain' | 'ended' | 'other' | 'unknown' | 'unproven' | 'unverified';

/**
 * Returns the user to whom an identity belongs, or why there is no such user. Accepts each `state` parameter only once.
 */
export async function redeem(
  services: Services,
  identity: Identity,
  state: string,
): Promise<UserRow | Refusal> {
  const { machine, random, store } = services;
  const passwordHash = (await store.read((tx) => needsPassword(tx, identity)))
    ? await unknownPassword(random, identity)
    : undefined;
  return store.write(async (tx) => {
    const now = machine.now();
    if (!(await useState(tx, hashSecret(state), now + ATTEMPT_MS))) return 'ended';
    const known = await knownUser(tx, identity);
    if (known !== undefined) return known;
    const user = await userToLink(tx, identity, passwordHash);
    if (typeof user !== 'string') await insertIdentity(tx, identity, { userId: user.id, created: now });
    return user;
  });
}

/**
 * Whether the login will create an account for the identity, or give a new password to an existing account. It creates
 * an account for an invited person. It replaces the password of an account that somebody else may have created.
 */
async function needsPassword(tx: ReadTx, identity: Identity): Promise<boolean> {
  const { mail } = identity;
  if (mail === undefined || (await knownUser(tx, identity))) return false;
  const user = await findUserNamed(tx, mail);
  return user === undefined ? (await invitationNamed(tx, mail)) !== undefined : user.proven === undefined;
}

/**
 * Returns the user with the mail address that the provider has verified. Creates this user if the person is invited. A
 * user has at most one identity per issuer.
 */
async function userToLink(
  tx: Tx,
  identity: Identity,
  passwordHash: string | undefined,
): Promise<UserRow | Refusal> {
  const { source, mail } = identity;
  if (mail === undefined) return 'unverified';
  const user = await findUserNamed(tx, mail);
  if (user !== undefined) {
    if (await hasIdentity(tx, source, user.id)) return 'other';
    if (passwordHash !== undefined) await proveAddress(tx, user, passwordHash);
    else if (user.proven === undefined) return 'unknown';
    return user;
  }
  const invitation = await invitationNamed(tx, mail);
  if (invitation === undefined || passwordHash === undefined) return 'unknown';
  return acceptWithAccount(tx, invitation, { ...namesOf(identity, mail), passwordHash });
}
