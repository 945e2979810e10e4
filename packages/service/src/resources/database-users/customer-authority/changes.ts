import { X509Certificate } from 'node:crypto';
import { badValue } from '../../../api/faults.ts';
import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { deleteCustomerAuthorities, directoryOf, saveCustomerAuthorities, saveDirectory } from './rows.ts';
import type { Directory } from './schema.ts';

/**
 * The event that is recorded when the certificate authorities of a project change. The change is then applied to the
 * clusters of the project.
 */
export const AUTHORITIES_UPDATED = 'CUSTOMER_X509_CONFIGURATION_UPDATED';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Replaces the authorities. An empty text removes them. */
export async function changeAuthorities(tx: Tx, actor: Actor, groupId: string, cas: string): Promise<void> {
  if (cas === '') await deleteCustomerAuthorities(tx, groupId);
  else await saveCustomerAuthorities(tx, groupId, cas);
  await recordInProject(tx, groupId, { type: AUTHORITIES_UPDATED, actor });
}

/**
 * Changes the settings of the directory; omitted settings stay unchanged. Throws if a setting enables login with
 * accounts of the directory.
 */
export async function changeDirectory(
  tx: Tx,
  groupId: string,
  change: Directory & { readonly bindPassword?: string },
): Promise<void> {
  for (const name of ['authenticationEnabled', 'authorizationEnabled'] as const)
    if (change[name] === true) throw badValue(`ldap.${name}`, 'must be false: users do not log in by LDAP');
  const { bindPassword: _, ...settings } = change;
  await saveDirectory(tx, groupId, { ...(await directoryOf(tx, groupId)), ...settings });
}

/** The largest number of certificates. A login may have to try each of them. */
export const MAX_AUTHORITIES = 50;

/** Throws unless the text is empty, or contains only certificates of authorities. */
export function checkAuthorities(cas: string): void {
  const rest = cas.replaceAll(PEM, '').trim();
  const found = cas.match(PEM) ?? [];
  if (found.length > MAX_AUTHORITIES)
    throw badValue('customerX509.cas', `must contain at most ${MAX_AUTHORITIES} certificates`);
  if (rest !== '' || !found.every(isAuthority)) {
    throw badValue('customerX509.cas', 'must contain PEM certificates of certificate authorities only');
  }
}

function isAuthority(pem: string): boolean {
  try {
    return new X509Certificate(pem).ca;
  } catch {
    return false;
  }
}
