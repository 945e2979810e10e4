import { Fault } from '@portolan/foundation/faults';
import { hashSecret } from '../../../access/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { findUserNamed, insertUser, noContact, type UserRow } from '../../accounts/index.ts';
import {
  admissionsOf,
  admit,
  isInDomains,
  organizationsWith,
  type ProviderRow,
} from '../../federation/index.ts';
import type { Services } from '../../services.ts';
import { invitationNamed } from '../../users/index.ts';
import { personOf } from '../person.ts';
import { replacePassword } from '../proof.ts';
import { knownUser, namesOf, unknownPassword } from './account.ts';
import { ATTEMPT_MS } from './attempt.ts';
import type { Refusal } from './changes.ts';
import type { Identity } from './provider.ts';
import { hasIdentity, insertIdentity, useState } from './rows.ts';

interface Redeeming {
  readonly identity: Identity;
  readonly provider: ProviderRow;
  readonly state: string;
  readonly address: string;
}

/**
 * Like `redeem`, for an identity provider of an organization. The login also changes the roles of the user in the
 * organizations that are connected to the identity provider.
 */
export async function redeemFederated(
  { machine, random, store }: Services,
  { identity, provider, state, address }: Redeeming,
): Promise<UserRow | Refusal> {
  const passwordHash = (await store.read((tx) => needsPassword(tx, identity)))
    ? await unknownPassword(random, identity)
    : undefined;
  return store.write(async (tx) => {
    const now = machine.now();
    if (!(await useState(tx, hashSecret(state), now + ATTEMPT_MS))) return 'ended';
    const arrival = await arrivalOf(tx, { identity, provider, passwordHash });
    if (typeof arrival === 'string') return arrival;
    const { user, isOwn, isNew } = arrival;
    const { id: userId, username } = user;
    if (!isInAssociatedDomain(provider, username)) return 'domain';
    const admissions = await admissionsOf(tx, provider, { userId, username, isOwn, groups: identity.groups });
    if (admissions.length === 0) return 'unknown';
    if (isNew) await insertUser(tx, user);
    if (!arrival.isLinked) {
      if (!isNew && user.proven === undefined && passwordHash) await replacePassword(tx, user, passwordHash);
      await insertIdentity(tx, identity, { userId, created: now });
    }
    const actor = { userId, username, remoteAddress: address };
    return (await admit(tx, actor, user, admissions)) ? user : 'unknown';
  });
}

const isInAssociatedDomain = ({ associatedDomains }: ProviderRow, username: string): boolean =>
  associatedDomains.length === 0 || isInDomains(username, associatedDomains);

async function needsPassword(tx: ReadTx, identity: Identity): Promise<boolean> {
  if (identity.mail === undefined || (await knownUser(tx, identity)) !== undefined) return false;
  return (await findUserNamed(tx, identity.mail))?.proven === undefined;
}

interface ArrivingUser {
  readonly user: UserRow;
  /** Whether the identity was linked to the user before. */
  readonly isLinked: boolean;
  /** Whether the account does not exist yet. */
  readonly isNew: boolean;
  /** Whether the account belongs to the identity provider. */
  readonly isOwn: boolean;
}

type Arriving = Pick<Redeeming, 'identity' | 'provider'> & { readonly passwordHash: string | undefined };

/** Returns the user of an identity, or a user that is to be created. */
async function arrivalOf(
  tx: Tx,
  { identity, provider, passwordHash }: Arriving,
): Promise<ArrivingUser | Refusal> {
  const known = await knownUser(tx, identity);
  if (known !== undefined) return { user: known, isLinked: true, isNew: false, isOwn: true };
  const { mail: username, source } = identity;
  if (username === undefined) return 'unverified';
  const user = await findUserNamed(tx, username);
  if (user !== undefined) {
    if (await hasIdentity(tx, source, user.id)) return 'other';
    if (
      user.proven === undefined &&
      (passwordHash === undefined || (await hasOtherRoles(tx, user, provider)))
    )
      return 'unproven';
    return { user, isLinked: false, isNew: false, isOwn: false };
  }
  if (passwordHash === undefined) return 'unknown';
  const invitation = await invitationNamed(tx, username);
  const created: UserRow = {
    id: invitation?.userId ?? tx.id(),
    username,
    passwordHash,
    ...namesOf(identity, username),
    ...noContact,
    created: tx.now,
  };
  return { user: created, isLinked: false, isNew: true, isOwn: true };
}

/**
 * Whether a user has roles outside the organizations that are connected to the identity provider. If nobody has verified
 * the mail address of such a user, another organization may have created the account, and may know its password.
 */
async function hasOtherRoles(tx: ReadTx, { id }: UserRow, provider: ProviderRow): Promise<boolean> {
  const connected = await organizationsWith(tx, provider.id);
  const grants = (await personOf(tx, id))?.grants ?? [];
  return grants.some((grant) => !connected.includes(grant.scope === 'org' ? grant.id : (grant.orgId ?? '')));
}

/** Runs a login. Returns why the login failed if it violates a rule, such as the maximum number of users. */
export async function orRefused<T>(
  work: () => Promise<T>,
  report: (error: Fault) => void,
): Promise<T | 'failed'> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    report(error);
    return 'failed';
  }
}
