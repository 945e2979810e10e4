import type { ReadTx, Tx } from '../../store/index.ts';
import { cacheKeys } from '../credentials.ts';
import { isListRequired, setListRequired } from '../rows.ts';
import { deleteEntry, insertEntry } from './rows.ts';

export { type AddressEntry, countEntries, findEntry, pageOfEntries } from './rows.ts';

/** Adds a block, in canonical form, to the access list of an API key or service account. */
export async function addAddress(tx: Tx, principalId: string, cidr: string): Promise<void> {
  await insertEntry(tx, principalId, cidr);
  tx.touch(cacheKeys.principal(principalId));
}

export async function removeAddress(tx: Tx, principalId: string, cidr: string): Promise<void> {
  await deleteEntry(tx, principalId, cidr);
  tx.touch(cacheKeys.principal(principalId));
}

/** Whether an organization rejects callers without an access list. */
export const isAccessListRequired = (tx: ReadTx, orgId: string): Promise<boolean> =>
  isListRequired(tx, orgId);

export async function requireAccessList(tx: Tx, orgId: string, required: boolean): Promise<void> {
  await setListRequired(tx, orgId, required);
  tx.touch(cacheKeys.listRequirement(orgId));
}
