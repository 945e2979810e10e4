import { createHash } from 'node:crypto';
import type { PasswordSpec } from '@portolan/engine/interface/engine';
import type { SecretBox } from '@portolan/foundation/secret-box';
import type { Topic, Tx } from '../../store/index.ts';

/*
 * This file stores passwords themselves, encrypted, in addition to their verifiers. Only projects with
 * clusters whose servers do not accept verifiers need them.
 */

/** Published before a password is stored. A subscriber calls `keep` if a cluster of the project needs it. */
export const storingPassword: Topic<{ readonly groupId: string; keep(): void }> = {
  name: 'storing the password of a database user',
};

/**
 * Returns the encryption context of a user's password. It contains the user's id, so that the encrypted password is
 * useless in the row of another user.
 */
const contextOf = (userId: string) => `password of database user ${userId}`;

export function sealPassword(secrets: SecretBox, userId: string, password: string | undefined) {
  return password === undefined ? undefined : secrets.seal(password, contextOf(userId));
}

/** Returns the given encrypted password if the project keeps passwords; otherwise undefined. */
export async function ifKept(
  tx: Tx,
  groupId: string,
  password: Uint8Array | undefined,
): Promise<Uint8Array | undefined> {
  if (password === undefined) return undefined;
  let isKept = false;
  await tx.publish(storingPassword, {
    groupId,
    keep() {
      isKept = true;
    },
  });
  return isKept ? password : undefined;
}

/**
 * Returns the password in the form that engines need. Its version changes whenever the password is encrypted again,
 * even if the password is the same.
 */
export function passwordSpec(secrets: SecretBox, userId: string, password: Uint8Array): PasswordSpec {
  return {
    text: secrets.open(password, contextOf(userId)).toString(),
    version: createHash('sha256').update(password).digest('hex'),
  };
}
