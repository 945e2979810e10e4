import type { ScramCredentials, UserSpec } from '@portolan/engine/interface/engine';
import { scramCredentials, UnusablePassword } from '@portolan/engine/management';
import type { SecretBox } from '@portolan/foundation/secret-box';
import { violation } from '../../api/faults.ts';
import type { Services } from '../services.ts';
import type { UserRow } from './rows.ts';

/**
 * Names the seal of a user's verifiers: what a server needs to check a password (RFC 5802), and all that is stored of
 * one. The user's id is part of the name, so that verifiers cannot be put in another user's row.
 */
const contextOf = (userId: string) => `database user ${userId}`;

/** What is stored of a password; nothing where none is given. Throws for one that drivers cannot send. */
export async function sealVerifiers(
  { secrets, random }: Services,
  user: { id: string; username: string },
  password: string | undefined,
): Promise<Uint8Array | undefined> {
  if (password === undefined) return undefined;
  const credentials = await scramCredentials(user.username, password, random).catch((error: unknown) => {
    if (!(error instanceof UnusablePassword)) throw error;
    throw violation(
      'password',
      'holds characters that SASLprep (RFC 4013) forbids, or nothing but such as it drops',
    );
  });
  return secrets.seal(JSON.stringify(credentials), contextOf(user.id));
}

/** A user as an engine knows it. */
export function userSpec(secrets: SecretBox, row: UserRow): UserSpec {
  const scram =
    row.verifiers &&
    (JSON.parse(secrets.open(row.verifiers, contextOf(row.id)).toString()) as ScramCredentials);
  return {
    username: row.username,
    database: row.databaseName,
    roles: row.document.roles.map(({ roleName, databaseName, collectionName }) => ({
      role: roleName,
      database: databaseName,
      ...(collectionName ? { collection: collectionName } : {}),
    })),
    ...(scram ? { scram } : {}),
  };
}
