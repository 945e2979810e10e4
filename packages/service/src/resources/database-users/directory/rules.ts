import { faults } from '@portolan/foundation/faults';
import type { ReadTx } from '../../../store/index.ts';
import { type CheckRow, findCheck } from './rows.ts';

export const directoryFaults = faults({
  LDAP_VERIFICATION_NOT_FOUND: [
    404,
    'The project {1} has no verification of an LDAP server with the id {0}.',
  ],
});

/** Throws LDAP_VERIFICATION_NOT_FOUND if the project has no such verification. */
export async function requireCheck(tx: ReadTx, groupId: string, id: string): Promise<CheckRow> {
  const row = await findCheck(tx, id);
  if (row?.groupId !== groupId) throw directoryFaults.LDAP_VERIFICATION_NOT_FOUND(id, groupId);
  return row;
}
