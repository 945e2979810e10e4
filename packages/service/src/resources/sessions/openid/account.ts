import type { Random } from '@portolan/foundation/random';
import type { ReadTx } from '../../../store/index.ts';
import { findUser, hashPassword, type UserRow } from '../../accounts/index.ts';
import type { Identity } from './identity.ts';
import { userIdOf } from './rows.ts';

/** Returns the user that an earlier login has linked to an identity. */
export async function knownUser(tx: ReadTx, identity: Identity): Promise<UserRow | undefined> {
  const id = await userIdOf(tx, identity);
  return id === undefined ? undefined : findUser(tx, id);
}

/**
 * Returns the hash of a random password that nobody learns. Must be computed outside of transactions, since this takes
 * tens of milliseconds.
 */
export function unknownPassword(random: Random, { subject }: Identity) {
  return hashPassword(random, random.bytes(32).toString('base64url'), subject);
}

/** The maximum length of a name. It also applies when people enter their name. */
const MAX_NAME_LENGTH = 128;

/** Returns the names of a new user, whose mail address takes the place of a missing first name. */
export function namesOf({ firstName, lastName }: Identity, mail: string) {
  return {
    firstName: firstName.slice(0, MAX_NAME_LENGTH) || mail,
    lastName: lastName.slice(0, MAX_NAME_LENGTH),
  };
}
