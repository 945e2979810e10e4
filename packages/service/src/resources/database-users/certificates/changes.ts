import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { recordInProject } from '../../projects/index.ts';
import type { UserRow } from '../rows.ts';
import type { ValidAuthority } from './authority.ts';
import { certificateFaults } from './faults.ts';
import {
  authorityOf,
  type CertificateRow,
  certificatesOf,
  insertCertificate,
  saveAuthority,
} from './rows.ts';
import { MAX_CERTIFICATES } from './rules.ts';

/** Stores a new authority. Returns false if another request has stored one in the meantime. */
export async function keepAuthority(tx: Tx, { row, stored }: ValidAuthority): Promise<boolean> {
  const present = (await authorityOf(tx, row.groupId))?.certificate;
  if (present !== stored) return false;
  if (row.certificate !== stored) await saveAuthority(tx, row);
  return true;
}

export async function addCertificate(
  tx: Tx,
  actor: Actor,
  { username, groupId }: UserRow,
  row: CertificateRow,
): Promise<void> {
  const valid = await certificatesOf(tx, row.userId, tx.now);
  if (valid.length >= MAX_CERTIFICATES) {
    throw certificateFaults.PLATFORM_GENERATED_CERTS_LIMIT_EXCEEDED(MAX_CERTIFICATES);
  }
  await insertCertificate(tx, row);
  await recordInProject(tx, groupId, {
    type: 'DB_USER_UPDATED',
    actor,
    details: { dbUserUsername: username },
  });
}
