import type { ScramCredentials, UserSpec } from '@portolan/engine/interface/engine';
import { scramCredentials, UnusablePassword } from '@portolan/engine/management';
import type { SecretBox } from '@portolan/foundation/secret-box';
import { violation } from '../../api/faults.ts';
import type { Services } from '../services.ts';
import { uriOf } from './certificates/rules.ts';
import type { UserRow } from './rows.ts';
import { passwordSpec } from './stored-password.ts';
import { managedSubject } from './subjects.ts';

/**
 * Returns the encryption context of a user's SCRAM verifiers (RFC 5802). The verifiers replace the password in the
 * database. The context contains the user's id, so that verifiers are useless in the row of another user.
 */
const contextOf = (userId: string) => `database user ${userId}`;

/**
 * Derives and encrypts the verifiers of a password, if there is one. Throws for a password that drivers cannot send.
 */
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
      'must not be empty after SASLprep (RFC 4013) or contain characters that it prohibits',
    );
  });
  return secrets.seal(JSON.stringify(credentials), contextOf(user.id));
}

/**
 * Returns the name with which a user logs in. If the service issues the user's certificates, this is the subject of the
 * certificates.
 */
export function nameInClusters({ username, document }: Pick<UserRow, 'username' | 'document'>): string {
  return document.x509Type === 'MANAGED' ? managedSubject(username) : username;
}

/** Returns the certificates with which a user logs in. Their authorities have the names that `userAuthorities` uses. */
function certificatesOf({ id, document }: UserRow): Pick<UserSpec, 'certificates'> {
  switch (document.x509Type) {
    case 'MANAGED':
      return { certificates: { authority: 'managed', uri: uriOf(id) } };
    case 'CUSTOMER':
      return { certificates: { authority: 'customer' } };
    default:
      return {};
  }
}

/**
 * Returns a user in the form that the engine needs. Includes the password if the engine needs it and the service has
 * it.
 */
export function userSpec(secrets: SecretBox, row: UserRow, withPassword: boolean): UserSpec {
  const scram =
    row.verifiers &&
    (JSON.parse(secrets.open(row.verifiers, contextOf(row.id)).toString()) as ScramCredentials);
  return {
    username: nameInClusters(row),
    database: row.databaseName,
    roles: row.document.roles.map(({ roleName, databaseName, collectionName }) => ({
      role: roleName,
      database: databaseName,
      ...(collectionName ? { collection: collectionName } : {}),
    })),
    ...(scram ? { scram } : {}),
    ...(withPassword && row.password ? { password: passwordSpec(secrets, row.id, row.password) } : {}),
    ...certificatesOf(row),
  };
}
