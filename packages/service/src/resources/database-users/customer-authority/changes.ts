import { X509Certificate } from 'node:crypto';
import { badValue } from '../../../api/faults.ts';
import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { deleteCustomerAuthorities, saveCustomerAuthorities } from './rows.ts';

/** Recorded when the authorities of a project change; its clusters are then updated. */
export const AUTHORITIES_UPDATED = 'CUSTOMER_X509_CONFIGURATION_UPDATED';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Replaces the authorities; an empty text removes them. */
export async function changeAuthorities(tx: Tx, actor: Actor, groupId: string, cas: string): Promise<void> {
  if (cas === '') await deleteCustomerAuthorities(tx, groupId);
  else await saveCustomerAuthorities(tx, groupId, cas);
  await recordInProject(tx, groupId, { type: AUTHORITIES_UPDATED, actor });
}

/** Throws for a text that is not empty and contains anything but certificates of authorities. */
export function checkAuthorities(cas: string): void {
  const rest = cas.replaceAll(PEM, '').trim();
  if (rest !== '' || !(cas.match(PEM) ?? []).every(isAuthority)) {
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
