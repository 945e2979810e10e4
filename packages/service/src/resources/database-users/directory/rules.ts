import type { ReadTx } from '../../../store/index.ts';
import { directoryFaults } from './faults.ts';
import { type CheckRow, findCheck } from './rows.ts';

/** Throws LDAP_VERIFICATION_NOT_FOUND if the project has no such verification. */
export async function requireCheck(tx: ReadTx, groupId: string, id: string): Promise<CheckRow> {
  const row = await findCheck(tx, id);
  if (row?.groupId !== groupId) throw directoryFaults.LDAP_VERIFICATION_NOT_FOUND(id, groupId);
  return row;
}
