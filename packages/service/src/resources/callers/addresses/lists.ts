import {
  type AddressEntry,
  canonicalBlock,
  countEntries,
  findEntry,
  pageOfEntries,
} from '../../../access/index.ts';
import type { Page, PageRequest, ReadTx } from '../../../store/index.ts';
import { type Principal, principalIdOf } from '../rules.ts';

/** Returns the entry whose address or block is in the path. */
export async function findEntryNamed(
  tx: ReadTx,
  principal: Principal,
  text: string,
): Promise<AddressEntry | undefined> {
  const block = canonicalBlock(text);
  return block === undefined ? undefined : findEntry(tx, principalIdOf(principal), block);
}

/** Returns one page of an access list. `present` formats the entries for the kind of caller that has the list. */
export async function pageOfAddresses<T>(
  tx: ReadTx,
  principal: Principal,
  page: PageRequest,
  present: (entry: AddressEntry) => T,
): Promise<Page<T>> {
  const id = principalIdOf(principal);
  const { entries, next } = await pageOfEntries(tx, id, page);
  const totalCount = page.includeCount ? await countEntries(tx, id) : undefined;
  return { results: entries.map(present), next, totalCount };
}
