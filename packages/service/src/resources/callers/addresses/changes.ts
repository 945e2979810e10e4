import {
  addAddress,
  type Caller,
  contains,
  countEntries,
  findEntry,
  parseBlock,
  removeAddress,
} from '../../../access/index.ts';
import type { Tx } from '../../../store/index.ts';
import { type ChangeContext, recordChange } from '../changes.ts';
import { callerFaults } from '../faults.ts';
import { type Principal, principalIdOf } from '../rules.ts';

/**
 * Maximum number of entries of an access list. The limit is low, since the address of each request is compared with all
 * entries.
 */
export const MAX_ENTRIES = 200;

/**
 * Adds blocks in canonical form to the access list of an API key or service account. Throws if the list already
 * contains one of them, or becomes too long.
 */
export async function addBlocks(
  tx: Tx,
  at: ChangeContext,
  principal: Principal,
  blocks: readonly string[],
): Promise<void> {
  const id = principalIdOf(principal);
  for (const block of blocks) {
    if (await findEntry(tx, id, block)) throw callerFaults.ADDRESS_ALREADY_IN_ACCESS_LIST(block);
    await addAddress(tx, id, block);
    await recordChange(tx, at, principal, 'ACCESS_LIST_ENTRY_ADDED', { accessListEntry: block });
  }
  if ((await countEntries(tx, id)) > MAX_ENTRIES) {
    throw callerFaults.MAX_ACCESS_LIST_ENTRIES_EXCEEDED(MAX_ENTRIES);
  }
}

/** Removes a block. Throws if the caller would lock itself out. */
export async function removeBlock(
  tx: Tx,
  at: ChangeContext & { readonly caller: Caller; readonly remoteAddress: string },
  principal: Principal,
  cidr: string,
): Promise<void> {
  const { caller, remoteAddress } = at;
  const id = principalIdOf(principal);
  const holdsCaller = (block: string) => contains([parseBlock(block)], remoteAddress);
  if (caller.id === id && holdsCaller(cidr)) {
    const others = caller.addresses.filter((block) => block !== cidr);
    if (!others.some(holdsCaller)) throw callerFaults.CANNOT_REMOVE_CALLER_FROM_ACCESS_LIST(remoteAddress);
  }
  await removeAddress(tx, id, cidr);
  await recordChange(tx, at, principal, 'ACCESS_LIST_ENTRY_DELETED', { accessListEntry: cidr });
}
