import {
  type AddressEntry,
  addAddress,
  canonicalBlock,
  contains,
  countEntries,
  findEntry,
  pageOfEntries,
  parseBlock,
  removeAddress,
} from '../../../access/index.ts';
import { generalFaults } from '../../../api/faults.ts';
import type { Call } from '../../../api/operation.ts';
import type { Page, PageRequest, ReadTx, Tx } from '../../../store/index.ts';
import { callerFaults } from '../faults.ts';

/** Entries of one list: every request is compared with each. */
const MAX_ENTRIES = 200;

export interface EntryBody {
  readonly ipAddress?: string;
  readonly cidrBlock?: string;
}

/** The blocks of a request, in canonical form. */
export function readBlocks(body: readonly EntryBody[]): string[] {
  const blocks = body.map(readBlock);
  if (new Set(blocks).size < blocks.length) throw callerFaults.DUPLICATE_ADDRESSES_IN_INPUT();
  return blocks;
}

function readBlock({ ipAddress, cidrBlock }: EntryBody): string {
  const text = ipAddress ?? cidrBlock;
  if (text === undefined) throw generalFaults.MISSING_ONE_OF_ATTRIBUTES('ipAddress', 'cidrBlock');
  const block = canonicalBlock(text);
  const isAddress = ipAddress !== undefined;
  if (block === undefined || isAddress === text.includes('/')) {
    throw generalFaults.INVALID_IP_ADDRESS_OR_CIDR_NOTATION(text);
  }
  // Entries that were read come back with both fields; that they agree is enough.
  if (isAddress && cidrBlock !== undefined && canonicalBlock(cidrBlock) !== block) {
    throw callerFaults.BAD_ACCESS_LIST_ADD_REQUEST();
  }
  return block;
}

/** Adds blocks to the list of a key or an account; answers those blocks. */
export async function addBlocks(tx: Tx, principalId: string, blocks: readonly string[]): Promise<void> {
  for (const block of blocks) {
    if (await findEntry(tx, principalId, block)) throw callerFaults.ADDRESS_ALREADY_IN_ACCESS_LIST(block);
    await addAddress(tx, principalId, block);
  }
  if ((await countEntries(tx, principalId)) > MAX_ENTRIES) {
    throw callerFaults.MAX_ACCESS_LIST_ENTRIES_EXCEEDED(MAX_ENTRIES);
  }
}

/** The entry that a path names by its address or block. */
export async function entryNamed(
  tx: ReadTx,
  principalId: string,
  text: string,
): Promise<AddressEntry | undefined> {
  const block = canonicalBlock(text);
  return block === undefined ? undefined : findEntry(tx, principalId, block);
}

/** Removes an entry, unless it is the one by which the caller itself comes in. */
export async function removeBlock(tx: Tx, call: Call, principalId: string, cidr: string): Promise<void> {
  const { caller, remoteAddress } = call;
  const holdsCaller = (block: string) => contains([parseBlock(block)], remoteAddress);
  if (caller.id === principalId && holdsCaller(cidr)) {
    const others = caller.addresses.filter((block) => block !== cidr);
    if (!others.some(holdsCaller)) throw callerFaults.CANNOT_REMOVE_CALLER_FROM_ACCESS_LIST(remoteAddress);
  }
  await removeAddress(tx, principalId, cidr);
}

/** A page of a list; `present` gives each entry the form of its kind of caller. */
export async function listed<T>(
  tx: ReadTx,
  principalId: string,
  page: PageRequest,
  present: (entry: AddressEntry) => T,
): Promise<Page<T>> {
  const { entries, next } = await pageOfEntries(tx, principalId, page);
  const totalCount = page.includeCount ? await countEntries(tx, principalId) : undefined;
  return { results: entries.map(present), next, totalCount };
}
